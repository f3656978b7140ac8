"""Who reads and copies: this process, or several, each file as a whole by one of them.

- Results come in the order of the jobs, whoever was faster; a few large files are under way ahead of the one that is
  waited for. Small ones are copied here meanwhile: handing one over costs more than copying it.
- A few large files are not worth another process: only above a bound are others started.
- Another process creates the payload file under its final name and this one takes it into its group: the barrier
  makes it durable before its row.
- A signal stops every copy at its next stretch. No worker outlives the process that started it: what is found of a
  killed run is written by nobody any more.
"""

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import TypeAlias

from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.acquire.packed import looked_into
from agentaudit.adapters.claude_code.policy import Denied
from agentaudit.errors import DestinationFault, Interrupted
from agentaudit.package.disk import SystemDisk
from agentaudit.package.item import Item, free_item
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader

ALONE_BYTES = 32 * 1024 * 1024
LARGE_BYTES = 64 * 1024
AHEAD = 4
LOOK_SECONDS = 0.1

Check: TypeAlias = Callable[[], None]


class Hands:
    """The readers of one store; `workers` 1 means this process alone. `octets` counts what was copied so far."""

    def __init__(self, readers: Mapping[str, Reader], roots: Mapping[str, bytes], workers: int) -> None:
        """`readers` are those of this process, `roots` the resolved paths that others open for themselves."""
        self._readers = readers
        self._roots = dict(roots)
        self._denied: Denied = frozenset()
        self._workers = workers
        self._here = 0
        self._there: Synchronized[int] | None = None

    def deny(self, files: Denied) -> None:
        """Nobody reads these files; `readers` know it already."""
        self._denied = files

    @property
    def octets(self) -> int:
        """Bytes copied by all hands."""
        return self._here + (0 if self._there is None else self._there.value)

    def copy(self, exhibit: OpenExhibit, jobs: Iterable[CopyJob], check: Check) -> Iterator[Copied]:
        """Each job done, in order; `check` is called often and ends it all by raising."""
        waiting = list(jobs)
        if self._workers == 1 or sum(_size(job) for job in waiting if _is_large(job)) < ALONE_BYTES:
            yield from (self.copy_here(exhibit, job, check) for job in waiting)
            return
        context = multiprocessing.get_context("spawn")
        stop = context.Event()
        try:
            with self._pool(context, exhibit, stop) as pool:
                try:
                    yield from self._ordered(exhibit, pool, waiting, check)
                finally:
                    stop.set()
        except BrokenProcessPool:
            raise DestinationFault(
                "a process that copied files was ended from outside", "go on with --resume"
            ) from None

    def copy_here(self, exhibit: OpenExhibit, job: CopyJob, check: Check) -> Copied:
        """One job done by this process."""

        def tell(octets: int) -> None:
            self._here += octets
            check()

        return looked_into(copy_file(job, self._readers[job.seen.root], exhibit.begin, tell), exhibit.root)

    def _pool(self, context: SpawnContext, exhibit: OpenExhibit, stop: Event) -> ProcessPoolExecutor:
        self._there = context.Value("Q", 0)
        given = (self._roots, self._denied, exhibit.root, stop, self._there)
        return ProcessPoolExecutor(self._workers, context, _begin, given)

    def _ordered(
        self, exhibit: OpenExhibit, pool: ProcessPoolExecutor, jobs: list[CopyJob], check: Check
    ) -> Iterator[Copied]:
        large = (job for job in jobs if _is_large(job))
        under_way: deque[Future[Copied]] = deque()

        def hand_over() -> None:
            for job in islice(large, AHEAD * self._workers - len(under_way)):
                exhibit.place(job.path)
                under_way.append(pool.submit(_copy, job))

        try:
            for job in jobs:
                hand_over()
                if _is_large(job):
                    yield _adopted(exhibit, _result(under_way.popleft(), check))
                else:
                    yield self.copy_here(exhibit, job, check)
        finally:
            for future in under_way:
                future.cancel()


def _is_large(job: CopyJob) -> bool:
    return _size(job) >= LARGE_BYTES


def _size(job: CopyJob) -> int:
    return 0 if job.seen.look is None else job.seen.look.size


def _result(future: "Future[Copied]", check: Check) -> Copied:
    while True:
        try:
            return future.result(LOOK_SECONDS)
        except TimeoutError:
            check()


def _adopted(exhibit: OpenExhibit, copied: Copied) -> Copied:
    if copied.item is not None:
        exhibit.adopt(copied.item)
    return copied


class _Bench:
    """What a worker process holds: its own handles, where payload files go, and how it is told to stop."""

    readers: dict[str, Reader]
    root: Path
    disk: SystemDisk
    stop: Event
    octets: "Synchronized[int]"


_BENCH = _Bench()


def _begin(roots: dict[str, bytes], denied: Denied, exhibit: Path, stop: Event, octets: "Synchronized[int]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the first process says what to do
    threading.Thread(target=_end_with_parent, daemon=True).start()
    owners = Owners()
    _BENCH.readers = {name: Reader(Handles(path), owners) for name, path in roots.items()}
    for reader in _BENCH.readers.values():
        reader.deny(denied)
    _BENCH.root = exhibit
    _BENCH.disk = SystemDisk()
    _BENCH.stop, _BENCH.octets = stop, octets


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _copy(job: CopyJob) -> Copied:
    return looked_into(copy_file(job, _BENCH.readers[job.seen.root], _item, _tell), _BENCH.root)


def _item(path: str) -> Item:
    return free_item(_BENCH.root / path, path, _BENCH.disk)


def _tell(octets: int) -> None:
    with _BENCH.octets.get_lock():
        _BENCH.octets.value += octets
    if _BENCH.stop.is_set():
        raise Interrupted(signal.SIGTERM)
