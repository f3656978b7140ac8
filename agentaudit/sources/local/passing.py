"""One pass over the bytes of an open file: runs of data to `take`, the holes between them to `hole`.

- A file that fits the buffer is read by one call.
- The last stretch that was read is remembered, so that the tail of a file that grew can be looked at once more.
- An error of the source is raised as `SourceFault`; what the caller's functions raise goes through as it is.
"""

import os
from collections.abc import Callable
from typing import Final, TypeAlias

Take: TypeAlias = Callable[[memoryview], None]
Hole: TypeAlias = Callable[[int, int], None]

_HAS_PREADV: Final = hasattr(os, "preadv")
_ZEROS: Final = bytes(64 * 1024)


class SourceFault(Exception):
    """The source failed while it was read."""

    def __init__(self, error: OSError) -> None:
        """Keep the system's error."""
        super().__init__("the source failed")
        self.error = error


class Passing:
    """What has been handed over of an open file: bytes, hole bytes, and the offset up to which data was read."""

    def __init__(self, descriptor: int, view: memoryview, take: Take) -> None:
        """Nothing is read yet; `view` is the buffer that each stretch is read into."""
        self.taken = 0
        self.hole_bytes = 0
        self.reached = 0
        self._descriptor = descriptor
        self._view = view
        self._take = take
        self._tail: tuple[int, memoryview] = (0, view[:0])

    def run(self, start: int, length: int) -> bool:
        """Hand over a run of data; False when the file ended before it did."""
        at, end = start, start + length
        while at < end:
            piece = self._read(at, stretch(end - at, len(self._view)))
            if not piece:
                return False
            self._tail = (at, piece)
            self._take(piece)
            self.taken += len(piece)
            at += len(piece)
            self.reached = at
        return True

    def hole(self, start: int, length: int, tell: Hole | None) -> None:
        """Tell of a hole, or hand over as many zeros."""
        if tell is not None:
            tell(start, length)
            self.hole_bytes += length
            return
        zeros, left = memoryview(_ZEROS), length
        while left:
            self._take(zeros[:left])
            left -= len(zeros[:left])
        self.taken += length

    def tail_is_same(self) -> bool:
        """Whether the stretch that was read last still has the same bytes. Raises SourceFault."""
        at, piece = self._tail
        kept = bytes(piece)
        return self._read(at, len(kept)) == kept

    def _read(self, at: int, length: int) -> memoryview:
        try:
            if _HAS_PREADV:
                return self._view[: os.preadv(self._descriptor, [self._view[:length]], at)]
            os.lseek(self._descriptor, at, os.SEEK_SET)
            return memoryview(os.read(self._descriptor, length))
        except OSError as error:
            raise SourceFault(error) from error


def stretch(left: int, buffer: int) -> int:
    """How much to read next: two halves rather than a short last stretch, so that the tail is a real one."""
    return (left + 1) // 2 if buffer < left < 2 * buffer else min(left, buffer)
