"""The tables of an export: their columns, and what stands in each row.

- One table a kind of row; a row stands alone and names its exhibit.
- A field is a text, a number, or nothing. What is several things is one text, joined by spaces.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from agentaudit.export.attested import attested_words
from agentaudit.export.document import CustodyLine, ExhibitFacts
from agentaudit.export.dossier import Dossier
from agentaudit.export.lines import (
    EntryLine,
    EventLine,
    Facts,
    GapLine,
    ItemLine,
    SessionLine,
    StreamLine,
    TruncationLine,
    WalkLine,
    Way,
)
from agentaudit.model.limits import ByteLimits
from agentaudit.model.text import SourceText, display

Field: TypeAlias = str | int | None
Row: TypeAlias = tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its name, its columns, its rows from a dossier."""

    name: str
    columns: tuple[str, ...]
    rows: Callable[[Dossier], Iterable[Row]]


_WAY = ("item", "pointer", "sha256", "request_id", "journal_row")


def _way(way: Way) -> Row:
    return way.item, way.pointer, way.sha256, way.request_id, way.row


def _facts(facts: Facts) -> str:
    return "\n".join(f"{key}: {text}" for key, text in facts)


def _text(word: SourceText | None) -> str | None:
    return None if word is None else display(word)


def _exhibits(dossier: Dossier) -> Iterator[Row]:
    head = dossier.facts.custody_head
    for part in dossier.parts:
        one = part.facts
        yield (
            one.attention, one.exhibit, one.case, one.seal, one.source, one.adapter, one.endpoint_class, one.begun_at,
            one.ended_at, one.outcome, one.check.integrity, one.check.authenticity, one.actors.examiner,
            one.actors.authority, f"{one.tool.name} {one.tool.version}", one.tool.code_digest, one.counts.items,
            one.counts.payload_bytes, one.counts.sessions_kept, one.counts.messages, *_clock(one), _facts(one.asked),
            _facts(one.limits), head.seq if head else None, head.digest if head else None,
            one.check.attested.existed_by, "\n".join(attested_words(one.check.authenticity, one.check.attested)),
        )  # fmt: skip


def _clock(one: ExhibitFacts) -> Row:
    clock = one.clock
    return (clock.offset_median_ms, clock.bound_max_ms) if clock is not None else (None, None)


