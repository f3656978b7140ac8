"""A lane of several processes: blocks lie in shared slots, workers judge them, this process reads and hashes meanwhile.

- Workers are started once there is enough to do, or said to be; until then, and where there is one core, this
  process judges.
- One core is this process's own: it judges too whenever it would have to wait for a slot.
- One pool serves many texts, one after the other or at once; its memory does not depend on them.
"""

import os
from types import TracebackType
from typing import TYPE_CHECKING, Self

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.lanes import HereLane, Job

if TYPE_CHECKING:
    from agentaudit.framing.team import Team

START_BYTES = 1024 * 1024
WORKERS_MAX = 4


class Pool:
    """A lane; its workers end with its `with`."""

    def __init__(self, asked: Asked, *, workers: int | None = None, start_bytes: int = START_BYTES) -> None:
        """Take what is asked; there are as many `workers` as cores beside this process's own when left out."""
        self.asked = asked
        self._wanted = min(_cores() - 1, WORKERS_MAX) if workers is None else workers
        self._start_bytes = start_bytes
        self._given = 0
        self._here = HereLane(asked)
        self._free: list[memoryview] = []
        self._team: Team | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._team is not None:
            self._team.close()

    def expect(self, octets: int) -> None:
        """So many bytes are about to come: where they are worth it, the workers are started before the first."""
        if self._team is None and self._wanted and octets >= self._start_bytes:
            self._start()

    def slot(self) -> memoryview:
        """A free slot: a shared one when there is one or will be, else one of this process."""
        while not self._free and self._team is not None and self._team.busy:
            self.pump()
        return self._free.pop() if self._free else self._here.slot()

    def back(self, slot: memoryview) -> None:
        """Keep the slot for the next taker."""
        if self._team is not None and self._team.owns(slot):
            self._free.append(slot)
        else:
            self._here.back(slot)

    def give(self, slot: memoryview, job: Job) -> None:
        """Have a worker judge the lines, or this process where the slot is its own."""
        if self._team is not None and self._team.owns(slot):
            self._free.extend(self._team.give(slot, job))
            return
        self._here.give(slot, job)
        self._given += job.length
        self.expect(self._given)

    def pump(self) -> None:
        """Wait until one more job is delivered."""
        if self._team is not None:
            self._free.extend(self._team.pump(self._here.judge))

    def judge(self, octets: int) -> BlockJudge:
        """The judge of this process, for so many bytes that are judged at once."""
        return self._here.judge(octets)

    def _start(self) -> None:
        # Imported here: small inputs do not pay for the machinery of processes.
        from agentaudit.framing.team import Team  # noqa: PLC0415

        self._team = Team(self.asked, self._wanted)
        self._free = list(self._team.slots)


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
