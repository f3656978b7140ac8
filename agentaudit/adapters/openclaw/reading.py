"""The reading of a preserved Gateway ledger: pages, explanations, failures and databases, each by its bytes.

- Pages and databases are two ways to the same ledger: each has numbers of its own here, and neither fills the other.
- A page that leads on to a page that is not here, and a cursor that came twice, are findings of the pages.
- A database here is an extract of ours, without a log; what became of the original's log stands in the note beside it.
"""

from collections.abc import Iterable, Iterator
from typing import assert_never

from agentaudit.adapters.handed_over.reading import FilesReading
from agentaudit.adapters.openclaw.coverage import coverage_limits
from agentaudit.adapters.openclaw.documents import Explained, Failed, Other, Page, read_document
from agentaudit.adapters.openclaw.events import event_row, sequence_of
from agentaudit.adapters.openclaw.explaining import decision_rows, explained_stream
from agentaudit.adapters.openclaw.ledgerdatabase import LedgerDatabase, read_database
from agentaudit.adapters.openclaw.notes import Note, counts_of, findings_of, read_note, words_of
from agentaudit.adapters.openclaw.sequences import Sequences
from agentaudit.encoding.sqliteimage import MAGIC
from agentaudit.model.journal import Opened
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, Place, StreamFinding, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

ADAPTER = "openclaw/1"
PAGES = "feed/000001"
FILE_MAX = 256 * 1024 * 1024


class _Feed:
    """Gathers one file up to the bound."""

    def __init__(self, reading: "LedgerReading", row: Kept) -> None:
        self._reading = reading
        self._row = row
        self._octets = bytearray()
        self._over = False

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        self._over = self._over or len(self._octets) + len(chunk) > FILE_MAX
        if self._over:
            self._octets.clear()
        else:
            self._octets += chunk

    def finish(self) -> None:
        """Read the file as a whole."""
        self._reading.take(self._row, None if self._over else bytes(self._octets))


