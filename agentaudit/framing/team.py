"""Worker processes and the shared slots that they judge.

- A worker has at most `AHEAD` jobs; those beyond wait here, where this process does them when it has no slot left.
- A worker that dies loses nothing: its blocks still lie in their slots and are judged here, by the standard library.
- Children are forked where this process has one thread and the system is Linux, else spawned.
- The slots share `SHARED_BYTES`, however many workers there are. With one worker they are of 4 MiB: what a job costs
  beside its lines (two messages, the first line of each type) is then a hundredth of them.
"""

import mmap
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine
from agentaudit.encoding.jsonl.lanes import Job
from agentaudit.framing.forking import interrupts_later, may_fork
from agentaudit.framing.worker import ParentEnd, Shared, serve

AHEAD = 2
SLOTS_SPARE = 2
SHARED_BYTES = 16 * 1024 * 1024
_END_S = 5.0


class Worker:
    """One child, its pipe, and the jobs that it has not answered, oldest first."""

    def __init__(self, process: BaseProcess, pipe: ParentEnd) -> None:
        """Take a child that was started."""
        self.process = process
        self.pipe = pipe
        self.jobs: deque[tuple[memoryview, Job]] = deque()


class Team:
    """Started workers; `slots` are shared with them and belong to whoever takes one."""

    def __init__(self, asked: Asked, workers: int) -> None:
        """Start the workers."""
        self._asked = asked
        count = AHEAD * workers + SLOTS_SPARE
        context = multiprocessing.get_context(_method())
        size = SHARED_BYTES // count // mmap.PAGESIZE * mmap.PAGESIZE
        self._memory = _shared(context, count * size)
        view = memoryview(self._memory).cast("B")
        self.slots = tuple(view[at : at + size] for at in range(0, count * size, size))
        self._begins = {id(slot): number * size for number, slot in enumerate(self.slots)}
        self._waiting: deque[tuple[memoryview, Job]] = deque()
        self.workers: list[Worker] = []
        with interrupts_later():
            for _ in range(workers):
                self.workers.append(self._started(context))

    def owns(self, slot: memoryview) -> bool:
        """True for one of the shared slots."""
        return id(slot) in self._begins

    @property
    def busy(self) -> bool:
        """True while something is not delivered yet."""
        return bool(self._waiting) or any(worker.jobs for worker in self.workers)

    def give(self, slot: memoryview, job: Job) -> tuple[memoryview, ...]:
        """Take a job for the workers; the slots that are free again meanwhile."""
        self._waiting.append((slot, job))
        return (*self._collect(0), *self._hand_out())

    def pump(self, judge: Callable[[int], BlockJudge]) -> tuple[memoryview, ...]:
        """Do the job that has waited longest, or wait for answers where none does; the slots that are free again.

        `judge` gives this process's judge for so many bytes more.
        """
        if self._waiting:
            slot, job = self._waiting.popleft()
            job.deliver(judge(job.length).block(slot[: job.length], job.offset))
            return (slot, *self._collect(0), *self._hand_out())
        return self._collect(None)

    def _hand_out(self) -> tuple[memoryview, ...]:
        """Fill up the workers; the slots of those that are found dead."""
        freed: list[memoryview] = []
        for worker in tuple(self.workers):
            while self._waiting and len(worker.jobs) < AHEAD:
                slot, job = self._waiting.popleft()
                worker.jobs.append((slot, job))
                try:
                    worker.pipe.send((self._begins[id(slot)], job.length, job.offset))
                except OSError:
                    freed.extend(self._lost(worker))
                    break
        return tuple(freed)

    def _collect(self, timeout: float | None) -> tuple[memoryview, ...]:
        """Deliver the answers that are there, or come in time; the slots that are free again."""
        asked = [worker for worker in self.workers if worker.jobs]
        ready = wait([worker.pipe for worker in asked], timeout) if asked else []
        freed: list[memoryview] = []
        for worker in asked:
            if any(pipe is worker.pipe for pipe in ready):
                freed.extend(self._answer(worker))
        return tuple(freed)

    def _answer(self, worker: Worker) -> tuple[memoryview, ...]:
        try:
            tally = worker.pipe.recv()
        except (EOFError, OSError):
            return tuple(self._lost(worker))
        slot, job = worker.jobs.popleft()
        job.deliver(tally)
        return (slot,)

    def close(self) -> None:
        """End the workers; what is unanswered is forgotten."""
        for worker in self.workers:
            worker.pipe.close()
        for worker in self.workers:
            worker.process.join(_END_S)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
        self.workers = []

    def _started(self, context: "multiprocessing.context.BaseContext") -> Worker:
        ours, theirs = context.Pipe()
        forked = context.get_start_method() == "fork"
        others = [*(worker.pipe for worker in self.workers), ours] if forked else []
        # BaseContext does not declare Process; each of its kinds has one.
        process: BaseProcess = getattr(context, "Process")(  # noqa: B009
            target=serve, args=(theirs, self._memory, self._asked, others), daemon=True
        )
        process.start()
        theirs.close()
        return Worker(process, ours)

    def _lost(self, worker: Worker) -> Iterator[memoryview]:
        """Do a dead worker's jobs here."""
        self.workers.remove(worker)
        worker.pipe.close()
        worker.process.join(_END_S)
        # The engine that it used may be what killed it.
        judge = BlockJudge(self._asked, engine("standard"))
        for slot, job in worker.jobs:
            job.deliver(judge.block(slot[: job.length], job.offset))
            yield slot


def _shared(context: "multiprocessing.context.BaseContext", octets: int) -> Shared:
    """Memory that children have too; for forked ones all pages are made at once, a third of what they cost singly."""
    if context.get_start_method() == "fork":
        return mmap.mmap(-1, octets, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE)
    # Imported here: a forked child needs none of it.
    from ctypes import c_char  # noqa: PLC0415

    return context.RawArray(c_char, octets)


def _method() -> str:
    return "fork" if may_fork() else "spawn"
