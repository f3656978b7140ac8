"""Our own tag files: canonical JSON out, strict JSON in.

- Canonical: UTF-8, no BOM, keys sorted, no white space, integers only and none beyond 2^53-1: RFC 8785 for this
  domain.
- Strict: what decodes must encode to the same bytes again, or it is not one of ours.
- A line is a canonical object with one LF after it.
"""

import json
from typing import TypeVar

import msgspec

from agentaudit.model.base import Frozen

F = TypeVar("F", bound=Frozen)

INTEGER_MAX = 2**53 - 1

# Every digit as 0 and every byte before a number as a colon: two plain searches, where a pattern costs four times that.
_SHAPE = bytes.maketrans(b"123456789,[", b"000000000::")
_LONG = b":" + 16 * b"0"
_LONG_NEGATIVE = b":-" + 16 * b"0"
_ENCODER = msgspec.json.Encoder(order="sorted")


class NotCanonical(ValueError):
    """Bytes that are no canonical value of the expected type; the text names no content."""


def encode(row: Frozen) -> bytes:
    """The canonical bytes of a value, without a line feed (RFC 8785, section 3.2)."""
    return _ENCODER.encode(row)


def encode_line(row: Frozen) -> bytes:
    """The canonical bytes of a value with the LF that ends its line."""
    return _ENCODER.encode(row) + b"\n"


class Codec:
    """A strict reader of one type, or of a tagged union of types."""

    def __init__(self, kind: object) -> None:
        """Build the decoder once; `kind` is a `Frozen` class or a union of them."""
        self._decoder: msgspec.json.Decoder[Frozen] = msgspec.json.Decoder(kind)

    def decode(self, octets: bytes) -> Frozen:
        """The value of canonical bytes; raises `NotCanonical` when they do not re-encode to themselves."""
        try:
            row = self._decoder.decode(octets)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise NotCanonical(type(error).__name__) from None
        if _ENCODER.encode(row) != octets:
            raise NotCanonical("does not re-encode to itself")
        # What looks like a long integer may also stand in a string: only then is the text read once more.
        shape = octets.translate(_SHAPE)
        if _LONG in shape or _LONG_NEGATIVE in shape:
            json.loads(octets, parse_int=_within)
        return row


def _within(digits: str) -> int:
    """The integer, which every reader of JSON gets whole (RFC 8785, section 3.2.2.3)."""
    number = int(digits)
    if abs(number) > INTEGER_MAX:
        raise NotCanonical("an integer beyond 2^53-1")
    return number