class LedgerReading(FilesReading):
    """One pass over the files of one exhibit."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        super().__init__()
        self._events: list[EventRow] = []
        self._streams: list[StreamRow] = []
        self._sequences = Sequences()
        self._pages = 0
        self._cursors: dict[str, Place] = {}
        self._reached: set[int] = set()
        self._last_page = False
        self._files = 0
        self._databases = 0

    def payload(self, row: Kept) -> "_Feed":
        """Every file is looked at: its bytes say what it is."""
        return _Feed(self, row)

    def take(self, row: Kept, octets: bytes | None) -> None:
        """Read one file; None for one over the bound."""
        self._files += 1
        if octets is None:
            self._file(row, "over-limit", findings=(StreamFinding(code="over_limit", count=1),))
        elif octets.startswith(MAGIC):
            self._file(row, "sqlite")
            self._database(row, octets)
        else:
            self._document(row, octets)

    def events(self) -> Iterator[EventRow]:
        """The events since the last call."""
        found, self._events = self._events, []
        yield from found

    def streams(self) -> Iterator[StreamRow]:
        """Each stream by its key."""
        if self._pages:
            self._streams.append(self._pages_stream())
        yield from sorted(self._streams, key=lambda one: one.stream)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What this source never contains."""
        return (*coverage_limits(pages=self._pages, databases=self._databases), *super().coverage())

    def _document(self, row: Kept, octets: bytes) -> None:
        note = read_note(octets)
        if note is not None:
            self._note(row, note)
            return
        document = read_document(octets)
        match document:
            case Page():
                self._page(row, document)
            case Explained():
                self._explained(row, document)
            case Failed():
                words = () if document.kind is None else (("error", document.kind),)
                code = "cursor_retired" if document.retired else "command_failed"
                self._file(row, "openclaw-failure", words=words, findings=(StreamFinding(code=code, count=1),))
            case Other():
                self._file(row, document.form)
            case _:
                assert_never(document)

    def _note(self, row: Kept, note: Note) -> None:
        """A note of ours: what an extract beside it was made of, or what the settings say of the coverage."""
        findings = tuple(sorted(findings_of(note), key=lambda one: one.code))
        self._file(row, "agentaudit-note", words=words_of(note), findings=findings, counts=counts_of(note))

    def _page(self, row: Kept, page: Page) -> None:
        self._pages += 1
        item, numbers = row.item.path, []
        for index, event in page.events:
            made = event_row(event, PAGES, Place(item=item, pointer=f"/events/{index}"))
            mark = self._sequences.take(made)
            self._events.append(made if mark is None else _marked(made, mark))
            number = sequence_of(made)
            numbers += [] if number is None else [number]
        self._reached.update(numbers)
        findings = []
        if numbers != sorted(numbers, reverse=True):
            findings.append(StreamFinding(code="not_newest_first", count=1, places=(Place(item=item),)))
        if page.legacy:
            findings.append(StreamFinding(code="legacy_listing", count=1, places=(Place(item=item),)))
        if page.odd:
            findings.append(StreamFinding(code="odd_entries", count=page.odd, places=(Place(item=item),)))
        if page.cursor is None:
            self._last_page = True
        elif page.cursor in self._cursors:
            self._sequences.note("repeated_cursor", Place(item=item, pointer="/nextCursor"))
        else:
            self._cursors[page.cursor] = Place(item=item, pointer="/nextCursor")
        findings.sort(key=lambda one: one.code)
        self._file(row, "openclaw-page", findings=tuple(findings), events=len(page.events))

    def _explained(self, row: Kept, document: Explained) -> None:
        key = f"execution/{self._files:06d}"
        rows = tuple(decision_rows(document.document, key, row.item.path))
        self._events.extend(rows)
        self._file(row, "openclaw-explanation", events=len(rows))
        within = f"file/{self._files:06d}"
        self._streams.append(explained_stream(document.document, key, within, row.item.path, len(rows)))

    def _database(self, row: Kept, octets: bytes) -> None:
        self._databases += 1
        found: LedgerDatabase = read_database(octets, f"database/{self._databases:06d}", row.item.path)
        self._events.extend(found.events)
        self._streams.extend(found.streams)

    def _file(
        self,
        row: Kept,
        form: str,
        *,
        words: tuple[tuple[str, str], ...] = (),
        findings: tuple[StreamFinding, ...] = (),
        events: int = 0,
        counts: tuple[tuple[str, int], ...] = (),
    ) -> None:
        self._streams.append(
            StreamRow(
                stream=f"file/{self._files:06d}",
                kind="file",
                item=row.item.path,
                form=form,
                events=events,
                counts=counts,
                words=words,
                findings=findings,
            )
        )

    def _pages_stream(self) -> StreamRow:
        """All pages together: where they lead, and what their numbers say."""
        for cursor, place in sorted(self._cursors.items()):
            code = self._lack_behind(cursor)
            if code is not None:
                self._sequences.note(code, place)
        if not self._last_page:
            self._sequences.note("not_to_end", None)
        counted = dict(self._sequences.counts()) | {"pages": self._pages}
        return StreamRow(
            stream=PAGES,
            kind="feed",
            form="openclaw-pages",
            events=self._sequences.events,
            first_at=_said(self._sequences.first_at),
            last_at=_said(self._sequences.last_at),
            counts=tuple(sorted(counted.items())),
            runs=self._sequences.runs(),
            findings=self._sequences.findings(),
        )

    def _lack_behind(self, cursor: str) -> str | None:
        """A cursor of a page is the number of its last event (measured): the next page lies below it.

        Where the number right below is not here, a page may lack or the numbers may have a hole: that is not known.
        """
        if not (cursor.isascii() and cursor.isdigit() and len(cursor) < 20):  # noqa: PLR2004 - 64 bits
            return "cursor_opaque"
        at = int(cursor)
        if at - 1 in self._reached or at == 1:
            return None
        return "page_or_hole" if any(number < at for number in self._reached) else "next_page_not_here"


class LedgerReader:
    """The reader of preserved ledgers."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> LedgerReading:
        """Begin a reading."""
        del opened, walks
        return LedgerReading()


def _marked(row: EventRow, mark: str) -> EventRow:
    return EventRow(
        stream=row.stream,
        kind=row.kind,
        place=row.place,
        id=row.id,
        at=row.at,
        order=row.order,
        keys=row.keys,
        words=row.words,
        numbers=row.numbers,
        marks=tuple(sorted((*row.marks, mark))),
    )


def _said(at: int | None) -> str | None:
    return None if at is None else str(at)
