"""The rows of a sealed exhibit as an export tells them, drawn from its tag files line by line.

- Each series reads its file anew; nothing is held but the line at hand.
- A row that leads to a payload file gets that file's digest and request from items.jsonl.
- A tag file was verified before; a line that is none of its type any more is a fault of the package.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TypeVar

from agentaudit.export.acts import Failed
from agentaudit.export.entries import entry_line
from agentaudit.export.facts import facts_of
from agentaudit.export.lines import (
    EntryLine,
    EventLine,
    GapLine,
    ItemLine,
    SessionLine,
    StreamLine,
    TruncationLine,
    WalkLine,
    Way,
)
from agentaudit.export.lookup import ItemLookup
from agentaudit.export.saying import gap_pointer, gap_subject, session_line, sources_of
from agentaudit.export.streams import event_line, stream_line
from agentaudit.format import layout
from agentaudit.model.base import Frozen, Unset
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import SessionRow
from agentaudit.model.sessionrow import AnySession, BundleRow
from agentaudit.model.storejournal import Entry
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.model.text import SourceText
from agentaudit.package.session import sealed_rows
from agentaudit.package.tree import Tree

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SealedRows:
    """The rows of one sealed exhibit; `failures` come from its journal."""

    tree: Tree
    exhibit: str
    adapter: str
    failures: dict[tuple[str, int], Failed]
    names: bool

    def items(self) -> Iterator[ItemLine]:
        """Each payload file, by path."""
        for row in sealed_rows(self.tree, layout.ITEMS, ItemRow):
            yield _item(self.exhibit, row, names=self.names)

    def sessions(self) -> Iterator[SessionLine]:
        """Each session, by key, with the ways to what the source says of it."""
        with closing(ItemLookup(self.tree)) as lookup:
            for row in session_rows(self.tree):
                said = tuple((name, way(lookup, one.item, one.pointer)) for name, one in sources_of(row))
                yield session_line(self.exhibit, row, said, names=self.names)

    def truncations(self) -> Iterator[TruncationLine]:
        """Each clipped thing, in the order read."""
        with closing(ItemLookup(self.tree)) as lookup:
            for row in sealed_rows(self.tree, layout.TRUNCATIONS, Truncation):
                yield _truncation(self.exhibit, row, way(lookup, row.item, row.pointer))

    def gaps(self) -> Iterator[GapLine]:
        """Each gap, by its place."""
        with closing(ItemLookup(self.tree)) as lookup:
            for row in sealed_rows(self.tree, layout.GAPS, Gap):
                subject = gap_subject(self.adapter, row, names=self.names)
                yield _gap(self.exhibit, row, subject, self._gap_way(lookup, row))

    def entries(self) -> Iterator[EntryLine]:
        """Each directory entry of a local store, by survey and number."""
        for row in sealed_rows(self.tree, layout.ENTRIES, Entry):
            yield entry_line(self.exhibit, row, names=self.names)

    def streams(self) -> Iterator[StreamLine]:
        """Each stream of a sibling source, by its key."""
        with closing(ItemLookup(self.tree)) as lookup:
            for row in sealed_rows(self.tree, layout.STREAMS, StreamRow):
                leads = _journal(None, None) if row.item is None else way(lookup, row.item, None)
                yield stream_line(self.exhibit, row, leads, names=self.names)

    def events(self) -> Iterator[EventLine]:
        """Each event of a sibling source, in the order read."""
        with closing(ItemLookup(self.tree)) as lookup:
            for row in sealed_rows(self.tree, layout.EVENTS, EventRow):
                leads = way(lookup, row.place.item, row.place.pointer)
                yield event_line(self.exhibit, row, leads, names=self.names)

    def walks(self) -> Iterator[WalkLine]:
        """Each walk, by its id."""
        for row in sealed_rows(self.tree, layout.WALKS, WalkRow):
            yield _walk(self.exhibit, row)

    def _gap_way(self, lookup: ItemLookup, gap: Gap) -> Way:
        """To the answer for the gap's page, or for the first page of its walk; else to the journal row that says so.

        A gap that only our selection makes rests on the first row of the journal, which holds the selection.
        """
        walk = _set(gap.walk)
        page = 1 if isinstance(gap.page, Unset) else gap.page
        found = lookup.answer(walk, page) if walk is not None else None
        if found is not None:
            return _way(found, gap_pointer(self.adapter, gap))
        failed = self.failures.get((walk, page)) if walk is not None else None
        if failed is not None:
            return _journal(failed.row, failed.request_id)
        return _journal(1 if gap.basis == "rule" else None, None)


def session_rows(tree: Tree) -> Iterator[AnySession]:
    """Each row of sessions.jsonl, whatever the source."""
    rows = sealed_rows(tree, layout.SESSIONS, Frozen)
    return (row for row in rows if isinstance(row, SessionRow | BundleRow))


def way(lookup: ItemLookup, item: str, pointer: str | None) -> Way:
    """The way to a place in a payload file."""
    found = lookup.find(item)
    if found is None:
        return Way(item=item, pointer=pointer, sha256=None, request_id=None, row=None)
    return _way(found, pointer)


def _journal(row: int | None, request_id: str | None) -> Way:
    return Way(item=None, pointer=None, sha256=None, request_id=request_id, row=row)


def _way(item: ItemRow, pointer: str | None) -> Way:
    came = item.provenance
    return Way(
        item=item.path,
        pointer=pointer,
        sha256=item.sha256,
        request_id=came.request_id if isinstance(came, ItemProvenance) else None,
        row=came.row if came is not None else None,
    )


def _item(exhibit: str, row: ItemRow, *, names: bool) -> ItemLine:
    asked = row.provenance if isinstance(row.provenance, ItemProvenance) else None
    known = frozenset({"path", "bytes", "sha256", "role", "media_type", "content_encoding"})
    told = row.provenance is None or asked is not None
    return ItemLine(
        exhibit=exhibit,
        path=row.path,
        bytes=row.bytes,
        sha256=row.sha256,
        role=row.role,
        media_type=row.media_type,
        content_encoding=row.content_encoding,
        row=row.provenance.row if row.provenance is not None else None,
        walk=asked.walk if asked else None,
        page=asked.page if asked else None,
        ask=asked.ask if asked else None,
        request_id=asked.request_id if asked else None,
        received_at=asked.received_at if asked else None,
        # What another source says of its files stands beside the common facts.
        more=() if told else facts_of(row, skip=known, names=names),
    )


def _truncation(exhibit: str, row: Truncation, leads: Way) -> TruncationLine:
    return TruncationLine(
        exhibit=exhibit,
        session=row.session,
        walk=row.walk,
        page=row.page,
        block_type=row.block_type,
        by=row.by,
        basis=row.basis,
        kept_bytes=row.kept_bytes,
        limit_bytes=row.limit_bytes,
        raise_parameter=row.raise_parameter,
        way=leads,
    )


def _gap(exhibit: str, row: Gap, subject: SourceText | None, leads: Way) -> GapLine:
    return GapLine(
        exhibit=exhibit,
        kind=row.kind,
        code=row.code,
        basis=row.basis,
        session=_set(row.session),
        walk=_set(row.walk),
        page=_set(row.page),
        index=_set(row.index),
        count=row.count,
        status=_set(row.status),
        subject=subject,
        source=row.source,
        way=leads,
    )


def _walk(exhibit: str, row: WalkRow) -> WalkLine:
    return WalkLine(
        exhibit=exhibit,
        walk=row.walk,
        kind=row.kind,
        session=row.session,
        parameters=row.parameters,
        limits=row.limits,
        cursors=row.cursors,
        pages=row.pages,
        records=row.records,
        ended=row.ended,
    )


def _set(given: T | Unset) -> T | None:
    return None if isinstance(given, Unset) else given
