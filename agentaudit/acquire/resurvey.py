"""What the journal of an interrupted preservation says of its survey and its copies.

- A survey counts when each of its walks has ended; the last one counts.
- What ended as an item or a gap is settled and is not read again. A file that did not hold still at its last read is
  read again while tries are left.
- Names are those that the survey gave: what changed in the store since changes no name.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.acquire.kinds import Bundles, StoreKind, tell
from agentaudit.acquire.lookingagain import FirstLook
from agentaudit.acquire.storegaps import entry_gap, is_unstable, later_gaps, problem_gap, survey_walk
from agentaudit.acquire.surveying import Check, Store
from agentaudit.acquire.wanted import TRIES_MAX, Wanted
from agentaudit.adapters.stores.planned import Planned, seen_of
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.base import Unset
from agentaudit.model.journal import Act, Noted, WalkBegan, WalkEnded
from agentaudit.model.local import Root, true_name
from agentaudit.model.losses import Gap
from agentaudit.model.storejournal import (
    DatabaseCopied,
    Entry,
    EntrySeen,
    Kept,
    RootSeen,
    StoreFacts,
    StoreLookedAgain,
)
from agentaudit.model.survey import Look, Seen, look_from
from agentaudit.model.text import SourceText
from agentaudit.package.rows import read_log


@dataclass(slots=True)
class Surveyed:
    """The last survey of a journal: its number, roots with the looks at them, entries, and what became of them.

    `kept` is the last copy of an entry, `copies` counts all of them; `missed` are the entries that are gaps. `goes` are
    the last goes at databases, by root and name. `again` is the second look at the end, where there was one.
    """

    kind: StoreKind
    number: int = 0
    open_walks: set[str] = field(default_factory=set)
    ended: bool = False
    roots: list[Root] = field(default_factory=list)
    looks: dict[str, Look] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    facts: StoreFacts | None = None
    kept: dict[int, Kept] = field(default_factory=dict)
    copies: Counter[int] = field(default_factory=Counter)
    missed: set[int] = field(default_factory=set)
    goes: dict[tuple[str, SourceText], DatabaseCopied] = field(default_factory=dict)
    again: StoreLookedAgain | None = None

    @property
    def whole(self) -> bool:
        """True when the survey came to its end."""
        return self.ended and not self.open_walks

    @property
    def first(self) -> FirstLook | None:
        """What a second look is still to be held against; None when there was one."""
        if self.facts is None or self.again is not None:
            return None
        return FirstLook(self.number, self.entries, self.facts, tuple(map(seen_of, self.entries)), self.looks)

    def later(self) -> Iterator[Gap]:
        """The gaps of the second look, where there was one."""
        if self.again is not None:
            yield from later_gaps(self.kind.agent, self.again)

    def feed(self, bundles: Bundles) -> None:
        """Tell a reading what the journal holds."""
        for entry in self.entries:
            bundles.entry(entry)
        if self.facts is not None:
            bundles.store(self.facts)
        for row in self.kept.values():
            bundles.kept(row)
        for go in self.goes.values():
            tell(bundles, go)

    def left(self, store: Store, check: Check) -> Iterator[Wanted]:
        """What is left to copy, in the order of the survey, as it lies there now."""
        plan = tuple(self.kind.replan(self.entries))
        store.deny((*(planned.seen for planned in plan), *store.entries(check)))
        together = self._together()
        for planned in plan:
            entry = planned.entry
            if entry.number in together:
                yield from self._again(planned.of(_now(store, planned.seen)), together[entry.number])
                continue
            row = self.kept.get(entry.number)
            if planned.path is None or entry.number in self.missed or (row is not None and not _goes_on(row)):
                continue
            seen = _now(store, planned.seen)
            yield Wanted(planned.of(seen), 1 if row is None else row.tries + 1, self.copies[entry.number] + 1)

    def owed(self) -> Iterator[Gap]:
        """The gaps of last reads that were no good, where the run ended between the copy and its gap."""
        together = self._together()
        for entry in self.entries:
            row = self.kept.get(entry.number)
            if row is None or entry.number in self.missed or entry.number in together or _goes_on(row):
                continue
            if is_unstable(row.change):
                yield entry_gap(self.kind.agent, entry, "changed_while_read")
            elif not row.complete:
                yield entry_gap(self.kind.agent, entry, "unreadable")
        for one in dict.fromkeys(together.values()):
            yield from self._owed_by(one)

    def not_copied(self) -> Iterator[Gap]:
        """What is left, as gaps: for an exhibit that is closed as it stands."""
        together = self._together()
        for entry in self.entries:
            one = together.get(entry.number)
            good = self._is_good(entry) if one is None else one.settled
            if entry.decision == "preserve" and entry.number not in self.missed and not good:
                yield entry_gap(self.kind.agent, entry, "interrupted")
        if not self.whole:
            walk = survey_walk(self.kind.agent, self.roots[0].root if self.roots else "r1", max(self.number, 1))
            yield Gap(kind="not_obtained", code="interrupted", basis="absence", walk=walk)

    def _together(self) -> dict[int, "_Together"]:
        """The files that are copied in one go, by the number of their entry."""
        places = {(entry.root, entry.name): entry.number for entry in self.entries}
        found: dict[int, _Together] = {}
        for group in self.kind.sets(self.kind.replan(self.entries)):
            numbers = tuple(places[group.root, true_name(b"/".join(parts))] for parts in group.parts)
            one = _Together(numbers, self.goes.get((group.root, true_name(b"/".join(group.name)))))
            found.update(dict.fromkeys(numbers, one))
        return found

    def _again(self, planned: Planned, one: "_Together") -> Iterator[Wanted]:
        """A file of a set, with the attempt and the number that the whole of it goes on with."""
        if one.settled:
            return
        done = 0 if one.go is None else one.go.tries
        number = max(self.copies[entry] for entry in one.entries)
        # Rows that no row of a go follows: the run ended between them.
        cut = any(entry in self.kept and self.kept[entry].tries > done for entry in one.entries)
        row = self.kept.get(planned.entry.number)
        is_begun = row is not None and row.tries > done and row.item.path == self.kind.again(planned.path or "", number)
        yield Wanted(planned, done + 1, number if cut else number + 1, row if is_begun else None)

    def _owed_by(self, one: "_Together") -> Iterator[Gap]:
        """The gaps of the last go at a set, as `go_gaps` gives them."""
        if one.go is None or not one.settled:
            return
        members = {member.entry: member for member in one.go.members}
        for number in one.entries:
            member = members.get(number)
            if member is None:
                yield entry_gap(self.kind.agent, self.entries[number - 1], "vanished")
            elif not isinstance(member.problem, Unset):
                yield problem_gap(self.kind.agent, self.entries[number - 1], member.problem)
        if one.go.database.torn and members and all(member.path is not None for member in members.values()):
            first = next(number for number in one.entries if number in members)
            yield entry_gap(self.kind.agent, self.entries[first - 1], "changed_while_read")

    def _is_good(self, entry: Entry) -> bool:
        row = self.kept.get(entry.number)
        return row is not None and row.complete and not is_unstable(row.change)


@dataclass(frozen=True, slots=True)
class _Together:
    """The entries of one database in the order in which they are copied, and the last go at them."""

    entries: tuple[int, ...]
    go: DatabaseCopied | None

    @property
    def settled(self) -> bool:
        """Whether nothing is left to do: it is whole, or no try is left, or a file of it could not be read."""
        if self.go is None:
            return False
        refused = any(member.path is None for member in self.go.members)
        return not self.go.database.torn or self.go.tries >= TRIES_MAX or refused


def surveyed(root: Path, kind: StoreKind) -> Surveyed:
    """Read the journal of a partial exhibit once."""
    found = Surveyed(kind)
    for link in read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act):
        if isinstance(link, Break):
            break
        _take(found, link.row)
    return found


def _take(found: Surveyed, row: Act) -> None:
    match row:
        case RootSeen():
            _root(found, row)
        case WalkBegan(kind="survey"):
            found.open_walks.add(row.walk)
        case WalkEnded() if row.walk in found.open_walks:
            found.open_walks.discard(row.walk)
            found.ended = row.reason == "exhausted"
        case EntrySeen():
            found.entries.append(row.entry)
        case StoreFacts():
            found.facts = row
        case StoreLookedAgain():
            found.again = row
        case Kept():
            found.kept[row.entry] = row
            found.copies[row.entry] += 1
        case DatabaseCopied():
            found.goes[row.database.root, row.database.name] = row
        case Noted():
            _gap(found, row.gap)
        case _:
            pass


def _root(found: Surveyed, row: RootSeen) -> None:
    """A survey begins with its roots."""
    if row.survey != found.number:
        found.number, found.ended, found.facts, found.again = row.survey, False, None, None
        for gathered in (found.roots, found.looks, found.entries, found.kept, found.copies, found.missed, found.goes):
            gathered.clear()
    found.roots.append(row.root)
    if not isinstance(row.state, Unset):
        found.looks[row.root.root] = look_from(row.state)


def _gap(found: Surveyed, gap: Gap) -> None:
    """A gap of one entry of the survey settles it."""
    if not isinstance(gap.walk, Unset) and not isinstance(gap.index, Unset):
        found.missed.add(gap.index)


def _goes_on(row: Kept) -> bool:
    """Whether the file is to be read again after this read of it."""
    return row.complete and is_unstable(row.change) and row.tries < TRIES_MAX


def _now(store: Store, was: Seen) -> Seen:
    """The entry as it lies there now; one that is gone as the survey saw it, so that it can be looked for."""
    now = store.look_again(was)
    return was if now.look is None else now
