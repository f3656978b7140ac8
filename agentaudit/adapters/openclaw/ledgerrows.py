"""Rows of the ledger's tables as event rows; texts that a person wrote or was shown stay in the payload.

- A row of `audit_events` is given the shape that a page gives the same event, and judged by the same rules.
- `presentation_json` holds the command that a reviewer was shown: it is content, and no column of it is read.
- Ids of a context, an execution and a run are keys only where a row has all three.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from agentaudit.adapters.openclaw import tables
from agentaudit.adapters.openclaw.events import event_row
from agentaudit.encoding.skeleton import Json
from agentaudit.encoding.sqlitetables import Cell, Found
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place

Cells = Mapping[str, Cell]

_FIELDS: Final = (
    ("sequence", "sequence"),
    ("event_id", "eventId"),
    ("schema_version", "schemaVersion"),
    ("source_sequence", "sourceSequence"),
    ("occurred_at", "occurredAt"),
    ("kind", "kind"),
    ("action", "action"),
    ("status", "status"),
    ("error_code", "errorCode"),
    ("agent_id", "agentId"),
    ("session_id", "sessionId"),
    ("run_id", "runId"),
    ("tool_call_id", "toolCallId"),
    ("tool_name", "toolName"),
    ("direction", "direction"),
    ("channel", "channel"),
    ("conversation_kind", "conversationKind"),
    ("message_outcome", "outcome"),
    ("reason_code", "reasonCode"),
    ("delivery_kind", "deliveryKind"),
    ("failure_stage", "failureStage"),
    ("duration_ms", "durationMs"),
    ("result_count", "resultCount"),
    ("account_ref", "accountRef"),
    ("message_ref", "messageRef"),
)
_TRIPLE: Final[tuple[tuple[KeyName, str], ...]] = (
    ("context", "context_id"),
    ("execution", "execution_id"),
    ("run", "run_id"),
)


def cells_of(found: Found) -> Iterator[tuple[int, Cells]]:
    """Each row with the number of its place: its rowid, or its position where the table has none."""
    for position, (rowid, cells) in enumerate(found.rows, 1):
        yield position if rowid is None else rowid, dict(zip(found.wanted.columns, cells, strict=True))


def rows_of(found: Found, stream: str, item: str) -> Iterator[EventRow]:
    """The events of one table; a table that only states something gives none."""
    make = _MAKERS.get(found.wanted.name)
    if make is not None:
        for number, cells in cells_of(found):
            yield make(cells, stream, Place(item=item, pointer=f"/{found.wanted.name}", row=number))


def text(cells: Cells, name: str) -> str | None:
    """A text; bytes that are no UTF-8 are shown as replacement characters, and lie in the payload as they are."""
    said = cells.get(name)
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else None


def whole(cells: Cells, name: str) -> int | None:
    """A whole number; None for anything else."""
    said = cells.get(name)
    return said if isinstance(said, int) else None


def _audit(cells: Cells, stream: str, place: Place) -> EventRow:
    event: dict[str, Json] = {}
    for column, field in _FIELDS:
        said = cells.get(column)
        if said is not None:
            event[field] = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    actor = text(cells, "actor_type")
    if actor is not None:
        event["actor"] = {"type": actor}
    kind, direction = text(cells, "kind"), text(cells, "direction")
    if kind is not None:
        event["eventType"] = f"{direction}_message" if kind == "message" and direction else kind
    return event_row(event, stream, place)


def _made(
    kind: str, identity: str, at: str, words: tuple[tuple[str, str], ...], keys: tuple[tuple[KeyName, str], ...] = ()
) -> Callable[[Cells, str, Place], EventRow]:
    def make(cells: Cells, stream: str, place: Place) -> EventRow:
        triple = tuple((name, said) for name, column in _TRIPLE if (said := text(cells, column)) is not None)
        further = tuple((name, said) for name, column in keys if (said := text(cells, column)) is not None)
        named, when = text(cells, identity), whole(cells, at)
        return EventRow(
            stream=stream,
            kind=kind,
            place=place,
            id=UNSET if named is None else named,
            at=UNSET if when is None else str(when),
            keys=tuple(sorted((*further, *(triple if len(triple) == len(_TRIPLE) else ())))),
            words=tuple((name, said) for name, column in words if (said := text(cells, column)) is not None),
        )

    return make


_MAKERS: Final[Mapping[str, Callable[[Cells, str, Place], EventRow]]] = {
    tables.AUDIT_EVENTS.name: _audit,
    tables.CONTEXTS.name: _made(
        "execution_context", "context_id", "created_at", (("coverage_state", "coverage_state"),)
    ),
    tables.FACTS.name: _made(
        "decision_fact",
        "receipt_id",
        "occurred_at",
        (
            ("coverage_state", "coverage_state"),
            ("family", "action_family"),
            ("outcome", "decision_outcome"),
            ("reason_code", "reason_code"),
        ),
    ),
    tables.PROGRESS.name: _made(
        "outbound_progress",
        "",
        "occurred_at",
        (("action", "action"), ("channel", "channel"), ("outcome", "outcome")),
        (("agent", "agent_id"),),
    ),
    tables.BINDINGS.name: _made("message_binding", "event_id", "", ()),
    tables.APPROVALS.name: _made(
        "operator_approval",
        "approval_id",
        "created_at_ms",
        (
            ("approval_kind", "kind"),
            ("decision", "decision"),
            ("resolver_kind", "resolver_kind"),
            ("status", "status"),
            ("terminal_reason", "terminal_reason"),
            ("tool", "source_tool_name"),
        ),
        (
            ("agent", "source_agent_id"),
            ("session", "source_session_id"),
            ("tool_call", "source_tool_call_id"),
        ),
    ),
    tables.RECEIPTS.name: _made(
        "cron_receipt", "receipt_id", "started_at_ms", (("status", "status"),), (("agent", "agent_id"),)
    ),
}