def _items(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.items():
            yield (part.facts.attention, *_item(one))


def _item(one: ItemLine) -> Row:
    return (
        one.exhibit, one.path, one.bytes, one.sha256, one.role, one.media_type, one.content_encoding, one.walk,
        one.page, one.ask, one.request_id, one.row, one.received_at, _facts(one.more),
    )  # fmt: skip


def _sessions(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.sessions():
            yield (part.facts.attention, *_session(one))


def _session(one: SessionLine) -> Row:
    counts = one.counts
    provenance = "\n".join(
        f"{_text(kind) or 'captured'} {_text(reason) or ''}".strip() + f": {count}"
        for kind, reason, count in counts.provenance
    )
    said = "\n".join(f"{name}: {way.item}#{way.pointer or ''} {way.sha256 or ''}".strip() for name, way in one.said)
    return (
        one.exhibit, one.session, one.family, _text(one.id), one.decision, one.rule, one.outcome, one.surface,
        one.status, one.created_at, one.updated_at, "yes" if one.truncated_at_source else "no", one.user_id,
        one.user_email_address, one.started_by_user_id, one.agent_id, one.organization_uuid, one.workspace_id,
        one.claude_project_id, " ".join(one.disagree), counts.pages, counts.messages, counts.repeated,
        counts.tool_uses, counts.tool_results, counts.clipped_by_our_limit, counts.clipped_by_server_limit,
        counts.clipped_marker, counts.clipped_undetermined, counts.gaps, provenance, said, _facts(one.more),
    )  # fmt: skip


def _truncations(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.truncations():
            yield (part.facts.attention, *_truncation(one))


def _truncation(one: TruncationLine) -> Row:
    return (
        one.exhibit, one.session, one.walk, one.page, _text(one.block_type), one.by, " ".join(one.basis),
        one.kept_bytes, one.limit_bytes, one.raise_parameter, *_way(one.way),
    )  # fmt: skip


def _gaps(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.gaps():
            yield (part.facts.attention, *_gap(one))


def _gap(one: GapLine) -> Row:
    source = "\n".join(f"{key}: {_text(word) if word is not None else 'null'}" for key, word in one.source)
    return (
        one.exhibit, one.kind, one.code, one.basis, one.count, one.session, one.walk, one.page, one.index, one.status,
        _text(one.subject), source, *_way(one.way),
    )  # fmt: skip


def _entries(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.entries():
            yield (part.facts.attention, *_entry(one))


def _entry(one: EntryLine) -> Row:
    return (
        one.exhibit, one.survey, one.root, one.number, _text(one.name), one.kind, one.role, one.category,
        one.decision, one.rule, one.session, one.owner, _text(one.target), one.problem, one.sha256, one.size_bytes,
        one.modified_at, _facts(one.more),
    )  # fmt: skip


def _streams(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.streams():
            yield (part.facts.attention, *_stream(one))


def _stream(one: StreamLine) -> Row:
    findings = "\n".join(f"{code}: {count}" for code, count in one.findings)
    return (
        one.exhibit, one.stream, one.kind, one.within, _text(one.name), one.form, one.events, one.first_at,
        one.last_at, findings, _facts(one.more), *_way(one.way),
    )  # fmt: skip


def _events(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.events():
            yield (part.facts.attention, *_event(one))


def _event(one: EventLine) -> Row:
    numbers = "\n".join(f"{name}: {number}" for name, number in one.numbers)
    return (
        one.exhibit, one.stream, _text(one.kind), one.at, one.order, one.id, _facts(one.keys), _facts(one.words),
        numbers, " ".join(one.marks), one.offset, one.table_row, *_way(one.way),
    )  # fmt: skip


def _walks(dossier: Dossier) -> Iterator[Row]:
    for part in dossier.parts:
        for one in part.rows.walks():
            yield (part.facts.attention, *_walk(one))


def _walk(one: WalkLine) -> Row:
    parameters = "\n".join(f"{key}={text}" for key, text in one.parameters)
    inputs, results = _limits(one.limits)
    return (
        one.exhibit, one.walk, one.kind, one.session, parameters, inputs, results, one.pages, one.records, one.ended,
        len(one.cursors),
    )  # fmt: skip


def _limits(limits: ByteLimits | None) -> tuple[int | None, int | None]:
    return (limits.tool_input_max_bytes, limits.tool_result_max_bytes) if limits is not None else (None, None)


def _custody(dossier: Dossier) -> Iterator[Row]:
    heading = " ".join(dossier.facts.attention) or None
    for one in dossier.custody:
        yield (heading, *_act(one))


def _act(one: CustodyLine) -> Row:
    return (
        one.seq, one.at, one.event, one.actors.examiner, one.actors.authority, one.actors.note, one.actors.clock_note,
        one.host, one.user, one.tool, _facts(one.facts), one.prev, one.sha256,
    )  # fmt: skip


TABLES: tuple[Table, ...] = (
    Table("exhibits", (
        "attention", "exhibit", "case", "seal", "source", "adapter", "endpoint_class", "begun_at", "ended_at",
        "outcome", "integrity", "authenticity", "examiner", "authority", "tool", "tool_code_digest", "items",
        "payload_bytes", "sessions_kept", "messages", "clock_offset_median_ms", "clock_bound_max_ms", "asked",
        "limits", "custody_head_seq", "custody_head_sha256", "existed_by", "attested",
    ), _exhibits),
    Table("items", (
        "attention", "exhibit", "path", "bytes", "sha256", "role", "media_type", "content_encoding", "walk", "page",
        "ask", "request_id", "journal_row", "received_at", "more",
    ), _items),
    Table("sessions", (
        "attention", "exhibit", "session", "family", "id", "decision", "rule", "outcome", "surface", "status",
        "created_at", "updated_at", "truncated_at_source", "user_id", "user_email_address", "started_by_user_id",
        "agent_id", "organization_uuid", "workspace_id", "claude_project_id", "disagree", "pages", "messages",
        "repeated", "tool_uses", "tool_results", "clipped_by_our_limit", "clipped_by_server_limit", "clipped_marker",
        "clipped_undetermined", "gaps", "provenance", "said", "more",
    ), _sessions),
    Table("truncations", (
        "attention", "exhibit", "session", "walk", "page", "block_type", "by", "basis", "kept_bytes", "limit_bytes",
        "raise_parameter", *_WAY,
    ), _truncations),
    Table("gaps", (
        "attention", "exhibit", "kind", "code", "basis", "count", "session", "walk", "page", "index", "status",
        "subject", "source", *_WAY,
    ), _gaps),
    Table("entries", (
        "attention", "exhibit", "survey", "root", "number", "name", "kind", "role", "category", "decision", "rule",
        "session", "owner", "target", "problem", "sha256", "size_bytes", "modified_at", "more",
    ), _entries),
    Table("streams", (
        "attention", "exhibit", "stream", "kind", "within", "name", "form", "events", "first_at", "last_at",
        "findings", "more", *_WAY,
    ), _streams),
    Table("events", (
        "attention", "exhibit", "stream", "kind", "at", "order", "id", "keys", "words", "numbers", "marks", "offset",
        "table_row", *_WAY,
    ), _events),
    Table("walks", (
        "attention", "exhibit", "walk", "kind", "session", "parameters", "tool_input_max_bytes",
        "tool_result_max_bytes", "pages", "records", "ended", "cursors",
    ), _walks),
    Table("custody", (
        "attention", "seq", "at", "event", "examiner", "authority", "note", "clock_note", "host", "user", "tool",
        "facts", "prev", "sha256",
    ), _custody),
)  # fmt: skip
