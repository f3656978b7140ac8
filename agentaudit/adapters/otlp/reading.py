"""The reading of telemetry that was handed over: events and streams of its files, in one pass, without content.

- Nothing is opened. Entries come first, so that names of raw bodies can be looked up while files are read.
- Of several copies of one file the last is read; of an earlier one it is told that it was not.
- A copy of a file's data runs only is kept and not read: its offsets are not those of the file.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.handed_over.reading import FilesReading
from agentaudit.adapters.otlp import ADAPTER
from agentaudit.adapters.otlp.bodies import Names
from agentaudit.adapters.otlp.coverage import coverage_limits
from agentaudit.adapters.otlp.file import FileFeed
from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.ledger import Ledger
from agentaudit.adapters.otlp.rotation import judge, sets_of
from agentaudit.adapters.otlp.rows import file_row, service_row, session_rows
from agentaudit.model.journal import Opened
from agentaudit.model.local import octets_of
from agentaudit.model.losses import Truncation
from agentaudit.model.storejournal import Entry, Kept
from agentaudit.model.stream import EventRow, PayloadFeed, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow
from agentaudit.model.text import SourceText, source_text


class TelemetryReading(FilesReading):
    """One pass over files of telemetry."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        """Nothing was read; another ledger may leave the rows of events out."""
        super().__init__()
        self._ledger = Ledger() if ledger is None else ledger
        self._names = Names()
        self._files: list[tuple[bytes, FileTally]] = []

    def entry(self, entry: Entry) -> None:
        """Take one directory entry; only the last survey counts."""
        if entry.number == 1:
            self._names.clear()
        if entry.kind == "file" and entry.decision == "preserve":
            self._names.add(entry.root, tuple(octets_of(entry.name).split(b"/")))
        super().entry(entry)

    def kept(self, row: Kept) -> None:
        """Take one kept file; whether it is read is said by what follows."""
        parts = self.parts_of(row)
        tally = FileTally(row.item.path, f"file/{len(self._files) + 1:06d}", self._names, (row.root, parts[:-1]))
        self._files.append((parts[-1] if parts else b"", tally))

    def payload(self, row: Kept) -> PayloadFeed | None:
        """What the bytes of the file that was taken last are fed to; None for a copy of data runs."""
        tally = self._files[-1][1]
        if row.runs is not None:
            tally.unread = "sparse_not_read"
            return None
        tally.unread = None
        return FileFeed(self._ledger, tally)

    def events(self) -> Iterator[EventRow]:
        """The events that were completed since the last call."""
        return self._ledger.events()

    def clipped(self) -> Iterator[Truncation]:
        """The truncations since the last call."""
        return self._ledger.clipped()

    def streams(self) -> Iterator[StreamRow]:
        """Files, rotated sets as folders, processes, services, sessions: by key."""
        rows = [*self._file_rows(), *session_rows(self._ledger), *map(service_row, self._ledger.services.values())]
        yield from sorted(rows, key=lambda row: row.stream)

    def _file_rows(self) -> Iterator[StreamRow]:
        within: dict[str, tuple[str, str]] = {}
        read = [(name, tally) for name, tally in self._files if tally.unread is None]
        for number, rotated in enumerate(sets_of(read), 1):
            judge(rotated)
            folder = f"folder/{number:06d}"
            within |= {tally.key: (folder, at) for at, tally in rotated}
            events = sum(tally.counts["events"] for _, tally in rotated)
            yield StreamRow(stream=folder, kind="folder", form="rotated_set", events=events,
                            counts=(("files", len(rotated)),))  # fmt: skip
        for name, tally in self._files:
            folder_key, at = within.get(tally.key, (None, None))
            yield file_row(tally, _shown(name), folder_key, at)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What telemetry can never show."""
        return coverage_limits()


class TelemetryReader:
    """The adapter of telemetry."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> TelemetryReading:
        """Begin a reading; files have no pages."""
        del opened, walks
        return TelemetryReading()


def _shown(name: bytes) -> SourceText | None:
    return source_text(name.decode("utf-8", "surrogateescape")) if name else None
