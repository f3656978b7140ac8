"""The text of a rollout from its bytes, compressed or not: what is wrong with the stream is a value.

- Whether it is compressed its first bytes say, not its name.
- All bytes that are given are taken, also behind a fault: whoever hashes them sees every one.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from agentaudit.adapters.wholelines import cut
from agentaudit.encoding.streams import Faulty, compression_of, decompressed
from agentaudit.model.framing import StreamFault

LINE_MAX: Final = 64 * 1024 * 1024


class Unpacked:
    """One text, once; `fault` is set when the text ends before its stream does."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        """`pieces` are the bytes as they lie there, split after each LF and at `LINE_MAX`."""
        self._pieces = iter(pieces)
        self.fault: StreamFault | None = None

    def lines(self) -> Iterator[bytes]:
        """The text, split after each LF and at `LINE_MAX`."""
        first = next(self._pieces, b"")
        compression = compression_of(first)
        whole = chain((first,), self._pieces) if first else self._pieces
        if compression is None:
            yield from whole
            return
        try:
            yield from cut(decompressed(_Source(whole), compression), LINE_MAX)
        except Faulty as fault:
            self.fault = fault.fault
        for _ in self._pieces:
            pass


class _Source:
    """Pieces of any size as a source that gives as many bytes as are asked for."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._left = memoryview(b"")

    def read(self, octets: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        if not self._left:
            self._left = memoryview(next(self._pieces, b""))
        taken, self._left = self._left[:octets], self._left[octets:]
        return bytes(taken)
