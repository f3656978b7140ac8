"""The outer members of a foreign object, without making values of what lies inside them.

- It is a short cut, never a judge: a text that is no JSON, or whose members have other types, gives None, and the
  tolerant reader (`foreign`) decides.
- A member that is not named in the kind is passed over; one of type `Raw` is kept as the bytes it is.
- Read laxly, a number or a truth may be written as a string; a text stays a text.
- Whether skipped text is UTF-8 is not asked here.
- How deep it goes is the interpreter's own and its caller's. Where something is told of whether it could read a text,
  it is made `shallow`: it then reads what nests as deep as every interpreter goes, and nothing deeper.
"""

from typing import Generic, TypeVar

import msgspec

from agentaudit.encoding.nesting import DEPTH_MAX, nests_beyond

Raw = msgspec.Raw
T = TypeVar("T")


def laxly(kind: type[T], item: object) -> T | None:
    """A value as the kind, where a lax reading would take its text for one; None where it would not."""
    try:
        return msgspec.convert(item, kind, strict=False)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter for a text with half a surrogate pair
        return None


class Envelopes(Generic[T]):
    """Reads objects as one kind of struct; threads may share one."""

    def __init__(self, kind: type[T], *, lax: bool = False, shallow: bool = False) -> None:
        """`kind` is a msgspec Struct, or a list of one, with a default for every member."""
        self._decoder = msgspec.json.Decoder(kind, strict=not lax)
        self._shallow = shallow

    def read(self, octets: bytes | bytearray | memoryview | Raw) -> T | None:
        """The members that the kind names; None when the text does not have that form."""
        if self._shallow and nests_beyond(bytes(octets), DEPTH_MAX):
            return None
        try:
            return self._decoder.decode(octets)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
            return None
