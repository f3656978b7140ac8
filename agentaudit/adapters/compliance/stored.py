"""Whether the bytes of a stored thing are those that its source states: digests and sizes (compliance reference, 7.1).

- `Content-MD5` is over the served bytes and wins over the `md5` of the metadata, which wins over `size_bytes`.
- A file's statements are over its bytes; those of a document over the UTF-8 of its text, which comes inside JSON; those
  of an artifact over its text, however it comes.
- A document's answer that holds no text is faulty. Bytes for which no digest was stated are unproved, not faulty.
- MD5 is the source's choice: it tells damage from content, and proves nothing against a forger.
"""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import md5
from typing import Literal

from agentaudit.adapters.answers import Unreadable, expand, read_object
from agentaudit.adapters.compliance.fields import natural
from agentaudit.adapters.compliance.naming import Thing
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.headers import Headers, header

Doubt = Literal[
    "content_md5_differs", "content_md5_malformed", "md5_differs", "size_differs", "no_digest", "no_text",
]  # fmt: skip

_MD5_BYTES = 16
_HEX_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Stated:
    """What the metadata of a stored thing states of its bytes; None where it says nothing that can be compared."""

    size_bytes: int | None = None
    md5: bytes | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of the comparison: what is to be doubted, and whether the bytes are not those that were stated."""

    doubts: tuple[Doubt, ...]
    is_faulty: bool


def read_stated(about: Json) -> Stated:
    """The statements in a metadata object."""
    members = mapping(about) or {}
    return Stated(natural(members.get("size_bytes")), _hex(members.get("md5")))


def judge(thing: Thing, body: bytes, headers: Headers, stated: Stated) -> Verdict:
    """Hold the bytes of an answer against what its head and the thing's metadata state of them."""
    encoding = header(headers, "content-encoding")
    whole = expand(body, encoding)
    served = (body,) if isinstance(whole, Unreadable) or whole is body else (body, whole)
    texts = tuple(_texts(thing, body, encoding, served))
    if not texts:
        return Verdict(("no_text",), is_faulty=True)
    doubts: list[Doubt] = []
    proved = _by_head(headers, served, doubts)
    if stated.md5 is not None:
        agrees = any(_md5(text) == stated.md5 for text in texts)
        proved = agrees if proved is None else proved
        doubts += [] if agrees else ["md5_differs"]
    sized = stated.size_bytes is None or any(len(text) == stated.size_bytes for text in texts)
    doubts += [] if sized else ["size_differs"]
    if proved is None:
        doubts.append("no_digest")
    return Verdict(tuple(doubts), is_faulty=not sized if proved is None else not proved)


def _by_head(headers: Headers, served: tuple[bytes, ...], doubts: list[Doubt]) -> bool | None:
    """Whether `Content-MD5` is that of the bytes; None where there is none that can be one."""
    word = header(headers, "content-md5")
    if word is None:
        return None
    digest = _base64(word)
    if digest is None:
        doubts.append("content_md5_malformed")
        return None
    agrees = any(_md5(octets) == digest for octets in served)
    doubts += [] if agrees else ["content_md5_differs"]
    return agrees


def _texts(thing: Thing, body: bytes, encoding: str | None, served: tuple[bytes, ...]) -> Iterator[bytes]:
    """The byte strings over which the metadata's statements may be."""
    if thing != "document":
        yield from served
    if thing in ("document", "artifact"):
        found = read_object(body, encoding)
        text = None if isinstance(found, Unreadable) else (mapping(found) or {}).get("content")
        if isinstance(text, str):
            yield text.encode("utf-8", "surrogatepass")


def _md5(octets: bytes) -> bytes:
    return md5(octets, usedforsecurity=False).digest()


def _hex(word: Json) -> bytes | None:
    if not isinstance(word, str) or len(word) != 2 * _MD5_BYTES or not _HEX_DIGITS.issuperset(word.lower()):
        return None
    return bytes.fromhex(word)


def _base64(word: str) -> bytes | None:
    try:
        octets = base64.b64decode(word, validate=True)
    except (binascii.Error, ValueError):
        return None
    return octets if len(octets) == _MD5_BYTES else None
