"""One process of a relay: it reads a block, waits for its turn, hashes it, and judges it while it lies in its cache.

- The place of a block in the file is known, so it is read before its turn. What is judged is the memory that was
  hashed.
- At its turn the line that the block before left stands in front of the block, and what follows the last line feed is
  left to the next: what is judged are whole lines.
- What is unusual (a read that is short or fails, a line that does not fit) ends the relay before or behind that
  block: the baton then tells what is hashed, and all of that is judged but the line that is begun.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.tally import Tally
from agentaudit.framing.baton import Baton
from agentaudit.framing.turns import Course

# What a block costs beside its lines is halved against one MiB; it still lies in the nearer caches of its process.
BLOCK_BYTES = 2 * 1024 * 1024
KNOWN_MAX = 64

Read: TypeAlias = Callable[[memoryview, int], int]
Give: TypeAlias = Callable[["Lap"], None]


@dataclass(frozen=True, slots=True)
class Lap:
    """One block, by its number from 0: where its lines begin in the text, what they come to, where it ends."""

    block: int
    offset: int
    tally: Tally
    ends: int


class Runner:
    """Runs its part of a relay over one text that goes on at `begin`."""

    def __init__(self, read: Read, begin: int, baton: Baton, judge: BlockJudge, block_bytes: int = BLOCK_BYTES) -> None:
        """Take what it reads with, from where, and who judges."""
        self._read = read
        self._begin = begin
        self._baton = baton
        self._judge = judge
        self._block_bytes = block_bytes
        # In front of the block there is room for what is carried over; memory that is not touched costs nothing.
        self._room = baton.carry_bytes
        self._buffer = bytearray(self._room + block_bytes)
        self._view = memoryview(self._buffer)
        self._known: tuple[str, ...] = ()

    def run(self, course: Course, give: Give) -> None:
        """Run until the relay is over; raises `Lost` when another runner is gone."""
        go = True
        while go:
            block = course.ticket()
            position = self._begin + block * self._block_bytes
            octets = self._filled(position)
            if not course.mine(block):
                course.passed(block, go=False)
                return
            lines = self._turn(block, position, octets)
            go = lines is not None and octets == self._block_bytes
            course.passed(block, go=go)
            if lines is not None:
                give(self._lap(block, position, octets, *lines))

    def _lap(self, block: int, position: int, octets: int, begin: int, end: int) -> Lap:
        """Judge the lines that lie there."""
        offset = position - (self._room - begin)
        tally = self._judge.block(self._view[begin:end], offset, self._known)
        self._known = tuple(tally.types)[:KNOWN_MAX]
        tally.types = {word: lines for word, lines in tally.types.items() if lines}
        return Lap(block, offset, tally, position + octets)

    def _filled(self, position: int) -> int:
        """How many bytes of the block could be read at once; an error shows again to whoever reads on there."""
        try:
            return self._read(self._view[self._room :], position)
        except OSError:
            return 0

    def _turn(self, block: int, position: int, octets: int) -> tuple[int, int] | None:
        """Hash the block, and pass on the line that it begins; where its whole lines lie. None: it was left alone."""
        room, baton = self._room, self._baton
        _, _, carried = baton.take()
        until = room + octets
        end = self._buffer.rfind(b"\n", room, until) + 1
        kept = until - end if end else carried + octets
        if not octets or kept > baton.carry_bytes:
            return None
        baton.hash.update(self._view[room:until])
        if not end:
            baton.give(block + 1, position + octets, self._view[room:until], behind=carried)
            return room, room
        begin = room - carried
        self._view[begin:room] = baton.carry(carried)
        baton.give(block + 1, position + octets, self._view[end:until])
        return begin, end


def reader_of(descriptor: int) -> Read:
    """What reads a file at a place, without moving anybody's position in it."""
    return partial(_read_at, descriptor)


def _read_at(descriptor: int, room: memoryview, position: int) -> int:
    return os.preadv(descriptor, [room], position)
