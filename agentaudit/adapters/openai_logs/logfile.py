"""One file as it is fed: its digest, what it is, and its records as events.

- What a file is, is decided by its bytes: by the first line that is a record, or at the end by the document that it is.
  Lines before that are held within a bound.
- A line that cannot be read is a finding, and the next one is read. The last line of a cut file is told from it.
- A repeated event is an event, with a mark; it is not counted again in its session.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Literal

from agentaudit.adapters.findings import Findings
from agentaudit.adapters.openai_logs.lines import Line, LineCutter
from agentaudit.adapters.openai_logs.listing import LogPage, is_list, list_of
from agentaudit.adapters.openai_logs.records import Record, is_record, read_record
from agentaudit.adapters.openai_logs.totals import Span, Totals
from agentaudit.adapters.openai_logs.unpacking import Unpacking
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, Place

HELD_MAX: Final = 16 * 1024 * 1024

_LINE_COST: Final = 256
_BLANK: Final = b" \t\r\n"
_BOM: Final = b"\xef\xbb\xbf"

Form = Literal["openai_log", "openai_log_list", "error_answer", "empty", "unrecognised"]


class LogFile:
    """The feed of one file. `expected` is the event type that its list states."""

    def __init__(self, item: str, stream: str, totals: Totals, expected: str | None = None) -> None:
        """`stream` is the key of the file's stream."""
        self.item = item
        self.stream = stream
        self.findings = Findings()
        self.unpacking = Unpacking()
        self.span = Span()
        self.kinds: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.page: LogPage | None = None
        self.made: list[EventRow] = []
        self._form: Form | None = None
        self._expected = expected
        self._totals = totals
        self._lines = LineCutter()
        self._held: list[Line] = []
        self._held_bytes = 0

    @property
    def form(self) -> str:
        """What the file is, with its packing where it is packed."""
        packing = self.unpacking.packing
        if packing in ("zstd", "utf-16"):
            return f"not_read/{packing}"
        named = self._form or "empty"
        return f"{named}/gzip" if packing == "gzip" else named

    @property
    def is_log(self) -> bool:
        """True for a file that holds a record."""
        return self._form == "openai_log"

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        for text in self.unpacking.feed(bytes(chunk)):
            for line in self._lines.feed(text):
                self._take(line)

    def finish(self) -> None:
        """The last byte was fed."""
        for text in self.unpacking.finish():
            for line in self._lines.feed(text):
                self._take(line)
        for line in self._lines.finish():
            self._take(line)
        if self._form is None and self._held:
            self._decide_whole()
        if self.unpacking.fault is not None:
            self.findings.add(f"stream_{self.unpacking.fault}", Place(item=self.item))

    def read(self, body: bytes) -> Iterator[EventRow]:
        """Feed a whole body, and give its events as they are made."""
        view = memoryview(body)
        for at in range(0, len(view), HELD_MAX):
            self.feed(view[at : at + HELD_MAX])
            yield from self.take_made()
        self.finish()
        yield from self.take_made()

    def take_made(self) -> Iterator[EventRow]:
        """The events since the last call."""
        made, self.made = self.made, []
        yield from made

    def _take(self, line: Line) -> None:
        if self._form is not None:
            self._read(line)
            return
        self._held.append(line)
        self._held_bytes += len(line.octets or b"") + _LINE_COST
        top = None if line.octets is None else _object(line.octets)
        if (top is not None and is_record(top)) or self._held_bytes > HELD_MAX:
            self._form = "openai_log"
            held, self._held = self._held, []
            for earlier in held:
                self._read(earlier)

    def _decide_whole(self) -> None:
        """No line was a record: it is a document, or nothing that is known."""
        held, self._held = self._held, []
        text = b"".join(line.octets or b"" for line in held)
        top = _object(text) or {}
        self._form = "unrecognised"
        if is_list(top):
            self._form = "openai_log_list"
            page = list_of(top)
            self.page = page if isinstance(page, LogPage) else None
            if self.page is None:
                self.findings.add("list_unreadable", Place(item=self.item))
        elif top.keys() & {"error", "detail"}:
            self._form = "error_answer"
        elif not text.removeprefix(_BOM).strip(_BLANK) and all(line.octets is not None for line in held):
            self._form = "empty"

    def _read(self, line: Line) -> None:
        place = Place(item=self.item, offset=line.offset)
        if line.octets is None:
            self.findings.add("line_over_limit", place)
            return
        octets = line.octets.removeprefix(_BOM) if line.number == 1 else line.octets
        if not octets.strip(_BLANK):
            self.counts["blank_lines"] += 1
            return
        try:
            item: Json = decode(octets)
        except NotJson:
            self.findings.add("line_unreadable" if line.is_ended else "tail_cut", place)
            return
        top = mapping(item)
        if top is None:
            self.findings.add("line_not_an_object", place)
            return
        self._event(read_record(top), line.number, octets, place)

    def _event(self, record: Record, number: int, octets: bytes, place: Place) -> None:
        marks = sorted(self._marks(record, octets, place))
        self.kinds[record.kind] += 1
        self.span.take(record.at)
        if "duplicate" not in marks:
            self._totals.take(record)
        self.made.append(
            EventRow(
                stream=self.stream,
                kind=record.kind,
                place=place,
                id=UNSET if record.id is None else record.id,
                at=UNSET if record.at is None else record.at,
                order=number,
                keys=record.keys,
                words=record.words,
                numbers=record.numbers,
                marks=tuple(marks),
            )
        )

    def _marks(self, record: Record, octets: bytes, place: Place) -> Iterator[str]:
        yield from self._standing(record, octets, place)
        if record.at is None:
            self.findings.add("time_absent", place)
        if not record.is_known:
            yield "unknown_kind"
        if record.odd:
            self.findings.add("field_odd", place, record.odd[0])
            yield "odd"
        if self._expected is not None and record.log is not None and record.log != self._expected:
            self.findings.add("other_log", place, record.log)
            yield "other_log"
        yield from record.withheld

    def _standing(self, record: Record, octets: bytes, place: Place) -> Iterator[str]:
        if record.id is None:
            self.findings.add("event_id_absent", place)
            return
        standing = self._totals.ids.see(record.id, octets)
        if standing == "new":
            return
        self._totals.count("events_repeated")
        self.findings.add("event_id_repeated" if standing == "same" else "event_id_repeated_unlike", place)
        yield "duplicate" if standing == "same" else "duplicate_unlike"


def _object(octets: bytes) -> dict[str, Json] | None:
    """The object that these bytes are; None for anything else."""
    try:
        return mapping(decode(octets.removeprefix(_BOM)))
    except NotJson:
        return None
