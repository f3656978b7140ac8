"""The judge of blocks: ordinary lines by a fast parser, every other line by the exact reader, counted in one tally.

- A block is whole lines, each with its line feed. It is judged in stretches that fit the nearest cache, because each
  byte is touched four times: cut out, made a line, copied by the parser, parsed.
- The loop over ordinary lines asks each for nothing but its `type`. Key sets, probes and the second look have a
  slower loop of their own.
- A line is taken for ordinary only when it begins with a brace and the parser accepts it.
"""

import io
from collections.abc import Iterable, Iterator

from agentaudit.encoding.jsonl.asked import Asked
from agentaudit.encoding.jsonl.duplicates import has_duplicate_name
from agentaudit.encoding.jsonl.engine import NO_ANSWER, REFUSALS, Engine
from agentaudit.encoding.jsonl.grammar import Octets
from agentaudit.encoding.jsonl.judging import Judged, judge
from agentaudit.encoding.jsonl.longline import last_line_feed
from agentaudit.encoding.jsonl.looking import Looks
from agentaudit.encoding.jsonl.rows import Row, RowLike
from agentaudit.encoding.jsonl.tally import Place, Seen, Tally
from agentaudit.encoding.jsonl.traits import has_line_separator

ENGINE_BYTES_MAX = 4 * 1024 * 1024
LOOK_BYTES_MAX = 1024 * 1024
# Below what the C library's allocator asks the system for each time (128 KiB).
STRETCH_BYTES = 96 * 1024

_BRACE = 0x7B


