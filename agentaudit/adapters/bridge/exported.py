"""The reading of what was handed over: export files, and copies of the bridge's database.

- Which of both a file is, is decided by its first bytes.
- An export is read as it comes, one entry at a time; a database is held whole, within a bound.
- An export states its job and its boundary: the checks are those of the API, and one on its version.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from agentaudit.adapters.bridge.audit import JobAudit
from agentaudit.adapters.bridge.coverage import coverage_of_files
from agentaudit.adapters.bridge.cutting import Damage, DocumentCutter, Element, Member, Piece
from agentaudit.adapters.bridge.database import MAGIC, DatabaseFeed
from agentaudit.adapters.findings import Findings
from agentaudit.adapters.handed_over.reading import FilesReading
from agentaudit.adapters.wording import identifier, number, time
from agentaudit.encoding.foreign import Json
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, Place, StreamRow
from agentaudit.model.tagfiles import CoverageLimit

SCHEMA_VERSION: Final = 1

_HEAD: Final = frozenset({"schemaVersion", "jobId", "through", "exportedAt"})


class ExportFeed:
    """One export file: its members, and its entries as the events of one job."""

    def __init__(self, item: str, file: str, job: str) -> None:
        """`file` and `job` are the keys of its two streams."""
        self._item = item
        self._file = file
        self._audit = JobAudit(job, within=file)
        self._cutter = DocumentCutter("entries")
        self._findings = Findings()
        self._head: dict[str, Json] = {}
        self._elements = 0
        self.made: list[EventRow] = []

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        for piece in self._cutter.feed(chunk):
            self._take(piece)

    def finish(self) -> None:
        """Judge the head, once all of it is known."""
        for piece in self._cutter.finish():
            self._take(piece)
        if not self.is_export:
            return
        version = self._head.get("schemaVersion")
        if version is None:
            self._findings.add("schema_version_absent")
        elif version != SCHEMA_VERSION or isinstance(version, bool):
            self._findings.add("schema_version_other")
        if identifier(self._head.get("jobId")) is None:
            self._findings.add("job_id_absent")
        self._audit.state_through(number(self._head.get("through")), Place(item=self._item, pointer="/through"))

    @property
    def is_export(self) -> bool:
        """True for a document with a member that only an export has, or with entries."""
        return bool(self._elements) or not self._head.keys().isdisjoint({"schemaVersion", "through"})

    def rows(self) -> Iterator[StreamRow]:
        """The file, then its job."""
        made_at = time(self._head.get("exportedAt"))
        yield StreamRow(
            stream=self._file,
            kind="file",
            item=self._item,
            form=f"bridge_export/{SCHEMA_VERSION}" if self.is_export else "unrecognised",
            events=self._elements,
            words=(("exported_at", made_at),) if made_at is not None else (),
            findings=self._findings.rows(),
        )
        if self.is_export:
            yield from self._audit.close(identifier(self._head.get("jobId")))

    def _take(self, piece: Piece) -> None:
        match piece:
            case Member(name, value):
                self._take_member(name, value)
            case Element(index, value):
                self._elements += 1
                place = Place(item=self._item, pointer=f"/entries/{index}")
                self.made.append(self._audit.take(value, place, payloads=True))
            case Damage(code, offset):
                self._findings.add(code, Place(item=self._item, offset=offset))
            case _:
                assert_never(piece)

    def _take_member(self, name: str, value: Json) -> None:
        if name not in _HEAD:
            return
        if name in self._head:
            self._findings.add("member_repeated", Place(item=self._item, pointer=f"/{name}"))
        self._head[name] = value
        if name == "jobId":
            self._audit.name = self._audit.name or identifier(value)


class Sniffing:
    """The feed of a file whose form its first bytes tell."""

    def __init__(self, item: str, number: int) -> None:
        """`number` is that of the file, from 1."""
        self._item = item
        self._number = number
        self._head = b""
        self.found: ExportFeed | DatabaseFeed | None = None

    def feed(self, chunk: memoryview) -> None:
        """Hold back until the form is known."""
        if self.found is not None:
            self.found.feed(chunk)
            return
        self._head += chunk
        if len(self._head) >= len(MAGIC):
            self._decide()

    def finish(self) -> None:
        """A file shorter than a database's first words is looked at as a document."""
        (self.found or self._decide()).finish()

    def _decide(self) -> ExportFeed | DatabaseFeed:
        file, stem = f"file/{self._number:06d}", f"job/{self._number:06d}"
        found = (
            DatabaseFeed(self._item, file, self._number)
            if self._head.startswith(MAGIC)
            else ExportFeed(self._item, file, stem)
        )
        self.found = found
        found.feed(memoryview(self._head))
        self._head = b""
        return found


class BridgeFilesReading(FilesReading):
    """One pass over exports and databases."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        super().__init__()
        self._files: list[Sniffing] = []

    def payload(self, row: Kept) -> Sniffing:
        """Every file is read."""
        feed = Sniffing(row.item.path, len(self._files) + 1)
        self._files.append(feed)
        return feed

    def events(self) -> Iterator[EventRow]:
        """What the last piece completed."""
        found = self._files[-1].found if self._files else None
        if isinstance(found, DatabaseFeed):
            yield from found.events()
        elif found is not None:
            made, found.made = found.made, []
            yield from made

    def streams(self) -> Iterator[StreamRow]:
        """Each file and what it holds, by their keys."""
        rows = [row for one in self._files if one.found is not None for row in one.found.rows()]
        yield from sorted(rows, key=lambda row: row.stream)

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of files, by code."""
        return tuple(sorted((*super().coverage(), *coverage_of_files()), key=lambda limit: limit.code))
