"""Closing an interrupted exhibit as it stands, whatever its source: nothing is asked and nothing of it is opened."""

from agentaudit.acquire.progress import Progress
from agentaudit.acquire.request import SealPartial, Surroundings
from agentaudit.acquire.runs import Run, hand_of, recorded_partial, take_up
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import is_asked
from agentaudit.package.case import load_case
from agentaudit.package.disk import Disk
from agentaudit.package.tree import resolved
from agentaudit.package.writer import releasing, reopen_exhibit


def seal_partial(
    request: SealPartial, around: Surroundings, progress: Progress, disk: Disk | None = None
) -> SealedResult:
    """Seal a partial exhibit as it stands; UsageFault (2) for a folder that is none."""
    root = resolved(request.partial)
    if not root.name.endswith(layout.PARTIAL):
        raise UsageFault(f"{request.partial} is not a partial exhibit", "name the folder that ends in .partial")
    case = load_case(root.parent)
    hand = hand_of(case, request.said, around, disk)
    exhibit = reopen_exhibit(recorded_partial(root).root, hand.disk, hand.now)
    with releasing(exhibit):
        return _close(take_up(case, hand, exhibit, around=around, progress=progress, network=None, sealing=True))


def _close(run: Run) -> SealedResult:
    """As its own source closes it; each is imported only for its own exhibits, and none needs the network."""
    if not is_asked(run.opened.selection):
        from agentaudit.acquire.bundle import close_preservation  # noqa: PLC0415 - see above

        return close_preservation(run)
    from agentaudit.acquire.collect import close_collection  # noqa: PLC0415 - see above

    return close_collection(run)
