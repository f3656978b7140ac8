"""Opaque identifiers as unpleasant as the reference samples: long, case-sensitive, base64 (section 4).

Laws:
    - Equal parts give equal identifiers; there is no randomness.
    - Every opaque identifier holds ``+``, ``/`` and ``=``, so a client that forgets to percent-encode fails.
    - Nobody but the world that made an identifier reads anything out of it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import uuid

_BODY = re.compile(r"[A-Za-z0-9+/=_-]{4,2000}\Z")
_RUGGED = b"\xfb\xef\xff"  # base64 "++//", because text alone hardly ever encodes to these two


def opaque(prefix: str, *parts: str | int) -> str:
    """An identifier from whatever makes the thing unique: prefix, a small versioned text, a digest."""
    return _assembled(prefix, "-", parts)


def numbered(prefix: str, number: int, *parts: str | int) -> str:
    """An opaque identifier that the world can find again without a table, for very long lists."""
    return _assembled(prefix, str(number), (number, *parts))


def number_of(identifier: str) -> int | None:
    """The number inside a numbered identifier, or None for anything else. The caller compares the rest."""
    try:
        text = base64.b64decode(identifier.partition("_")[2], validate=True)
    except (binascii.Error, ValueError):
        return None
    found = re.match(rb'\{"v":1,"o":"[0-9a-f]{12}","n":"([0-9]{1,12})"', text)
    return int(found.group(1)) if found else None


def case_twin(identifier: str) -> str:
    """The same identifier with the case of its last letter changed: another thing to the API."""
    for place in range(len(identifier) - 1, -1, -1):
        if identifier[place].isalpha():
            return identifier[:place] + identifier[place].swapcase() + identifier[place + 1 :]
    return identifier


def well_formed(prefix: str, text: str) -> bool:
    """Whether a text can be an identifier of this family at all; otherwise the answer is a 400."""
    return text.startswith(prefix) and _BODY.match(text[len(prefix) :]) is not None


def plain(prefix: str, *parts: str | int) -> str:
    """A short identifier of letters and digits, as users, workspaces and agents have."""
    digest = hashlib.sha256(_joined(parts)).digest()
    return prefix + "01" + base64.b32encode(digest).decode("ascii")[:22]


def uuid_of(*parts: str | int) -> str:
    """A lower-case UUID from whatever makes the thing unique."""
    return str(uuid.UUID(bytes=hashlib.sha256(_joined(parts)).digest()[:16], version=4))


def _joined(parts: tuple[str | int, ...]) -> bytes:
    return "\x1f".join(str(part) for part in parts).encode("utf-8", "surrogatepass")


def _assembled(prefix: str, number: str, parts: tuple[str | int, ...]) -> str:
    digest = hashlib.sha256(_joined((prefix, *parts))).digest()
    text = f'{{"v":1,"o":"{digest[:6].hex()}","n":"{number}"}}'.encode("ascii")
    text += b" " * (-len(text) % 3)
    return prefix + base64.b64encode(text + _RUGGED + digest[6:22]).decode("ascii")
