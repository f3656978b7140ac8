"""The other process that copies: the places of jobs in, what each read gave out, until its pipe closes.

- A file is done as a whole, with handles of its own; the payload file is created under its final name, and the
  journal is never touched.
- It stops at its next stretch when it is told to, and ends with the process that started it: what is found of a killed
  run is written by nobody any more.
- An error travels back and is raised where the exhibit is held.
- A root that lies at its path no more holds nothing for this process: the holder looks through its own handle.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from ctypes import Array, c_uint64
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TypeAlias

from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.acquire.outcomes import Outcome, outcome_of
from agentaudit.acquire.packed import looked_into
from agentaudit.adapters.stores.ruling import Denied
from agentaudit.errors import Interrupted
from agentaudit.package.disk import SystemDisk
from agentaudit.package.item import Item, free_item
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader, Unread

STOP = 0

# The places of its jobs among those that were given: they do not travel one by one.
Batch: TypeAlias = range
Answer: TypeAlias = tuple[Outcome, ...] | BaseException
Board: TypeAlias = "Array[c_uint64]"
HolderEnd: TypeAlias = "Connection[Batch, Answer]"
CopierEnd: TypeAlias = "Connection[Answer, Batch]"


@dataclass(frozen=True, slots=True)
class Given:
    """What a copier works with: roots as resolved paths, files that nobody reads, where payload names begin, jobs."""

    roots: Mapping[str, bytes]
    denied: Denied
    exhibit: Path
    jobs: tuple[CopyJob, ...]


@dataclass(frozen=True, slots=True)
class Unwanted:
    """What a forked child has and must not keep: ends of pipes, and the lock of the journal."""

    ends: Sequence[HolderEnd] = ()
    descriptors: Sequence[int] = ()


def serve(pipe: CopierEnd, board: Board, number: int, given: Given, unwanted: Unwanted) -> None:
    """Answer each batch. `board` holds the word to stop, and at `number` the bytes that this copier has copied."""
    for end in unwanted.ends:
        end.close()
    for descriptor in unwanted.descriptors:
        os.close(descriptor)
    # They are sent to a whole group, by a terminal or a supervisor: the first process says what to do.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    copy = _copying(given, _telling(board, number))
    # The holder is gone, or has closed its end: there is nobody to answer any more.
    with suppress(EOFError, OSError):
        while True:
            batch = pipe.recv()
            pipe.send(_answer(given.jobs[batch.start : batch.stop], copy))


def _answer(jobs: tuple[CopyJob, ...], copy: Callable[[CopyJob], Copied]) -> Answer:
    try:
        return tuple(outcome_of(copy(job)) for job in jobs)
    except BaseException as error:  # noqa: BLE001 - it is raised again where the exhibit is held
        return error


def _copying(given: Given, tell: Callable[[int], None]) -> Callable[[CopyJob], Copied]:
    owners, disk, exhibit = Owners(), SystemDisk(), str(given.exhibit)
    readers: dict[str, Reader] = {}
    for name, path in given.roots.items():
        with suppress(OSError):
            readers[name] = Reader(Handles(path), owners)
            readers[name].deny(given.denied)

    def begin(path: str) -> Item:
        return free_item(exhibit, path, disk)

    def copy(job: CopyJob) -> Copied:
        if job.seen.root not in readers:
            return Copied(job, Unread(problem="vanished"), None, None, None)
        return looked_into(copy_file(job, readers[job.seen.root], begin, tell), given.exhibit)

    return copy


def _telling(board: Board, number: int) -> Callable[[int], None]:
    def tell(octets: int) -> None:
        board[number] += octets
        if board[STOP]:
            raise Interrupted(signal.SIGTERM)

    return tell


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
