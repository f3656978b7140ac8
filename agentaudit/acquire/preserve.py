"""The use case of preserving a local store: survey, journal, copy, seal; and of going on with it.

- The survey is committed before the first row of a copy: what was seen stays known, whatever happens then. Other
  processes begin to copy while its rows are written; what a run leaves of that is set aside by the next.
- Each file is read once; a file that was rewritten under the reading is read again, and every read is kept.
- The journal is written by one thread, in the order of the survey; names never depend on who was faster.
- What ended as an item or a gap is not looked at again by a resumed run; what changed since the survey shows in the
  file's row, whose state is not the one that the survey saw.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.databases import Sets, conclusions, go_gaps
from agentaudit.acquire.hands import Hands
from agentaudit.acquire.kinds import Bundles, tell
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import Surroundings
from agentaudit.acquire.storegaps import (
    bundle_gaps,
    decision_gaps,
    missing_gaps,
    read_gap,
    survey_walk,
)
from agentaudit.acquire.surveying import Store, Survey, digest_of_excluded
from agentaudit.acquire.wanted import TRIES_MAX, Wanted, change_of, state_before, wants_another
from agentaudit.adapters.claude_code.naming import attribute_name
from agentaudit.adapters.stores.databases import DatabaseGroup
from agentaudit.adapters.stores.planned import Planned
from agentaudit.errors import Interrupted
from agentaudit.model.base import UNSET, Digest, Unset
from agentaudit.model.journal import Noted, WalkBegan, WalkEnded
from agentaudit.model.local import Attribute, true_name
from agentaudit.model.losses import Gap
from agentaudit.model.storejournal import Entry, EntrySeen, Kept, RootSeen, StoreFacts
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.read import Read, Unread

# Other processes copy as many small files in the time that so many entries take.
GO_ON_EVERY = 64
SHOW_BYTES = 256 * 1024
FILE_BYTES = 8 * 1024


@dataclass(slots=True)
class Preserving:
    """One preservation: an open exhibit, an open store, and who does the reading."""

    exhibit: OpenExhibit
    store: Store
    hands: Hands
    around: Surroundings
    progress: Progress
    state: State
    bundles: Bundles
    begun: dict[str, tuple[Wanted, CopyJob]] | None = None
    done: int = 0
    reads: int = 0
    shown: int = 0

    def close(self) -> None:
        """End what others have begun."""
        self.hands.end()

    def survey(self, survey: Survey, number: int, wanted: Sequence[Wanted]) -> tuple[list[Entry], StoreFacts]:
        """Commit what was seen and decided: roots, entries, facts of the store, and what is left out.

        Others begin with what is `wanted` meanwhile, unless some of it has to be copied first.
        """
        plan = survey.plan
        if not self.store.kind.sets(one.planned for one in wanted):
            self.begun = self._jobs(wanted)
            self.hands.begin(self.exhibit, (job for _, job in self.begun.values()))
        for root in (*survey.roots.chosen, *survey.roots.reported):
            state = UNSET if root.look is None else self.store.owners.state(root.look)
            self.exhibit.stage(RootSeen(survey=number, root=root.facts, state=state))
        self.note(missing_gaps(survey))
        for name in sorted(self.store.readers):
            walk = survey_walk(self.store.kind.agent, name, number)
            self.exhibit.stage(WalkBegan(walk=walk, kind="survey", session=None, parameters=(), limits=None))
        entries = [self._entry(planned) for planned in plan.planned]
        facts = survey.peeked.facts(number)
        self.bundles.store(facts)
        self.exhibit.stage(facts)
        for name in sorted(self.store.readers):
            seen = sum(entry.root == name for entry in entries)
            walk = survey_walk(self.store.kind.agent, name, number)
            self.exhibit.stage(WalkEnded(walk=walk, reason="exhausted", pages=0, records=seen))
        self.note(decision_gaps(self.store.kind.agent, entries))
        self.exhibit.settle()
        return entries, facts

    def supersede(self, walks: Iterable[str]) -> None:
        """End the walks of a survey that was interrupted: it is made anew."""
        for walk in walks:
            self.exhibit.stage(WalkEnded(walk=walk, reason="superseded", pages=0, records=0))

    def note(self, gaps: Iterable[Gap]) -> None:
        """Stage gaps; one that the journal has already stands once in the fold."""
        for gap in gaps:
            self.exhibit.stage(Noted(gap=gap))

    def copy(self, wanted: Iterable[Wanted]) -> None:
        """Copy every file that is left, in the order of the survey, committed in groups; databases before the rest.

        A database lags behind the files that it was built from: copied after them, it would say that they lack records.
        """
        given = {(one.planned.seen.root, one.planned.seen.parts): one for one in wanted}
        looks = [one.planned.seen.look for one in given.values()]
        octets = sum(look.size for look in looks if look is not None)
        self.state = replace(self.state, phase="copying", tasks_total=len(given), octets_total=octets)
        self._show()
        for group in self.store.kind.sets(one.planned for one in given.values()):
            self._copy_set(group, {parts: given.pop((group.root, parts)) for parts in group.parts})
        left = self.begun or self._jobs(given.values())
        for copied in self.hands.copy(self.exhibit, (job for _, job in left.values()), self.check):
            self._take(left[copied.job.path][0], copied)
            self.check()
            if self.exhibit.is_full:
                self.exhibit.settle_beside()
        self.exhibit.settle()

    def finish(self) -> None:
        """Note what the preserved files say of each other, and what they name and the store lacks."""
        for row in conclusions(self.bundles, self.exhibit.root):
            tell(self.bundles, row)
            self.exhibit.stage(row)
        self.note(bundle_gaps(self.bundles))
        self.exhibit.settle()

    def check(self) -> None:
        """Show where the run stands; commit what is done and raise Interrupted once a signal came."""
        if self.hands.octets + FILE_BYTES * self.reads >= self.shown + SHOW_BYTES:
            self._show()
        signum = self.around.stop()
        if signum is not None:
            self.exhibit.settle()
            raise Interrupted(signum)

    def _jobs(self, wanted: Iterable[Wanted]) -> dict[str, tuple[Wanted, CopyJob]]:
        """Each file with its job, by the payload name."""
        return {(job := one.job(self.store.kind)).path: (one, job) for one in wanted}

    def _entry(self, planned: Planned) -> Entry:
        """Journal one entry; what stays out and may be read is given its digest."""
        if planned.entry.number % GO_ON_EVERY == 0:
            self.check()
            self.hands.go_on()
        digest = self._digest(planned)
        entry = planned.entry if digest is None else msgspec.structs.replace(planned.entry, sha256=digest)
        self.bundles.entry(entry)
        self.exhibit.stage(EntrySeen(entry=entry))
        return entry

    def _take(self, wanted: Wanted, copied: Copied) -> None:
        """Journal one read; a file that did not hold still is read again, here and now."""
        planned, number = wanted.planned, wanted.number
        copied = self._follow(copied)
        for attempt in range(wanted.attempt, TRIES_MAX + 1):
            self._journal(planned, copied, attempt)
            if attempt == TRIES_MAX or not wants_another(copied):
                break
            number += copied.item is not None
            seen = self.store.look_again(copied.job.seen)
            job = msgspec.structs.replace(copied.job, seen=seen, path=self.store.kind.again(planned.path or "", number))
            copied = self.hands.copy_here(self.exhibit, job, self.check)
        self.done += 1
        gap = read_gap(self.store.kind.agent, planned.entry, copied.read)
        if gap is not None:
            self.note((gap,))

    def _copy_set(self, group: DatabaseGroup, wanted: Mapping[Parts, Wanted]) -> None:
        """Copy the files of a database in one go, and again while they change under it; every go is kept."""
        planned = {parts: one.planned for parts, one in wanted.items()}
        attempt = max(one.attempt for one in wanted.values())
        number = max(one.number for one in wanted.values())
        sets = Sets(self.exhibit, self.store, self.hands, self.check)
        begun = {parts: one.begun for parts, one in wanted.items() if one.begun is not None}
        if not sets.goes_on(group, planned, begun):
            begun, number = {}, number + 1
        while True:
            go = sets.go(group, planned, attempt, number, begun)
            for plan, copied in go.copies:
                if plan.seen.parts not in begun:
                    self._journal(plan, copied, attempt)
            begun = {}
            tell(self.bundles, go.row)
            self.exhibit.stage(go.row)
            if attempt >= TRIES_MAX or not go.wants_another:
                break
            attempt, number = attempt + 1, number + 1
        self.done += len(wanted)
        self._show()
        self.note(go_gaps(self.store.kind.agent, go))
        self.exhibit.settle()

    def _follow(self, copied: Copied) -> Copied:
        """A session that changes its folder takes its transcript along: look once for the very file beside it."""
        if copied.item is not None or not isinstance(copied.read, Unread) or copied.read.problem != "vanished":
            return copied
        found = self.store.find_moved(copied.job.seen)
        if found is None:
            return copied
        return self.hands.copy_here(self.exhibit, msgspec.structs.replace(copied.job, seen=found), self.check)

    def _moved_to(self, planned: Planned, copied: Copied) -> SourceText | Unset:
        """Where the file was read that had left its place, or where it went while it was read; UNSET if neither."""
        if copied.job.seen.parts != planned.seen.parts:
            return true_name(b"/".join(copied.job.seen.parts))
        if not isinstance(copied.read, Read) or copied.read.change != "moved":
            return UNSET
        found = self.store.find_moved(copied.job.seen)
        return UNSET if found is None else true_name(b"/".join(found.parts))

    def _journal(self, planned: Planned, copied: Copied, attempt: int) -> None:
        if copied.item is None:
            return
        read = copied.read
        row = Kept(
            survey=planned.entry.survey,
            root=planned.entry.root,
            entry=planned.entry.number,
            role=planned.entry.role,
            session=planned.entry.session,
            item=copied.item,
            before=state_before(planned, read),
            after=read.after if isinstance(read, Read) else None,
            change=change_of(planned, copied),
            complete=isinstance(read, Read),
            tries=attempt,
            access_time_kept=read.access_time_kept if isinstance(read, Read) else None,
            runs=read.runs if isinstance(read, Read) else None,
            hole_bytes=read.hole_bytes if isinstance(read, Read) else 0,
            attributes=self._attributes(copied),
            framing=copied.framing,
            transcript=copied.transcript,
            rollout=copied.rollout,
            stream_fault=copied.stream_fault,
            moved_to=self._moved_to(planned, copied),
        )
        self.bundles.kept(row)
        self.exhibit.stage(row)
        self.reads += 1

    def _attributes(self, copied: Copied) -> tuple[Attribute, ...]:
        """Keep the values of extended attributes as payload files of their own."""
        if not isinstance(copied.read, Read) or not copied.read.attributes:
            return ()
        rows = []
        for number, (name, octets) in enumerate(copied.read.attributes, 1):
            item = self.exhibit.keep(attribute_name(copied.job.path, number), octets)
            rows.append(Attribute(name=true_name(name), bytes=item.bytes, sha256=item.sha256, path=item.path))
        return tuple(rows)

    def _digest(self, planned: Planned) -> Digest | None:
        if not planned.digest:
            return None
        return digest_of_excluded(planned.seen, self.store.measures[planned.seen.root], self.check)

    def _show(self) -> None:
        """A state is made now and then, not for each small file."""
        octets = self.hands.octets
        self.shown = octets + FILE_BYTES * self.reads
        self.state = replace(self.state, tasks_done=self.done, pages=self.reads, octets=octets)
        self.progress.show(self.state)
