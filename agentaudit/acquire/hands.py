"""Who reads and copies: this process, or several, each file as a whole by one of them.

- Results come in the order of the jobs, whoever was faster; a few are under way ahead of the one that is waited for.
- A few small files are not worth another process: only above a bound are others started.
- Another process creates the payload file under its final name and this one takes it into its group: the barrier
  makes it durable before its row.
"""

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.adapters.claude_code.policy import Denied
from agentaudit.package.disk import SystemDisk
from agentaudit.package.item import Item, free_item
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader

ALONE_BYTES = 32 * 1024 * 1024
AHEAD = 4


class Hands:
    """The readers of one store; `workers` 1 means this process alone."""

    def __init__(self, readers: Mapping[str, Reader], roots: Mapping[str, bytes], denied: Denied, workers: int) -> None:
        """`readers` are those of this process, `roots` the resolved paths that others open for themselves.

        `denied` are the files that nobody reads.
        """
        self._readers = readers
        self._roots = dict(roots)
        self._denied = denied
        self._workers = workers

    def copy(self, exhibit: OpenExhibit, jobs: Iterable[CopyJob]) -> Iterator[Copied]:
        """Each job done, in order."""
        waiting = list(jobs)
        size = sum(job.seen.look.size for job in waiting if job.seen.look is not None)
        if self._workers == 1 or size < ALONE_BYTES:
            yield from (self.copy_here(exhibit, job) for job in waiting)
            return
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(self._workers, context, _begin, (self._roots, self._denied, exhibit.root)) as pool:
            yield from self._ordered(exhibit, pool, waiting)

    def copy_here(self, exhibit: OpenExhibit, job: CopyJob) -> Copied:
        """One job done by this process."""
        return copy_file(job, self._readers[job.seen.root], exhibit.begin)

    def _ordered(self, exhibit: OpenExhibit, pool: ProcessPoolExecutor, jobs: list[CopyJob]) -> Iterator[Copied]:
        under_way: deque[Future[Copied]] = deque()
        try:
            for job in jobs:
                exhibit.place(job.path)
                under_way.append(pool.submit(_copy, job))
                while len(under_way) > AHEAD * self._workers:
                    yield _adopted(exhibit, under_way.popleft().result())
            while under_way:
                yield _adopted(exhibit, under_way.popleft().result())
        finally:
            for future in under_way:
                future.cancel()


def _adopted(exhibit: OpenExhibit, copied: Copied) -> Copied:
    if copied.item is not None:
        exhibit.adopt(copied.item)
    return copied


class _Bench:
    """What a worker process holds: its own handles, and where payload files go."""

    readers: dict[str, Reader]
    root: Path
    disk: SystemDisk


_BENCH = _Bench()


def _begin(roots: dict[str, bytes], denied: Denied, exhibit: Path) -> None:
    owners = Owners()
    _BENCH.readers = {name: Reader(Handles(path), owners) for name, path in roots.items()}
    for reader in _BENCH.readers.values():
        reader.deny(denied)
    _BENCH.root = exhibit
    _BENCH.disk = SystemDisk()


def _copy(job: CopyJob) -> Copied:
    def begin(path: str) -> Item:
        return free_item(_BENCH.root / path, path, _BENCH.disk)

    return copy_file(job, _BENCH.readers[job.seen.root], begin)
