"""The use case of preserving a local store: survey, journal, copy, seal; and of going on with it.

- The survey is committed before the first copy: what was seen stays known, whatever happens then.
- Each file is read once; a file that was rewritten under the reading is read again, and every read is kept.
- The journal is written by one thread, in the order of the survey; names never depend on who was faster.
- A resumed preservation goes on with its own survey: what changed since shows in each file's row.
"""

from dataclasses import dataclass, replace

import msgspec

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.hands import Hands
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import Surroundings
from agentaudit.acquire.storegaps import bundle_gaps, decision_gaps, missing_gaps, read_gap, survey_walk
from agentaudit.acquire.surveying import Store, Survey, digest_of_excluded
from agentaudit.adapters.claude_code.naming import again, attribute_name
from agentaudit.adapters.claude_code.planning import Planned
from agentaudit.adapters.claude_code.reading import StoreBundles
from agentaudit.errors import Interrupted
from agentaudit.model.base import UNSET, Digest
from agentaudit.model.journal import Noted, WalkBegan, WalkEnded
from agentaudit.model.local import Attribute, FileState, true_name
from agentaudit.model.storejournal import EntrySeen, Kept, RootSeen
from agentaudit.package.writer import OpenExhibit
from agentaudit.sources.local.read import Read, Unread

TRIES_MAX = 3
_UNSTABLE = frozenset({"shrank", "rewritten", "replaced"})


@dataclass(slots=True)
class Preserving:
    """One preservation: an open exhibit, an open store, and who does the reading."""

    exhibit: OpenExhibit
    store: Store
    hands: Hands
    around: Surroundings
    progress: Progress
    state: State
    bundles: StoreBundles

    def survey(self, survey: Survey, number: int) -> None:
        """Commit what was seen and decided: roots, entries, facts of the store, and what is left out."""
        plan = survey.plan
        for root in (*survey.roots.chosen, *survey.roots.reported):
            self.exhibit.stage(RootSeen(survey=number, root=root.facts))
        for name in sorted(self.store.readers):
            walk = survey_walk(name, number)
            self.exhibit.stage(WalkBegan(walk=walk, kind="survey", session=None, parameters=(), limits=None))
        for planned in plan.planned:
            entry = msgspec.structs.replace(planned.entry, sha256=self._digest(planned) or UNSET)
            self.bundles.entry(entry)
            self.exhibit.stage(EntrySeen(entry=entry))
        facts = survey.peeked.facts(number)
        self.bundles.store(facts)
        self.exhibit.stage(facts)
        for name in sorted(self.store.readers):
            seen = sum(planned.seen.root == name for planned in plan.planned)
            self.exhibit.stage(WalkEnded(walk=survey_walk(name, number), reason="exhausted", pages=0, records=seen))
        for gap in (*decision_gaps(plan.planned, number), *missing_gaps(survey)):
            self.exhibit.stage(Noted(gap=gap))
        self.exhibit.settle()

    def copy(self, planned: list[Planned], survey: int) -> None:
        """Copy every file to preserve, in the order of the survey, committed in groups."""
        by_path = {one.path: one for one in planned if one.path is not None}
        jobs = (CopyJob(one.seen, path, lines=one.lines, stem=one.stem) for path, one in by_path.items())
        self._show(replace(self.state, phase="copying", tasks_done=0, tasks_total=len(by_path)))
        for copied in self.hands.copy(self.exhibit, jobs):
            self._check_stop()
            self._take(by_path[copied.job.path], copied, survey)
            if self.exhibit.is_full:
                self.exhibit.settle()
        self.exhibit.settle()

    def finish(self) -> None:
        """Note what transcripts name and the store lacks."""
        for gap in bundle_gaps(self.bundles):
            self.exhibit.stage(Noted(gap=gap))
        self.exhibit.settle()

    def _take(self, planned: Planned, copied: Copied, survey: int) -> None:
        """Journal one read; a file that did not hold still is read again, here and now."""
        copied, moved = self._follow(planned, copied)
        for attempt in range(1, TRIES_MAX + 1):
            self._journal(planned, copied, survey, attempt, moved=moved)
            if not _is_unstable(copied) or attempt == TRIES_MAX:
                break
            path = again(planned.path or "", attempt + 1)
            job = CopyJob(self.store.look_again(planned.seen), path, lines=planned.lines, stem=planned.stem)
            copied = self.hands.copy_here(self.exhibit, job)
        gap = read_gap(planned, copied.read, survey)
        if gap is not None:
            self.exhibit.stage(Noted(gap=gap))

    def _follow(self, planned: Planned, copied: Copied) -> tuple[Copied, bool]:
        """A session that changes its folder takes its transcript along: look once for the very file beside it."""
        if copied.item is not None or not isinstance(copied.read, Unread) or copied.read.problem != "vanished":
            return copied, False
        found = self.store.find_moved(planned.seen)
        if found is None:
            return copied, False
        return self.hands.copy_here(self.exhibit, replace(copied.job, seen=found)), True

    def _journal(self, planned: Planned, copied: Copied, survey: int, attempt: int, *, moved: bool) -> None:
        if copied.item is None:
            return
        read = copied.read
        row = Kept(
            survey=survey,
            root=planned.entry.root,
            entry=planned.entry.number,
            role=planned.entry.role,
            session=planned.entry.session,
            item=copied.item,
            before=_before(planned, read),
            after=read.after if isinstance(read, Read) else None,
            change="moved" if moved else read.change if isinstance(read, Read) else "none",
            complete=isinstance(read, Read),
            tries=attempt,
            access_time_kept=read.access_time_kept if isinstance(read, Read) else None,
            runs=read.runs if isinstance(read, Read) else None,
            hole_bytes=read.hole_bytes if isinstance(read, Read) else 0,
            attributes=self._attributes(copied),
            framing=copied.framing,
            transcript=copied.transcript,
        )
        self.bundles.kept(row)
        self.exhibit.stage(row)
        done, octets = self.state.tasks_done + (attempt == 1), self.state.octets + copied.item.bytes
        self._show(replace(self.state, tasks_done=done, pages=self.state.pages + 1, octets=octets))

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
        return digest_of_excluded(planned.seen, self.store.readers[planned.seen.root])

    def _check_stop(self) -> None:
        signum = self.around.stop()
        if signum is not None:
            self.exhibit.settle()
            raise Interrupted(signum)

    def _show(self, state: State) -> None:
        self.state = state
        self.progress.show(state)


def _is_unstable(copied: Copied) -> bool:
    return isinstance(copied.read, Read) and copied.read.change in _UNSTABLE


def _before(planned: Planned, read: Read | Unread) -> FileState:
    state = read.before if isinstance(read, Read) else planned.seen.state
    if state is None:
        raise ValueError("a file that was copied was looked at before")
    return state