class BlockJudge:
    """Judges blocks and single lines with one engine; not to be shared by threads."""

    def __init__(self, asked: Asked, engine: Engine) -> None:
        """Take what is asked and the parser of ordinary lines."""
        self._asked = asked
        self._parse = engine.parse
        self._kind = engine.kind
        self._looks = Looks(asked)

    def block(self, octets: Octets | memoryview, offset: int, known: Iterable[str] = ()) -> Tally:
        """The tally of whole lines that begin at that offset of the text.

        `known` are types that an earlier block of the same text has: they are counted without a second look at the
        first line of each, and stand before all others in the tally, also with no line.
        """
        tally = self._tally()
        tally.types = dict.fromkeys(known, 0)
        for begin, stretch in _stretches(memoryview(octets)):
            self._stretch(tally, stretch, begin, offset + begin)
        return tally

    def line(self, line: Octets, offset: int, *, tail: bool) -> Tally:
        """The tally of one line without its line feed; `tail` when the text ends without one."""
        tally = self._tally()
        tally.lines, tally.longest = 1, len(line)
        self._one(tally, line, 0, 0, look=self._look_until(offset, 1) > 0, tail=tail)
        _note_returns(tally, 0, line.count(b"\r"), ends=not tail and line.endswith(b"\r"))
        return tally

    def beyond(self, length: int) -> Tally:
        """The tally of one line of that length, which is above the limit and not here any more."""
        tally = self._tally()
        tally.lines, tally.longest = 1, length
        tally.put(Place(0, 0, length, Judged("over_limit")))
        return tally

    def _tally(self) -> Tally:
        return Tally(probes=[Seen() for _ in self._asked.probes])

    def _look_until(self, offset: int, length: int) -> int:
        """Lines that begin before this place of the block are looked at twice."""
        limit = self._asked.second_look_bytes
        return length if limit is None else max(0, min(length, limit - offset))

    def _stretch(self, tally: Tally, octets: bytes, begin: int, offset: int) -> None:
        """Add whole lines that begin at those places of the block and of the text."""
        before = tally.lines
        until = self._look_until(offset, len(octets))
        if until or self._asked.max_line_bytes < len(octets):
            self._every_line(tally, octets, begin, until)
        elif self._looks.more:
            self._asked_lines(tally, octets, begin)
        else:
            self._ordinary_lines(tally, octets, begin)
        if b"\r" in octets:
            self._carriage_returns(tally, octets, before)

    def _ordinary_lines(self, tally: Tally, octets: bytes, begin: int) -> None:
        """Every line by its `type`: a word that was seen before is counted here, every other answer is looked into."""
        stream, parse, kind, types = io.BytesIO(octets), self._parse, self._kind, tally.types
        number = judged = tally.lines
        longest = tally.longest + 1
        for number, line in enumerate(stream, judged + 1):
            if len(line) > longest:  # noqa: PLR1730 - a call costs a tenth of what the line costs
                longest = len(line)
            if line[0] == _BRACE:
                try:
                    types[parse(line)[kind]] += 1  # type: ignore[index]
                except NO_ANSWER:
                    pass
                else:
                    continue
            tally.ordinary(number - 1 - judged)
            judged = number
            self._one(tally, line, number - 1, begin + stream.tell() - len(line), look=False)
        tally.ordinary(number - judged)
        tally.lines, tally.longest = number, longest - 1

    def _asked_lines(self, tally: Tally, octets: bytes, begin: int) -> None:
        """Every line by the fast parser, and what is asked of each."""
        stream, parse, ask = io.BytesIO(octets), self._parse, self._looks.ask
        number = judged = tally.lines
        longest = tally.longest + 1
        for number, line in enumerate(stream, judged + 1):
            longest = max(longest, len(line))
            if line[0] == _BRACE:
                try:
                    # The row is given away at once: a parser is not used again while one of its objects lives.
                    ask(tally, parse(line))
                except REFUSALS:
                    pass
                else:
                    continue
            tally.ordinary(number - 1 - judged)
            judged = number
            self._one(tally, line, number - 1, begin + stream.tell() - len(line), look=False)
        tally.ordinary(number - judged)
        tally.lines, tally.longest = number, longest - 1

    def _every_line(self, tally: Tally, octets: bytes, begin: int, until: int) -> None:
        """Every line by itself; those that begin before `until` of the stretch are looked at twice."""
        at = 0
        for number, line in enumerate(io.BytesIO(octets), tally.lines):
            self._one(tally, line, number, begin + at, look=at < until)
            at += len(line)
            tally.lines, tally.longest = number + 1, max(tally.longest, len(line) - 1)

    def _carriage_returns(self, tally: Tally, octets: bytes, before: int) -> None:
        """Note them on every line that is judged; so many lines stand before the stretch."""
        for number, line in enumerate(io.BytesIO(octets), before):
            if len(line) - 1 <= self._asked.max_line_bytes:
                _note_returns(tally, number, line.count(b"\r"), ends=line.endswith(b"\r\n"))

    def _one(self, tally: Tally, line: Octets, number: int, offset: int, *, look: bool, tail: bool = False) -> None:
        """Judge one line, with or without its line feed, and ask it what is asked."""
        length = len(line) - line.endswith(b"\n")
        if length > self._asked.max_line_bytes:
            tally.put(Place(number, offset, length, Judged("over_limit")))
            return
        row = self._fast_row(line)
        if row is not None:
            tally.ordinary(1)
        else:
            body = line if length == len(line) else line[:length]
            judged = judge(body, tail=tail)
            tally.put(Place(number, offset, length, judged))
            if judged.fault is not None or judged.begins is None:
                return
            row = Row(body, judged.begins)
        self._looks.ask(tally, row)
        if look and length <= LOOK_BYTES_MAX:
            _second_look(tally, line if length == len(line) else line[:length], number)

    def _fast_row(self, line: Octets) -> RowLike | None:
        """The object of an ordinary line; None when the exact reader has to decide."""
        if not line.startswith(b"{") or len(line) > ENGINE_BYTES_MAX:
            return None
        try:
            return self._parse(bytes(line))
        except REFUSALS:
            return None


def _stretches(block: memoryview) -> Iterator[tuple[int, bytes]]:
    """Where each stretch of a block begins, and its bytes: whole lines."""
    begin, size = 0, STRETCH_BYTES
    while begin < len(block):
        end = min(begin + size, len(block))
        cut = end if end == len(block) else last_line_feed(block, begin, end)
        if cut == begin:
            size *= 2
            continue
        yield begin, bytes(block[begin:cut])
        begin, size = cut, STRETCH_BYTES


def _second_look(tally: Tally, line: Octets, number: int) -> None:
    if has_line_separator(line):
        tally.note("line_separator", number)
    if has_duplicate_name(line):
        tally.note("duplicate_key", number)


def _note_returns(tally: Tally, number: int, returns: int, *, ends: bool) -> None:
    """Note a line that ends in CR LF, and one with a CR elsewhere; a line that has both is noted as both."""
    if ends:
        tally.note("crlf", number)
    if returns > ends:
        tally.note("lone_cr", number)
