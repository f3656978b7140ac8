"""The whole of a collection: list walks, context, what is undecided, then the transcripts of what is kept.

- Stages are drawn one by one; a task exists only once the pump asks for it.
- Sessions asked for by id are not listed: the rest of the organisation is nobody's business then.
- What our own selection left out is one gap a list walk and rule, with its count.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator

from agentaudit.adapters.compliance.naming import session_walk
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import Family, SessionSelection
from agentaudit.model.walk import Ended, Learned, Missed, Stage, Task
from agentaudit.sources.compliance.activities import OwnWindow
from agentaudit.sources.compliance.context import list_organizations, list_users, read_settings
from agentaudit.sources.compliance.gaps import Where, lost_gap, missed_gap, ruled_gap
from agentaudit.sources.compliance.lists import list_sessions
from agentaudit.sources.compliance.register import Register
from agentaudit.sources.compliance.transcripts import read_target, retrieve_session

_FAMILIES: tuple[Family, ...] = ("local", "remote")


class CompliancePlan:
    """The plan of one acquisition: it keeps what its own walks tell it, and asks in the order of the names."""

    def __init__(self, selection: SessionSelection, limits: ByteLimits) -> None:
        """Nothing is asked before the first stage is drawn."""
        self._selection = selection
        self._limits = limits
        self._register = Register(selection)
        self._organizations: dict[str, None] = {}

    def stages(self) -> Iterable[Stage]:
        """Lists, organisations, their context, undecided sessions, what is left out, transcripts; the witness last."""
        if not self._selection.witness:
            yield from self._stages()
            return
        own = OwnWindow()
        for stage in self._stages():
            yield Stage(stage.name, own.watched(stage.tasks))
        yield Stage("witness", (own.witness(),))

    def _stages(self) -> Iterable[Stage]:
        if not self._selection.sessions:
            yield Stage("lists", (list_sessions(self._selection, self._families(), self._register.see),))
        yield Stage("organisations", (list_organizations(self._see_organization),))
        yield Stage("settings", self._context())
        yield Stage("undecided sessions", self._undecided())
        yield Stage("selection", (self._settled(),))
        yield Stage("transcripts", self._kept())

    def _families(self) -> tuple[Family, ...]:
        return tuple(family for family in _FAMILIES if family in self._selection.families)

    def _see_organization(self, identifier: str) -> None:
        self._organizations.setdefault(identifier)

    def _context(self) -> Iterator[Task]:
        for identifier in self._register.organizations():
            self._see_organization(identifier)
        for number, identifier in enumerate(self._organizations, 1):
            yield read_settings(number, identifier)
            if self._selection.with_directory:
                yield list_users(number, identifier)

    def _undecided(self) -> "Series":
        """A retrieve call for each session that a list could not decide; remote sessions have none (section 3.1)."""
        return Series(self._register.numbers("undecided"), self._decide)

    def _decide(self, number: int) -> Task:
        target = self._register.target(number)
        if target.family == "remote":
            where = Where(self._register.first_walk(number), target.key)
            return Ended((lost_gap("undecided", where, "field"),))
        retrieved = yield from retrieve_session(target)
        where = Where(session_walk("local", target.key), target.key, page=1)
        if retrieved.source is not None:
            decision = self._register.decide(number, retrieved.source)
            gaps = (lost_gap("undecided", where, "field"),) if decision == "undecided" else ()
        elif isinstance(retrieved.why, Missed):
            gaps = (missed_gap(retrieved.why, where, code="undecided", kind="not_obtained"),)
        else:
            gaps = (lost_gap("undecided", where, "field"),)
        return Ended((*retrieved.learned, *gaps))

    def _settled(self) -> Task:
        """What the selection leaves out, once everything that could decide it was asked; it asks nothing itself."""
        yield from ()
        gaps: list[Learned] = [ruled_gap(rule, walk, count) for walk, rule, count in self._register.excluded()]
        kept = sum(1 for _ in self._register.numbers("kept"))
        if self._selection.list_only and kept:
            gaps.append(ruled_gap("metadata_only", "", kept))
        return Ended(tuple(gaps))

    def _kept(self) -> "Series":
        return Series(self._register.kept(unlisted=self._selection.list_only), self._read)

    def _read(self, number: int) -> Task:
        target = self._register.target(number)
        return read_target(target, self._limits, list_only=self._selection.list_only)


class Series:
    """A stage of one task a session: its length is known, a task is made when it is drawn."""

    def __init__(self, numbers: Iterable[int], task: Callable[[int], Task]) -> None:
        """Fix the numbers; `task` makes the task of each."""
        self._numbers = array("L", numbers)
        self._task = task

    def __len__(self) -> int:
        """How many tasks there are."""
        return len(self._numbers)

    def __iter__(self) -> Iterator[Task]:
        """Each task, in the order of the numbers."""
        return map(self._task, self._numbers)
