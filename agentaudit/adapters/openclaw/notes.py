"""The notes that this program writes beside what it took of a Gateway; a reading knows them by their strict form.

- Every word of a note is ours, of a closed vocabulary, but for true names and true arguments, which no row shows.
- A text that is not the canonical form of a note is no note, whatever it says of itself.
"""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, assert_never

import msgspec

from agentaudit.adapters.openclaw.extract import Asked, Extract, KeyLeft
from agentaudit.adapters.openclaw.livenote import LiveNote, live_counts, live_findings
from agentaudit.adapters.openclaw.settings import Switch, SwitchName
from agentaudit.encoding.canonical import Codec, NotCanonical
from agentaudit.encoding.sqliteimage import Journal, NoDatabase, SqliteImage, Tail, Wal
from agentaudit.encoding.sqlitetables import Unreadable
from agentaudit.model.base import UNSET, Digest, Frozen, Unset
from agentaudit.model.stream import StreamFinding
from agentaudit.model.text import SourceText, source_text

Problem = Annotated[
    str, msgspec.Meta(pattern=r"^(empty|cut|foreign|over_limit|key_left|[A-Za-z]*Error|SQLITE_[A-Z_]+)$")
]


class OriginalFile(Frozen, frozen=True, kw_only=True):
    """One file as it was read: what is added to the database's name, its size, digest and time of modification."""

    end: Literal["", "-wal", "-journal"]
    bytes: int
    sha256: Digest
    modified_ns: str


class ExtractNote(Frozen, frozen=True, kw_only=True, tag_field="agentaudit", tag="gateway-extract/1"):
    """What an extract was made of, and what it lacks; `problem` stands where none was made.

    `logged`: the original is of a kind that keeps a log, by its header. `left_out` counts tables that are not the
    ledger's, not named; `columns` are the columns of kept tables that were left out.
    """

    origin: SourceText
    files: tuple[OriginalFile, ...]
    torn: bool
    log: Wal
    journal: Journal
    logged: bool | Unset = UNSET
    tail: Tail | Unset = UNSET
    frames: int | Unset = UNSET
    ignored_bytes: int | Unset = UNSET
    lacking_pages: int | Unset = UNSET
    identity_key: bool = False
    content: bool = False
    rows: tuple[tuple[str, int], ...] = ()
    spent: tuple[tuple[str, int], ...] = ()
    left_out: int | Unset = UNSET
    columns: tuple[tuple[str, SourceText], ...] = ()
    problem: Problem | Unset = UNSET


class SettingsNote(Frozen, frozen=True, kw_only=True, tag_field="agentaudit", tag="gateway-settings/1"):
    """The switches of `logging.audit`; None where the configuration could not be read as JSON."""

    origin: SourceText
    sha256: Digest
    audit: tuple[tuple[SwitchName, Switch], ...] | None


Note = ExtractNote | SettingsNote | LiveNote

_CODEC: Final = Codec(Note)


def extract_note(
    origin: SourceText, files: tuple[OriginalFile, ...], image: SqliteImage | NoDatabase, *, torn: bool, logged: bool
) -> ExtractNote:
    """What is known before an extract is made: the files, and what became of the log."""
    if isinstance(image, NoDatabase):
        return ExtractNote(
            origin=origin, files=files, torn=torn, log=image.wal, journal=image.journal, problem=image.problem
        )
    return ExtractNote(
        origin=origin,
        files=files,
        torn=torn,
        log=image.wal,
        journal=image.journal,
        logged=logged,
        tail=image.tail,
        frames=image.frames,
        ignored_bytes=image.ignored_bytes,
        lacking_pages=image.lacking_pages,
    )


def noted(note: ExtractNote, made: Extract | Unreadable | KeyLeft, asked: Asked) -> ExtractNote:
    """The note with what was made, or with why nothing was."""
    if isinstance(made, Extract):
        return msgspec.structs.replace(
            note,
            identity_key=asked.identity_key,
            content=asked.content,
            rows=made.rows,
            spent=made.spent,
            left_out=made.left_out,
            columns=tuple((table, source_text(column)) for table, column in made.columns),
        )
    return msgspec.structs.replace(note, problem="key_left" if isinstance(made, KeyLeft) else made.error)


def words_of(note: Note) -> tuple[tuple[str, str], ...]:
    """The words of a note that a row may show, sorted."""
    if isinstance(note, LiveNote):
        return ()
    if isinstance(note, SettingsNote):
        return tuple(sorted(note.audit or ()))
    said = (("journal", note.journal), ("log", note.log), ("log_tail", note.tail), ("problem", note.problem))
    return tuple((name, word) for name, word in said if not isinstance(word, Unset))


def counts_of(note: Note) -> tuple[tuple[str, int], ...]:
    """The numbers of a note that a row may show, sorted."""
    if isinstance(note, LiveNote):
        return live_counts(note)
    if isinstance(note, SettingsNote):
        return ()
    said = (
        ("columns_left_out", len(note.columns)),
        ("events_spent", dict(note.spent).get("audit_events", UNSET)),
        ("log_frames", note.frames),
        ("rows", sum(rows for _, rows in note.rows)),
        ("tables_left_out", note.left_out),
    )
    return tuple((name, count) for name, count in said if not isinstance(count, Unset))


def findings_of(note: Note) -> Iterator[StreamFinding]:
    """What a note says against the extract beside it, or of the run that it is of, by code."""
    match note:
        case LiveNote():
            yield from live_findings(note)
        case SettingsNote():
            if note.audit is None:
                yield StreamFinding(code="settings_unread", count=1)
        case ExtractNote():
            yield from _extract_findings(note)
        case _:
            assert_never(note)


def _extract_findings(note: ExtractNote) -> Iterator[StreamFinding]:
    if note.log == "absent" and note.logged is True:
        yield StreamFinding(code="log_absent", count=1)
    if note.log not in {"absent", "applied", "empty"}:
        yield StreamFinding(code="log_not_applied", count=1)
    if note.tail in {"checksum", "page_zero", "torn"}:
        yield StreamFinding(code="log_damaged", count=1)
    if note.journal == "hot":
        yield StreamFinding(code="journal_hot", count=1)
    if isinstance(note.lacking_pages, int) and note.lacking_pages:
        yield StreamFinding(code="pages_lacking", count=note.lacking_pages)
    if note.torn:
        yield StreamFinding(code="original_torn", count=1)
    if not isinstance(note.problem, Unset):
        yield StreamFinding(code="not_extracted", count=1)


def read_note(octets: bytes) -> Note | None:
    """The note; None for what is none."""
    try:
        found = _CODEC.decode(octets)
    except NotCanonical:
        return None
    return found if isinstance(found, Note) else None
