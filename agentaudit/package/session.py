"""One session of a sealed exhibit: its row, and the walks, files and gaps that are its own.

- Names no source: a walk says whose it is, and so does a preserved file.
- Rows come one at a time; only those of the session are held.
- A tag file was verified before: a line that is none of its type any more is a fault of the package.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.base import Digest, Frozen
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionRow
from agentaudit.model.sessionrow import AnySession, BundleRow
from agentaudit.model.tagfiles import FileProvenance, ItemProvenance, ItemRow, WalkRow
from agentaudit.model.text import display
from agentaudit.package.case import seal_of
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.reader import read_listing
from agentaudit.package.tree import Tree

BLOCK_BYTES = 256 * 1024

_READ = (
    layout.COVERAGE, layout.ENTRIES, layout.EVENTS, layout.GAPS, layout.ITEMS, layout.PACKAGE, layout.RECORDS,
    layout.SESSIONS, layout.STREAMS, layout.TRUNCATIONS, layout.WALKS,
)  # fmt: skip

Row = TypeVar("Row", bound=Frozen)


@dataclass(frozen=True, slots=True)
class SessionHeld:
    """One session: its key and row, its walks by id, its items by path, the gaps that name it, in their order."""

    key: str
    row: AnySession
    walks: tuple[WalkRow, ...]
    items: tuple[ItemRow, ...]
    gaps: tuple[Gap, ...]


def held_session(tree: Tree, word: str) -> SessionHeld:
    """The session of that key (`s000012`) or id; UsageFault (2) when the exhibit has none, or more than one."""
    rows = (row for row in sealed_rows(tree, layout.SESSIONS, Frozen) if isinstance(row, SessionRow | BundleRow))
    found = [row for row in rows if word in _names(row)]
    if len(found) != 1:
        several = "more than one session has that id; name it by its key" if found else "it holds no such session"
        raise UsageFault(
            f"{tree.root}: {several}", f"agentaudit show {tree.root} --all --show-names lists keys and ids"
        )
    key = found[0].session
    walks = tuple(row for row in sealed_rows(tree, layout.WALKS, WalkRow) if row.session == key)
    gaps = tuple(row for row in sealed_rows(tree, layout.GAPS, Gap) if row.session == key)
    return SessionHeld(key, found[0], walks, tuple(_items(tree, key, {walk.walk for walk in walks})), gaps)


def sealed_rows(tree: Tree, name: str, kind: type[Row]) -> Iterator[Row]:
    """Each row of a tag file; PackageFault (4) for a line that is none of that kind."""
    codec = LINE_CODECS[name]
    for line in tree.lines(name, ROW_MAX):
        try:
            row = codec.decode(line.removesuffix(b"\n"))
        except NotCanonical:
            row = None
        if not isinstance(row, kind):
            raise PackageFault(f"{name} changed while it was read", "let nothing write to the exhibit")
        yield row


def still_sealed(tree: Tree, seal: Digest) -> bool:
    """True when the seal is that one, and the tag files that a session is read from are those under it."""
    listed = read_listing(tree, layout.TAG_MANIFEST, tags=True).listed
    return seal_of(tree.root) == seal and all(_digest(tree, name) == listed.get(name) for name in _READ)


def _digest(tree: Tree, name: str) -> str | None:
    digest = sha256()
    try:
        with tree.stream(name) as stream:
            while block := stream.read(BLOCK_BYTES):
                digest.update(block)
    except OSError:
        return None
    return digest.hexdigest()


def _names(row: AnySession) -> tuple[str, str]:
    return row.session, display(row.id if isinstance(row, SessionRow) else row.bundle.session)


def _items(tree: Tree, key: str, walks: set[str]) -> Iterator[ItemRow]:
    """The answers of the session's walks; its preserved files, and the extended attributes of these."""
    files: set[int] = set()
    for item in sealed_rows(tree, layout.ITEMS, ItemRow):
        match item.provenance:
            case ItemProvenance(walk=walk) if walk in walks:
                yield item
            case FileProvenance(row=row) if item.facts is not None and item.facts.session == key:
                files.add(row)
                yield item
            # A value lies right behind its file: `transcript.jsonl.x01`.
            case FileProvenance(row=row) if row in files:
                yield item
            case _:
                pass
