"""One pass over a journal: small keys and byte offsets, from which every fold is drawn.

- No row is held: a fold reads its rows again by offset.
- What contradicts itself in the journal is remarked, with its code, and the pass goes on.
- A broken chain ends the pass: what follows a break has no place.
"""

from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from agentaudit.format.chain import Break, Link
from agentaudit.format.folds import OK, clock_comparison, gap_key, set_aside_items
from agentaudit.format.storefolds import kept_files
from agentaudit.model.base import INSTANT, Digest
from agentaudit.model.journal import (
    Act,
    Answered,
    Closed,
    Exchange,
    Noted,
    Opened,
    Resumed,
    Unanswered,
    WalkBegan,
    WalkEnded,
    WalkReason,
)
from agentaudit.model.limits import ByteLimits
from agentaudit.model.local import Root
from agentaudit.model.storejournal import (
    DatabaseCopied,
    EntryChanged,
    EntrySeen,
    Kept,
    ProjectionCompared,
    RootSeen,
    StoreFacts,
    StoreLookedAgain,
    ThreadLinked,
)
from agentaudit.model.tagfiles import ClockComparison

NOWHERE = -1

Agrees = Callable[[str, int, Digest], bool]


@dataclass(frozen=True, slots=True)
class Remark:
    """What the journal says against itself: a code of the catalogue, a row or a walk, a word about it."""

    code: str
    subject: str
    detail: str


@dataclass(slots=True)
class WalkMarks:
    """Where the rows of one walk lie in the journal, and what its answers must agree with."""

    began: int
    limits: ByteLimits | None
    answers: "array[int]"
    ended: int = NOWHERE
    reason: WalkReason | None = None
    page: int = 0

    @property
    def is_over(self) -> bool:
        """True after an end that nothing may follow; an interrupted walk may be taken up again."""
        return self.reason not in (None, "interrupted")


class ItemMark(NamedTuple):
    """A payload file by its path, the offset of its row, and which of the row's files it is."""

    path: str
    offset: int
    part: int = 0


@dataclass(slots=True)
class JournalIndex:
    """What one pass found; `broken` is where the chain stopped being one.

    `superseded` are the rows of copies whose file was read again: a later copy of the same entry counts.
    """

    opened: Opened | None = None
    closed: Closed | None = None
    broken: Break | None = None
    rows: int = 0
    resumed: int = 0
    items: list[ItemMark] = field(default_factory=list)
    walks: dict[str, WalkMarks] = field(default_factory=dict)
    gaps: list[bytes] = field(default_factory=list)
    clock: ClockComparison | None = None
    roots: list[Root] = field(default_factory=list)
    entries: "array[int]" = field(default_factory=lambda: array("Q"))
    facts: list[int] = field(default_factory=list)
    superseded: set[int] = field(default_factory=set)
    witnesses: list[int] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)


def index_journal(links: Iterable[Link[Act] | Break], agrees: Agrees | None = None) -> JournalIndex:
    """The index of a journal whose lines come as links; its lists are in the order of the folds.

    `agrees` is asked about each payload file that a row names; a no is remarked (J006).
    """
    indexer = _Indexer(agrees)
    for link in links:
        if isinstance(link, Break):
            indexer.index.broken = link
            break
        indexer.take(link)
    return indexer.finish()


