"""The reading of what the API gave: pages of lists, then files, in the order of their paths.

- A file's number in its walk's name is that of its stream; which file it is, is the id that it was asked for with.
- Of two answers for one file the one that was asked for last is read: it comes first in the order of paths.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from agentaudit.adapters.openai_logs.coverage import coverage_of_api
from agentaudit.adapters.openai_logs.handed import LogFilesReading
from agentaudit.adapters.openai_logs.listed import Lists, judged
from agentaudit.adapters.openai_logs.listing import LogEntry, LogPage, read_list
from agentaudit.adapters.openai_logs.logfile import LogFile
from agentaudit.adapters.openai_logs.naming import file_asked, place_of
from agentaudit.adapters.openai_logs.totals import Totals
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, RecordRow, Unread
from agentaudit.model.selection import HandedOver
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, PayloadFeed, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

ADAPTER: Final = "openai-logs/1"

_OK: Final = 200


class OpenAiLogReader:
    """This adapter, as the package knows it."""

    @property
    def name(self) -> str:
        """`openai-logs/1`."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "OpenAiLogReading | LogFilesReading":
        """Begin a reading of what the API gave, or of files that were handed over."""
        del walks
        return LogFilesReading() if isinstance(opened.selection, HandedOver) else OpenAiLogReading()


class OpenAiLogReading:
    """One pass over the answers of one exhibit."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._lists = Lists(walked=True)
        self._totals = Totals()
        self._files: dict[int, tuple[LogFile, LogEntry | None]] = {}
        self._pending: tuple[LogFile, bytes] | None = None
        self._cursor: str | Unread | None = None

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Take one answer; its records are events, and are made when `events` is asked for them."""
        place = place_of(row.walk)
        self._cursor = UNREAD
        if place is None or row.exchange.status != _OK:
            return (), ()
        if place.part == "list":
            self._list(place.number, row, body)
            return (), ()
        self._cursor = None
        if place.number in self._files:
            self._files[place.number][0].counts["earlier_answers"] += 1
            return (), ()
        entry = self._lists.entry(file_asked(row.exchange.url))
        expected = None if entry is None else entry.event_type
        file = LogFile(row.item.path, f"file/{place.number:06d}", self._totals, expected)
        self._files[place.number] = file, entry
        self._pending = file, body
        return (), ()

    def next_cursor(self) -> str | Unread | None:
        """Where the answer fed last leads."""
        return self._cursor

    def payload(self, row: Kept) -> PayloadFeed | None:
        """An API keeps no local files."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """The records of the file fed last, one after the other."""
        pending, self._pending = self._pending, None
        if pending is not None:
            file, body = pending
            yield from file.read(body)

    def clipped(self) -> Iterator[Truncation]:
        """The source marks no text as shortened."""
        yield from ()

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """A session of the logs is a stream: its transcript is not here."""
        del walks, gaps
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """The lists, the files, the whole and its sessions, by their keys."""
        rows = judged(self._lists, [one for _, one in sorted(self._files.items())])
        yield from self._lists.rows()
        yield from rows
        yield from self._totals.rows()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of this source, by code."""
        return coverage_of_api()

    def _list(self, number: int, row: Answered, body: bytes) -> None:
        page = read_list(body, row.content_encoding)
        if isinstance(page, LogPage):
            # An empty page names no place to go on from: the walk keeps the one that it has.
            self._cursor = (page.last_end_time or row.exchange.cursor) if page.has_more else None
            self._lists.take(number, row.item.path, page)
