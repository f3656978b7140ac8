"""A lane of several processes: blocks lie in shared slots, workers judge them, this process reads and hashes meanwhile.

- Workers are started once there is enough to do, or said to be; until then, and where there is one core, this
  process judges.
- One core is this process's own: it judges too whenever it would have to wait for a slot.
- A large regular file is no lane's where it can be a relay's, whose processes take its blocks in turns.
- One pool serves many texts, one after the other or at once; its memory does not depend on them.
"""

import os
from io import FileIO
from types import TracebackType
from typing import TYPE_CHECKING, Self

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine_names
from agentaudit.encoding.jsonl.lanes import HereLane, Job
from agentaudit.framing.forking import may_fork
from agentaudit.framing.opening import Readable
from agentaudit.model.framing import Compression

if TYPE_CHECKING:
    from agentaudit.framing.relay import Relay
    from agentaudit.framing.team import Team

START_BYTES = 1024 * 1024
# At 2 MiB already a relay is as fast as workers; from two blocks on there is something to share.
RELAY_BYTES = 4 * 1024 * 1024
WORKERS_MAX = 4
# Hashing takes a third of what a block costs and one process at a time: a fourth would only wait.
RUNNERS_MAX = 3


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

    def relay(self, source: Readable, octets: int, named: Compression | None) -> "Relay | None":
        """A relay for a source of so many bytes, where it can be and is worth it; else they are expected.

        What its name says is compressed has none: its text has no places in the file.
        """
        relay = None
        if named is None and self._wanted and octets >= RELAY_BYTES and isinstance(source, FileIO) and may_fork():
            relay = self._relay(source)
        if relay is None:
            self.expect(octets)
        return relay

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

    def _relay(self, source: FileIO) -> "Relay | None":
        # Imported here: small inputs do not pay for it.
        from agentaudit.framing.relay import Measures, Relay  # noqa: PLC0415
        from agentaudit.framing.travelling import sha256_functions  # noqa: PLC0415

        functions = sha256_functions()
        if functions is None or engine_names()[0] == "standard" or not hasattr(os, "eventfd"):
            return None
        try:
            return Relay(source, self.asked, functions, Measures(runners=min(self._wanted + 1, RUNNERS_MAX)))
        except OSError:
            return None

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
