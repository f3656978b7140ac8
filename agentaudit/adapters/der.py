"""DER, as far as certificates and time stamps need it (ITU-T X.690): a tree of tags, lengths and contents.

- Nothing is copied or converted until it is asked for; every length is checked against the bytes that are there.
- Indefinite lengths and tags above 30 are refused: neither occurs in what is read here.
"""

from collections.abc import Iterator
from dataclasses import dataclass

BOOLEAN, INTEGER, OCTETS, NULL, OID = 0x01, 0x02, 0x04, 0x05, 0x06
TIME = 0x18
SEQUENCE, SET = 0x30, 0x31

_LONG = 0x80
_MANY = 0x1F
_LENGTH_MAX = 4


class NotDer(ValueError):
    """Bytes that are not the DER that is expected here; the text names no content."""


@dataclass(frozen=True, slots=True)
class Node:
    """One element: its tag, where it begins in the whole, and its own bytes and content."""

    tag: int
    whole: bytes
    content: bytes

    def parts(self, tag: int | None = None) -> tuple["Node", ...]:
        """The elements inside; NotDer when this one is not of the tag, or its content is none."""
        if tag is not None and self.tag != tag:
            raise NotDer("another type")
        return tuple(elements(self.content))

    def one(self, tag: int) -> "Node":
        """The only element inside, which must have that tag."""
        inside = self.parts()
        if len(inside) != 1 or inside[0].tag != tag:
            raise NotDer("another type")
        return inside[0]

    def integer(self) -> int:
        """The number of an INTEGER."""
        if self.tag != INTEGER or not self.content:
            raise NotDer("no integer")
        return int.from_bytes(self.content, "big", signed=True)

    def oid(self) -> str:
        """The dotted form of an OBJECT IDENTIFIER."""
        if self.tag != OID or not self.content or self.content[-1] & _LONG:
            raise NotDer("no object identifier")
        arcs, value = [], 0
        for octet in self.content:
            value = value << 7 | octet & 0x7F
            if not octet & _LONG:
                arcs.append(value)
                value = 0
        first = min(arcs[0] // 40, 2)
        return ".".join(str(arc) for arc in (first, arcs[0] - 40 * first, *arcs[1:]))


def read(octets: bytes) -> Node:
    """The one element that the bytes are; NotDer when they are none, or more than one."""
    found = tuple(elements(octets))
    if len(found) != 1:
        raise NotDer("not one element")
    return found[0]


def elements(octets: bytes) -> Iterator[Node]:
    """Each element in turn; NotDer at the first that is cut short."""
    at = 0
    while at < len(octets):
        begin, length = _length(octets, at + 1)
        end = begin + length
        if octets[at] & _MANY == _MANY or end > len(octets):
            raise NotDer("cut short")
        yield Node(octets[at], octets[at:end], octets[begin:end])
        at = end


def _length(octets: bytes, at: int) -> tuple[int, int]:
    """Where the content begins, and how long it is."""
    if at >= len(octets):
        raise NotDer("cut short")
    first = octets[at]
    if first < _LONG:
        return at + 1, first
    count = first - _LONG
    if not 1 <= count <= _LENGTH_MAX or at + 1 + count > len(octets):
        raise NotDer("no length")
    return at + 1 + count, int.from_bytes(octets[at + 1 : at + 1 + count], "big")


def element(tag: int, content: bytes) -> bytes:
    """The bytes of one element."""
    size = len(content)
    if size < _LONG:
        return bytes((tag, size)) + content
    length = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes((tag, _LONG | len(length))) + length + content


def number(value: int) -> bytes:
    """An INTEGER that is not negative."""
    return element(INTEGER, value.to_bytes(value.bit_length() // 8 + 1, "big"))
