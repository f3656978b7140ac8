"""The context of the sessions, where the key allows: organisations, effective settings, members on request.

- The reach of a key shows nowhere else: a key for one organisation gives a clean, partial result (trap 23).
- A refusal here is a gap, never the end of a run. What was not asked for by name (organisations, settings) is
  then unavailable; members, which are asked for by an option, are not obtained.
"""

from collections.abc import Callable

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.directory import organization_id
from agentaudit.adapters.compliance.naming import ORGANIZATIONS_WALK, context_walk
from agentaudit.adapters.compliance.pages import Page, read_directory_page
from agentaudit.model.journal import Noted
from agentaudit.model.losses import GapKind
from agentaudit.model.walk import Ended, Learned, Missed, Request, Task
from agentaudit.sources.compliance.gaps import Where
from agentaudit.sources.compliance.requests import directory_request
from agentaudit.sources.compliance.trail import Trail
from agentaudit.sources.compliance.walking import Over, ask_object, page_through, why_gap


def list_organizations(see: Callable[[str], None]) -> Task:
    """The organisations that the key reads; `see` is given each one's identifier, in the order returned."""

    def take(_page: int, found: Page, _item: str) -> tuple[Learned, ...]:
        for entry in found.data:
            identifier = organization_id(entry)
            if identifier is not None:
                see(identifier)
        return ()

    trail = Trail(
        ORGANIZATIONS_WALK,
        "organizations",
        directory_request("organizations"),
        optional=True,
        read=read_directory_page,
    )
    over = yield from page_through(trail, take)
    return Ended((*over.learned, *_paged_gaps(over, trail, "unavailable")))


def read_settings(number: int, organization: str) -> Task:
    """The effective settings of one organisation: one object, retention periods and key scopes included."""
    walk = context_walk(number, "settings")
    trail = Trail(walk, "settings", directory_request("settings", organization), optional=True)
    told = yield from ask_object(trail)
    return Ended((*told.learned, *why_gap(told.why, Where(walk, page=1), kind=_kind(told.why, "unavailable"))))


def list_users(number: int, organization: str) -> Task:
    """The present members of one organisation."""
    request: Request = directory_request("users", organization)
    trail = Trail(context_walk(number, "users"), "users", request, optional=True, read=read_directory_page)
    over = yield from page_through(trail, lambda _page, _found, _item: ())
    return Ended((*over.learned, *_paged_gaps(over, trail, "not_obtained")))


def _paged_gaps(over: Over, trail: Trail, refused: GapKind) -> tuple[Noted, ...]:
    return over.gaps(Where(trail.walk, page=over.page), kind=_kind(over.why, refused))


def _kind(why: Missed | Unreadable | None, refused: GapKind) -> GapKind | None:
    return refused if isinstance(why, Missed) and why.reason == "refused" else None
