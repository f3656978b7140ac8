"""An extract of a Gateway's database, read in memory: its ledger's events, one stream for it and one for each table.

- A table that is absent is told from an empty one: lazy tables are made on first use.
- A read of the database passes by the Gateway's own filter of 30 days: expired rows that were not pruned are there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agentaudit.adapters.openclaw import tables
from agentaudit.adapters.openclaw.contexts import context_findings
from agentaudit.adapters.openclaw.ledgerrows import Cells, cells_of, rows_of, text, whole
from agentaudit.adapters.openclaw.sequences import Sequences
from agentaudit.encoding.sqliteimage import NoDatabase, image_of
from agentaudit.encoding.sqlitetables import Found, Unreadable, read_image
from agentaudit.model.stream import EventRow, StreamFinding, StreamRow


@dataclass(frozen=True, slots=True)
class LedgerDatabase:
    """What a database gives."""

    events: tuple[EventRow, ...]
    streams: tuple[StreamRow, ...]


def read_database(octets: bytes, key: str, item: str) -> LedgerDatabase:
    """The ledger in one extract; `key` is the stream's, `item` its payload name."""
    image = image_of(octets)
    if isinstance(image, NoDatabase):
        return LedgerDatabase((), (_unread(key, item, image.problem),))
    found = read_image(image, tables.READ)
    if isinstance(found, Unreadable):
        return LedgerDatabase((), (_unread(key, item, "damaged", (("error", found.error),)),))
    sequences = Sequences()
    events: list[EventRow] = []
    rows: list[StreamRow] = []
    for number, one in enumerate(found, 1):
        stream = f"{key}/table/{number:02d}"
        made = tuple(rows_of(one, stream, item))
        if one.wanted is tables.AUDIT_EVENTS:
            for row in made:
                sequences.take(row)
        events.extend(made)
        rows.append(_table(one, stream, key, item, len(made)))
    findings = (*sequences.findings(), *context_findings(found, item))
    database = StreamRow(
        stream=key,
        kind="database",
        item=item,
        form="openclaw-database" if found[0].present else "sqlite",
        events=len(events),
        first_at=None if sequences.first_at is None else str(sequences.first_at),
        last_at=None if sequences.last_at is None else str(sequences.last_at),
        producers=tuple(_producers(found, len(events))),
        counts=sequences.counts(),
        words=tuple(sorted(_schema(found))),
        runs=sequences.runs(),
        findings=tuple(sorted(findings, key=lambda one: one.code)),
    )
    return LedgerDatabase(tuple(events), (database, *rows))


def _table(found: Found, stream: str, within: str, item: str, events: int) -> StreamRow:
    return StreamRow(
        stream=stream,
        kind="table",
        name=found.wanted.name,
        within=within,
        item=item,
        events=events,
        counts=tuple(_table_counts(found)),
        words=(("standing", ("empty" if not found.rows else "rows") if found.present else "absent"),),
        findings=tuple(_table_findings(found)),
    )


def _table_counts(found: Found) -> Iterator[tuple[str, int]]:
    if found.wanted.name in tables.CAPS:
        yield "cap", tables.CAPS[found.wanted.name]
    yield "columns_lacking", len(found.lacking)
    yield "rows", len(found.rows)


def _table_findings(found: Found) -> Iterator[StreamFinding]:
    """A table at its cap has lost its oldest rows, or is about to."""
    if len(found.rows) >= tables.CAPS.get(found.wanted.name, len(found.rows) + 1):
        yield StreamFinding(code="at_cap", count=1)
    if found.cut:
        yield StreamFinding(code="rows_over_limit", count=1)


def _schema(found: tuple[Found, ...]) -> Iterator[tuple[str, str]]:
    """What the database says of itself: its part, and the version of its schema."""
    for cells in _primary(found):
        role, version = text(cells, "role"), whole(cells, "schema_version")
        if role is not None:
            yield "role", role
        if version is not None:
            yield "schema_version", str(version)


def _producers(found: tuple[Found, ...], events: int) -> Iterator[tuple[str, str | None, int]]:
    for cells in _primary(found):
        yield "openclaw", text(cells, "app_version"), events


def _primary(found: tuple[Found, ...]) -> Iterator[Cells]:
    meta = next(one for one in found if one.wanted is tables.META)
    return (cells for _, cells in cells_of(meta) if text(cells, "meta_key") == "primary")


def _unread(key: str, item: str, problem: str, words: tuple[tuple[str, str], ...] = ()) -> StreamRow:
    finding = StreamFinding(code=f"database_{problem}", count=1)
    return StreamRow(stream=key, kind="database", item=item, form="sqlite", words=words, findings=(finding,))
