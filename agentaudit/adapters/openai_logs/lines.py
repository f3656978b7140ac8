"""The lines of a text that is fed in pieces, and its bytes measured on the way.

- Lines end at 0x0A only. A line over the limit is counted and not held.
- Memory is that of one line.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

LINE_MAX: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number (from 1), its offset, its bytes with their end (None: over the limit); whether it ends."""

    number: int
    offset: int
    octets: bytes | None
    is_ended: bool


class LineCutter:
    """Cuts what it is fed at each 0x0A."""

    def __init__(self, limit: int = LINE_MAX) -> None:
        """`limit` bounds the bytes of one line that are held."""
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._begun = 0
        self._number = 0

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """Each line that is whole by now."""
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            self._hold(piece + b"\n")
            yield self._line(is_ended=True)
        if rest:
            self._hold(rest)

    def finish(self) -> Iterator[Line]:
        """The rest, where the text does not end in 0x0A."""
        if self._size:
            yield self._line(is_ended=False)

    def _hold(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._limit:
            self._parts.clear()
        else:
            self._parts.append(piece)

    def _line(self, *, is_ended: bool) -> Line:
        octets = None if self._size > self._limit else b"".join(self._parts)
        self._number += 1
        line = Line(self._number, self._begun, octets, is_ended)
        self._begun += self._size
        self._parts.clear()
        self._size = 0
        return line


class Measured:
    """How many bytes came, and their digest."""

    def __init__(self) -> None:
        """None came yet."""
        self.bytes = 0
        self._digest = sha256()

    def take(self, octets: bytes) -> None:
        """Count them."""
        self.bytes += len(octets)
        self._digest.update(octets)

    @property
    def sha256(self) -> str:
        """`sha256:<hex>` of what came so far."""
        return f"sha256:{self._digest.hexdigest()}"
