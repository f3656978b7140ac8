"""The texts of an exhibit's sessions, drawn from its raw files: one line of one file is held at a time.

- The files of a session lie together in a package (FORMAT.md, section 2.6), so one pass over the items finds them all.
- A file is hashed while it is read: one whose bytes are not those of its item ends the export.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from itertools import groupby

from agentaudit.errors import PackageFault
from agentaudit.export.content import ContentReader
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.lookup import ItemLookup, walk_lookup
from agentaudit.export.rows import SealedRows
from agentaudit.export.texts import head_lines, message_lines, tail_lines, unread_lines
from agentaudit.format import layout
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.model.workingcopy import Message, NotRead
from agentaudit.package.session import sealed_rows
from agentaudit.package.tree import Tree

LINE_MAX = 64 * 1024 * 1024

Found = tuple[str, int, str, WalkRow | None]


def session_texts(
    sealed: SealedRows, facts: ExhibitFacts, readers: Iterable[ContentReader]
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each session that has messages, with its text piece by piece; take one before asking for the next.

    Nothing for an exhibit whose content no reader reads.
    """
    reader = next((one for one in readers if one.reads(sealed.adapter)), None)
    if reader is None:
        return
    with closing(ItemLookup(sealed.tree)) as items:
        for session, found in groupby(_files(sealed.tree, reader), key=lambda file: file[0]):
            yield session, _text(sealed.tree, items, reader, facts, sorted(found, key=lambda file: file[1:3]))


def _files(tree: Tree, reader: ContentReader) -> Iterator[Found]:
    """The files that hold messages, by path: session, rank, path, walk."""
    with closing(walk_lookup(tree)) as walks:
        for item in sealed_rows(tree, layout.ITEMS, ItemRow):
            rank = reader.rank(item)
            walk = walks.find(item.provenance.walk) if isinstance(item.provenance, ItemProvenance) else None
            session = walk.session if walk is not None else item.facts.session if item.facts is not None else None
            if rank is not None and session is not None:
                yield session, rank, item.path, walk


def _text(
    tree: Tree, items: ItemLookup, reader: ContentReader, facts: ExhibitFacts, files: list[Found]
) -> Iterator[bytes]:
    session = files[0][0]
    walks = {walk.walk: walk for _, _, _, walk in files if walk is not None}
    reading = reader.open(session, tuple(walks.values()))
    yield from head_lines(facts, session)
    number = asides = 0
    for _, _, path, _ in files:
        item = items.find(path)
        if item is None:
            raise PackageFault("items.jsonl changed while it was read", "let nothing write to the exhibit")
        for piece in reading.feed(item, _lines(tree, item)):
            match piece:
                case Message():
                    number += 1
                    yield from message_lines(number, piece)
                case NotRead():
                    yield from unread_lines(piece)
                case _:
                    asides += 1
    yield from tail_lines(asides)


def _lines(tree: Tree, item: ItemRow) -> Iterator[bytes]:
    """All bytes of a file, hashed as they go; PackageFault at the end when they are not those of its item."""
    digest = sha256()
    with tree.stream(item.path) as stream:
        while line := stream.readline(LINE_MAX):
            digest.update(line)
            yield line
    if f"sha256:{digest.hexdigest()}" != item.sha256:
        raise PackageFault(f"{item.path} changed while it was exported", "let nothing write to the exhibit")
