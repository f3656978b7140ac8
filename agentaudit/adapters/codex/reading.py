"""The reading of a preserved Codex home: its threads, drawn from entries, facts of the home, kept files, databases.

- Nothing is opened: the facts of a rollout were taken when it was copied, and what databases say stands in rows.
- A thread is kept when any file of it was to be preserved. Of several reads of one file the last one counts.
"""

from collections.abc import Iterable, Iterator

from agentaudit.adapters.codex import ADAPTER
from agentaudit.adapters.codex.bundles import describe, links
from agentaudit.adapters.codex.coverage import coverage_limits
from agentaudit.adapters.codex.held import HeldFile, HeldThread, file_of, row_of
from agentaudit.adapters.codex.lacks import bundle_lacks, projection_lacks
from agentaudit.adapters.codex.linefacts import HomeLineFacts
from agentaudit.adapters.codex.members import Member, group, member_of, stem_of
from agentaudit.adapters.codex.naming import PACKED_LINES_ROLES
from agentaudit.adapters.codex.projection import RolloutFile
from agentaudit.adapters.codex.roles import ROLLOUTS
from agentaudit.adapters.stores.databases import DatabaseGroup, group_databases
from agentaudit.adapters.stores.words import id_word
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.bundle import SessionBundle
from agentaudit.model.codex import ProjectionFacts, RolloutFacts, ThreadLinks, ThreadStanding
from agentaudit.model.framing import FramingFacts
from agentaudit.model.journal import Answered, Opened
from agentaudit.model.local import octets_of
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow
from agentaudit.model.selection import BundleSelection
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.storejournal import DatabaseCopied, Entry, Kept, ProjectionCompared, StoreFacts, ThreadLinked
from agentaudit.model.survey import Parts
from agentaudit.model.tagfiles import CoverageLimit, WalkRow
from agentaudit.model.text import SourceText, Unencodable


