"""The wire format of Protocol Buffers: the fields of one message, as their numbers and raw values.

- Nothing is known of any message here; unknown fields are for the reader to pass over.
- Groups (wire types 3 and 4) are refused: OTLP has none.
- Whatever does not add up is `BadWire`, whose text holds no content.
"""

from collections.abc import Iterator
from typing import Final, TypeAlias

VARINT: Final = 0
FIXED64: Final = 1
LENGTH: Final = 2
FIXED32: Final = 5

_VARINT_BYTES_MAX: Final = 10
_MORE: Final = 0x80

Field: TypeAlias = tuple[int, int, int | memoryview]
"""Number, wire type, value: an unsigned integer, or the bytes of a length-delimited field."""


class BadWire(ValueError):
    """Bytes that are no message; the text holds no content."""


def message_fields(octets: memoryview) -> Iterator[Field]:
    """Each field of a message in its order; raises `BadWire` where the bytes break off or make no sense."""
    at, end = 0, len(octets)
    while at < end:
        tag, at = varint(octets, at)
        number, kind = tag >> 3, tag & 7
        if not number:
            raise BadWire("a field has the number 0")
        value: int | memoryview
        if kind == LENGTH:
            size, at = varint(octets, at)
            value = octets[at : at + size]
            at += size
        elif kind == VARINT:
            value, at = varint(octets, at)
        elif kind in {FIXED64, FIXED32}:
            width = 8 if kind == FIXED64 else 4
            value = int.from_bytes(octets[at : at + width], "little")
            at += width
        else:
            raise BadWire("a field has a wire type that is not used")
        if at > end:
            raise BadWire("a field is longer than its message")
        yield number, kind, value


def varint(octets: memoryview, at: int) -> tuple[int, int]:
    """The unsigned varint at an offset, and where it ends; raises `BadWire`."""
    number = shift = 0
    for end in range(at, min(len(octets), at + _VARINT_BYTES_MAX)):
        octet = octets[end]
        number |= (octet & 0x7F) << shift
        if octet < _MORE:
            return number, end + 1
        shift += 7
    raise BadWire("a number does not end")


def signed(number: int) -> int:
    """An int64 out of its unsigned varint."""
    number &= 2**64 - 1
    return number - 2**64 if number >> 63 else number
