"""Who reads and copies: this process, or several, each file as a whole by one of them.

- Results come in the order of the jobs, whoever was faster; a few batches are under way ahead of the one that is
  waited for. Small files travel in batches, so that handing over does not cost more than copying.
- A few small files are not worth another process: only above a bound are others started.
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
ALONE_FILES = 4_096
BATCH_FILES = 64
BATCH_BYTES = 4 * 1024 * 1024
AHEAD = 4
LOOK_SECONDS = 0.1

Check: TypeAlias = Callable[[], None]
Batch: TypeAlias = tuple[CopyJob, ...]


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
        size = sum(job.seen.look.size for job in waiting if job.seen.look is not None)
        if self._workers == 1 or (size < ALONE_BYTES and len(waiting) < ALONE_FILES):
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
        under_way: deque[Future[tuple[Copied, ...]]] = deque()
        try:
            for batch in batches(jobs):
                for job in batch:
                    exhibit.place(job.path)
                under_way.append(pool.submit(_copy, batch))
                if len(under_way) > AHEAD * self._workers:
                    yield from _adopted(exhibit, _result(under_way.popleft(), check))
            while under_way:
                yield from _adopted(exhibit, _result(under_way.popleft(), check))
        finally:
            for future in under_way:
                future.cancel()


def batches(jobs: Iterable[CopyJob]) -> Iterator[Batch]:
    """The jobs in their order, small files together; a large one is a batch of its own or ends one."""
    batch: list[CopyJob] = []
    size = 0
    for job in jobs:
        batch.append(job)
        size += 0 if job.seen.look is None else job.seen.look.size
        if len(batch) == BATCH_FILES or size >= BATCH_BYTES:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


def _result(future: "Future[tuple[Copied, ...]]", check: Check) -> tuple[Copied, ...]:
    while True:
        try:
            return future.result(LOOK_SECONDS)
        except TimeoutError:
            check()


def _adopted(exhibit: OpenExhibit, done: tuple[Copied, ...]) -> Iterator[Copied]:
    for copied in done:
        if copied.item is not None:
            exhibit.adopt(copied.item)
        yield copied


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


def _copy(batch: Batch) -> tuple[Copied, ...]:
    return tuple(looked_into(copy_file(job, _BENCH.readers[job.seen.root], _item, _tell), _BENCH.root) for job in batch)


def _item(path: str) -> Item:
    return free_item(_BENCH.root / path, path, _BENCH.disk)


def _tell(octets: int) -> None:
    with _BENCH.octets.get_lock():
        _BENCH.octets.value += octets
    if _BENCH.stop.is_set():
        raise Interrupted(signal.SIGTERM)
