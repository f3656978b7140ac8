"""One activity event of version 1, from a page or from a row of the database, as a content-free event row.

- The closed union is checked, never forced: an event of another type, version or binding is kept, counted and marked.
- The tool call stays the digest that the ledger holds: `sha256:` and the SHA-256 of the raw id, unsalted.
- Left in the payload: session keys (they can hold a person's address), references to conversations and targets.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from agentaudit.adapters.openclaw.vocabulary import (
    ACTIONS,
    CODES,
    KINDS,
    NEWER,
    REDACTION,
    SCHEMA_VERSION,
    is_bound,
    is_bound_message,
)
from agentaudit.encoding.skeleton import Json
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place
from agentaudit.model.text import SourceText, source_text

_CALL: Final = re.compile(r"sha256:[0-9a-f]{64}\Z")
_KEYS: Final[tuple[tuple[KeyName, str], ...]] = (
    ("account", "accountRef"),
    ("agent", "agentId"),
    ("message", "messageRef"),
    ("run", "runId"),
    ("session", "sessionId"),
    ("tool_call", "toolCallId"),
)
_WORDS: Final = (
    ("action", "action"),
    ("channel", "channel"),
    ("conversation_kind", "conversationKind"),
    ("delivery_kind", "deliveryKind"),
    ("direction", "direction"),
    ("error_code", "errorCode"),
    ("failure_stage", "failureStage"),
    ("outcome", "outcome"),
    ("reason_code", "reasonCode"),
    ("status", "status"),
    ("tool", "toolName"),
)
_NUMBERS: Final = (
    ("duration_ms", "durationMs"),
    ("result_count", "resultCount"),
    ("source_sequence", "sourceSequence"),
)
_REQUIRED_TEXTS: Final = ("eventId", "kind", "action", "status")
_REQUIRED_NUMBERS: Final = ("schemaVersion", "sequence", "sourceSequence", "occurredAt")


def event_row(event: Mapping[str, Json], stream: str, place: Place) -> EventRow:
    """The row of one event; every field that is not what it should be is left out, and the row is marked."""
    kind = text_of(event, "eventType")
    sequence = number_of(event, "sequence")
    at = number_of(event, "occurredAt")
    event_id = text_of(event, "eventId")
    return EventRow(
        stream=stream,
        kind=source_text(kind or ""),
        place=place,
        id=UNSET if event_id is None else source_text(event_id),
        at=UNSET if at is None else str(at),
        order=UNSET if sequence is None else sequence,
        keys=tuple((name, source_text(said)) for name, field in _KEYS if (said := text_of(event, field)) is not None),
        words=tuple(sorted(_words(event), key=lambda word: word[0])),
        numbers=tuple((name, held) for name, field in _NUMBERS if (held := number_of(event, field)) is not None),
        marks=tuple(sorted(set(_marks(event, kind)))),
    )


def sequence_of(row: EventRow) -> int | None:
    """The ledger's number of an event; None where it has none."""
    return row.order if isinstance(row.order, int) else None


def text_of(event: Mapping[str, Json], field: str) -> str | None:
    """A text of the event; None for anything else."""
    said = event.get(field)
    return said if isinstance(said, str) else None


def number_of(event: Mapping[str, Json], field: str) -> int | None:
    """A whole number of the event that fits SQLite's 64 bits; None for anything else."""
    said = event.get(field)
    if isinstance(said, bool) or not isinstance(said, int):
        return None
    return said if -(2**63) <= said < 2**63 else None


def _words(event: Mapping[str, Json]) -> Iterator[tuple[str, SourceText]]:
    for name, field in _WORDS:
        said = text_of(event, field)
        if said is not None:
            yield name, source_text(said)
    actor = event.get("actor")
    who = text_of(actor, "type") if isinstance(actor, dict) else None
    if who is not None:
        yield "actor", source_text(who)


def _marks(event: Mapping[str, Json], kind: str | None) -> Iterator[str]:
    if kind is None or kind not in ACTIONS:
        yield "newer_kind" if kind in NEWER else "unknown_kind"
    elif text_of(event, "kind") != KINDS[kind] or text_of(event, "action") not in ACTIONS[kind]:
        yield "unknown_action"
    elif not _is_bound(event, kind):
        yield "unbound_words"
    if number_of(event, "schemaVersion") != SCHEMA_VERSION:
        yield "other_version"
    if "redaction" in event and event["redaction"] != REDACTION:
        yield "other_redaction"
    lacking = any(text_of(event, field) is None for field in _REQUIRED_TEXTS)
    if lacking or any(number_of(event, field) is None for field in _REQUIRED_NUMBERS):
        yield "field_lacking"
    if KINDS.get(kind or "") == "message" and ("sessionId" in event or "sessionKey" in event):
        yield "session_on_message"
    call = text_of(event, "toolCallId")
    if call is not None and not _CALL.match(call):
        yield "call_not_hashed"


def _is_bound(event: Mapping[str, Json], kind: str) -> bool:
    status, code = text_of(event, "status") or "", text_of(event, "errorCode")
    if kind in CODES:
        return is_bound(kind, status, code)
    return is_bound_message(kind, status, text_of(event, "outcome") or "", code, text_of(event, "reasonCode"))
