"""The ground of every reading of handed-over files: which file is which, and nothing else that is the same for all.

- A reading is told each entry, then each kept file; it opens none of them, and is fed with their bytes.
- Of several reads of a file the last one counts: earlier ones are not fed.
- Without an adapter of its own a source's files are streams whose form nobody looked at.
"""

from collections.abc import Iterable, Iterator

from agentaudit.model.journal import Answered, Opened
from agentaudit.model.local import octets_of
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Entry, Kept, StoreFacts
from agentaudit.model.stream import EventRow, PayloadFeed, StreamRow
from agentaudit.model.survey import Parts
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

ADAPTER = "handed-over/1"


class FilesReading:
    """One pass over handed-over files; the reading of a source has `payload`, `events`, `streams` of its own."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._entries: dict[int, Entry] = {}
        self._kept: list[Kept] = []

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Files give no answers: there is nothing to read."""
        del row, body
        return (), ()

    def entry(self, entry: Entry) -> None:
        """Take one directory entry; only the last survey counts."""
        if entry.number == 1:
            self._entries.clear()
        self._entries[entry.number] = entry

    def store(self, row: StoreFacts) -> None:
        """Nothing is looked into before it is copied."""
        del row

    def kept(self, row: Kept) -> None:
        """Take one kept file."""
        self._kept.append(row)

    def parts_of(self, row: Kept) -> Parts:
        """The true path of a kept file below the folder that was handed over; empty for one that has no entry."""
        entry = self._entries.get(row.entry)
        return () if entry is None else tuple(octets_of(entry.name).split(b"/"))

    def payload(self, row: Kept) -> PayloadFeed | None:
        """No file is read."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """No file was read: there are none."""
        yield from ()

    def clipped(self) -> Iterator[Truncation]:
        """No file was read: nothing is known to be clipped."""
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """Each kept file, by its number."""
        for number, row in enumerate(self._kept, 1):
            yield StreamRow(stream=f"file/{number:06d}", kind="file", item=row.item.path)

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """Handed-over files are streams: none of them is a session of its own."""
        del walks, gaps
        yield from ()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """What holds for whatever is handed over."""
        return (
            CoverageLimit(
                code="handed_over",
                statement="The files were handed over: who wrote them, whether they are all, and what became of them "
                "before, is not known from them.",
            ),
        )


class HandedOverReader:
    """The reader of files that no adapter of this program reads."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> FilesReading:
        """Begin a reading; files have no pages."""
        del opened, walks
        return FilesReading()
