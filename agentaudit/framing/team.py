"""Worker processes and the shared slots that they judge.

- A worker that dies loses nothing: its blocks still lie in their slots and are judged here, by the standard library.
- Children are forked where this process has one thread and the system is Linux, else spawned.
- The slots are the only memory that grows with the number of workers, and they are of fixed size.
"""

import multiprocessing
import sys
import threading
from collections import deque
from collections.abc import Iterator
from ctypes import c_char
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine
from agentaudit.encoding.jsonl.lanes import SLOT_BYTES, Job
from agentaudit.encoding.jsonl.tally import Tally
from agentaudit.framing.worker import ParentEnd, serve

SLOTS_EACH = 2
SLOTS_SPARE = 2
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
        count = SLOTS_EACH * workers + SLOTS_SPARE
        context = multiprocessing.get_context(_method())
        self._memory = context.RawArray(c_char, count * SLOT_BYTES)
        view = memoryview(self._memory).cast("B")
        self.slots = tuple(view[at : at + SLOT_BYTES] for at in range(0, count * SLOT_BYTES, SLOT_BYTES))
        self._begins = {id(slot): number * SLOT_BYTES for number, slot in enumerate(self.slots)}
        self.workers: list[Worker] = []
        for _ in range(workers):
            self.workers.append(self._started(context))

    def owns(self, slot: memoryview) -> bool:
        """True for one of the shared slots."""
        return id(slot) in self._begins

    @property
    def busy(self) -> bool:
        """True while an answer is awaited."""
        return any(worker.jobs for worker in self.workers)

    def give(self, slot: memoryview, job: Job) -> tuple[memoryview, ...]:
        """Hand a job to the worker with the fewest; the slots that this freed: none, unless a worker is found dead."""
        if not self.workers:
            job.deliver(self._judge(slot, job))
            return (slot,)
        worker = min(self.workers, key=lambda one: len(one.jobs))
        worker.jobs.append((slot, job))
        try:
            worker.pipe.send((self._begins[id(slot)], job.length, job.offset))
        except OSError:
            return tuple(self._lost(worker))
        return ()

    def pump(self) -> tuple[memoryview, ...]:
        """Wait for answers and deliver them; the slots that are free again."""
        pipes = {worker.pipe: worker for worker in self.workers if worker.jobs}
        freed: list[memoryview] = []
        for pipe in wait(list(pipes)):
            worker = next(one for end, one in pipes.items() if end is pipe)
            try:
                tally = worker.pipe.recv()
            except (EOFError, OSError):
                freed.extend(self._lost(worker))
                continue
            slot, job = worker.jobs.popleft()
            freed.append(slot)
            job.deliver(tally)
        return tuple(freed)

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
        for slot, job in worker.jobs:
            job.deliver(self._judge(slot, job))
            yield slot

    def _judge(self, slot: memoryview, job: Job) -> Tally:
        """Judge without the engine that may have killed a worker."""
        return BlockJudge(self._asked, engine("standard")).block(bytes(slot[: job.length]), job.offset)


def _method() -> str:
    """A fork is cheap, and safe only for one thread."""
    return "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
