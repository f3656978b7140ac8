"""Several processes take a large file in turns: each reads, hashes and judges its own blocks.

- The holder runs like the others, and has the tallies of all. They come in any order and are counted in that of the
  text.
- A relay ends where something is unusual, at the latest at the end of the file. Whoever reads on there goes on with the
  same hash, and finds what would have been found without a relay.
- When a runner is gone, nothing that the relay did counts: the text has to be begun again.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.blocks import BlockJudge
from agentaudit.encoding.jsonl.engine import engine, engine_names
from agentaudit.encoding.jsonl.framer import Framer
from agentaudit.framing.baton import CARRY_BYTES, Baton
from agentaudit.framing.forking import Start, Started, Task, forked, interrupts_later
from agentaudit.framing.laps import Inbox, Outbox
from agentaudit.framing.runner import BLOCK_BYTES, Lap, Read, Runner, reader_of
from agentaudit.framing.travelling import Sha256Functions, TravellingHash
from agentaudit.framing.turns import PATIENCE_S, Lost, Turns

FIRST_BYTES = 64 * 1024

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Measures:
    """How many processes run, the holder included; sizes in bytes; how long anybody is waited for; how they start.

    `first_bytes` are read before a relay at once: they tell what kind of text it is.
    """

    runners: int = 2
    first_bytes: int = FIRST_BYTES
    block_bytes: int = BLOCK_BYTES
    carry_bytes: int = CARRY_BYTES
    patience_s: float = PATIENCE_S
    start: Start = forked


class Relay:
    """One relay over one open file; `hash` is the file's from its first byte on."""

    def __init__(
        self, source: io.FileIO, asked: Asked, functions: Sha256Functions, measures: Measures, read: Read | None = None
    ) -> None:
        """Take the file, what is asked of its lines, and what blocks are read with. Raises OSError."""
        self.measures = measures
        self._source = source
        self._asked = asked
        self._baton = Baton(functions, measures.carry_bytes)
        self._read = read or reader_of(source.fileno())

    @property
    def hash(self) -> TravellingHash:
        """The hash that runners take further."""
        return self._baton.hash

    def rewind(self) -> None:
        """Go back to the first byte; raises OSError."""
        self._source.seek(0)

    def run(self, position: int, begun: bytes, framer: Framer, progress: Progress) -> int | None:
        """Judge what follows that position, where these bytes of a line are begun, as far as a relay can.

        How far the hash is then, where the source stands too; None when a runner is lost. Raises OSError when the
        source has no such place any more.
        """
        if len(begun) > self.measures.carry_bytes:
            return position
        try:
            turns = Turns(self.measures.runners)
        except OSError:
            # There are no descriptors left for it, and there is another way.
            return position
        self._baton.give(0, position, begun)
        try:
            self._run(turns, position, framer, progress)
        except Lost:
            return None
        finally:
            turns.close()
        return self._reached(framer, progress)

    def _run(self, turns: Turns, position: int, framer: Framer, progress: Progress) -> None:
        patience_s = self.measures.patience_s
        with self._children(partial(self._task, turns, position)) as pipes:
            inboxes = tuple(Inbox(pipe, patience_s) for pipe in pipes)

            def give(lap: Lap) -> None:
                _count(framer, lap)
                for inbox in inboxes:
                    for other in inbox.waiting():
                        _count(framer, other)
                progress(lap.ends)

            self._runner(position).run(turns.course(pipes, patience_s), give)
            for inbox in inboxes:
                for lap in inbox.rest():
                    _count(framer, lap)

    def _reached(self, framer: Framer, progress: Progress) -> int:
        blocks, reached, carried = self._baton.take()
        self._source.seek(reached)
        framer.resume(blocks, reached, self._baton.carry(carried))
        progress(reached)
        return reached

    def _runner(self, begin: int) -> Runner:
        judge = BlockJudge(self._asked, engine(engine_names()[0]))
        return Runner(self._read, begin, self._baton, judge, self.measures.block_bytes)

    def _task(self, turns: Turns, begin: int, pipe: int) -> None:
        """What a child does; its parent's end shows at its pipe."""
        outbox = Outbox(pipe)
        self._runner(begin).run(turns.course((pipe,), self.measures.patience_s), outbox.give)
        outbox.end()

    @contextmanager
    def _children(self, task: Task) -> Iterator[Sequence[int]]:
        """The pipes of the children at work; they are ended in any case."""
        started: list[Started] = []
        try:
            with interrupts_later():
                self._start(task, started)
            yield [one.pipe for one in started]
        finally:
            for one in started:
                one.end()

    def _start(self, task: Task, started: list[Started]) -> None:
        """Start them, or as many as the system allows: a ticket that nobody takes is waited for by nobody."""
        while len(started) < self.measures.runners - 1:
            try:
                started.append(self.measures.start(task, [one.pipe for one in started]))
            except OSError:
                return


def _count(framer: Framer, lap: Lap) -> None:
    framer.elsewhere(lap.block, lap.offset, lap.tally)
