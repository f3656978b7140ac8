"""The second look at the end of a preservation: what the store became since its survey, as rows and as gaps.

- What was listed and not copied was seen once, at the beginning; so was what a few files said of the store. Here both
  are held against what lies there now. A copied file was compared when it was read: of it only the name counts.
- What appeared is named and not copied: the survey bounds what is taken, or the run would never end.
- What was away at both looks was never seen, and its folder may say so: one whose times moved has a row, unless the
  rows of what it holds explain them.
- The row of the look comes after those of its entries and before its gaps, which are drawn from it: a run that ends
  between them looks again, or only states the gaps.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

import msgspec

from agentaudit.acquire.peeking import MANAGED, peek_managed
from agentaudit.acquire.storegaps import later_gaps
from agentaudit.acquire.surveying import CHECK_EVERY, Check, Store
from agentaudit.model.base import UNSET, Unset, instant_of
from agentaudit.model.journal import Noted
from agentaudit.model.local import LaterChange
from agentaudit.model.selection import BundleSelection, StoreSelection
from agentaudit.model.storejournal import (
    Entry,
    EntryChanged,
    LaterFacts,
    RootAgain,
    RootSwitch,
    StoreFacts,
    StoreLookedAgain,
)
from agentaudit.model.survey import Look, Parts, Seen
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.compare import became, is_stirred
from agentaudit.sources.local.later import Known, Later, root_now, survey_later
from agentaudit.sources.local.roots import FoundRoot

# The roles of the files that say something of the store; they are looked at again even where they were copied.
TELLING = frozenset({"history", "settings", "running_session"})

Rows: TypeAlias = Iterator[EntryChanged]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """The survey that is held against the store: its number, its entries in their order, what files said.

    `seen` is what was seen of each entry, `roots` the look at each root, as far as it is known.
    """

    number: int
    entries: Sequence[Entry]
    facts: StoreFacts
    seen: Sequence[Seen]
    roots: Mapping[str, Look]


def look_again(
    exhibit: OpenExhibit,
    store: Store,
    first: FirstLook,
    selection: StoreSelection,
    *,
    now: Callable[[], datetime],
    check: Check,
) -> None:
    """Look at the store once more and commit what was found; `check` is called often and ends it by raising."""
    begun = instant_of(now())
    again = _Again(store, first, check)
    roots = []
    for root in store.roots.chosen:
        for row in again.rows(root):
            exhibit.stage(row)
        roots.append(again.root(root.facts.root))
    looked = StoreLookedAgain(survey=first.number, begun_at=begun, roots=tuple(roots), facts=again.facts(selection))
    exhibit.stage(looked)
    for gap in later_gaps(store.kind.agent, looked):
        exhibit.stage(Noted(gap=gap))
    exhibit.settle()


class _Again:
    """One second look: counts by root, and the files whose word is asked for again."""

    def __init__(self, store: Store, first: FirstLook, check: Check) -> None:
        self._store = store
        self._first = first
        self._check = check
        self._counts: Counter[tuple[str, str]] = Counter()
        self._problems: dict[str, str] = {}
        self._telling: list[tuple[int, Seen]] = []
        self._told_anew = False
        self._known: dict[str, list[Known]] = {}
        self._files: dict[tuple[int, int], int] = {}
        for entry, seen in zip(first.entries, first.seen, strict=True):
            kept = entry.decision == "preserve"
            looked_at = not kept or entry.role in TELLING
            self._known.setdefault(entry.root, []).append(Known(entry.number, seen, looked_at))
            if kept and seen.look is not None:
                self._files[seen.look.device, seen.look.inode] = entry.number

    def rows(self, root: FoundRoot) -> Rows:
        """What became of the entries of one root, then of the folders of which nothing else tells."""
        name = root.facts.root
        told: set[Parts] = set()
        stirred: list[Later] = []
        handles = self._store.handles[name]
        later = survey_later(name, self._known.get(name, ()), handles, self._store.owners, root.only)
        for count, one in enumerate(later):
            if count % CHECK_EVERY == 0:
                self._check()
            if one.now is not None and not one.now.parts:
                self._problems[name] = one.now.problem or "failed"
                return
            if _is_stirred(one):
                stirred.append(one)
            for row in self._row(one):
                told.add(one.seen.parts)
                if row.change != "changed":  # what changed in its place leaves the times of its folder alone
                    told.add(one.seen.parts[:-1])
                yield row
        yield from (self._tell(one, "changed") for one in stirred if one.seen.parts not in told)
        yield from self._of_root(root, is_told=() in told)

    def root(self, name: str) -> RootAgain:
        """What was counted of one root."""
        return RootAgain(
            root=name,
            appeared=self._counts[name, "appeared"],
            listed_changed=self._counts[name, "listed_changed"],
            kept_gone=self._counts[name, "kept_gone"],
            problem=self._problems.get(name),
        )

    def facts(self, selection: StoreSelection) -> LaterFacts | None:
        """What the files that tell of the store say now; None when it is what they said before."""
        first = self._first.facts
        managed = tuple(one for one in first.switches if one.root == MANAGED)
        if self._store.managed is not None:
            managed = peek_managed(self._store.managed)
        found = LaterFacts(
            history=first.history,
            history_cut=first.history_cut,
            running=first.running,
            switches=(*(one for one in first.switches if one.root != MANAGED), *managed),
        )
        if self._told_anew:
            found = self._read_anew(selection, managed)
        same = (found.history, found.history_cut, found.running, frozenset(map(_key, found.switches))) == (
            first.history, first.history_cut, first.running, frozenset(map(_key, first.switches)),
        )  # fmt: skip
        return None if same else found

    def _row(self, one: Later) -> Rows:
        entry = None if one.known is None else self._first.entries[one.known.number - 1]
        change: LaterChange | None = "appeared" if one.known is None else became(one.known.seen, one.now)
        same = self._same(one)
        if isinstance(same, Unset):
            self._note(entry, one, change)
        if change is not None:
            yield _changed(self._first.number, entry, one, change, same)

    def _of_root(self, root: FoundRoot, *, is_told: bool) -> Rows:
        """What became of the root itself; of one that is not looked at as a whole its times say nothing."""
        name = root.facts.root
        look = self._first.roots.get(name)
        if look is None:
            return
        before = Seen(root=name, parts=(), kind="folder", look=look)
        now = root_now(name, self._store.handles[name], self._store.owners)
        one = Later(Known(0, before, looked_at=True), now, now)
        change = became(before, one.now)
        if change is None and root.only is None and not is_told and _is_stirred(one):
            change = "changed"
        if change is not None:
            yield self._tell(one, change)

    def _tell(self, one: Later, change: LaterChange) -> EntryChanged:
        """The row of a folder or a root, counted."""
        self._counts[one.seen.root, "listed_changed"] += 1
        entry = None if one.known is None or not one.known.number else self._first.entries[one.known.number - 1]
        return _changed(self._first.number, entry, one, change, UNSET)

    def _same(self, one: Later) -> int | Unset:
        """The entry of which what appeared is the very file: it moved, or has one more name."""
        if one.known is not None or one.now is None or one.now.look is None or one.now.kind != "file":
            return UNSET
        return self._files.get((one.now.look.device, one.now.look.inode), UNSET)

    def _note(self, entry: Entry | None, one: Later, change: LaterChange | None) -> None:
        """Count a change; keep what tells of the store. A file that appeared may tell of it too: its name decides."""
        name = one.seen.root
        kept = entry is not None and entry.decision == "preserve"
        if change == "appeared":
            self._counts[name, "appeared"] += 1
        elif change is not None and not kept:
            self._counts[name, "listed_changed"] += 1
        elif change == "vanished":
            self._counts[name, "kept_gone"] += 1
        if entry is None or entry.role in TELLING:
            self._told_anew = self._told_anew or change is not None
            if one.now is not None:
                self._telling.append((0 if entry is None else entry.number, one.now))

    def _read_anew(self, selection: StoreSelection, managed: tuple[RootSwitch, ...]) -> LaterFacts:
        """Read all files that tell of the store, in the order of the roots; a secret that appeared is none of them."""
        seen = [now for _, now in self._telling]
        self._store.deny_more(seen)
        asked = msgspec.structs.replace(selection, projects=()) if isinstance(selection, BundleSelection) else selection
        peeked = self._store.kind.peek(seen, self._store.readers, asked)
        switches = [
            msgspec.structs.replace(one, entry=self._telling[one.entry - 1][0]) for _, _, one in peeked.switches
        ]
        return LaterFacts(
            history=tuple(peeked.history),
            history_cut=peeked.history_cut,
            running=tuple(peeked.running),
            switches=(*switches, *managed),
        )


def _is_stirred(one: Later) -> bool:
    """Whether it is a folder, then and now, whose times moved."""
    if one.known is None or one.now is None or not one.known.seen.kind == one.now.kind == "folder":
        return False
    return is_stirred(one.known.seen.look, one.now.look)


def _changed(survey: int, entry: Entry | None, one: Later, change: LaterChange, same_as: int | Unset) -> EntryChanged:
    return EntryChanged(
        survey=survey,
        root=one.seen.root,
        entry=None if entry is None else entry.number,
        name=one.seen.path if entry is None else entry.name,
        kind=one.seen.kind,
        change=change,
        state=None if one.now is None else one.now.state,
        problem=UNSET if one.now is None or one.now.problem is None else one.now.problem,
        same_as=same_as,
    )


def _key(one: RootSwitch) -> tuple[str, int, str, str]:
    return one.root, one.entry, one.switch.name, repr(one.switch.value)
