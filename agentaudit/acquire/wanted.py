"""A file that is left to copy, and what its last read means for the next: pure rulings on what a read gave."""

import msgspec

from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.acquire.kinds import StoreKind
from agentaudit.acquire.storegaps import is_unstable
from agentaudit.adapters.stores.planned import Planned
from agentaudit.model.local import Change, FileState
from agentaudit.model.storejournal import Kept
from agentaudit.sources.local.read import Read, Unread

TRIES_MAX = 3


class Wanted(msgspec.Struct, frozen=True, gc=False):
    """A file that is left to copy: with which attempt, and as which copy, where earlier ones are journalled.

    `begun` is the copy that a go at its database has already, when that go was cut short.
    """

    planned: Planned
    attempt: int = 1
    number: int = 1
    begun: Kept | None = None

    def job(self, kind: StoreKind) -> CopyJob:
        """The first job."""
        one, role = self.planned, self.planned.entry.role
        return CopyJob(
            one.seen,
            kind.again(one.path or "", self.number),
            lines=one.lines,
            stem=one.stem,
            agent=kind.agent,
            role=role,
            packed=role in kind.packed,
            category=one.entry.category,
        )


def wants_another(copied: Copied) -> bool:
    """What may be a mix is read again; so is the file that took the place of the one that was seen."""
    if isinstance(copied.read, Read):
        return is_unstable(copied.read.change)
    return copied.item is None and copied.read.problem == "replaced"


def change_of(planned: Planned, copied: Copied) -> Change:
    """What became of the file; that it was rewritten under a reading is never hidden by a move before it."""
    change = copied.read.change if isinstance(copied.read, Read) else "none"
    return "moved" if copied.job.seen.parts != planned.seen.parts and not is_unstable(change) else change


def state_before(planned: Planned, read: Read | Unread) -> FileState:
    """The look before the first byte; of a file that broke off, that of the survey. ValueError when there is none."""
    state = read.before if isinstance(read, Read) else planned.seen.state
    if state is None:
        raise ValueError("a file that was copied was looked at before")
    return state