class _Indexer:
    """The state of one pass."""

    def __init__(self, agrees: Agrees | None) -> None:
        self.index = JournalIndex()
        self.agrees = agrees
        self.gaps: set[bytes] = set()
        self.offsets = array("q")
        self.bound_max = 0
        self.last_at = ""
        self.last_entry = (0, 0)
        self.copies = array("Q")

    def finish(self) -> JournalIndex:
        index = self.index
        index.items.sort()
        index.walks = dict(sorted(index.walks.items()))
        index.gaps = sorted(self.gaps)
        index.clock = clock_comparison(self.offsets, self.bound_max)
        if not index.rows and index.broken is None:
            self.remark("J004", "1", "no row")
        if index.closed is None and index.broken is None:
            self.remark("J005", str(index.rows), "the last row is not `closed`")
        for walk, marks in index.walks.items():
            if marks.reason is None and index.closed is not None:
                self.remark("W001", walk, "")
        return index

    def remark(self, code: str, subject: str, detail: str) -> None:
        self.index.remarks.append(Remark(code, subject, detail))

    def take(self, link: Link[Act]) -> None:
        """Judge a row's place, then note where it lies."""
        row = link.row
        self.index.rows += 1
        self.place(row)
        # The kinds of which there is one for each file or page come first: each question costs.
        match row:
            case EntrySeen():
                self.entry(row, link.offset)
            case Kept():
                self.kept(row, link.offset)
            case Answered():
                self.answered(row, link.offset)
            case WalkBegan():
                self.began(row, link.offset)
            case WalkEnded():
                self.ended(row, link.offset)
            case Unanswered():
                self.clock(row.exchange)
            case Noted():
                self.gaps.add(gap_key(row.gap))
            case _:
                self.whole(row, link.offset)

    def whole(self, row: Act, offset: int) -> None:
        """A row about the exhibit itself, a whole store, a root or a database."""
        match row:
            case Opened():
                self.index.opened = self.index.opened or row
            case Closed():
                self.index.closed = row
            case Resumed():
                self.resumed(row, offset)
            case RootSeen():
                self.root(row)
            case StoreFacts():
                self.index.facts.append(offset)
            case EntryChanged() | StoreLookedAgain():
                self.follows(row.seq, row.survey, (isinstance(row, EntryChanged) and row.entry) or 0)
            case DatabaseCopied():
                self.database(row, offset)
            case ProjectionCompared() | ThreadLinked():
                self.index.witnesses.append(offset)
            case _:
                pass

    def place(self, row: Act) -> None:
        """The first row opens, the last closes, and time does not run backwards."""
        if isinstance(row, Opened) != (row.seq == 1):
            self.remark("J004", str(row.seq), "`opened` is the first row and no other")
        if self.index.closed is not None:
            self.remark("J005", str(row.seq), "a row after `closed`")
        if not INSTANT.match(row.at):
            self.remark("J001", str(row.seq), "`at` is no instant")
        elif row.at < self.last_at:
            self.remark("J010", str(row.seq), "earlier than the row before it")
        self.last_at = row.at

    def resumed(self, row: Resumed, offset: int) -> None:
        self.index.resumed += 1
        for part, item in enumerate(set_aside_items(row)):
            self.item(ItemMark(item.path, offset, part), item.bytes, item.sha256)

    def item(self, mark: ItemMark, size: int, digest: Digest) -> None:
        self.index.items.append(mark)
        if self.agrees is not None and not self.agrees(mark.path, size, digest):
            self.remark("J006", mark.path, "the row names another size or digest, or no manifest lists it")

    def root(self, row: RootSeen) -> None:
        """A survey begins with its roots; those of the last one count."""
        if row.survey == self.last_entry[0] + 1:
            self.last_entry = (row.survey, 0)
            self.index.roots.clear()
            self.copies = array("Q")
        if self.last_entry != (row.survey, 0):
            self.remark("J011", str(row.seq), "its survey does not follow")
        self.index.roots.append(row.root)

    def entry(self, row: EntrySeen, offset: int) -> None:
        place = (row.entry.survey, row.entry.number)
        if place != (self.last_entry[0], self.last_entry[1] + 1):
            self.remark("J011", str(row.seq), "its number does not follow")
        self.last_entry = place
        self.index.entries.append(offset)

    def kept(self, row: Kept, offset: int) -> None:
        if self.follows(row.seq, row.survey, row.entry):
            self.copied(row.entry, offset)
        for part, (path, size, digest) in enumerate(kept_files(row)):
            self.item(ItemMark(path, offset, part), size, digest)

    def copied(self, entry: int, offset: int) -> None:
        """The copy of an entry that came before, if any, counts no longer; no row of a copy has the offset 0."""
        self.copies.extend([0] * (entry + 1 - len(self.copies)))
        if self.copies[entry]:
            self.index.superseded.add(self.copies[entry])
        self.copies[entry] = offset

    def follows(self, seq: int, survey: int, entry: int) -> bool:
        """Whether a row is of the last survey before it and names an entry that this has; 0 names none."""
        has = entry <= self.last_entry[1] and survey == self.last_entry[0]
        if not has:
            self.remark("J011", str(seq), "the survey before it has no such entry")
        return has

    def database(self, row: DatabaseCopied, offset: int) -> None:
        self.follows(row.seq, row.survey, max((member.entry for member in row.members), default=0))
        self.index.witnesses.append(offset)

    def began(self, row: WalkBegan, offset: int) -> None:
        opened = self.index.opened
        if row.walk in self.index.walks:
            self.remark("W006", row.walk, "begins twice")
            return
        if row.limits is not None and opened is not None and row.limits != opened.limits:
            self.remark("W004", row.walk, "its limits are not those of `opened`")
        self.index.walks[row.walk] = WalkMarks(offset, row.limits, array("Q"))

    def ended(self, row: WalkEnded, offset: int) -> None:
        marks = self.index.walks.get(row.walk)
        if marks is None or marks.is_over:
            self.remark("W006", row.walk, "ends without a beginning, or twice")
            return
        marks.ended, marks.reason = offset, row.reason
        if row.pages > marks.page:
            self.remark("W002", row.walk, "its end counts more pages than were answered")

    def answered(self, row: Answered, offset: int) -> None:
        self.item(ItemMark(row.item.path, offset), row.item.bytes, row.item.sha256)
        self.clock(row.exchange)
        if not INSTANT.match(row.exchange.asked_at):
            self.remark("J001", str(row.seq), "`asked_at` is no instant")
        marks = self.index.walks.get(row.walk)
        if marks is None or marks.is_over:
            self.remark("W006", row.walk, f"row {row.seq} is an answer outside the walk")
            return
        if row.page not in (marks.page, marks.page + 1):
            self.remark("W002", row.walk, f"row {row.seq} is page {row.page} after page {marks.page}")
        marks.page = row.page
        marks.answers.append(offset)
        if row.exchange.status == OK and row.limits != marks.limits:
            self.remark("W004", row.walk, f"the byte limits of row {row.seq} are not those of the walk")

    def clock(self, exchange: Exchange) -> None:
        if exchange.clock is None:
            return
        self.offsets.append(exchange.clock.offset_ms)
        self.bound_max = max(self.bound_max, exchange.clock.bound_ms)
