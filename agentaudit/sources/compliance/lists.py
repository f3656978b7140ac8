"""The list walks: one after the other, each to its end, shown entry by entry to whoever keeps the register.

- A list token older than 24 hours is still accepted and skips silently: such a walk ends as a gap, and a new one
  begins in the same exhibit, at most three times (trap 7).
- An entry without a usable identifier cannot be asked for: it is a gap, its bytes stay in the page.
"""

from collections.abc import Callable, Generator

from agentaudit.adapters.compliance.naming import list_walk
from agentaudit.adapters.compliance.pages import Page
from agentaudit.adapters.compliance.sessions import read_session, session_id
from agentaudit.model.journal import WalkKind, WalkReason
from agentaudit.model.losses import GapCode
from agentaudit.model.readings import SessionSource
from agentaudit.model.selection import Family, SessionSelection
from agentaudit.model.walk import Ask, Ended, Kept, Learned, Missed, Request, Task
from agentaudit.sources.compliance.gaps import Where, lost_gap
from agentaudit.sources.compliance.requests import list_requests
from agentaudit.sources.compliance.trail import CURSOR_LIFETIME, Trail
from agentaudit.sources.compliance.walking import Take, page_through

RESTARTS_MAX = 3

See = Callable[[Trail, str, SessionSource], None]

_CODES: dict[WalkReason, GapCode] = {"expired": "list_walk_expired"}
_KINDS: dict[Family, WalkKind] = {"local": "local_list", "remote": "remote_list"}


def list_sessions(selection: SessionSelection, families: tuple[Family, ...], see: See) -> Task:
    """All list walks of an acquisition; `see` is given each entry's walk, identifier and words, in list order."""
    learned: tuple[Learned, ...] = ()
    for family in families:
        number = 1
        for request in list_requests(selection, family):
            number, learned = yield from _listing(family, number, request, see, learned)
    return Ended(learned)


def _listing(
    family: Family, number: int, request: Request, see: See, learned: tuple[Learned, ...]
) -> Generator[Ask, Kept | Missed, tuple[int, tuple[Learned, ...]]]:
    """One list, begun anew while it expires; the number for the next walk, and what has still to travel."""
    last = number + RESTARTS_MAX
    while True:
        walk = list_walk(family, number)
        trail = Trail(walk, _KINDS[family], request, lifetime=CURSOR_LIFETIME)
        over = yield from page_through(trail, _entries(trail, see), learned)
        learned = (*over.learned, *over.gaps(Where(walk, page=over.page), code=_CODES.get(over.reason)))
        if over.reason != "expired" or number == last:
            return number + 1, learned
        number += 1


def _entries(trail: Trail, see: See) -> Take:
    def take(page: int, found: Page, item: str) -> list[Learned]:
        lost: list[Learned] = []
        for index, entry in enumerate(found.data):
            identifier = session_id(entry)
            source = read_session(entry, item, f"/data/{index}")
            if identifier is None or source is None:
                lost.append(lost_gap("unreadable_answer", Where(trail.walk, page=page, index=index), "field"))
            else:
                see(trail, identifier, source)
        return lost

    return take
