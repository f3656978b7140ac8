"""The reading of what the bridge's API gave: audit entries as events; jobs, attempts, tools as streams.

- It is fed in the order of the payload paths: list and status first, then job by job its attempts, audit, job, tools.
- A job is known by the number in its walk's name, and by the id that it was asked for with.
- What the status of a job was before its audit was read decides whether an open request is awaited or lost.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.bridge.audit import JobAudit
from agentaudit.adapters.bridge.coverage import coverage_of_api
from agentaudit.adapters.bridge.entries import CLOSED
from agentaudit.adapters.bridge.exported import BridgeFilesReading
from agentaudit.adapters.bridge.naming import Place as Named
from agentaudit.adapters.bridge.naming import job_asked, payloads_asked, place_of
from agentaudit.adapters.bridge.pages import (
    READ_ATTEMPTS,
    READ_AUDIT,
    READ_JOBS,
    READ_TOOLS,
    BridgePage,
    PageReading,
    read_lone,
)
from agentaudit.adapters.bridge.projection import Projection
from agentaudit.adapters.wording import identifier, word
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import UNREAD, RecordRow, Unread
from agentaudit.model.selection import HandedOver
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, PayloadFeed, Place, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow

ADAPTER: Final = "bridge/1"

_OK = 200
_READERS: Final[dict[str, PageReading]] = {
    "status": read_lone, "jobs": READ_JOBS, "attempts": READ_ATTEMPTS, "audit": READ_AUDIT, "job": read_lone,
    "tools": READ_TOOLS,
}  # fmt: skip
_JOB_WORDS: Final = ("mode", "status", "profile")
_SUMMARY: Final = ("tools", "files", "changedFiles", "failedTools", "unknownTools", "events")


class BridgeReader:
    """This adapter, as the package knows it."""

    @property
    def name(self) -> str:
        """`bridge/1`."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "BridgeReading | BridgeFilesReading":
        """Begin a reading of what the API gave, or of the files that were handed over."""
        del walks
        return BridgeFilesReading() if isinstance(opened.selection, HandedOver) else BridgeReading()


