"""The framing of one text, fed in chunks of any size: where its lines end, who judges them, what it comes to.

- A full slot is judged up to its last line feed; the rest begins the next one.
- A line that is longer than a slot is gathered and judged here; beyond the limit it is only counted, in constant
  memory.
- A text whose first line breaks off may be documents instead of lines: it is judged here, in order, until it is not.
"""

from functools import partial

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.document import Document
from agentaudit.encoding.jsonl.grammar import Outcome, Reader, space_end
from agentaudit.encoding.jsonl.judging import BOM
from agentaudit.encoding.jsonl.lanes import HereLane, Job, Lane
from agentaudit.encoding.jsonl.ledger import Framed, Ledger
from agentaudit.encoding.jsonl.longline import LongLine, last_line_feed
from agentaudit.encoding.jsonl.tally import Tally


def framing(asked: Asked | None = None) -> "Framer":
    """A framing of one text in this thread alone; without being told it asks the verdict and the types alone."""
    return Framer(HereLane(asked or Asked(second_look_bytes=0), standard_bytes=0))


class Framer:
    """Takes one text's bytes and says what they come to; several can share a lane, one after the other or at once."""

    def __init__(self, lane: Lane) -> None:
        """Begin with an empty text."""
        self._lane = lane
        self._ledger = Ledger(lane.asked)
        self._slot: memoryview | None = None
        self._used = self._taken = self._offset = 0
        self._sequence = self._pending = 0
        self._long: LongLine | None = None
        self._document: Document | None = None
        self._opened = False
        self._tail = False

    def room(self) -> memoryview:
        """Where the next bytes may be read into; never empty."""
        return self._held()[self._used :]

    def filled(self, octets: int) -> None:
        """So many bytes were put into the room that was asked for last."""
        slot = self._held()
        self._used += octets
        self._taken += octets
        if self._used == len(slot):
            self._cut(slot)

    def feed(self, octets: bytes | bytearray | memoryview) -> None:
        """Take bytes that lie elsewhere."""
        view = memoryview(octets)
        while view:
            room = self.room()
            taken = min(len(room), len(view))
            room[:taken] = view[:taken]
            view = view[taken:]
            self.filled(taken)

    def lend(self) -> bytes | None:
        """The begun line, where whole lines that follow may be judged elsewhere from here on; else None.

        What is judged there comes back by `elsewhere`, and this framer goes on with `resume`.
        """
        if self._long is None and self._used:
            self._cut(self._held())
        if self._long is not None or not self._opened or (self._document is not None and self._document.alive):
            return None
        return bytes(self._held()[: self._used])

    def elsewhere(self, block: int, offset: int, tally: Tally) -> None:
        """Take what the lines of the block of that number come to, counted from 0 since `lend`, at their offset."""
        self._ledger.put(self._sequence + block, offset, tally)

    def resume(self, blocks: int, position: int, begun: bytes) -> None:
        """Go on at that place of the text, behind so many blocks and these bytes of a line that is begun."""
        self._sequence += blocks
        self._offset = self._taken = position - len(begun)
        self._used = 0
        self.feed(begun)

    def finish(self) -> Framed:
        """The text is at its end: what it comes to."""
        self.end()
        return self.result()

    def end(self) -> None:
        """The text is at its end; what is not judged yet may be judged meanwhile by others."""
        slot = self._held()
        if self._used:
            self._cut(slot)
        slot = self._held()
        if self._long is None and self._used:
            self._long = LongLine(self._lane.asked.max_line_bytes)
            self._long.add(bytes(slot[: self._used]))
        self._lane.back(slot)
        self._slot, self._used = None, 0
        if self._long is not None:
            self._tail = True
            self._judge_long(self._long, tail=True)

    def result(self) -> Framed:
        """What the ended text comes to, once every block is judged."""
        while self._pending:
            self._lane.pump()
        guess = self._document if self._document is not None and self._document.alive else None
        return self._ledger.close(self._taken, guess, final_newline=self._taken > 0 and not self._tail)

    def abandon(self) -> None:
        """Nothing more will come, and nobody asks: leave the lane to others."""
        if self._slot is not None:
            self._lane.back(self._slot)
            self._slot = None
        while self._pending:
            self._lane.pump()

    def _held(self) -> memoryview:
        if self._slot is None:
            self._slot = self._lane.slot()
        return self._slot

    def _cut(self, slot: memoryview) -> None:
        """Have the whole lines in the slot judged; what follows the last of them begins the next slot."""
        used, begin = self._used, 0
        if self._long is not None:
            begin = self._gather(self._long, bytes(slot[:used]))
        end = last_line_feed(slot, begin, used)
        rest = bytes(slot[end:used])
        if end > begin:
            if begin:
                slot[: end - begin] = bytes(slot[begin:end])
            self._slot = None
            self._lines(slot, end - begin)
        if len(rest) == len(slot):
            self._long = LongLine(self._lane.asked.max_line_bytes)
            self._gather(self._long, rest)
            rest = b""
        self._used = len(rest)
        if rest:
            self._held()[: len(rest)] = rest

    def _lines(self, slot: memoryview, length: int) -> None:
        """Whole lines at the begin of a slot: judged here while they may be documents, else by the lane."""
        deliver = partial(self._deliver, self._sequence, self._offset)
        offset, self._offset = self._offset, self._offset + length
        self._sequence += 1
        self._pending += 1
        if not self._opened:
            self._open(bytes(slot[:length]))
        if self._document is None or not self._document.alive:
            self._lane.give(slot, Job(length, offset, deliver))
            return
        lines = bytes(slot[:length])
        self._lane.back(slot)
        tally = self._lane.judge(length).block(lines, offset)
        self._document.feed(lines)
        if tally.longest > self._lane.asked.max_line_bytes:
            self._document = None
        deliver(tally)

    def _open(self, lines: bytes) -> None:
        """The first line that is not blank tells whether the text may be documents."""
        begin = space_end(lines, len(BOM) if lines.startswith(BOM) else 0)
        if begin == len(lines):
            return
        self._opened = True
        if Reader().read(lines[begin : lines.find(b"\n", begin)], 0) is Outcome.PREFIX:
            self._document = Document()

    def _gather(self, long: LongLine, octets: bytes) -> int:
        """Add to a long line up to its end; how many bytes were taken, the line feed with them."""
        end = octets.find(b"\n")
        if end < 0:
            long.add(octets)
            return len(octets)
        long.add(octets[:end])
        self._judge_long(long, tail=False)
        return end + 1

    def _judge_long(self, long: LongLine, *, tail: bool) -> None:
        """Judge a gathered line here."""
        self._long = None
        offset, self._offset = self._offset, self._offset + long.length + (not tail)
        sequence, self._sequence = self._sequence, self._sequence + 1
        self._pending += 1
        tally = self._long_tally(long, offset, tail=tail)
        self._deliver(sequence, offset, tally)

    def _long_tally(self, long: LongLine, offset: int, *, tail: bool) -> Tally:
        if long.over:
            self._opened, self._document = True, None
            return self._lane.judge(0).beyond(long.length)
        tally = self._lane.judge(long.length).line(long.octets, offset, tail=tail)
        if not self._opened and tally.places:
            place = tally.places[0].judged
            self._document = Document() if place.fault in ("cut", "incomplete_tail") and not place.values else None
        self._opened = True
        if self._document is not None:
            self._document.feed(long.octets)
        return tally

    def _deliver(self, sequence: int, offset: int, tally: Tally) -> None:
        self._pending -= 1
        self._ledger.put(sequence, offset, tally)
