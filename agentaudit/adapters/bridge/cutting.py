"""Cuts a JSON document of one object into its members, and one array member into its elements, piece by piece.

- Memory holds one element at a time; one that is larger than the bound is passed over and named.
- Nothing is judged here but the brackets: what a piece holds is for the tolerant reader.
- After damage nothing more is cut; what came before it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentaudit.encoding.foreign import Json, NotJson, decode, mapping

ELEMENT_MAX: Final = 256 * 1024 * 1024

_OUTSIDE: Final = re.compile(rb'["{}\[\],]')
_INSIDE: Final = re.compile(rb'["\\]')
_KEY: Final = re.compile(rb'\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*:\s*\Z', re.DOTALL)
_BLANK: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the top object, but for the array that is cut."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Element:
    """An element of the array, and its number from 0."""

    index: int
    value: Json


@dataclass(frozen=True, slots=True)
class Damage:
    """Bytes that are not what they should be: our word, and the offset at which the piece begins."""

    code: Literal["not_an_object", "not_json", "piece_over_limit", "document_cut", "trailing_bytes"]
    offset: int


Piece: TypeAlias = Member | Element | Damage


class DocumentCutter:
    """Feed it the bytes of a document; it gives the pieces that they complete."""

    def __init__(self, array: str, bound: int = ELEMENT_MAX) -> None:
        """`array` is the name of the member whose elements are wanted one by one."""
        self._array = array.encode()
        self._bound = bound
        self._buffer = bytearray()
        self._base = 0
        self._start = 0
        self._at = 0
        self._depth = 0
        self._index = 0
        self._inside = False
        self._elements = False
        self._after_array = False
        self._over = False
        self._done = False
        self._broken = False

    def feed(self, chunk: bytes | memoryview) -> Iterator[Piece]:
        """The pieces that these bytes complete."""
        if self._broken:
            return
        self._buffer += chunk
        while found := self._next():
            yield from self._step(found)
        if not self._broken:
            self._compact()
            yield from self._pass_over()

    def finish(self) -> Iterator[Piece]:
        """After the last byte: what is amiss with the end."""
        if self._broken:
            return
        rest = bytes(self._buffer[self._start :])
        if not self._done:
            yield Damage("document_cut", self._base + self._start)
        elif rest.strip(_BLANK):
            yield Damage("trailing_bytes", self._base + self._start)

    def _next(self) -> re.Match[bytes] | None:
        if self._done or self._broken:
            return None
        found = (_INSIDE if self._inside else _OUTSIDE).search(self._buffer, self._at)
        self._at = max(self._at, len(self._buffer)) if found is None else found.end()
        return found

    def _step(self, found: re.Match[bytes]) -> Iterator[Piece]:
        sign, begins = found[0], found.start()
        if self._inside:
            # The byte behind a backslash is passed over, also when it is still to come.
            self._at += sign == b"\\"
            self._inside = sign == b"\\"
            return
        match sign:
            case b'"':
                self._inside = True
                yield from self._beginning(begins)
            case b"{" | b"[":
                yield from self._deeper(sign, begins)
            case b"}" | b"]":
                yield from self._higher(begins)
            case _:
                if self._depth == (2 if self._elements else 1):
                    yield from self._piece(begins)
                elif not self._depth:
                    yield self._break("not_an_object", begins)

    def _beginning(self, begins: int) -> Iterator[Piece]:
        if not self._depth:
            yield self._break("not_an_object", begins)

    def _deeper(self, sign: bytes, begins: int) -> Iterator[Piece]:
        if not self._depth:
            before = bytes(self._buffer[self._start : begins]).removeprefix(_BOM)
            if sign != b"{" or before.strip(_BLANK):
                yield self._break("not_an_object", begins)
                return
            self._start = self._at
        elif self._depth == 1 and sign == b"[" and not self._over:
            key = _KEY.match(self._buffer, self._start, begins)
            if key is not None and key[1] == self._array:
                self._elements, self._start = True, self._at
        self._depth += 1

    def _higher(self, begins: int) -> Iterator[Piece]:
        if self._elements and self._depth == 2:  # noqa: PLR2004 - the array stands one level below the top
            yield from self._piece(begins)
            self._elements, self._after_array = False, True
        elif self._depth <= 1:
            if self._depth == 0:
                yield self._break("not_an_object", begins)
                return
            yield from self._piece(begins)
            self._done = True
        self._depth -= 1

    def _piece(self, ends: int) -> Iterator[Piece]:
        """The piece that ends here; the next one begins behind the sign."""
        octets = bytes(self._buffer[self._start : ends])
        offset, over = self._base + self._start, self._over
        self._start, self._over = self._at, False
        if over:
            self._index += self._elements
            return
        if self._after_array or not octets.strip(_BLANK):
            self._after_array = False
            return
        yield self._read(octets, offset)

    def _read(self, octets: bytes, offset: int) -> Piece:
        try:
            if self._elements:
                self._index += 1
                return Element(self._index - 1, decode(octets))
            name, value = next(iter((mapping(decode(b"{" + octets + b"}")) or {}).items()))
        except (NotJson, StopIteration):
            return Damage("not_json", offset)
        return Member(name, value)

    def _pass_over(self) -> Iterator[Piece]:
        """A piece that grew beyond the bound is let go of; where it ends is still looked for."""
        if self._done or len(self._buffer) <= self._bound:
            return
        if not self._over:
            yield Damage("piece_over_limit", self._base)
        self._over = True
        self._base += len(self._buffer)
        self._at -= len(self._buffer)
        self._buffer.clear()

    def _compact(self) -> None:
        del self._buffer[: self._start]
        self._base += self._start
        self._at -= self._start
        self._start = 0
        if self._done and self._buffer.strip(_BLANK):
            # One byte that should not be there tells enough.
            del self._buffer[64:]

    def _break(self, code: Literal["not_an_object"], begins: int) -> Damage:
        self._broken = True
        return Damage(code, self._base + begins)
