"""The two session lists: filters, list order, and cursors that go stale without a word (sections 2.1 and 3.1).

Laws:
    - A page continues behind the last item it returned, in the order of the walk.
    - Within 24 hours a walk keeps the retention boundary of its first page.
    - A local cursor older than that is accepted, judged against today's boundary, and loses a session silently.
    - For remote cursors no such age is documented.
    - Filters are read from each request; whether they may change within a walk is not documented.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, TypeVar

from agentaudit.demo.pages import closed, filled
from agentaudit.demo.params import Parameters, require_window
from agentaudit.demo.shelf import local_key, moment_key, remote_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from agentaudit.demo.paging import Cursor
    from agentaudit.demo.retention import LocalView
    from agentaudit.demo.sessions import RemoteSession, Rows
    from agentaudit.demo.shelf import ListKey
    from agentaudit.demo.tenant import Tenant
    from agentaudit.demo.visit import Visit

S = TypeVar("S")

_LOCAL = ("created_at.gte", "created_at.lt", "updated_at.gte", "limit", "page")
_REMOTE_TIMES = ("created_at.gt", "created_at.gte", "created_at.lt", "created_at.lte")
_REMOTE = (*_REMOTE_TIMES, "organization_ids[]", "user_ids[]", "limit", "page")
_MOST = 500


def local_list(visit: Visit, tenant: Tenant) -> str:
    """The page of local sessions that a request asks for.

    Raises:
        Refusal: 400 for a parameter or a cursor.
    """
    asked = Parameters(visit.request, _LOCAL)
    lower, upper = asked.moment("created_at.gte"), asked.moment("created_at.lt")
    active = asked.moment("updated_at.gte")
    require_window(lower, upper)
    limit, token = asked.integer("limit", 100, 1, _MOST), asked.text("page")
    cursor = visit.cursor("local", token)
    stale = cursor.too_old(visit.now, visit.generation)
    views = tenant.locals.newest_first(visit.boundary if stale else cursor.boundary)
    window = _window(views, local_key, lower, upper)

    def wanted(view: LocalView) -> bool:
        return visit.reaches(view.session.organization_uuid) and (active is None or view.listed_updated_at >= active)

    def render(view: LocalView) -> str:
        return visit.render.local_session(view, tenant.email(view.session.user_id, visit.key), listed=True)

    walk = filter(wanted, _walk(views, local_key, window, cursor, inclusive=visit.repeats_item))
    if stale:
        next(walk, None)
    steps = ((local_key(view), view) for view in walk)
    return closed(visit, filled(visit, cursor, limit, steps, render))


def remote_list(visit: Visit, tenant: Tenant) -> str:
    """The page of remote sessions that a request asks for.

    Raises:
        Refusal: 400 for a parameter or a cursor.
    """
    asked = Parameters(visit.request, _REMOTE)
    after, lower, upper, last = (asked.moment(name) for name in _REMOTE_TIMES)
    require_window(lower, upper)
    parts, users = asked.many("organization_ids[]", _MOST), asked.many("user_ids[]", 10)
    limit, token = asked.integer("limit", 100, 1, _MOST), asked.text("page")
    cursor, within = visit.cursor("remote", token), tenant.uuids(parts)

    def wanted(session: RemoteSession) -> bool:
        return (
            visit.reaches(session.organization_uuid)
            and (not parts or session.organization_uuid in within)
            and (not users or session.user_id in users)
            and (after is None or session.created_at > after)
            and (last is None or session.created_at <= last)
        )

    def render(session: RemoteSession) -> str:
        return visit.render.remote_session(session, lambda who: tenant.email(who, visit.key), envelope=False)

    sessions = tenant.remotes.newest_first()
    window = _window(sessions, remote_key, lower, upper)
    walk = filter(wanted, _walk(sessions, remote_key, window, cursor, inclusive=visit.repeats_item))
    steps = ((remote_key(session), session) for session in walk)
    return closed(visit, filled(visit, cursor, limit, steps, render))


def _window(
    items: Rows[S], key: Callable[[S], ListKey], lower: datetime | None, upper: datetime | None
) -> tuple[int, int]:
    begin = 0 if upper is None else bisect_left(items, (moment_key(upper) + 1, ""), key=key)
    end = len(items) if lower is None else bisect_left(items, (moment_key(lower) + 1, ""), key=key)
    return begin, end


def _walk(
    items: Rows[S], key: Callable[[S], ListKey], window: tuple[int, int], cursor: Cursor, *, inclusive: bool
) -> Iterator[S]:
    begin, end = window
    match cursor.after:
        case (int() as moment, str() as name):
            place = (moment, name)
            search = bisect_left if inclusive else bisect_right
            begin = max(begin, search(items, place, key=key))
        case _:
            pass
    return (items[index] for index in range(begin, end))
