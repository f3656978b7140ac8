"""The texts of an exhibit's sessions, drawn from its raw pages: one page is held at a time.

- Records say which messages there are and where; pages give their content.
- A page whose bytes are not those of its item any more gives no text, but a fault.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import groupby

from agentaudit.errors import PackageFault
from agentaudit.export.content import Message, Passage, Speaker, speaker
from agentaudit.export.document import ExhibitFacts
from agentaudit.export.lookup import ItemLookup
from agentaudit.export.rows import SealedRows
from agentaudit.export.texts import head, message
from agentaudit.model.base import digest_of
from agentaudit.model.readings import RecordRow
from agentaudit.model.tagfiles import ItemRow
from agentaudit.package.derive import BODY_MAX
from agentaudit.package.tree import Tree


def session_texts(sealed: SealedRows, facts: ExhibitFacts) -> Iterator[tuple[str, Iterator[bytes]]]:
    """Each session that has messages, with its text piece by piece; take one before asking for the next.

    Nothing for an exhibit whose content this program does not render. A session lies together in a package; one that
    did not would come again.
    """
    speak = speaker(sealed.adapter)
    if speak is None:
        return
    with closing(ItemLookup(sealed.tree)) as lookup:
        pages = _Pages(sealed.tree, lookup, speak)
        for session, records in groupby(sealed.records(), key=lambda record: record.session):
            yield session, _text(pages, facts, session, records)


def _text(pages: "_Pages", facts: ExhibitFacts, session: str, records: Iterable[RecordRow]) -> Iterator[bytes]:
    yield from head(facts, session)
    for number, record in enumerate(records, 1):
        item, found = pages.at(record.item, record.pointer)
        yield from message(number, record, item, found)


class _Pages:
    """The page that was read last."""

    def __init__(self, tree: Tree, lookup: ItemLookup, speak: Speaker) -> None:
        self._tree = tree
        self._lookup = lookup
        self._speak = speak
        self._open: tuple[ItemRow, Message] | None = None

    def at(self, path: str, pointer: str) -> tuple[ItemRow, tuple[Passage, ...] | None]:
        """The item of a payload path, and the passages at a place in it."""
        if self._open is None or self._open[0].path != path:
            self._open = self._read(path)
        item, found = self._open
        return item, found(pointer)

    def _read(self, path: str) -> tuple[ItemRow, Message]:
        item = self._lookup.find(path)
        if item is None or item.bytes > BODY_MAX:
            raise PackageFault(f"{path} cannot be read as a page", "look at the exhibit with `agentaudit verify`")
        body = self._tree.read(path, item.bytes)
        if digest_of(body) != item.sha256:
            raise PackageFault(f"{path} changed while it was exported", "let nothing write to the exhibit")
        return item, self._speak(body, item.content_encoding)
