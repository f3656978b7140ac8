"""Which numbers of a counter are here: the processes of one session, told apart by where the counter falls back.

- A process counts from its first number upwards; nothing else says which one an event is of.
- An event with the number, time and name of an earlier one is a duplicate. One with a number that is taken by another
  event is of another process. One that lies in a gap of a process, in time too, came late.
- Four bytes are held for each number, in blocks; the number and the time of the last event decide the rest.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from zlib import crc32

from agentaudit.model.stream import OrderRun

Step: TypeAlias = Literal["next", "late", "duplicate"]

_SHIFT: Final = 6
_BLOCK: Final = 1 << _SHIFT
_WITHIN: Final = _BLOCK - 1
_EMPTY: Final = array("I", bytes(4 * _BLOCK))
_LOOKED_AT: Final = 64


def print_of(kind: str, at: str) -> int:
    """A check number of what an event is, never 0."""
    try:
        octets = (at + kind).encode()
    except UnicodeEncodeError:
        octets = (at + kind).encode("utf-8", "surrogatepass")
    return crc32(octets) | 1


@dataclass(slots=True)
class Process:
    """One run of a counter. `moment` is a time in ns, for comparing only."""

    number: int
    key: str = ""
    duplicates: int = 0
    late: int = 0
    backwards: int = 0
    first: int = 0
    last: int = 0
    first_moment: int = 0
    last_moment: int = 0
    first_at: str = ""
    last_at: str = ""
    _blocks: "dict[int, array[int]]" = field(default_factory=dict)

    def begin(self, order: int, moment: int, at: str, mark: int) -> None:
        """The first event."""
        self.first = self.last = order
        self.first_moment = self.last_moment = moment
        self.first_at = self.last_at = at
        self._put(order, mark)

    def follows(self, order: int, moment: int, at: str, mark: int) -> bool:
        """Take an event that goes on from the last one; false for any other."""
        last = self.last
        if order != last + 1 or moment < self.last_moment:
            if order <= last or (order > last + 1 and moment < self.last_moment):
                return False
            self.backwards += moment < self.last_moment
        self.last = order
        self.last_moment = moment
        self.last_at = at
        block = self._blocks.get(order >> _SHIFT)
        if block is None:
            block = self._block(order)
        block[order & _WITHIN] = mark
        return True

    def take(self, order: int, moment: int, at: str, mark: int) -> Step | None:
        """What an event is to this process; None when it is of another one."""
        if self.follows(order, moment, at, mark):
            return "next"
        block = self._blocks.get(order >> _SHIFT)
        there = 0 if block is None else block[order & _WITHIN]
        if there:
            self.duplicates += there == mark
            return "duplicate" if there == mark else None
        return self._late(order, moment, at, mark)

    def _late(self, order: int, moment: int, at: str, mark: int) -> Step | None:
        if order < self.first and moment <= self.first_moment:
            self.first, self.first_moment, self.first_at = order, moment, at
        elif not (self.first < order < self.last and self.first_moment <= moment <= self.last_moment):
            return None
        self.late += 1
        self._put(order, mark)
        return "late"

    def _put(self, order: int, mark: int) -> None:
        block = self._blocks.get(order >> _SHIFT)
        if block is None:
            block = self._block(order)
        block[order & _WITHIN] = mark

    def _block(self, order: int) -> "array[int]":
        block = self._blocks[order >> _SHIFT] = array("I", _EMPTY)
        return block

    @property
    def events(self) -> int:
        """How many numbers are here; duplicates are not counted."""
        return sum(run.events for run in self.runs())

    def runs(self) -> Iterator[OrderRun]:
        """Each unbroken rise of numbers, in order."""
        begin = before = self.first
        for order in self._orders():
            if order > before + 1:
                yield OrderRun(first=begin, last=before, events=before - begin + 1)
                begin = order
            before = order
        yield OrderRun(first=begin, last=before, events=before - begin + 1)

    def _orders(self) -> Iterator[int]:
        """Each number that is here, in order; the first one is `first`."""
        for place in sorted(self._blocks):
            for order, there in enumerate(self._blocks[place], place << _SHIFT):
                if there:
                    yield order


class Processes:
    """The processes of one session, the one that was met last before all others; `current` is that one."""

    def __init__(self) -> None:
        """None yet."""
        self.all: list[Process] = []
        self.current: Process | None = None
        self._recent: list[Process] = []

    def take(self, order: int, moment: int, at: str, mark: int) -> tuple[Process, Step]:
        """The process of an event, and what the event is to it."""
        for place, process in enumerate(self._recent):
            step = process.take(order, moment, at, mark)
            if step is not None:
                if place:
                    self._recent.insert(0, self._recent.pop(place))
                    self.current = process
                return process, step
        process = self.current = Process(len(self.all) + 1)
        process.begin(order, moment, at, mark)
        self.all.append(process)
        self._recent.insert(0, process)
        del self._recent[_LOOKED_AT:]
        return process, "next"
