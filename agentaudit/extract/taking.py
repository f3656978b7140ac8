"""What of a sealed exhibit may travel with one session, and what stays behind.

- Of the payload: the session's own files. List pages stay: they hold other people's metadata.
- Of the tag files: the two manifests and bag-info.txt, which hold neutral names, digests and numbers; FORMAT.md and
  coverage.json, which speak of nobody; package.json only when it names nobody else.
- Of the rows: the session's own, line for line as they stand. Records, gaps and truncations hold no content.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agentaudit.encoding.canonical import encode_line
from agentaudit.extract.document import ROWS, LeftBehind
from agentaudit.format import layout
from agentaudit.model.base import Frozen
from agentaudit.model.losses import Truncation
from agentaudit.model.readings import RecordRow, SessionRow
from agentaudit.model.selection import BundleSelection, SessionSelection
from agentaudit.model.storejournal import Entry
from agentaudit.model.tagfiles import FileProvenance, ItemProvenance, ItemRow, PackageFile, WalkRow
from agentaudit.model.text import SourceText, display
from agentaudit.package.session import SessionHeld, sealed_rows
from agentaudit.package.tree import Tree

_LISTS = ("local_list", "remote_list")

ALWAYS = (layout.BAG_INFO, layout.COVERAGE, layout.FORMAT, layout.MANIFEST)


@dataclass(frozen=True, slots=True)
class Taken:
    """What travels: payload files, tag files, and the names of the row files with their lines."""

    items: tuple[ItemRow, ...]
    tags: tuple[str, ...]
    folders: tuple[str, ...]
    left_behind: LeftBehind


def take(tree: Tree, package: PackageFile, held: SessionHeld) -> Taken:
    """Decide what travels of this exhibit."""
    names_nobody_else = _names_nobody_else(package, held)
    tags = (*ALWAYS, layout.PACKAGE) if names_nobody_else else ALWAYS
    counts = package.counts
    own = {item.path for item in held.items}
    walks = {walk.walk for walk in sealed_rows(tree, layout.WALKS, WalkRow) if walk.kind in _LISTS}
    others = [item for item in sealed_rows(tree, layout.ITEMS, ItemRow) if item.path not in own]
    asked = [item.provenance for item in others]
    return Taken(
        held.items,
        tuple(sorted(tags)),
        _folders(own, [item.path for item in others]),
        LeftBehind(
            sessions=counts.sessions_seen - 1,
            payload_files=len(others),
            payload_bytes=counts.payload_bytes - sum(item.bytes for item in held.items),
            list_pages=sum(isinstance(one, ItemProvenance) and one.walk in walks for one in asked),
            tag_files=len(layout.TAG_FILES) - len(tags),
            package_json=not names_nobody_else,
        ),
    )


def id_of(held: SessionHeld) -> SourceText:
    """The session's id, as its source writes it."""
    return held.row.id if isinstance(held.row, SessionRow) else held.row.bundle.session


def row_files(tree: Tree, held: SessionHeld) -> Iterator[tuple[str, Iterator[bytes]]]:
    """The session's rows, file by file; take one before asking for the next."""
    yield f"{ROWS}/sessions.jsonl", iter((encode_line(held.row),))
    yield f"{ROWS}/items.jsonl", map(encode_line, held.items)
    yield f"{ROWS}/walks.jsonl", map(encode_line, held.walks)
    yield f"{ROWS}/gaps.jsonl", map(encode_line, held.gaps)
    yield f"{ROWS}/records.jsonl", _own(sealed_rows(tree, layout.RECORDS, RecordRow), held.key)
    yield f"{ROWS}/truncations.jsonl", _own(sealed_rows(tree, layout.TRUNCATIONS, Truncation), held.key)
    yield f"{ROWS}/entries.jsonl", _entries(tree, held)


def _own(rows: Iterator[RecordRow] | Iterator[Truncation], key: str) -> Iterator[bytes]:
    return (encode_line(row) for row in rows if row.session == key)


def _entries(tree: Tree, held: SessionHeld) -> Iterator[bytes]:
    """The directory entries behind the session's files: their true names are its own."""
    came = (item.provenance for item in held.items)
    own = {(one.survey, one.entry) for one in came if isinstance(one, FileProvenance)}
    for row in sealed_rows(tree, layout.ENTRIES, Entry):
        if (row.survey, row.number) in own:
            yield encode_line(row)


def _names_nobody_else(package: PackageFile, held: SessionHeld) -> bool:
    """True when the selection names no session and no person but this session and its own."""
    asked: Frozen = package.selection
    identifier = display(id_of(held))
    match asked:
        case SessionSelection():
            others = {one.id for one in asked.sessions} - {identifier}
            return not others and not set(asked.users) - _users(held)
        case BundleSelection():
            return not set(asked.sessions) - {identifier} and not asked.projects
        case _:
            return False


def _users(held: SessionHeld) -> set[str]:
    row = held.row
    spoken = (row.listed, row.retrieved, row.envelope) if isinstance(row, SessionRow) else ()
    return {one.user_id for one in spoken if one is not None and isinstance(one.user_id, str)}


def _folders(own: set[str], others: list[str]) -> tuple[str, ...]:
    """The fewest folders that hold these files and none of the others, each with its `/`; else the files alone."""
    taken = {folder for path in others for folder in _above(path)}
    return tuple(sorted({next((one for one in _above(path) if one not in taken), path) for path in own}))


def _above(path: str) -> Iterator[str]:
    parts = path.split("/")
    return ("/".join(parts[:depth]) + "/" for depth in range(1, len(parts)))
