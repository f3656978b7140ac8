"""The names of what attests a seal, outside every manifest (FORMAT.md, section 2.7).

- `tagmanifest-sha256.txt.N.sig` a signature, `.N.tsr` a time stamp, `.N.sig.M.tsr` one over a signature, and
  beside each token, as `.pem`, the certificates that it came with.
- Numbers count from 1, have no leading zero, and are never used twice.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentaudit.format.layout import TAG_MANIFEST

NAMESPACE = "agentaudit-seal"

_NUMBER = "([1-9][0-9]{0,3})"
_NAME = re.compile(rf"{re.escape(TAG_MANIFEST)}\.{_NUMBER}(?:(\.sig)(?:\.{_NUMBER}\.tsr(\.pem)?)?|\.tsr(\.pem)?)\Z")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a name says: what kind, which number, over which signature (None: over the tag manifest)."""

    kind: Literal["signature", "stamp", "chain"]
    number: int
    signature: int | None = None

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it stands among others: signatures, then stamps over the seal, then those over signatures."""
        return self.kind, self.signature or 0, self.number


def read_name(name: str) -> Mark | None:
    """What the name of an attestation says; None for any other name."""
    match = _NAME.match(name)
    if match is None:
        return None
    first, signed, second, chain_of_signature, chain = match.groups()
    kind: Literal["stamp", "chain"] = "chain" if chain_of_signature or chain else "stamp"
    if second is not None:
        return Mark(kind, int(second), int(first))
    return Mark("signature", int(first)) if signed else Mark(kind, int(first))


def signature_name(number: int) -> str:
    """The name of a signature."""
    return f"{TAG_MANIFEST}.{number}.sig"


def stamp_name(number: int, signature: int | None = None) -> str:
    """The name of a time stamp over the tag manifest, or over the signature of that number."""
    return f"{TAG_MANIFEST if signature is None else signature_name(signature)}.{number}.tsr"


def chain_name(stamp: str) -> str:
    """The name of the certificates beside a time stamp."""
    return f"{stamp}.pem"


def next_number(names: Iterable[str], kind: Literal["signature", "stamp"], signature: int | None = None) -> int:
    """The first number above all those of its kind; a token's certificates take its number too."""
    marks = [mark for mark in map(read_name, names) if mark is not None and mark.signature == signature]
    taken = (mark.number for mark in marks if (mark.kind == "signature") == (kind == "signature"))
    return max(taken, default=0) + 1
