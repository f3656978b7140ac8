"""One audit entry of the bridge, read into facts: ids, words, sizes, and never its payload.

- Fields that a release adds are left to the raw bytes; a field of another form than documented marks the entry.
- `client.*` rows of source `client` are what a client claims: they are never executed acts.
- A structured result that several tools share stands once (`sharedMessageResult`); the others point to its tool.
"""

from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.wording import identifier, number, time, tool_name, word
from agentaudit.encoding.foreign import Json, entries, mapping

REQUESTED: Final = "tool.requested"
TERMINAL: Final = {
    "tool.succeeded": "reported_success", "tool.failed": "reported_failure", "tool.unknown": "unknown",
}  # fmt: skip
CLIENT_REQUESTED: Final = "client.tool_requested"
CLIENT_REPORTS: Final = frozenset({"client.tool_request_reported", "client.tool_result_reported"})
STATUSES: Final = frozenset(
    {"queued", "running", "pause_requested", "paused", "cancel_requested", "succeeded", "failed", "canceled",
     "interrupted", "timed_out"}
)  # fmt: skip
CLOSED: Final = frozenset({"succeeded", "failed", "canceled", "interrupted", "timed_out"})

_LIFECYCLE: Final = frozenset({"session", "compaction", "subagent", "rate_limit", "resumed", "message"}) | STATUSES
_KNOWN: Final = (
    frozenset({REQUESTED, CLIENT_REQUESTED}) | TERMINAL.keys() | CLIENT_REPORTS | {f"job.{one}" for one in _LIFECYCLE}
)
_WORDS: Final = ("status", "trigger", "compactResult")
_NUMBERS: Final = (("depth", "depth"), ("durationMs", "duration_ms"), ("pre_tokens", "tokens_before"))


@dataclass(frozen=True, slots=True)
class Shared:
    """What an output says of a shared result: the tools that share the one that stands here, or the tool to look at."""

    holds: tuple[str, ...] | None = None
    points_to: str | None = None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One entry; `kind` is empty where its type is no word, `odd` are fields of another form than documented."""

    kind: str
    id: int | None
    at: str | None
    job: str | None
    attempt: str | None
    session: str | None
    source: str | None
    tool: str | None
    name: str | None
    parent: str | None
    task: str | None
    words: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, int], ...]
    payload: bool
    shared: Shared
    odd: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """True for a documented type."""
        return self.kind in _KNOWN

    @property
    def is_client_report(self) -> bool:
        """True for a client's claim: nobody observed that it was done."""
        return self.kind in CLIENT_REPORTS or self.source == "client"

    @property
    def is_native(self) -> bool:
        """True for an observation of a tool that the bridge's own agent called."""
        return self.kind == REQUESTED or self.kind in TERMINAL

    @property
    def misses_payload(self) -> bool:
        """True where the type has a payload by its contract and there is none."""
        return not self.payload and (self.is_native or self.kind == CLIENT_REQUESTED or self.kind in CLIENT_REPORTS)

    @property
    def job_status(self) -> str | None:
        """The status of the job that a lifecycle entry states."""
        status = self.kind.removeprefix("job.")
        return status if status != self.kind and status in STATUSES else None


def read_entry(item: Json) -> AuditEntry | None:
    """The facts of an entry; None for what is no object."""
    top = mapping(item)
    if top is None:
        return None
    told = mapping(top.get("data")) or {}
    odd: list[str] = []
    return AuditEntry(
        kind=_said(odd, "type", top.get("type"), word(top.get("type"))) or "",
        id=number(top.get("id")),
        at=_said(odd, "createdAt", top.get("createdAt"), time(top.get("createdAt"))),
        job=_id(odd, top, "jobId"),
        attempt=_id(odd, top, "attemptId"),
        session=_id(odd, top, "sessionId"),
        source=_said(odd, "source", top.get("source"), word(top.get("source"))),
        tool=_id(odd, told, "toolId"),
        name=_said(odd, "name", told.get("name"), tool_name(told.get("name"))),
        parent=_id(odd, told, "parentToolUseId"),
        task=_id(odd, told, "taskId"),
        words=_words(told, odd),
        numbers=tuple((ours, whole) for key, ours in _NUMBERS if (whole := number(told.get(key))) is not None),
        payload="input" in told or "output" in told,
        shared=_shared(told),
        odd=tuple(odd),
    )


def _words(told: dict[str, Json], odd: list[str]) -> tuple[tuple[str, str], ...]:
    said = {name: _said(odd, name, told.get(name), word(told.get(name))) for name in _WORDS}
    operation = (mapping(told.get("file")) or {}).get("operation")
    said["file_operation"] = _said(odd, "operation", operation, word(operation))
    return tuple(sorted((name, text) for name, text in said.items() if text is not None))


def _shared(told: dict[str, Json]) -> Shared:
    output = mapping(told.get("output")) or {}
    points_to = identifier(output.get("sharedMessageResultToolId"))
    if "sharedMessageResult" not in output:
        return Shared(points_to=points_to)
    inner = mapping(output["sharedMessageResult"]) or {}
    named = entries(inner.get("toolIds")) or entries(output.get("toolIds")) or []
    return Shared(tuple(one for one in map(identifier, named) if one is not None), points_to)


def _id(odd: list[str], told: dict[str, Json], name: str) -> str | None:
    return _said(odd, name, told.get(name), identifier(told.get(name)))


def _said(odd: list[str], name: str, item: Json, read: str | None) -> str | None:
    """What was read; a thing that is there and could not be read is odd."""
    if read is None and item is not None:
        odd.append(name)
    return read
