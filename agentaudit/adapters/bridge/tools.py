"""The tools of one job: what was observed of each inside its attempt, and its outcome.

- A tool is known by attempt and id: the same id in another attempt is another call.
- The outcome is what the bridge observed: awaiting, reported success, reported failure, unknown. A reported success
  is what the agent reported; an unknown or failed call may have had its effects all the same.
- What only a client speaks of has no outcome: nobody observed it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agentaudit.adapters.bridge.entries import REQUESTED, TERMINAL, AuditEntry
from agentaudit.adapters.findings import Findings
from agentaudit.model.stream import Place, StreamRow

Outcome = Literal["awaiting", "reported_success", "reported_failure", "unknown"]

Call: TypeAlias = tuple[str | None, str]

_OF_KIND: dict[str, Outcome] = {
    "reported_success": "reported_success", "reported_failure": "reported_failure", "unknown": "unknown",
}  # fmt: skip


@dataclass(slots=True)
class ToolFacts:
    """What is known of one call so far."""

    first: Place
    native: bool = False
    name: str | None = None
    parent: str | None = None
    operation: str | None = None
    first_at: str | None = None
    last_at: str | None = None
    requested: int = 0
    terminal: int = 0
    events: int = 0
    reports: int = 0
    outcome: Outcome = "awaiting"
    shares: tuple[str, ...] | None = None
    points_to: tuple[str, Place] | None = None
    kinds: dict[str, int] = field(default_factory=dict)


class Tools:
    """The calls of one job, in the order first seen."""

    def __init__(self) -> None:
        """None was seen yet."""
        self._calls: dict[Call, ToolFacts] = {}

    def outcome(self, call: Call) -> Outcome | None:
        """The outcome of a call; None for one that the bridge did not observe."""
        facts = self._calls.get(call)
        return facts.outcome if facts is not None and facts.native else None

    def native(self) -> Iterator[Call]:
        """The calls that the bridge observed."""
        return (call for call, facts in self._calls.items() if facts.native)

    def see(self, entry: AuditEntry, tool: str, place: Place, findings: Findings) -> None:
        """Take an entry that speaks of a tool."""
        facts = self._calls.setdefault((entry.attempt, tool), ToolFacts(place))
        facts.events += 1
        facts.kinds[entry.kind] = facts.kinds.get(entry.kind, 0) + 1
        facts.name = facts.name or entry.name
        facts.parent = facts.parent or entry.parent
        facts.operation = facts.operation or dict(entry.words).get("file_operation")
        facts.first_at = facts.first_at or entry.at
        facts.last_at = entry.at or facts.last_at
        facts.reports += entry.is_client_report
        if entry.is_native:
            facts.native = True
            self._observe(facts, entry, place, findings)
        facts.shares = entry.shared.holds if facts.shares is None else facts.shares
        if entry.shared.points_to is not None:
            facts.points_to = (entry.shared.points_to, place)

    def _observe(self, facts: ToolFacts, entry: AuditEntry, place: Place, findings: Findings) -> None:
        if entry.kind == REQUESTED:
            facts.requested += 1
            if facts.requested > 1:
                findings.add("request_repeated", place)
            return
        facts.terminal += 1
        if facts.terminal > 1:
            findings.add("terminal_repeated", place)
        else:
            facts.outcome = _OF_KIND[TERMINAL[entry.kind]]
        if not facts.requested:
            findings.add("terminal_without_request", place)

    def judge(self, findings: Findings, *, is_open: set[str | None], last_attempt_live: bool) -> None:
        """After the last entry: requests without a terminal entry, and pointers that lead nowhere."""
        for (attempt, tool), facts in self._calls.items():
            if facts.native and not facts.terminal:
                live = last_attempt_live and attempt in is_open
                findings.add("request_awaiting" if live else "request_without_terminal", facts.first, tool)
            if facts.points_to is not None:
                self._resolve(attempt, tool, facts.points_to, findings)

    def _resolve(self, attempt: str | None, tool: str, pointer: tuple[str, Place], findings: Findings) -> None:
        holder = self._calls.get((attempt, pointer[0]))
        if holder is None or holder.shares is None:
            findings.add("shared_result_unresolved", pointer[1], tool)
        elif holder.shares and tool not in holder.shares:
            findings.add("shared_result_not_named", pointer[1], tool)

    def counts(self) -> dict[str, int]:
        """How many calls have each outcome; those of clients apart."""
        counts: dict[str, int] = {}
        for facts in self._calls.values():
            key = f"tools_{facts.outcome}" if facts.native else "client_functions"
            counts[key] = counts.get(key, 0) + 1
        return counts

    def rows(self, job: str, attempts: dict[str, str]) -> Iterator[StreamRow]:
        """Each call as a stream, within its attempt where it has one."""
        for number, ((attempt, tool), facts) in enumerate(self._calls.items(), 1):
            words = {
                "tool": facts.name,
                "parent_tool_call": facts.parent,
                "file_operation": facts.operation,
                "outcome": facts.outcome if facts.native else None,
            }
            counts = {"requested": facts.requested, "terminal": facts.terminal, "client_reports": facts.reports}
            yield StreamRow(
                stream=f"{job}/tool/{number:06d}",
                kind="tool",
                name=tool,
                within=job if attempt is None else attempts.get(attempt, job),
                form="native_tool" if facts.native else "client_function",
                events=facts.events,
                first_at=facts.first_at,
                last_at=facts.last_at,
                kinds=tuple(sorted(facts.kinds.items())),
                counts=tuple(sorted((key, count) for key, count in counts.items() if count)),
                words=tuple(sorted((key, text) for key, text in words.items() if text is not None)),
            )
