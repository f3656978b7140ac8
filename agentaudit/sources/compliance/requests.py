"""The requests of the compliance API: paths, query pairs, limits (compliance reference, sections 1 to 3, 7.3 and 7.4).

- Only GET, and only below `/v1/compliance/`.
- Identifiers are opaque: each is one percent-encoded segment, `/` included.
- Filters and limits are repeated unchanged on every page; only `page` is added.
- Both byte limits are always sent on a transcript: the defaults would clip at 10,000 bytes (trap 3).
- Transcripts are always walked in ascending order: descending meets unreadable pages (trap 12).
"""

from typing import Literal
from urllib.parse import quote

from agentaudit.adapters.compliance.blocks import INPUT_PARAMETER, RESULT_PARAMETER
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import ActivitySelection, Family, SessionSelection, Window
from agentaudit.model.walk import Request

LIST_LIMIT = 500
MESSAGES_LIMIT = 1_000
ACTIVITIES_LIMIT = 1_000

_DIRECTORY_LIMIT = 1_000
_ROOT = "/v1/compliance"
_OPEN = Window(begins=None, ends=None)


def list_requests(selection: SessionSelection, family: Family) -> tuple[Request, ...]:
    """The list walks of a family, one after the other.

    An activity window on local sessions is asked for with `updated_at.gte`, whose value is a lower bound that
    can lag; then listed once more without it, to be reconciled (trap 5). Remote lists have no such filter.
    """
    window = selection.window or _OPEN
    created = _bound("created_at.lt", window.ends)
    if selection.window_kind == "creation":
        created = (*_bound("created_at.gte", window.begins), *created)
    lists = (_list_request(family, created),)
    if selection.window_kind != "activity" or family == "remote" or window.begins is None:
        return lists
    return (_list_request(family, (*created, *_bound("updated_at.gte", window.begins))), *lists)


def session_request(identifier: str) -> Request:
    """The retrieve call of one local session; it takes no parameters (section 2.2)."""
    return Request(f"{_ROOT}/apps/sessions/local/{_segment(identifier)}")


def messages_request(family: Family, identifier: str, limits: ByteLimits) -> Request:
    """The transcript of one session, oldest first, with both byte limits (sections 2.3 and 3.2)."""
    return Request(
        f"{_ROOT}/apps/sessions/{family}/{_segment(identifier)}/messages",
        (
            ("limit", str(MESSAGES_LIMIT)),
            ("order", "asc"),
            (INPUT_PARAMETER, str(limits.tool_input_max_bytes)),
            (RESULT_PARAMETER, str(limits.tool_result_max_bytes)),
        ),
    )


def directory_request(what: Literal["organizations", "settings", "users"], organization: str = "") -> Request:
    """The organisations that the key reads, or the settings or present members of one of them (section 7.4).

    Settings are no list and take no limit; removed users vanish from the members at once (trap 14).
    """
    limit = (("limit", str(_DIRECTORY_LIMIT)),)
    if what == "organizations":
        return Request(f"{_ROOT}/organizations", limit)
    return Request(f"{_ROOT}/organizations/{_segment(organization)}/{what}", limit if what == "users" else ())


def activities_request(selection: ActivitySelection) -> Request:
    """The activity feed of a closed window, in one order (section 7.3)."""
    return Request(
        f"{_ROOT}/activities",
        (
            *_bound("created_at.gte", selection.window.begins),
            *_bound("created_at.lt", selection.window.ends),
            *(("activity_types[]", word) for word in selection.types),
            *(("exclude_activity_types[]", word) for word in selection.excluded_types),
            *(("actor_ids[]", word) for word in selection.actors),
            *(("organization_ids[]", word) for word in selection.organizations),
            ("order", selection.order),
            ("limit", str(ACTIVITIES_LIMIT)),
        ),
    )


def at_cursor(request: Request, cursor: str | None, name: str = "page") -> Request:
    """The same request for the page that a token leads to; `name` is the parameter that takes the token."""
    return request if cursor is None else Request(request.path, (*request.query, (name, cursor)))


def _list_request(family: Family, filters: tuple[tuple[str, str], ...]) -> Request:
    return Request(f"{_ROOT}/apps/sessions/{family}", (*filters, ("limit", str(LIST_LIMIT))))


def _bound(name: str, instant: str | None) -> tuple[tuple[str, str], ...]:
    # Instants end in `Z`: a bare `+` in a query means a space (trap 19).
    return () if instant is None else ((name, instant),)


def _segment(identifier: str) -> str:
    return quote(identifier, safe="")