class BridgeReading:
    """One pass over the answers of one exhibit."""

    def __init__(self) -> None:
        """Nothing was read yet."""
        self._jobs: dict[int, JobAudit] = {}
        self._projections: dict[int, Projection] = {}
        self._status: dict[int, str] = {}
        self._asked: dict[int, str] = {}
        self._listed = 0
        self._service: dict[str, str] = {}
        self._events: list[EventRow] = []
        self._cursor: str | Unread | None = None

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """Take one answer; it has no records and no truncations: `events` has what it holds."""
        self._cursor = UNREAD
        place = place_of(row.walk)
        if place is not None and row.exchange.status == _OK:
            page = _READERS[place.part](body, row.content_encoding)
            if not isinstance(page, Unreadable):
                self._cursor = page.next_cursor
                self._page(place, row, page)
        return (), ()

    def next_cursor(self) -> str | Unread | None:
        """Where the answer fed last leads."""
        return self._cursor

    def payload(self, row: Kept) -> PayloadFeed | None:
        """An API keeps no files."""
        del row
        return None

    def events(self) -> Iterator[EventRow]:
        """The entries of the answer fed last."""
        made, self._events = self._events, []
        yield from made

    def clipped(self) -> Iterator[Truncation]:
        """The bridge states no truncation: what the agent shortened before is not to be seen."""
        yield from ()

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """Jobs are streams, none of them is a session of its own."""
        del walks, gaps
        yield from ()

    def streams(self) -> Iterator[StreamRow]:
        """Each job with its attempts and tools, then the bridge itself."""
        for number, job in sorted(self._jobs.items()):
            status = self._status.get(number)
            projection = self._projections.get(number)
            if projection is not None:
                closed = (status or job.status) in CLOSED
                projection.judge(job.tools, job.findings, is_closed=closed)
                job.counts["tools_projected"] = len(projection)
            yield from job.close(self._asked.get(number), live_status=status)
        yield self._bridge()

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of this source, by code."""
        return coverage_of_api()

    def _page(self, place: Named, row: Answered, page: BridgePage) -> None:
        match place.part:
            case "status":
                self._take_status(page.data[0])
            case "jobs":
                self._listed += len(page.data)
            case "attempts":
                self._take_attempts(self._job(place.job, row), page)
            case "audit":
                self._take_audit(self._job(place.job, row), row, page)
            case "job":
                self._take_job(place.job, self._job(place.job, row), row, page.data[0])
            case "tools":
                self._take_tools(self._projections.setdefault(place.job, Projection()), row, page)
            case _:
                assert_never(place.part)

    def _job(self, number: int, row: Answered) -> JobAudit:
        asked = job_asked(row.exchange.url)
        if asked is not None:
            self._asked.setdefault(number, asked)
        return self._jobs.setdefault(number, JobAudit(f"job/{number:06d}", asked))

    def _take_status(self, item: Json) -> None:
        told = mapping(item) or {}
        for name in ("version", "permissionMode"):
            text = identifier(told.get(name))
            if text is not None:
                self._service[name] = text
        protocol = told.get("protocolVersion")
        if isinstance(protocol, int | str):
            self._service["protocolVersion"] = identifier(str(protocol)) or "odd"

    def _take_attempts(self, job: JobAudit, page: BridgePage) -> None:
        job.attempts_known = True
        for item in page.data:
            told = mapping(item) or {}
            identity = identifier(told.get("id"))
            if identity is None:
                job.findings.add("attempt_unreadable")
            else:
                job.list_attempt(identity, word(told.get("status")))

    def _take_audit(self, job: JobAudit, row: Answered, page: BridgePage) -> None:
        payloads = payloads_asked(row.exchange.query)
        job.words["payloads"] = "asked" if payloads else "not_asked"
        for index, item in enumerate(page.data):
            place = Place(item=row.item.path, pointer=f"/entries/{index}")
            self._events.append(job.take(item, place, payloads=payloads))
        job.state_through(page.through, Place(item=row.item.path, pointer="/through"))
        job.counts["pages"] = job.counts.get("pages", 0) + 1
        self._take_summary(job, page.summary)

    def _take_summary(self, job: JobAudit, summary: dict[str, Json]) -> None:
        """The summary is live: the last one counts. Its coverage says what the bridge observes of such a job."""
        coverage = word(summary.get("coverage"))
        if coverage is not None:
            job.words["coverage"] = coverage
        for name in _SUMMARY:
            told = summary.get(name)
            if isinstance(told, int) and not isinstance(told, bool):
                job.counts[f"summary_{name}"] = told

    def _take_job(self, number: int, job: JobAudit, row: Answered, item: Json) -> None:
        told = mapping(item) or {}
        for name in _JOB_WORDS:
            text = word(told.get(name))
            if text is not None:
                job.words[name] = text
        status = job.words.get("status")
        if status is not None:
            self._status[number] = status
        principal = identifier(told.get("principalId"))
        if principal is not None:
            job.words["principal"] = principal
        if identifier(told.get("id")) != job.name:
            job.findings.add("other_job_answered", Place(item=row.item.path, pointer="/id"))

    def _take_tools(self, projection: Projection, row: Answered, page: BridgePage) -> None:
        for index, item in enumerate(page.data):
            projection.take(item, Place(item=row.item.path, pointer=f"/tools/{index}"))

    def _bridge(self) -> StreamRow:
        events = sum(job.events for job in self._jobs.values())
        version = self._service.get("version")
        words = {key: text for key, text in self._service.items() if key != "version"}
        return StreamRow(
            stream="service/000001",
            kind="service",
            events=0,
            producers=(("signature-agent-bridge", version, events),) if version is not None else (),
            counts=(("jobs_listed", self._listed), ("jobs_read", len(self._jobs))),
            words=tuple(sorted(words.items())),
        )
