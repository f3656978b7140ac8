"""The databases of a store: the files of one are copied in one go, and what they say is compared with the rollouts.

- The files of a set are copied in its order and by this process alone; then every one is looked at again. What changed
  across the go is stated, whether or not the copies can be trusted together.
- A go that was cut short between two rows is finished with the copies that it has, as long as their files are as they
  were: what is compared is then the look before the first copy with the one after the last. Else it is made anew.
- Nothing of a database is opened but by copying it. What is read is read from private copies of the copies, in a
  folder of ours outside case and store that is removed at the end.
- A torn copy is kept and not read: what it would say could be of two states.
"""

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.hands import Check, Hands
from agentaudit.acquire.kinds import Bundles
from agentaudit.acquire.peeking import beginning
from agentaudit.acquire.storegaps import entry_gap, read_gap
from agentaudit.acquire.surveying import Store
from agentaudit.adapters.codex.databases import current, describe_database, spoils
from agentaudit.adapters.codex.projection import TABLES, compare
from agentaudit.adapters.codex.reading import HomeBundles
from agentaudit.adapters.codex.tables import TableRows
from agentaudit.adapters.stores.databases import DatabaseGroup, DatabaseRole
from agentaudit.adapters.stores.planned import Planned
from agentaudit.model.base import UNSET
from agentaudit.model.local import Change
from agentaudit.model.losses import Gap
from agentaudit.model.selection import Keeper
from agentaudit.model.storejournal import (
    DatabaseCopied,
    DatabaseLook,
    Kept,
    ProjectionCompared,
    SetMember,
    ThreadLinked,
)
from agentaudit.model.survey import Parts, Seen, look_from
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.compare import compare as compare_looks
from agentaudit.sources.local.projection import NotRead, read_tables
from agentaudit.sources.local.read import Read, Unread

# The header of a write-ahead log holds its salts: they change when it begins anew (SQLite file format, section 4.1).
WAL_HEADER_BYTES = 32
_ON_ITS_WAY = frozenset({"vanished", "replaced"})
_BESIDE = (b"-wal", b"-journal")


@dataclass(frozen=True, slots=True)
class Go:
    """One go at a set: each copy in its order, the row about it, and the files that were gone before it."""

    copies: tuple[tuple[Planned, Copied], ...]
    gone: tuple[Planned, ...]
    row: DatabaseCopied

    @property
    def wants_another(self) -> bool:
        """What may be a mix is copied again, unless a file of it refuses to be read."""
        unread = (copied.read for _, copied in self.copies if isinstance(copied.read, Unread))
        return bool(self.row.database.torn) and all(read.problem in _ON_ITS_WAY for read in unread)


@dataclass(frozen=True, slots=True)
class Sets:
    """Who copies sets of one store into one exhibit."""

    exhibit: OpenExhibit
    store: Store
    hands: Hands
    check: Check

    def goes_on(self, one: DatabaseGroup, planned: Mapping[Parts, Planned], begun: Mapping[Parts, Kept]) -> bool:
        """Whether the copies of a go that was cut short are still good: each of a file that did not change since."""
        for role, parts in one.members:
            if (row := begun.get(parts)) is not None:
                change = self._change(role, _copied_before(planned[parts], row))
                if not row.complete or change in _ON_ITS_WAY or spoils(role, change):
                    return False
        return True

    def go(
        self,
        one: DatabaseGroup,
        planned: Mapping[Parts, Planned],
        attempt: int,
        number: int,
        begun: Mapping[Parts, Kept],
    ) -> Go:
        """Copy the files of a set that lie there now; each is the copy of that `number`, `begun` ones are there."""
        now = [(role, planned[parts], self.store.look_again(planned[parts].seen)) for role, parts in one.members]
        there = [place for place in now if place[2].kind == "file" and place[2].look is not None]
        copies = tuple(
            (plan, _copied_before(plan, was) if (was := begun.get(plan.seen.parts)) else self._copy(plan, seen, number))
            for _, plan, seen in there
        )
        changes = {
            copied.job.seen.parts: self._change(role, copied)
            for (role, _, _), (_, copied) in zip(there, copies, strict=True)
        }
        held = DatabaseGroup(one.root, one.name, tuple((role, plan.seen.parts) for role, plan, _ in there))
        appeared = self._appeared(held)
        whole = {parts: change for parts, change in changes.items() if change is not None}
        database = describe_database(held, whole)
        row = DatabaseCopied(
            survey=next(iter(planned.values())).entry.survey,
            tries=attempt,
            database=msgspec.structs.replace(database, torn=database.torn or bool(appeared)),
            members=tuple(_member(plan, copied, changes[plan.seen.parts]) for plan, copied in copies),
            appeared=appeared,
        )
        return Go(copies, tuple(plan for _, plan, seen in now if seen.kind != "file" or seen.look is None), row)

    def _copy(self, plan: Planned, seen: Seen, number: int) -> Copied:
        kind, entry = self.store.kind, plan.entry
        path = kind.again(plan.path or "", number)
        job = CopyJob(seen, path, lines=False, stem=None, agent=kind.agent, role=entry.role, category=entry.category)
        return self.hands.copy_here(self.exhibit, job, self.check)

    def _change(self, role: DatabaseRole, copied: Copied) -> Change | None:
        """What became of a file from before the go to after it; None when it could not be copied."""
        first, read = copied.job.seen, copied.read
        later = self.store.look_again(first)
        if isinstance(read, Unread) or copied.item is None or first.look is None:
            return None
        if later.look is None:
            return "vanished"
        if (later.look.device, later.look.inode) != (first.look.device, first.look.inode):
            return "replaced"
        change = compare_looks(first.look, later.look, later.look, read.before.size_bytes)
        if read.change not in {"none", "grew"}:
            change = read.change
        if role == "database_wal" and change == "grew" and self._began_anew(copied, later):
            return "rewritten"
        return change

    def _began_anew(self, copied: Copied, later: Seen) -> bool:
        """Whether a write-ahead log was begun anew under the same name: its header is not the one that was copied."""
        if copied.item is None:
            return True
        with (self.exhibit.root / copied.item.path).open("rb") as stream:
            header = stream.read(WAL_HEADER_BYTES)
        return beginning(later, self.store.readers[later.root], len(header)) != header

    def _appeared(self, held: DatabaseGroup) -> tuple[str, ...]:
        """The files beside a database that hold content of it and were not there before the go."""
        found = []
        for end in _BESIDE:
            parts = (*held.name[:-1], held.name[-1] + end)
            if parts not in held.parts:
                seen = self.store.look_again(Seen(root=held.root, parts=parts, kind="file"))
                if seen.look is not None and seen.look.size:
                    found.append(end.decode("ascii"))
        return tuple(found)


