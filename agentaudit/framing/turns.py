"""Whose turn it is: each runner of a relay takes blocks as it is free, and has its turn in the order of the blocks.

- Tickets are the numbers of blocks that may be begun; there are as many as runners, and each turn that is passed adds
  one. So the blocks begun and not yet passed are as many consecutive numbers at most, and each has an event of its own.
- There is one turn in all. It lies in the event of its block until whoever has that ticket takes it: none is missed.
- What was written before a turn was passed is seen by whoever takes it: the system orders a write and its read.
- Events are not pipes, because a write to a pipe draws the reader to the writer's core, which goes on working.
- Nobody waits for someone who is gone, and not longer than the patience.
"""

import os
import select
import struct
from collections.abc import Sequence
from contextlib import ExitStack

GO, OVER = 1, 2
PATIENCE_S = 60.0

_TICKET = struct.Struct("=Q")
# A wait is cut into pieces: one that the whole group of processes slept through is not held against anybody.
_PIECES = 12


class Lost(Exception):
    """A runner is gone, or does not pass its turn on: nothing that the relay did counts."""


class Turns:
    """The tickets and turns of one relay, the same for all its runners."""

    def __init__(self, runners: int) -> None:
        """Lay them out; the first turn is that of block 0. Raises OSError."""
        self._runners = runners
        with ExitStack() as opened:
            self._tickets, self._tickets_in = os.pipe()
            opened.callback(os.close, self._tickets)
            opened.callback(os.close, self._tickets_in)
            events: list[int] = []
            for _ in range(runners):
                events.append(os.eventfd(0))
                opened.callback(os.close, events[-1])
            self._events = tuple(events)
            self._opened = opened.pop_all()
        for number in range(runners):
            self._more(number)
        os.eventfd_write(self._events[0], GO)

    def close(self) -> None:
        """Close this process's descriptors."""
        self._opened.close()

    def course(self, gone: Sequence[int], patience_s: float) -> "Course":
        """The turns as one runner sees them; a hang-up of one of `gone` tells it that another is no more."""
        return Course(self, gone, patience_s)

    @property
    def descriptors(self) -> tuple[int, tuple[int, ...]]:
        """Where tickets come, and the event of each turn."""
        return self._tickets, self._events

    def passed(self, block: int, word: int) -> None:
        """The turn of the block is over: another block may be begun, and the next has its turn."""
        self._more(block + self._runners)
        os.eventfd_write(self._events[(block + 1) % self._runners], word)

    def _more(self, block: int) -> None:
        os.write(self._tickets_in, _TICKET.pack(block))


class Course:
    """What one runner does: take a ticket, wait for its turn, pass it on."""

    def __init__(self, turns: Turns, gone: Sequence[int], patience_s: float) -> None:
        """Take the turns, and who must not be gone."""
        tickets, events = turns.descriptors
        self._turns = turns
        self._tickets = Wait(tickets, gone, patience_s)
        self._events = tuple(Wait(event, gone, patience_s) for event in events)

    def ticket(self) -> int:
        """The number of the next block that nobody has begun; raises `Lost`."""
        (number,) = _TICKET.unpack(os.read(self._tickets.ready(), _TICKET.size))
        return int(number)

    def mine(self, block: int) -> bool:
        """Wait for the turn of the block; False when the relay was over before it. Raises `Lost`."""
        return os.eventfd_read(self._events[block % len(self._events)].ready()) == GO

    def passed(self, block: int, *, go: bool) -> None:
        """Pass the turn on, or the word that there is no other."""
        self._turns.passed(block, GO if go else OVER)


class Wait:
    """One descriptor that is waited for, beside others whose hang-up ends the wait."""

    def __init__(self, descriptor: int, gone: Sequence[int], patience_s: float) -> None:
        """Take the descriptors."""
        self._descriptor = descriptor
        self._poll = select.poll()
        for other in gone:
            # Asked for no event, a descriptor tells its hang-up alone.
            self._poll.register(other, 0)
        self._poll.register(descriptor, select.POLLIN)
        self._piece_ms = 1000 * patience_s / _PIECES

    def ready(self) -> int:
        """The descriptor, once something can be read from it; raises `Lost`."""
        for _ in range(_PIECES):
            happened = dict(self._poll.poll(self._piece_ms))
            if happened.get(self._descriptor, 0) & select.POLLIN:
                return self._descriptor
            if happened:
                break
        raise Lost
