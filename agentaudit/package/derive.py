"""Everything but payload, drawn from it: the folds of the journal and the reading of the raw pages.

- Sealing writes what comes out; verification compares it with what lies there: one code, two sinks.
- Memory stays flat: two passes over the journal, rows are read again by offset, one page at a time. Rows that the
  writer holds are taken from it, and not decoded.
- An answer is fed to the reading only when its bytes are those that its row names, and not more than `BODY_MAX`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from agentaudit.encoding.canonical import NotCanonical, encode_line
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.bagit import manifest_line
from agentaudit.format.chain import JOURNAL_CODEC, Link, links
from agentaudit.format.codecs import GAP_CODEC
from agentaudit.format.folds import OK, answered_item, gap_line, package_file, set_aside_items, walk_row
from agentaudit.format.readings import DatabaseReading, EventReading, PageReader, Reading, StoreReading
from agentaudit.format.storefolds import kept_items
from agentaudit.format.tally import Tally
from agentaudit.model.base import Frozen, digest_of
from agentaudit.model.journal import Act, Answered, Closed, Counts, Opened, Outcome, Resumed, WalkBegan, WalkEnded
from agentaudit.model.losses import Gap
from agentaudit.model.storejournal import DatabaseCopied, EntrySeen, Kept, ProjectionCompared, StoreFacts, ThreadLinked
from agentaudit.model.tagfiles import CoverageFile, ItemRow, PackageFile, WalkRow
from agentaudit.package.index import NOWHERE, Agrees, JournalIndex, WalkMarks, index_journal
from agentaudit.package.tree import Tree

ROW_MAX = 16 * 1024 * 1024
BODY_MAX = 256 * 1024 * 1024
PIECE_BYTES = 1024 * 1024

_NO_ROWS: Mapping[int, Act] = MappingProxyType({})

Sink = Callable[[bytes], None]
Watch = Callable[[Answered | Kept, Reading], None]


@dataclass(frozen=True, slots=True)
class Derived:
    """What came of the journal and the pages: the first row, the numbers for `closed`, the rest of package.json.

    `tally` lacks sessions, records and truncations when no reader was given. `altered` are answers whose bytes are
    not those that their rows name: they were not read.
    """

    opened: Opened
    index: JournalIndex
    tally: Tally
    altered: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """The outcome of the exhibit."""
        return self.tally.outcome()

    @property
    def counts(self) -> Counts:
        """How much is here."""
        return self.tally.counts()

    def package(self, closed: Closed) -> PackageFile:
        """The content of package.json, once the `closed` row is stamped."""
        index = self.index
        return package_file(self.opened, index.resumed, index.clock, closed, tuple(index.roots))


def derive(
    root: Path, reader: PageReader | None, sinks: Mapping[str, Sink], held: Sequence[Link[Act]] | None = None
) -> Derived:
    """Send each derived line to the sink of its tag file; names as in `layout`, a missing sink drops its lines.

    Without a reader only items, the payload manifest, walks and gaps are derived. package.json has no sink: see
    `Derived.package`. `held` are all rows of the journal: who gives them answers for their being what lies there.
    Raises PackageFault when the journal's chain is broken or does not open; OSError when a file cannot be read.
    """
    with Tree(root) as tree:
        index = read_index(tree) if held is None else index_journal(held)
        if index.broken is not None or index.opened is None:
            raise PackageFault(f"{root} holds a broken journal", "look at it with `agentaudit verify`")
        rows = {link.offset: link.row for link in held or ()}
        return derive_indexed(tree, index, index.opened, reader, sinks=sinks, rows=rows)


def read_index(tree: Tree, agrees: Agrees | None = None) -> JournalIndex:
    """The first pass over the journal of a package; `agrees` as for `index_journal`."""
    return index_journal(links(tree.lines(layout.JOURNAL, ROW_MAX), JOURNAL_CODEC, Act), agrees)


def derive_indexed(
    tree: Tree,
    index: JournalIndex,
    opened: Opened,
    reader: PageReader | None,
    *,
    sinks: Mapping[str, Sink],
    watch: Watch | None = None,
    rows: Mapping[int, Act] = _NO_ROWS,
) -> Derived:
    """The second pass; `watch` sees each answer, and each kept file, right after the reading was fed with it.

    `rows` are rows that are known, by offset; the others are read again.
    """
    with tree.stream(layout.JOURNAL) as stream:
        work = _Derivation(tree, index, stream, sinks, rows)
        work.folds()
        reading = reader.open(opened, work.walks()) if reader else None
        # Asked once: whether a value follows a protocol takes longer than a row.
        work.events_of = reading if isinstance(reading, EventReading) else None
        work.entries(reading)
        work.items(reading, watch)
        work.witnesses(reading)
        if reading is not None:
            work.sessions(reading)
    return Derived(opened, index, work.tally, tuple(work.altered))


class _Derivation:
    """One second pass: the journal open beside the tree, and where lines go."""

    def __init__(
        self, tree: Tree, index: JournalIndex, stream: BinaryIO, sinks: Mapping[str, Sink], rows: Mapping[int, Act]
    ) -> None:
        self.tree = tree
        self.known = rows
        self.index = index
        self.stream = stream
        self.sinks = sinks
        self.events_of: EventReading | None = None
        self.tally = Tally()
        self.altered: list[str] = []

    def send(self, name: str, row: Frozen) -> None:
        sink = self.sinks.get(name)
        if sink is not None:
            sink(encode_line(row))

    def row(self, offset: int) -> Frozen:
        """The row at an offset that the first pass noted."""
        known = self.known.get(offset)
        if known is not None:
            return known
        self.stream.seek(offset)
        try:
            return JOURNAL_CODEC.decode(self.stream.readline(ROW_MAX)[:-1])
        except NotCanonical:
            raise PackageFault("the journal changed while it was read", "let nothing write to it") from None

    def folds(self) -> None:
        """Walks and gaps, counted and sent."""
        for walk in self.walks():
            self.tally.walk(walk)
            self.send(layout.WALKS, walk)
        sink = self.sinks.get(layout.GAPS)
        for key, gap in zip(self.index.gaps, self.gaps(), strict=True):
            self.tally.gap(gap)
            if sink is not None:
                sink(gap_line(key))

    def walks(self) -> Iterator[WalkRow]:
        """Each walk by its id, its rows read again."""
        for marks in self.index.walks.values():
            began = self.row(marks.began)
            ended = self.row(marks.ended) if marks.ended != NOWHERE else None
            if isinstance(began, WalkBegan) and (ended is None or isinstance(ended, WalkEnded)):
                yield walk_row(began, self.answers(marks), ended)

    def answers(self, marks: WalkMarks) -> Iterator[Answered]:
        for offset in marks.answers:
            row = self.row(offset)
            if isinstance(row, Answered):
                yield row

    def gaps(self) -> Iterator[Gap]:
        """Each gap in its order."""
        for key in self.index.gaps:
            gap = GAP_CODEC.decode(gap_line(key)[:-1])
            if isinstance(gap, Gap):
                yield gap

    def entries(self, reading: Reading | None) -> None:
        """Each directory entry in the order of its survey, then what files of the store say of it."""
        store = reading if isinstance(reading, StoreReading) else None
        for offset in self.index.entries:
            row = self.row(offset)
            if isinstance(row, EntrySeen):
                self.send(layout.ENTRIES, row.entry)
                if store is not None:
                    store.entry(row.entry)
        for offset in self.index.facts:
            row = self.row(offset)
            if isinstance(row, StoreFacts) and store is not None:
                store.store(row)

    def items(self, reading: Reading | None, watch: Watch | None) -> None:
        """Each payload file by its path: its item, and what the reading makes of an answer."""
        store = reading if isinstance(reading, StoreReading) else None
        for mark in self.index.items:
            row = self.row(mark.offset)
            if isinstance(row, Answered):
                item = answered_item(row)
                self.item(item)
                if reading is not None and row.exchange.status == OK:
                    self.feed(row, reading, watch)
            elif isinstance(row, Kept):
                self.item(kept_items(row)[mark.part])
                if mark.part == 0 and store is not None:
                    store.kept(row)
                    if mark.offset not in self.index.superseded:
                        self.payload(row)
                    if watch is not None:
                        watch(row, store)
            elif isinstance(row, Resumed):
                self.item(set_aside_items(row)[mark.part])

    def witnesses(self, reading: Reading | None) -> None:
        """What databases of a store say, in the order of the journal."""
        for offset in self.index.witnesses:
            if not isinstance(reading, DatabaseReading):
                return
            match self.row(offset):
                case DatabaseCopied() as row:
                    reading.database(row)
                case ProjectionCompared() as row:
                    reading.projection(row)
                case ThreadLinked() as row:
                    reading.linked(row)
                case _:
                    pass

    def item(self, item: ItemRow) -> None:
        self.tally.item(item)
        self.send(layout.ITEMS, item)
        sink = self.sinks.get(layout.MANIFEST)
        if sink is not None:
            sink(manifest_line(item.path, item.sha256))

    def feed(self, row: Answered, reading: Reading, watch: Watch | None) -> None:
        if row.item.bytes > BODY_MAX:
            return
        body = self.tree.read(row.item.path, row.item.bytes)
        if digest_of(body) != row.item.sha256:
            self.altered.append(row.item.path)
            return
        records, truncations = reading.feed(row, body)
        for record in records:
            self.tally.record(record)
            self.send(layout.RECORDS, record)
        for truncation in truncations:
            self.tally.truncation(truncation)
            self.send(layout.TRUNCATIONS, truncation)
        self.events()
        if watch is not None:
            watch(row, reading)

    def payload(self, row: Kept) -> None:
        """Feed a reading of events with a kept file, piece by piece, and send on what each piece completed."""
        feed = None if self.events_of is None else self.events_of.payload(row)
        if feed is None:
            return
        digest = sha256()
        with self.tree.stream(row.item.path) as stream:
            while octets := stream.read(PIECE_BYTES):
                digest.update(octets)
                feed.feed(memoryview(octets))
                self.events()
        feed.finish()
        self.events()
        if f"sha256:{digest.hexdigest()}" != row.item.sha256:
            self.altered.append(row.item.path)

    def events(self) -> None:
        """What a reading of events completed since it was asked last."""
        reading = self.events_of
        if reading is None:
            return
        for event in reading.events():
            self.tally.event()
            self.send(layout.EVENTS, event)
        for truncation in reading.clipped():
            self.tally.truncation(truncation)
            self.send(layout.TRUNCATIONS, truncation)

    def sessions(self, reading: Reading) -> None:
        """Each session after the last answer, each stream, then the limits of the source."""
        for session in reading.sessions(self.walks(), self.gaps()):
            self.tally.session(session)
            self.send(layout.SESSIONS, session)
        if self.events_of is not None:
            for stream in self.events_of.streams():
                self.tally.stream(stream)
                self.send(layout.STREAMS, stream)
        self.send(layout.COVERAGE, CoverageFile(absence_proves_nothing=True, limits=reading.coverage()))
