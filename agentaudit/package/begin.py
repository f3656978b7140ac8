"""The beginning of an exhibit: its number, its custody row, its folder, its first journal row.

- The custody row `began` is durable before the first request or read: an abandoned run cannot disappear.
- The folder is made first, under the custody lock, so that two runs never take one number.
"""

from collections.abc import Callable

from agentaudit.format import layout
from agentaudit.model.custody import ExhibitBegun, ExhibitResumed
from agentaudit.model.journal import CustodyHead, Opened
from agentaudit.model.selection import Selection
from agentaudit.package.case import Case, Hand
from agentaudit.package.writer import OpenExhibit, create_exhibit


def begin_exhibit(
    case: Case,
    hand: Hand,
    source: str,
    selection: Selection,
    opened: Callable[[str, CustodyHead], Opened],
    *,
    hold: bool = False,
) -> OpenExhibit:
    """A new partial exhibit with its first row written; `opened` is given the number and the custody head.

    `hold`: the journal holds its rows for the sealing, for a source that has them in memory anyhow.
    """
    with case.locked(hand) as log:
        name = layout.exhibit_name(case.next_number())
        root = case.path / f"{name}{layout.PARTIAL}"
        hand.disk.make_folder(root)
        hand.disk.settle_folder(case.path)
        log.stage(
            ExhibitBegun(
                actors=hand.actors,
                host=hand.host.node,
                user=hand.host.user,
                tool=hand.program,
                exhibit=name,
                source=source,
                selection=selection,
            )
        )
        log.settle()
        head = log.head
    return create_exhibit(root, lambda: opened(name, head), hand.disk, hand.now, hold=hold)


def resumed_row(hand: Hand, exhibit: str, *, sealing: bool) -> ExhibitResumed:
    """The custody row that says that an interrupted exhibit goes on, or is closed as it stands."""
    return ExhibitResumed(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        exhibit=exhibit,
        purpose="seal" if sealing else "resume",
    )
