"""What every acquisition does before and after its source is read: the hand, the room, the lock, the result.

- An interrupted exhibit is taken up by its own journal; what a crash left is set aside and named first.
- Resuming says so in both logs before anything else happens.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

from agentaudit.acquire.journalling import Earlier
from agentaudit.acquire.progress import Progress
from agentaudit.acquire.request import Surroundings
from agentaudit.errors import DestinationFault, NotSealed
from agentaudit.format import layout
from agentaudit.model.actors import Network, Said
from agentaudit.model.journal import Opened, Resumed
from agentaudit.model.results import GapTotal, SealedResult
from agentaudit.model.selection import is_asked
from agentaudit.package.begin import resumed_row
from agentaudit.package.case import Case, Hand
from agentaudit.package.disk import Disk, SystemDisk
from agentaudit.package.heal import remove_derived, set_aside
from agentaudit.package.recorded import Recorded
from agentaudit.package.seal import SealedExhibit
from agentaudit.package.writer import OpenExhibit

FREE_MIN_BYTES = 64 * 1024 * 1024
FREE_LOW_BYTES = 1024 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Run:
    """What one run works with."""

    case: Case
    hand: Hand
    exhibit: OpenExhibit
    earlier: Earlier
    opened: Opened
    around: Surroundings
    progress: Progress


def hand_of(case: Case, said: Said, around: Surroundings, disk: Disk | None) -> Hand:
    """Who acts; examiner and authority fall back to the case's."""
    actors = case.actors(said.examiner, said.authority, said.note, said.clock_note)
    return Hand(actors, around.host, around.tool, around.now, disk or SystemDisk())


def check_place(path: Path, progress: Progress, wanted_bytes: int = 0) -> None:
    """Refuse to begin where there is no room (7); warn where there is little."""
    free = shutil.disk_usage(path).free
    if free < FREE_MIN_BYTES + wanted_bytes:
        raise DestinationFault(f"{path} lies on a volume with {free} bytes free", "make room, or use another volume")
    if free < FREE_LOW_BYTES + wanted_bytes:
        progress.warn(f"the case's volume has {free // 2**20} MiB free; this can need more")


def recorded_partial(root: Path) -> Recorded:
    """What a partial exhibit holds; DestinationFault (7) or NotSealed (9) where there is nothing to go on with."""
    if not root.is_dir():
        sealed = root.with_name(root.name.removesuffix(layout.PARTIAL))
        if sealed.is_dir():
            raise DestinationFault(f"{sealed} is sealed already", "nothing is left to resume")
        raise DestinationFault(f"{root} is not there", "name an exhibit such as EX-0002")
    if not (root / layout.JOURNAL).is_file():
        raise NotSealed(f"{root} holds no journal: its run ended before the first row", "begin a new exhibit")
    return Recorded(root)


def take_up(
    case: Case,
    hand: Hand,
    exhibit: OpenExhibit,
    *,
    around: Surroundings,
    progress: Progress,
    network: Network | None,
    sealing: bool,
) -> Run:
    """Set aside what a crash left, and say so in both logs; a closed journal is only sealed again."""
    recorded = Recorded(exhibit.root)  # read once the lock is held: nobody else writes from here on
    case.append(resumed_row(hand, recorded.opened.exhibit, sealing=sealing), hand)
    if recorded.closed is None:
        remove_derived(exhibit)
        aside, torn = set_aside(exhibit, recorded)
        exhibit.stage(
            Resumed(
                purpose="seal" if sealing else "resume",
                actors=hand.actors,
                tool=around.tool,
                host=around.host,
                network=network,
                rows=recorded.rows,
                set_aside=aside,
                torn_tail=torn,
            )
        )
        exhibit.settle()
    return Run(case, hand, exhibit, recorded, recorded.opened, around, progress)


def result_of(case: Case, sealed: SealedExhibit) -> SealedResult:
    """What the command ends with."""
    tally = sealed.derived.tally
    return SealedResult(
        case=case.file.number,
        exhibit=sealed.path.name,
        path=str(sealed.path),
        endpoint_class=sealed.derived.opened.endpoint_class,
        seal=sealed.seal,
        outcome=sealed.closed.outcome,
        counts=sealed.closed.counts,
        gaps=tuple(GapTotal(kind=kind, code=code, count=count) for kind, code, count in tally.gap_totals()),
        session_outcomes=tally.session_outcomes(),
        warnings=(),
        streams=tally.streams(),
        preserved=None if is_asked(sealed.derived.opened.selection) else tally.preserved(),
    )
