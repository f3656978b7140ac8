"""The processes that copy beside this one: each has a few batches, and what they answered is collected here.

- A batch is answered as a whole; what is under way is bounded by `DEPTH` batches a process.
- One that died is a fault of the run: what it was doing is not known, and the exhibit stays to be resumed.
- They heed no signal that a whole group is sent, and end when they are told to or when this process ends.
- Children are forked where this process has one thread and the system is Linux, else spawned.
"""

import multiprocessing
import sys
import threading
from collections import deque
from collections.abc import Iterator
from ctypes import c_uint64
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from agentaudit.acquire.copier import STOP, Batch, Given, HolderEnd, Unwanted, serve
from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.outcomes import copied_of
from agentaudit.errors import DestinationFault

DEPTH = 2
_END_S = 5.0


class _Copier:
    """One child, its pipe, and the batches that it has not answered, oldest first."""

    def __init__(self, process: BaseProcess, pipe: HolderEnd) -> None:
        self.process = process
        self.pipe = pipe
        self.batches: deque[Batch] = deque()


class Copiers:
    """Started at once; `close` tells them to stop and waits for their end."""

    def __init__(self, count: int, given: Given, descriptors: tuple[int, ...]) -> None:
        """`descriptors` are those of this process that a forked child closes."""
        self._context = multiprocessing.get_context(_method())
        self._board = self._context.RawArray(c_uint64, 1 + count)
        self._jobs = given.jobs
        self._copiers: list[_Copier] = []
        try:
            for number in range(1, count + 1):
                self._copiers.append(self._started(number, given, descriptors))
        except BaseException:
            self.close()  # they heed no signal: nobody else would end them
            raise

    def close(self) -> None:
        """End them; what is unanswered is forgotten."""
        self._board[STOP] = 1
        for copier in self._copiers:
            copier.pipe.close()
        for copier in self._copiers:
            copier.process.join(_END_S)
            if copier.process.is_alive():
                copier.process.kill()
                copier.process.join()

    @property
    def octets(self) -> int:
        """Bytes that they have copied."""
        return sum(self._board[1:])

    @property
    def wants(self) -> bool:
        """True while one of them has room for another batch."""
        return any(len(copier.batches) < DEPTH for copier in self._copiers)

    def give(self, batch: Batch) -> None:
        """Hand a batch to the one with the least to do. DestinationFault: it died."""
        copier = min(self._copiers, key=lambda one: len(one.batches))
        copier.batches.append(batch)
        try:
            copier.pipe.send(batch)
        except OSError:
            raise _ended() from None

    def collect(self, timeout_s: float) -> Iterator[tuple[int, Copied]]:
        """What was answered, each with its place, after waiting up to so long for the first answer.

        Raises what a copy raised, and DestinationFault when one of them died.
        """
        asked = {copier.pipe: copier for copier in self._copiers if copier.batches}
        for pipe in wait(list(asked), timeout_s):
            for copier in (one for end, one in asked.items() if end is pipe):
                yield from _answered(copier, self._jobs)

    def _started(self, number: int, given: Given, descriptors: tuple[int, ...]) -> _Copier:
        ours, theirs = self._context.Pipe()
        forked = self._context.get_start_method() == "fork"
        ends = [*(copier.pipe for copier in self._copiers), ours]
        unwanted = Unwanted(ends, descriptors) if forked else Unwanted()
        # BaseContext does not declare Process; each of its kinds has one.
        process: BaseProcess = getattr(self._context, "Process")(  # noqa: B009
            target=serve, args=(theirs, self._board, number, given, unwanted), daemon=True
        )
        process.start()
        theirs.close()
        return _Copier(process, ours)


def _answered(copier: _Copier, jobs: tuple[CopyJob, ...]) -> Iterator[tuple[int, Copied]]:
    try:
        answer = copier.pipe.recv()
    except (EOFError, OSError):
        raise _ended() from None
    if isinstance(answer, BaseException):
        raise answer
    for place, outcome in zip(copier.batches.popleft(), answer, strict=True):
        yield place, copied_of(jobs[place], outcome)


def _ended() -> DestinationFault:
    return DestinationFault("a process that copied files was ended from outside", "go on with --resume")


def _method() -> str:
    """A fork is cheap, and safe only for one thread."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
