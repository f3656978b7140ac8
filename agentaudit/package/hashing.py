"""SHA-256 of many files at once: hashlib lets other threads run while it works.

- Each thread has its own handles and one buffer, used again for every file.
- Files of a folder stay together, so that its handle is opened once; big files go first.
- A file that cannot be read, or that has more bytes than the reader's limit, has no digest.
"""

import itertools
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from agentaudit.package.tree import Tree

BUFFER_BYTES = 256 * 1024
FILE_BYTES_MAX = 64 * 1024**3
BIG_BYTES = 8 * 1024 * 1024
BATCH = 32


class Hashing:
    """A run over a fixed set of files, begun at once; `result` waits for its end."""

    def __init__(self, root: Path, sizes: Mapping[str, int], paths: Iterable[str], threads: int) -> None:
        """Begin; `sizes` are as the survey saw them and only order the work."""
        ordered = sorted(paths)
        big = [path for path in ordered if sizes.get(path, 0) >= BIG_BYTES]
        rest = [path for path in ordered if sizes.get(path, 0) < BIG_BYTES]
        self._batches = itertools.chain(([path] for path in big), _batches(rest))
        self._lock = threading.Lock()
        self._digests: dict[str, str | None] = {}
        self._root = root
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(max(1, threads))]
        for thread in self._threads:
            thread.start()

    def result(self) -> Mapping[str, str | None]:
        """The digest of each file as 64 hex digits; None for one that could not be read."""
        for thread in self._threads:
            thread.join()
        return self._digests

    def _work(self) -> None:
        view = memoryview(bytearray(BUFFER_BYTES))
        with Tree(self._root) as tree:
            while batch := self._next():
                found = {path: _digest(tree, path, view) for path in batch}
                with self._lock:
                    self._digests.update(found)

    def _next(self) -> list[str]:
        with self._lock:
            return next(self._batches, [])


def _batches(paths: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(paths), BATCH):
        yield paths[start : start + BATCH]


def _digest(tree: Tree, path: str, view: memoryview) -> str | None:
    try:
        descriptor = tree.open(path)
    except OSError:
        return None
    try:
        return _digest_of(descriptor, view)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _digest_of(descriptor: int, view: memoryview) -> str | None:
    """The digest of what the descriptor gives; None beyond the limit, whatever size the system states."""
    digest, left, into = sha256(), FILE_BYTES_MAX, (view,)
    while got := _fill(descriptor, into):
        digest.update(view[:got])
        left -= got
        if left < 0:
            return None
    return digest.hexdigest()


def _fill_by_copy(descriptor: int, into: tuple[memoryview]) -> int:
    """Fill the buffer where the system has no call for it (Windows)."""
    octets = os.read(descriptor, len(into[0]))
    into[0][: len(octets)] = octets
    return len(octets)


_fill: Callable[[int, tuple[memoryview]], int] = getattr(os, "readv", _fill_by_copy)