class CodexReader:
    """The adapter of Codex's home, as the package knows it."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        return ADAPTER

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> "HomeBundles":
        """Begin a reading; a home has no pages."""
        del walks
        return HomeBundles(opened)


class HomeBundles:
    """One pass over a preserved home."""

    def __init__(self, opened: Opened | None = None) -> None:
        """Nothing is known yet; without `opened` only the bundles are asked for."""
        self._opened = opened
        self.survey = 0
        self._members: dict[int, Member] = {}
        self._files: dict[int, HeldFile] = {}
        self._held: dict[str, HeldThread] = {}
        self._history: dict[tuple[str, SourceText], int] = {}
        self._switches: dict[str, None] = {}
        self._goes: dict[tuple[str, SourceText], DatabaseCopied] = {}
        self._said: dict[str, ProjectionFacts] = {}
        self._links: dict[str, ThreadLinks] = {}

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """A home gives no answers: there is nothing to read."""
        del row, body
        return (), ()

    def entry(self, entry: Entry) -> None:
        """Take one directory entry; only the last survey counts."""
        if entry.number == 1:
            for found in (self._members, self._files, self._held, self._goes, self._said, self._links):
                found.clear()
        self.survey = entry.survey
        owner = None if isinstance(entry.owner, Unset) else entry.owner
        self._members[entry.number] = member_of(entry.root, entry.name, entry.kind, entry.state, owner)
        if entry.session is not None:
            held = self._held.setdefault(entry.session, HeldThread())
            held.wanted = held.wanted or entry.decision == "preserve"
            if entry.decision == "exclude":
                held.rule = held.rule or entry.rule
            elif entry.decision == "list" and entry.rule != "folder":
                held.listed = held.listed or entry.rule

    def store(self, row: StoreFacts) -> None:
        """Take what files of the home say of it."""
        self._history = {(one.root, one.session): one.lines for one in row.history}
        self._switches = dict.fromkeys(
            f"{one.root} {one.switch.name}={one.switch.value}" for one in row.switches if one.switch.value is not None
        )

    def kept(self, row: Kept) -> None:
        """Take one kept file; the last read of a file gives its facts, every read is counted."""
        known = self._files.get(row.entry)
        if known is None or row.tries >= known.tries:
            self._files[row.entry] = file_of(row)
        if row.session is not None:
            held = self._held.setdefault(row.session, HeldThread())
            held.files.add(row.entry)
            held.octets += row.item.bytes

    def recheck(self, row: Kept) -> "HomeRecheck | None":
        """What the bytes of a kept file are fed to, to draw its facts again; None for a file that has none.

        Those of a compressed rollout are of its text and not of its bytes: they are not drawn again.
        """
        member = self._members.get(row.entry)
        if row.framing is None or member is None or member.placed.role in PACKED_LINES_ROLES:
            return None
        return HomeRecheck(row.framing, row.rollout, member.placed.role, stem_of(member))

    def database(self, row: DatabaseCopied) -> None:
        """Take one go at the files of a database; the last one counts."""
        self._goes[row.database.root, row.database.name] = row

    def projection(self, row: ProjectionCompared) -> None:
        """Take what the databases of a root say of its threads."""
        self._said[row.projection.root] = row.projection

    def linked(self, row: ThreadLinked) -> None:
        """Take what one thread names as its origin and spawner."""
        self._links[row.links.key] = row.links

    def bundles(self) -> tuple[SessionBundle, ...]:
        """Each bundle by its key."""
        return describe(group(self._members.values()), self._history, {})

    def wanted(self) -> frozenset[str]:
        """The keys of threads of which anything was to be preserved."""
        return frozenset(key for key, held in self._held.items() if held.wanted)

    def goes(self) -> tuple[tuple[DatabaseGroup, DatabaseCopied], ...]:
        """The databases that were copied, each with its last go."""
        entries = ((one.root, one.parts, one.placed) for one in self._members.values() if one.kind == "file")
        named = {(one.root, one.name): one for one in group_databases(entries)}
        places = ((root, tuple(octets_of(name).split(b"/"))) for root, name in self._goes)
        found = zip(places, self._goes.values(), strict=True)
        return tuple((named[place], go) for place, go in found if place in named)

    def rollouts(self, root: str) -> tuple[RolloutFile, ...]:
        """Every rollout of a root whose thread is known, with what its copy showed."""
        found = []
        for number, one in self._members.items():
            if one.root == root and one.placed.role in ROLLOUTS and one.placed.session is not None and one.is_file:
                file = self._files.get(number)
                known = file.rollout.ordinals if file is not None and file.rollout is not None else None
                found.append(
                    RolloutFile(
                        parts=one.parts,
                        thread=_word(one.placed.session),
                        size_bytes=None if file is None else file.text_bytes,
                        next_ordinal=None if known is None or known.last is None else known.last + 1,
                    )
                )
        return tuple(found)

    def homes_of(self, root: str) -> tuple[str, ...]:
        """The roots whose rollouts the databases of a root speak of, from the entries alone.

        Databases can lie apart from their home: a root without rollouts of its own speaks of those that have some. With
        more than one of them it cannot be told which, and only what none of them holds is missing.
        """
        having = {one.root for one in self._members.values() if one.placed.role in ROLLOUTS and one.is_file}
        return (root,) if root in having or not having else tuple(sorted(having))

    def projected(self, root: str) -> tuple[RolloutFile, ...]:
        """The rollouts that the databases of a root speak of, the longest copy of each first: no shorter one counts."""
        found = [one for home in self.homes_of(root) for one in self.rollouts(home)]
        return tuple(sorted(found, key=lambda one: -1 if one.size_bytes is None else one.size_bytes, reverse=True))

    def links(self) -> tuple[ThreadLinks, ...]:
        """What the rollouts that were read name; threads that neither name nor are named are left out."""
        found = links(group(self._members.values()), self._facts())
        return tuple(one for one in found if one.forked_from or one.parents or one.children)

    def gaps(self) -> Iterator[Gap]:
        """What the threads that are preserved name and lack; ask when everything was taken."""
        groups = {one.key: one for one in group(self._members.values())}
        wanted = self.wanted()
        bundles = self.bundles()
        for bundle in bundles:
            if bundle.key in wanted:
                yield from bundle_lacks(bundle, groups[bundle.key], self._facts(), self._links.get(bundle.key))
        for said in self._said.values():
            homes = self.homes_of(said.root)
            yield from projection_lacks(said, homes, bundles, wanted, self.survey, everything=self._everything())

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[BundleRow]:
        """Each thread with its outcome."""
        del walks
        for gap in gaps:
            if not isinstance(gap.session, Unset) and gap.kind != "excluded":
                held = self._held.setdefault(gap.session, HeldThread())
                held.losses += gap.count
                held.failures += gap.kind == "not_obtained"
        standings = self._standings()
        files: dict[str | None, list[HeldFile]] = {}
        for file in self._files.values():
            files.setdefault(file.session, []).append(file)
        for bundle in self.bundles():
            standing = standings.get((bundle.root, _word(bundle.session)), UNSET)
            held = self._held.get(bundle.key, HeldThread())
            yield row_of(bundle, held, files.get(bundle.key, []), standing, self._links.get(bundle.key, UNSET))

    def _standings(self) -> dict[tuple[str, str], ThreadStanding]:
        """What databases say of each thread, by its home; nothing where it cannot be told whose home they are."""
        found: dict[tuple[str, str], ThreadStanding] = {}
        for root, said in self._said.items():
            homes = self.homes_of(root)
            if len(homes) == 1:
                for one in said.threads:
                    if root == homes[0]:
                        found[root, one.thread] = one
                    else:
                        found.setdefault((homes[0], one.thread), one)
        return found

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The limits of a home, narrowed to this exhibit, by code."""
        begun = "" if self._opened is None else self._opened.at
        return coverage_limits(begun, tuple(self._switches))

    def _everything(self) -> bool:
        selection = None if self._opened is None else self._opened.selection
        return isinstance(selection, BundleSelection) and selection.everything

    def _facts(self) -> dict[tuple[str, Parts], RolloutFacts]:
        return {
            (self._members[number].root, self._members[number].parts): file.rollout
            for number, file in self._files.items()
            if file.rollout is not None and number in self._members
        }


class HomeRecheck:
    """The facts of one preserved file, drawn from its bytes again."""

    def __init__(self, said: FramingFacts, rollout: RolloutFacts | None, role: str, stem: str | None) -> None:
        """The journalled facts, the role of the file, and the thread that the name of a rollout states."""
        self._said = (said, rollout)
        self._facts = HomeLineFacts(role, stem)

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes of the copy."""
        self._facts.feed(chunk)

    def agrees(self) -> bool:
        """After the last byte: whether the journalled facts are those of these bytes."""
        return self._facts.finish() == self._said


def _word(thread: SourceText) -> str:
    return id_word(thread.display if isinstance(thread, Unencodable) else thread)
