"""The reading of a preserved Gateway ledger: pages, explanations, failures and databases, each by its bytes.

- Pages and databases are two ways to the same ledger: each has numbers of its own here, and neither fills the other.
- A page that leads on to a page that is not here, and a cursor that came twice, are findings of the pages.
- A database is read once its last file came; a log that was to come and did not leaves it unread, and that is said.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.handed_over.reading import FilesReading
from agentaudit.adapters.openclaw.coverage import coverage_limits
from agentaudit.adapters.openclaw.documents import Explained, Failed, Other, Ours, Page, read_document
from agentaudit.adapters.openclaw.events import event_row, sequence_of, text_of
from agentaudit.adapters.openclaw.explaining import decision_rows, explained_stream
from agentaudit.adapters.openclaw.ledgerdatabase import LedgerDatabase, read_database
from agentaudit.adapters.openclaw.sequences import Sequences
from agentaudit.encoding.sqliteimage import MAGIC
from agentaudit.model.journal import Opened
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, Place, StreamFinding, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

ADAPTER = "openclaw/1"
PAGES = "feed/000001"
FILE_MAX = 256 * 1024 * 1024
_LOG = b"-wal"
_JOURNAL = b"-journal"


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
        self._lowest: list[int] = []
        self._cursors: dict[str, Place] = {}
        self._reached: set[int] = set()
        self._last_page = False
        self._files = 0
        self._main: tuple[Kept, bytes] | None = None
        self._beside: dict[bytes, bytes] = {}
        self._databases = 0

    def kept(self, row: Kept) -> None:
        """Take one kept file; a database whose last file came is read before the next file."""
        if self._main is not None and not row.item.path.startswith(self._main[0].item.path):
            self._read_database()
        super().kept(row)

    def payload(self, row: Kept) -> "_Feed":
        """Every file is looked at: its bytes say what it is."""
        return _Feed(self, row)

    def take(self, row: Kept, octets: bytes | None) -> None:
        """Read one file; None for one over the bound."""
        self._files += 1
        name = (self.parts_of(row) or (b"",))[-1]
        for end in (_LOG, _JOURNAL, b"-shm"):
            if self._main is not None and name.lower().endswith(end):
                self._beside[end] = octets or b""
                self._file(row, f"sqlite{end.decode('ascii')}")
                return
        if octets is None:
            self._file(row, "over-limit", findings=(StreamFinding(code="over_limit", count=1),))
        elif octets.startswith(MAGIC):
            self._main = (row, octets)
            self._file(row, "sqlite")
        else:
            self._document(row, octets)

    def events(self) -> Iterator[EventRow]:
        """The events since the last call."""
        found, self._events = self._events, []
        yield from found

    def streams(self) -> Iterator[StreamRow]:
        """Each stream by its key; a database that was still waiting for a log is named unread."""
        if self._main is not None:
            self._read_database()
        if self._pages:
            self._streams.append(self._pages_stream())
        yield from sorted(self._streams, key=lambda one: one.stream)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What this source never contains."""
        return (*coverage_limits(pages=self._pages, databases=self._databases), *super().coverage())

    def _document(self, row: Kept, octets: bytes) -> None:
        document = read_document(octets)
        match document:
            case Page():
                self._page(row, document)
            case Explained():
                self._explained(row, document)
            case Failed():
                words = () if document.kind is None else (("error", document.kind),)
                self._file(row, "openclaw-failure", words, (StreamFinding(code="command_failed", count=1),))
            case Ours():
                self._note(row, document)
            case Other():
                self._file(row, document.form)

    def _note(self, row: Kept, note: Ours) -> None:
        """A note of ours: what became of the log of the original that an extract was made of."""
        words = [(name, said) for name in ("journal", "log", "problem") if (said := text_of(note.document, name))]
        lost = dict(words).get("log") not in {None, "applied", "empty"}
        findings = [StreamFinding(code="original_log_not_applied", count=1)] if lost else []
        if note.document.get("torn") is True:
            findings.append(StreamFinding(code="original_torn", count=1))
        self._file(row, f"agentaudit:{note.form}", tuple(words), tuple(findings))

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
        if page.odd:
            findings.append(StreamFinding(code="odd_entries", count=page.odd, places=(Place(item=item),)))
        if page.cursor is None:
            self._last_page = True
        elif page.cursor in self._cursors:
            self._sequences.note("repeated_cursor", Place(item=item, pointer="/nextCursor"))
        else:
            self._cursors[page.cursor] = Place(item=item, pointer="/nextCursor")
        self._file(row, "openclaw-page", findings=tuple(findings), events=len(page.events))

    def _explained(self, row: Kept, document: Explained) -> None:
        key = f"execution/{self._files:06d}"
        rows = tuple(decision_rows(document.document, key, row.item.path))
        self._events.extend(rows)
        self._file(row, "openclaw-explanation", events=len(rows))
        within = f"file/{self._files:06d}"
        self._streams.append(explained_stream(document.document, key, within, row.item.path, len(rows)))

    def _read_database(self) -> None:
        if self._main is None:
            return
        (row, octets), beside = self._main, self._beside
        self._main, self._beside = None, {}
        self._databases += 1
        found: LedgerDatabase = read_database(
            octets, beside.get(_LOG), beside.get(_JOURNAL), f"database/{self._databases:06d}", row.item.path
        )
        self._events.extend(found.events)
        self._streams.extend(found.streams)

    def _file(
        self,
        row: Kept,
        form: str,
        words: tuple[tuple[str, str], ...] = (),
        findings: tuple[StreamFinding, ...] = (),
        events: int = 0,
    ) -> None:
        key = f"file/{self._files:06d}"
        self._streams.append(
            StreamRow(
                stream=key, kind="file", item=row.item.path, form=form, events=events, words=words, findings=findings
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
