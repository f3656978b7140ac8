"""A small organisation in which something goes wrong, one collection of it, and what came of that.

- The run's monotonic clock is quick: a second of waiting passes in a fraction of one.
- Time-outs of the network are real, and short.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from time import monotonic
from urllib.parse import quote

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.collect import collect, resume_collection
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Reach, ResumeCollection, SealPartial, Surroundings
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.demo.world import World
from agentaudit.errors import AgentAuditError
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.actors import Said
from agentaudit.model.journal import Act, Answered, Noted, Unanswered
from agentaudit.model.limits import ReadLimits
from agentaudit.model.losses import GapCode
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import SessionSelection
from agentaudit.model.verdict import Integrity
from agentaudit.package.rows import read_log
from agentaudit.sources.compliance.keys import Key
from agentaudit.verify import verify_exhibit
from tests.support.around import surroundings
from tests.support.collecting import MOMENT, Collecting, collecting

QUICK = 25
LIMITS = ReadLimits(body_max_bytes=200_000, connect_ms=1_000, read_ms=1_000, answer_ms=1_800_000, attempts=2)
LOCAL = SessionSelection(families=("local",))
EXHIBIT = "EX-0001"


@dataclass(frozen=True)
class Town:
    """A world of two local sessions: `long` of two pages, `short` of one; a match for each one's transcript."""

    world: World
    long: str
    short: str

    def pages(self, session: str) -> str:
        """The part of a path by which plans meet the transcript of a session."""
        return f"{quote(session, safe='')}/messages"


def town() -> Town:
    """The world, its clock standing still; `short` is newer, so it is listed first and is `s000001`."""
    world = World(lambda: MOMENT)
    long = world.add_session(at=MOMENT - timedelta(days=2), turns=2)
    short = world.add_session(at=MOMENT - timedelta(days=1), turns=1)
    world.set_page_shape(max_items=3)
    world.set_budget(shared=1_000_000, remote=1_000_000)
    return Town(world, long, short)


def quick(stop: Callable[[], int | None] = lambda: None) -> Surroundings:
    """Surroundings whose monotonic clock is quick."""
    return surroundings(stop=stop, monotonic_ms=lambda: int(monotonic() * 1_000 * QUICK))


def journal_rows(root: Path) -> tuple[Act, ...]:
    """Every row of an exhibit's journal, which is a whole chain."""
    found = []
    for link in read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act):
        assert not isinstance(link, Break)
        found.append(link.row)
    return tuple(found)


@dataclass(frozen=True)
class Ended:
    """How a run ended: sealed with a result, or broken off by an error with its partial kept."""

    case: Path
    result: SealedResult | None
    error: AgentAuditError | None

    @property
    def root(self) -> Path:
        """The exhibit's folder."""
        return self.case / (EXHIBIT if self.result else f"{EXHIBIT}{layout.PARTIAL}")

    @property
    def sealed(self) -> SealedResult:
        """The result of a run that sealed."""
        assert self.result is not None, self.error
        return self.result

    @property
    def status(self) -> int:
        """The exit status that the error stands for; 0 without one."""
        return self.error.exit_status if self.error else 0

    @property
    def rows(self) -> tuple[Act, ...]:
        """Every row of the journal."""
        return journal_rows(self.root)

    @property
    def answered(self) -> tuple[Answered, ...]:
        """The answers that were kept."""
        return tuple(row for row in self.rows if isinstance(row, Answered))

    @property
    def unanswered(self) -> tuple[Unanswered, ...]:
        """The attempts that gave nothing to keep."""
        return tuple(row for row in self.rows if isinstance(row, Unanswered))

    @property
    def attempts(self) -> list[tuple[str, str]]:
        """Of each attempt that gave nothing, our word for it and what happened next."""
        return [(row.failure, row.next) for row in self.unanswered]

    @property
    def noted(self) -> tuple[Noted, ...]:
        """The gaps as they were noted."""
        return tuple(row for row in self.rows if isinstance(row, Noted))

    @property
    def gaps(self) -> list[GapCode]:
        """The codes of the gaps noted, in order."""
        return [row.gap.code for row in self.noted]

    @property
    def integrity(self) -> Integrity:
        """What a full verification says of the bytes, the journal and its folds."""
        return verify_exhibit(self.root, readers=(CompliancePageReader(),), threads=1).integrity


def run(
    job: Collecting,
    *,
    selection: SessionSelection = LOCAL,
    limits: ReadLimits = LIMITS,
    reach: Reach | None = None,
    around: Surroundings | None = None,
) -> Ended:
    """One collection into `EX-0001`."""
    request = replace(job.request(selection), read_limits=limits, reach=reach or job.reach(connections=1))
    try:
        return Ended(job.case, collect(request, around or quick(), Silent()), None)
    except AgentAuditError as error:
        return Ended(job.case, None, error)


def resume(job: Collecting, around: Surroundings | None = None) -> Ended:
    """Go on with `EX-0001`."""
    request = ResumeCollection(job.case, EXHIBIT, job.reach(connections=1), Said(), ("agentaudit",))
    try:
        return Ended(job.case, resume_collection(request, around or quick(), Silent()), None)
    except AgentAuditError as error:
        return Ended(job.case, None, error)


def close(job: Collecting) -> Ended:
    """Seal `EX-0001` as it stands."""
    request = SealPartial(job.case / f"{EXHIBIT}{layout.PARTIAL}", Said(), ("agentaudit",))
    return Ended(job.case, seal_partial(request, quick(), Silent()), None)


def keyed(job: Collecting, secret: str) -> Reach:
    """The way to the served world with another key."""
    return replace(job.reach(connections=1), key=Key(secret))


@contextmanager
def served(folder: Path, place: Town) -> Iterator[Collecting]:
    """The town, served, and a new case."""
    with collecting(folder, place.world) as job:
        yield job