def go_gaps(agent: Keeper, go: Go) -> Iterator[Gap]:
    """The gaps of the last go at a set: files that were gone or could not be read, and copies that may be a mix."""
    for plan in go.gone:
        yield entry_gap(agent, plan.entry, "vanished")
    unread = [(plan, copied.read) for plan, copied in go.copies if isinstance(copied.read, Unread)]
    for plan, read in unread:
        gap = read_gap(agent, plan.entry, read)
        if gap is not None:
            yield gap
    if go.row.database.torn and not unread and go.copies:
        yield entry_gap(agent, go.copies[0][0].entry, "changed_while_read")


def conclusions(bundles: Bundles, exhibit: Path) -> Iterator[ProjectionCompared | ThreadLinked]:
    """What the preserved databases say of the rollouts, root by root, and what rollouts name; no name is followed."""
    if not isinstance(bundles, HomeBundles):
        return
    goes = bundles.goes()
    with tempfile.TemporaryDirectory(prefix="agentaudit-") as scratch:
        for root in sorted({group.root for group, _ in goes}):
            looks, tables = _look_at(root, goes, exhibit, Path(scratch))
            if looks:
                projection = compare(root, bundles.projected(root), tables)
                yield ProjectionCompared(survey=bundles.survey, databases=looks, projection=projection)
    for links in bundles.links():
        yield ThreadLinked(survey=bundles.survey, links=links)


def _look_at(
    root: str, goes: tuple[tuple[DatabaseGroup, DatabaseCopied], ...], exhibit: Path, scratch: Path
) -> tuple[tuple[DatabaseLook, ...], tuple[TableRows, ...]]:
    looks: list[DatabaseLook] = []
    rows: list[TableRows] = []
    by_group = dict(goes)
    for family in TABLES:
        group = current(by_group, root, family)
        if group is not None:
            look, found = _read(by_group[group], exhibit, scratch)
            looks.append(look)
            rows.extend(found)
    return tuple(looks), tuple(rows)


def _read(go: DatabaseCopied, exhibit: Path, scratch: Path) -> tuple[DatabaseLook, tuple[TableRows, ...]]:
    """The tables of one database; the members of a go are in the order of the set, and all of them lie there."""
    family = go.database.family
    entry = go.members[0].entry if go.members else 0
    places = {member.entry: member.path for member in go.members}
    if go.database.torn or not go.database.main or None in places.values():
        return DatabaseLook(entry=entry, family=family, tables=None, problem="torn"), ()
    paths = [exhibit / path for path in places.values() if path is not None]
    wal = paths[1] if go.database.wal else None
    read = read_tables(paths[0], wal, scratch, TABLES[family])
    if isinstance(read, NotRead):
        return DatabaseLook(entry=entry, family=family, tables=None, problem=read.problem, error=read.error), ()
    return DatabaseLook(entry=entry, family=family, tables=read.tables), read.rows


def _member(plan: Planned, copied: Copied, change: Change | None) -> SetMember:
    path = copied.item.path if isinstance(copied.read, Read) and copied.item is not None else None
    problem = copied.read.problem if isinstance(copied.read, Unread) else UNSET
    return SetMember(entry=plan.entry.number, path=path, change=change, problem=problem)


def _copied_before(plan: Planned, row: Kept) -> Copied:
    """What the row of an earlier run says of a copy."""
    seen = msgspec.structs.replace(plan.seen, kind="file", look=look_from(row.before), state=row.before)
    read = Read(
        before=row.before,
        after=row.after or row.before,
        change=row.change,
        taken=row.item.bytes,
        hole_bytes=row.hole_bytes,
        runs=row.runs,
        attributes=None,
        access_time_kept=bool(row.access_time_kept),
    )
    return Copied(CopyJob(seen, row.item.path, lines=False, stem=None), read, row.item, None, None)
