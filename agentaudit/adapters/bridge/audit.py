"""The audit of one job: its entries become events, and at the end its streams with what the checks found.

- An entry's number counts over all jobs of a bridge: holes in one job are normal, a fall is not.
- Attempts stay apart: what one attempt asked is never answered by another.
- A job is live until a terminal status is known; in a live job's last attempt an open request is awaited.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agentaudit.adapters.bridge.entries import CLOSED, AuditEntry, read_entry
from agentaudit.adapters.bridge.tools import Tools
from agentaudit.adapters.findings import Findings
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place, StreamRow


@dataclass(slots=True)
class AttemptFacts:
    """What is known of one attempt: from entries, and from the list of attempts."""

    key: str
    events: int = 0
    first_at: str | None = None
    last_at: str | None = None
    status: str | None = None
    listed: bool = False


class JobAudit:
    """One job while its entries are read; `stream` is its key, `name` its id where it is known beforehand."""

    def __init__(self, stream: str, name: str | None = None, *, within: str | None = None) -> None:
        """Nothing was read yet."""
        self.stream = stream
        self.name = name
        self.within = within
        self.findings = Findings()
        self.tools = Tools()
        self.words: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.attempts: dict[str, AttemptFacts] = {}
        self.attempts_known = False
        self.status: str | None = None
        self.through: int | None = None
        self.through_place: Place | None = None
        self.last_id: int | None = None
        self.events = 0
        self._times: list[str | None] = [None, None]
        self._kinds: dict[str, int] = {}
        self._before: dict[str | None, tuple[int, Place]] = {}
        self._last_attempt: str | None = None
        self._session: str | None = None

    def take(self, item: Json, place: Place, *, payloads: bool, number: int | None = None) -> EventRow:
        """One entry, as an event; `payloads`: they were asked for. `number` is its id where it stands beside it."""
        self.events += 1
        entry = read_entry(item)
        if entry is None:
            self.findings.add("entry_unreadable", place)
            return EventRow(stream=self.stream, kind="", place=place, marks=("unreadable",))
        identity = entry.id if number is None else number
        marks = [*self._order(identity, place), *self._account(entry, place)]
        if entry.misses_payload:
            marks.append("payload_absent" if payloads else "payload_not_asked")
            if payloads:
                self.findings.add("payload_absent", place)
        return self._event(entry, identity, place, marks)

    def list_attempt(self, identity: str, status: str | None) -> None:
        """One attempt of the list of attempts."""
        facts = self._attempt(identity)
        facts.listed, facts.status = True, status

    def state_through(self, through: int | None, place: Place) -> None:
        """The boundary that a page or an export states; it is that of the first page ever after."""
        if through is None:
            self.findings.add("through_absent", place)
        elif self.through is None:
            self.through = through
        elif through != self.through:
            self.findings.add("through_changed", place)
        self.through_place = place

    def _order(self, identity: int | None, place: Place) -> tuple[str, ...]:
        if identity is None:
            self.findings.add("id_absent", place)
            return ("id_absent",)
        risen = self.last_id is None or identity > self.last_id
        if risen:
            self.last_id = identity
            return ()
        self.findings.add("id_not_rising", place)
        return ("id_not_rising",)

    def _account(self, entry: AuditEntry, place: Place) -> Iterator[str]:
        """Count the entry where it belongs; the marks that it earns."""
        self._times = [self._times[0] or entry.at, entry.at or self._times[1]]
        self._kinds[entry.kind] = self._kinds.get(entry.kind, 0) + 1
        if self.name is None:
            count, first = self._before.get(entry.job, (0, place))
            self._before[entry.job] = (count + 1, first)
        self._session = self._session or entry.session
        self.status = entry.job_status or self.status
        if entry.attempt is not None:
            facts = self._attempt(entry.attempt)
            facts.events += 1
            facts.first_at, facts.last_at = facts.first_at or entry.at, entry.at or facts.last_at
            self._last_attempt = entry.attempt
        if entry.tool is not None:
            self.tools.see(entry, entry.tool, place, self.findings)
        elif entry.is_native:
            self.findings.add("tool_id_absent", place)
        yield from self._marks(entry, place)

    def _marks(self, entry: AuditEntry, place: Place) -> Iterator[str]:
        if not entry.is_known:
            yield "unknown_kind"
        if entry.is_client_report:
            self.counts["client_reports"] = self.counts.get("client_reports", 0) + 1
            yield "client_report"
        if self.name is not None and entry.job != self.name:
            yield "other_job"
            self.findings.add("other_job", place)
        if entry.shared.holds is not None:
            yield "shared_result"
        if entry.shared.points_to is not None:
            yield "shared_result_elsewhere"
        if entry.odd:
            yield "odd_fields"
            self.findings.add("odd_fields", place)

    def _attempt(self, identity: str) -> AttemptFacts:
        key = f"{self.stream}/attempt/{len(self.attempts) + 1:06d}"
        return self.attempts.setdefault(identity, AttemptFacts(key))

    def _event(self, entry: AuditEntry, identity: int | None, place: Place, marks: list[str]) -> EventRow:
        keys: tuple[tuple[KeyName, str | None], ...] = (
            ("attempt", entry.attempt),
            ("job", entry.job),
            ("parent_tool_call", entry.parent),
            ("session", entry.session),
            ("tool_call", entry.tool),
        )
        words = (*entry.words, ("source", entry.source), ("task", entry.task), ("tool", entry.name))
        return EventRow(
            stream=self.stream,
            kind=entry.kind,
            place=place,
            id=UNSET if identity is None else str(identity),
            at=UNSET if entry.at is None else entry.at,
            order=UNSET if identity is None else identity,
            keys=tuple((name, key) for name, key in keys if key is not None),
            words=tuple(sorted((name, text) for name, text in words if text is not None)),
            numbers=entry.numbers,
            marks=tuple(sorted(set(marks))),
        )

    def close(self, name: str | None, *, live_status: str | None = None) -> Iterator[StreamRow]:
        """After the last entry: the job, its attempts, its tools.

        `name` is the id that it should have; `live_status` the status that the bridge stated before the audit was
        read, None where nobody asked: then its own lifecycle entries tell.
        """
        status = live_status or self.status
        self._judge(name, is_live=status not in CLOSED)
        yield self._row(name, status)
        for identity, facts in self.attempts.items():
            yield self._attempt_row(identity, facts)
        yield from self.tools.rows(self.stream, {identity: facts.key for identity, facts in self.attempts.items()})

    def _judge(self, name: str | None, *, is_live: bool) -> None:
        """The checks that need the whole; without a status nothing is known to be closed."""
        for other, (count, place) in self._before.items():
            if other != name:
                self.findings.add("other_job", place, count=count)
        if self.through is not None and self.through != (self.last_id or 0):
            self.findings.add("last_id_unlike_through", self.through_place)
        self.tools.judge(self.findings, is_open={None, self._last_attempt}, last_attempt_live=is_live)
        if self.attempts_known:
            for identity, facts in self.attempts.items():
                if not facts.listed:
                    self.findings.add("attempt_not_listed", subject=identity)

    def _row(self, name: str | None, status: str | None) -> StreamRow:
        counts = {**self.counts, **self.tools.counts(), "attempts": len(self.attempts)}
        if self.through is not None:
            counts["through"] = self.through
        words = dict(self.words)
        if status is not None:
            words["status"] = status
        if self._session is not None:
            words["session"] = self._session
        return StreamRow(
            stream=self.stream,
            kind="job",
            name=name,
            within=self.within,
            events=self.events,
            first_at=self._times[0],
            last_at=self._times[1],
            kinds=tuple(sorted(self._kinds.items())),
            counts=tuple(sorted(counts.items())),
            words=tuple(sorted(words.items())),
            findings=self.findings.rows(),
        )

    def _attempt_row(self, identity: str, facts: AttemptFacts) -> StreamRow:
        return StreamRow(
            stream=facts.key,
            kind="attempt",
            name=identity,
            within=self.stream,
            events=facts.events,
            first_at=facts.first_at,
            last_at=facts.last_at,
            words=(("status", facts.status),) if facts.status is not None else (),
        )
