"""The whole of a collection from the bridge: what it says of itself, its jobs, and of each job all that it gives.

- Jobs asked for by id are not listed: other jobs are nobody's business then.
- The job is asked for before its audit: the status that it has then says whether open requests are still awaited.
- A job that cannot be found is one gap, and its subject says what is known of the reason.
"""

from collections.abc import Generator, Iterable, Iterator
from typing import Final, Literal

from agentaudit.adapters.bridge.naming import JOBS_WALK, STATUS_WALK, JobPart, is_job_id, job_walk
from agentaudit.adapters.bridge.pages import (
    READ_ATTEMPTS,
    READ_AUDIT,
    READ_JOBS,
    READ_TOOLS,
    BridgePage,
    PageReading,
    read_lone,
)
from agentaudit.adapters.wording import identifier, number
from agentaudit.encoding.foreign import mapping
from agentaudit.model.journal import Noted
from agentaudit.model.losses import Gap
from agentaudit.model.selection import BridgeSelection
from agentaudit.model.walk import Ask, Ended, Kept, Learned, Missed, Stage, Task
from agentaudit.sources.bridge.requests import job_request, jobs_request, status_request
from agentaudit.sources.bridge.walking import Trail, walk_pages
from agentaudit.sources.compliance.gaps import Where
from agentaudit.sources.compliance.walking import Over

Absence = Literal["listed_before", "another_clients_or_none", "no_job_id"]

_READERS: Final[dict[JobPart, PageReading]] = {
    "job": read_lone, "attempts": READ_ATTEMPTS, "audit": READ_AUDIT, "tools": READ_TOOLS,
}  # fmt: skip
_ORDER: Final[tuple[JobPart, ...]] = ("attempts", "audit", "tools")


class BridgePlan:
    """The plan of one acquisition: it keeps the ids that its list gave, in their order."""

    def __init__(self, selection: BridgeSelection) -> None:
        """Nothing is asked before the first stage is drawn."""
        self._selection = selection
        self._jobs: dict[str, None] = dict.fromkeys(selection.jobs)
        self._odd = 0

    def stages(self) -> Iterable[Stage]:
        """The bridge, its jobs, and each job's audit."""
        yield Stage("bridge", (self._ask_status(),))
        if not self._selection.jobs:
            yield Stage("jobs", (self._list_jobs(),))
        yield Stage("audits", JobSeries(self, tuple(self._jobs)))

    def job(self, index: int, identity: str) -> Task:
        """All that is asked of one job."""
        over = yield from self._walk(index, identity, "job", ())
        gaps = self._job_gaps(index, identity, over)
        learned: tuple[Learned, ...] = (*over.learned, *gaps)
        if over.reason == "interrupted" or (isinstance(over.why, Missed) and over.why.reason == "job_not_found"):
            return Ended(learned)
        for part in _ORDER:
            walked = yield from self._walk(index, identity, part, learned)
            learned = (*walked.learned, *walked.gaps(Where(job_walk(index, part), page=walked.page)))
        return Ended(learned)

    def _walk(
        self, index: int, identity: str, part: JobPart, learned: tuple[Learned, ...]
    ) -> Generator[Ask, Kept | Missed, Over]:
        request = job_request(identity, part, payloads=self._selection.payloads)
        boundary = Boundary(job_walk(index, part), is_audit=part == "audit")
        trail = Trail(job_walk(index, part), part, request, _READERS[part])
        return (yield from walk_pages(trail, boundary.take, learned))

    def _job_gaps(self, index: int, identity: str, over: Over) -> tuple[Noted, ...]:
        if isinstance(over.why, Missed) and over.why.reason == "job_not_found":
            return (absent_job(over.why, job_walk(index, "job"), self._absence(identity)),)
        return over.gaps(Where(job_walk(index, "job"), page=over.page))

    def _absence(self, identity: str) -> Absence:
        """As much as can be told: a listed job was there, and what has not the form of an id never was one."""
        if not self._selection.jobs:
            return "listed_before"
        return "another_clients_or_none" if is_job_id(identity) else "no_job_id"

    def _ask_status(self) -> Task:
        trail = Trail(STATUS_WALK, "status", status_request(), read_lone, optional=True)
        over = yield from walk_pages(trail, lambda _page: ())
        return Ended((*over.learned, *over.gaps(Where(STATUS_WALK, page=over.page))))

    def _list_jobs(self) -> Task:
        trail = Trail(JOBS_WALK, "jobs", jobs_request(), READ_JOBS)
        over = yield from walk_pages(trail, self._see)
        gaps = over.gaps(Where(JOBS_WALK, page=over.page))
        odd = (_gap("not_obtained", "unreadable_answer", JOBS_WALK, "job_without_id", self._odd),) if self._odd else ()
        return Ended((*over.learned, *gaps, *odd))

    def _see(self, page: BridgePage) -> tuple[Learned, ...]:
        for item in page.data:
            identity = identifier((mapping(item) or {}).get("id"))
            if identity is None:
                self._odd += 1
            else:
                self._jobs.setdefault(identity)
        return ()


class JobSeries:
    """The stage of the jobs: its length is known, a task is made when it is drawn."""

    def __init__(self, plan: BridgePlan, jobs: tuple[str, ...]) -> None:
        """Fix the jobs, in the order of their numbers."""
        self._plan = plan
        self._jobs = jobs

    def __len__(self) -> int:
        """How many jobs there are."""
        return len(self._jobs)

    def __iter__(self) -> Iterator[Task]:
        """Each task."""
        return (self._plan.job(index, identity) for index, identity in enumerate(self._jobs, 1))


class Boundary:
    """What an audit walk comes to: the boundary of its first page, and the last id that came."""

    def __init__(self, walk: str, *, is_audit: bool) -> None:
        """Begin with nothing seen."""
        self._walk = walk
        self._is_audit = is_audit
        self._through: int | None = None
        self._last = 0

    def take(self, page: BridgePage) -> tuple[Noted, ...]:
        """After the last page of an audit: a gap where the entry at the boundary did not come."""
        self._through = page.through if self._through is None else self._through
        for item in page.data:
            self._last = max(self._last, number((mapping(item) or {}).get("id")) or 0)
        short = self._is_audit and page.next_cursor is None and self._last < (self._through or 0)
        return (_gap("unavailable", "entries_absent", self._walk, "last_id_below_through"),) if short else ()


def absent_job(missed: Missed, walk: str, absence: Absence) -> Noted:
    """The gap of a job that the bridge does not find."""
    words = (("type", missed.error_type), ("code", missed.error_code))
    return Noted(
        gap=Gap(
            kind="unavailable",
            code="job_not_found",
            basis="status",
            walk=walk,
            subject=absence,
            status=missed.status or 0,
            source=tuple((name, text) for name, text in words if text is not None),
        )
    )


def _gap(
    kind: Literal["unavailable", "not_obtained"],
    code: Literal["entries_absent", "unreadable_answer"],
    walk: str,
    subject: str,
    count: int = 1,
) -> Noted:
    return Noted(gap=Gap(kind=kind, code=code, basis="field", walk=walk, subject=subject, count=count))
