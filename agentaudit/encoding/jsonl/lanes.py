"""Slots that bytes are read into, and who judges them: the contract, and the lane that judges at once.

- A slot has one user at a time: it is taken, filled, and given to be judged or back.
- A tally is delivered in the thread that pumps the lane, in any order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine, engine_names
from agentaudit.encoding.jsonl.tally import Tally

HERE_SLOT_BYTES = 256 * 1024
STANDARD_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Job:
    """Whole lines at the begin of a slot: their bytes, their offset in the text, and where the tally goes."""

    length: int
    offset: int
    deliver: Callable[[Tally], None]


class Lane(Protocol):
    """Who has slots and judges what is in them."""

    @property
    def asked(self) -> Asked:
        """What is asked of every text on this lane."""
        ...

    def slot(self) -> memoryview:
        """Take a writable slot; waits until there is one."""
        ...

    def back(self, slot: memoryview) -> None:
        """Give a slot back that holds nothing to be judged."""
        ...

    def give(self, slot: memoryview, job: Job) -> None:
        """Have the lines in a slot judged, sooner or later."""
        ...

    def pump(self) -> None:
        """Wait until one more job is delivered."""
        ...

    def judge(self, octets: int) -> BlockJudge:
        """The judge of this thread, for so many bytes that are judged at once."""
        ...


class HereLane:
    """One slot, judged in this thread at once."""

    def __init__(
        self, asked: Asked, slot_bytes: int = HERE_SLOT_BYTES, *, standard_bytes: int = STANDARD_BYTES
    ) -> None:
        """Take what is asked; the standard library judges until so many bytes are worth loading the fast engine."""
        self.asked = asked
        self._size = slot_bytes
        self._slots: list[memoryview] = []
        self._here = Here(asked, standard_bytes)

    def slot(self) -> memoryview:
        """A slot; another is made when several texts are open at once."""
        return self._slots.pop() if self._slots else memoryview(bytearray(self._size))

    def back(self, slot: memoryview) -> None:
        """Keep the slot for the next taker."""
        self._slots.append(slot)

    def give(self, slot: memoryview, job: Job) -> None:
        """Judge and deliver at once."""
        tally = self.judge(job.length).block(slot[: job.length], job.offset)
        self.back(slot)
        job.deliver(tally)

    def pump(self) -> None:
        """Nothing is ever waited for."""

    def judge(self, octets: int) -> BlockJudge:
        """The judge for so many bytes more."""
        return self._here.judge(octets)


class Here:
    """The judge of one thread."""

    def __init__(self, asked: Asked, standard_bytes: int) -> None:
        """Take what is asked, and how many bytes come before the fastest engine is loaded."""
        self._asked = asked
        self._left = standard_bytes
        self._judge = BlockJudge(asked, engine("standard"))
        self._fast = False

    def judge(self, octets: int) -> BlockJudge:
        """The judge for so many bytes more."""
        self._left -= octets
        if self._left < 0 and not self._fast:
            self._fast = True
            self._judge = BlockJudge(self._asked, engine(engine_names()[0]))
        return self._judge
