"""A database of the Gateway, read in memory: its ledger's events, one stream for it and one for each table.

- The database itself is never opened: the image is made of the bytes of its files.
- A table that is absent is told from an empty one: lazy tables are made on first use.
- A read of the database passes by the Gateway's own filter of 30 days: expired rows that were not pruned are there.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agentaudit.adapters.openclaw import tables
from agentaudit.adapters.openclaw.contexts import context_findings
from agentaudit.adapters.openclaw.ledgerrows import cells_of, rows_of, text
from agentaudit.adapters.openclaw.sequences import Sequences
from agentaudit.encoding.sqliteimage import NoDatabase, SqliteImage, image_of
from agentaudit.encoding.sqlitetables import Found, Unreadable, read_image
from agentaudit.model.stream import EventRow, StreamFinding, StreamRow

# The write version of a database that keeps a log (file format, section 1.3.3).
_LOGGED = 2


@dataclass(frozen=True, slots=True)
class LedgerDatabase:
    """What a database gives."""

    events: tuple[EventRow, ...]
    streams: tuple[StreamRow, ...]


def read_database(main: bytes, wal: bytes | None, journal: bytes | None, key: str, item: str) -> LedgerDatabase:
    """The ledger in one database; `key` is the stream's, `item` the main file's payload name."""
    image = image_of(main, wal, journal)
    if isinstance(image, NoDatabase):
        return LedgerDatabase((), (_unread(key, item, image.problem),))
    found = read_image(image, tables.READ)
    if isinstance(found, Unreadable):
        return LedgerDatabase((), (_unread(key, item, "damaged", (("error", found.error), *_words(image))),))
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
    findings = (
        *sequences.findings(),
        *context_findings(found, item),
        *_image_findings(image, logged=main[18] == _LOGGED),
    )
    database = StreamRow(
        stream=key,
        kind="database",
        item=item,
        form="openclaw-database" if found[0].present else "sqlite",
        events=len(events),
        first_at=None if sequences.first_at is None else str(sequences.first_at),
        last_at=None if sequences.last_at is None else str(sequences.last_at),
        producers=tuple(_producers(found, len(events))),
        counts=tuple(
            sorted((*sequences.counts(), ("log_frames", image.frames), ("pages_lacking", image.lacking_pages)))
        ),
        words=_words(image),
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
        counts=(("columns_lacking", len(found.lacking)), ("rows", len(found.rows))),
        words=(("standing", ("empty" if not found.rows else "rows") if found.present else "absent"),),
        findings=(StreamFinding(code="rows_over_limit", count=1),) if found.cut else (),
    )


def _producers(found: tuple[Found, ...], events: int) -> Iterator[tuple[str, str | None, int]]:
    for one in found:
        if one.wanted is tables.META:
            for _, cells in cells_of(one):
                if text(cells, "meta_key") == "primary":
                    yield "openclaw", text(cells, "app_version"), events


def _words(image: SqliteImage) -> tuple[tuple[str, str], ...]:
    return (("journal", image.journal), ("log", image.wal), ("log_tail", image.tail))


def _image_findings(image: SqliteImage, *, logged: bool) -> Iterator[StreamFinding]:
    if image.wal == "absent":
        if logged:
            yield StreamFinding(code="log_absent", count=1)
    elif image.wal not in {"applied", "empty"}:
        yield StreamFinding(code="log_not_applied", count=1)
    if image.journal == "hot":
        yield StreamFinding(code="journal_hot", count=1)
    if image.lacking_pages:
        yield StreamFinding(code="pages_lacking", count=image.lacking_pages)


def _unread(key: str, item: str, problem: str, words: tuple[tuple[str, str], ...] = ()) -> StreamRow:
    finding = StreamFinding(code=f"database_{problem}", count=1)
    return StreamRow(stream=key, kind="database", item=item, form="sqlite", words=words, findings=(finding,))
