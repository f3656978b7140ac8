"""The runs of data in a file, as the file system tells them (SEEK_DATA and SEEK_HOLE of lseek).

- Offsets and lengths are bytes; runs are in order, do not touch and end at the size that was asked for.
- A file system that knows no holes gives one run.
"""

import errno
import os
from typing import Final, TypeAlias

Run: TypeAlias = tuple[int, int]

HAS_RUNS: Final = hasattr(os, "SEEK_DATA")


def data_runs(descriptor: int, size: int, runs_max: int) -> tuple[Run, ...]:
    """Offset and length of each run of data below `size`, at most one more than `runs_max`. Raises OSError.

    The place of the descriptor is moved.
    """
    if not HAS_RUNS:
        return ((0, size),)
    runs: list[Run] = []
    end = 0
    while end < size and len(runs) <= runs_max:
        start = _next_data(descriptor, end)
        if start is None or start >= size:
            break
        end = min(os.lseek(descriptor, start, os.SEEK_HOLE), size)
        runs.append((start, end - start))
    return tuple(runs)


def _next_data(descriptor: int, at: int) -> int | None:
    """Where data begins at or after the offset; None when only a hole is left."""
    try:
        return os.lseek(descriptor, at, os.SEEK_DATA)
    except OSError as error:
        if error.errno == errno.ENXIO:
            return None
        if error.errno in {errno.EINVAL, errno.ENOTSUP}:
            return at
        raise
