"""Transcript pages, local and remote (sections 2.3 and 3.2).

Laws:
    - By call, oldest first, or newest first with ``desc``; within a call always in transcript order.
    - A page may end between two messages of one call, and earlier than its limit when it grows too large.
    - The placeholder for aged-out turns stands at the oldest end, whichever way the walk goes.
    - A local cursor dies 24 hours after the first page of its walk; no such rule is documented for remote ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from agentaudit.demo.errors import Documented, refused
from agentaudit.demo.pages import closed, filled
from agentaudit.demo.params import TRANSCRIPT, Parameters
from agentaudit.demo.retention import view_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from agentaudit.demo.paging import Cursor
    from agentaudit.demo.sessions import Call, LocalSession, RemoteSession, Rows
    from agentaudit.demo.visit import Visit

M = TypeVar("M")

_FRONT = (-1, 0)
_MOST = 1000


@dataclass(frozen=True, slots=True)
class _Walk(Generic[M]):
    """What one transcript walk runs over: calls, their bounds, the placeholder at the old end, its direction."""

    calls: Rows[Call[M]]
    first: int
    last: int
    front: M | None
    front_at: datetime
    rising: bool

    def behind(self, cursor: Cursor, *, inclusive: bool) -> Iterator[_Step[M]]:
        """Every message behind the cursor's place, in the order of the walk; inclusive: that message again."""
        place = cursor.after
        opens = place is None or (inclusive and place == _FRONT)
        if self.rising and self.front is not None and opens:
            yield _Step(_FRONT, self.front_at, self.front)
        for number, skipped in self._calls_behind(cursor, inclusive=inclusive):
            call = self.calls[number]
            for index in range(skipped, len(call.messages)):
                yield _Step((number, index), call.at, call.messages[index])
        if not self.rising and self.front is not None:
            yield _Step(_FRONT, self.front_at, self.front)

    def _calls_behind(self, cursor: Cursor, *, inclusive: bool) -> Iterator[tuple[int, int]]:
        numbers = range(self.first, self.last) if self.rising else range(self.last - 1, self.first - 1, -1)
        match cursor.after:
            case (int() as number, int() as index) if number >= 0:
                if number not in numbers:
                    raise refused(Documented.BAD_CURSOR)
                yield number, index if inclusive else index + 1
                numbers = numbers[numbers.index(number) + 1 :]
            case _:
                pass
        for number in numbers:
            yield number, 0


@dataclass(frozen=True, slots=True)
class _Step(Generic[M]):
    place: tuple[int, int]
    at: datetime
    message: M


def local_messages(visit: Visit, session: LocalSession | None) -> str:
    """A page of a local transcript with its envelope.

    Raises:
        Refusal: 400 for a parameter, a cursor or an unreadable page; 404 for a session that is not readable.
    """
    asked = Parameters(visit.request, TRANSCRIPT)
    limit, order, token = asked.integer("limit", 100, 1, _MOST), asked.order(), asked.text("page")
    caps = asked.caps()
    if session is None:
        raise refused(Documented.LOCAL_NOT_FOUND)
    cursor = visit.cursor(f"local/{session.id}/{order}", token)
    if cursor.too_old(visit.now, visit.generation):
        raise refused(Documented.EXPIRED_CURSOR)
    view = view_of(session, cursor.boundary)
    if view is None:
        raise refused(Documented.LOCAL_NOT_FOUND)
    _require_readable(session.unreadable_pages, cursor.page, order)
    walk = _Walk(session.calls, view.first, view.last, view.placeholder, view.created_at, order == "asc")
    steps = ((step.place, step) for step in walk.behind(cursor, inclusive=visit.repeats_item))
    piece = filled(visit, cursor, limit, steps, lambda step: visit.render.local_message(step.message, step.at, caps))
    envelope = visit.render.local_session(view, None, listed=False)
    return closed(visit, piece, (("session", envelope),))


def remote_messages(visit: Visit, session: RemoteSession | None) -> str:
    """A page of a remote transcript with its envelope.

    Raises:
        Refusal: 400 for a parameter, a cursor or an unreadable page; 404 for a session that is absent or pending.
    """
    asked = Parameters(visit.request, TRANSCRIPT)
    limit, order, token = asked.integer("limit", 100, 1, _MOST), asked.order(), asked.text("page")
    caps = asked.caps()
    if session is None or session.hidden or session.status == "pending":
        raise refused(Documented.REMOTE_NOT_FOUND)
    cursor = visit.cursor(f"remote/{session.id}/{order}", token)
    _require_readable(session.unreadable_pages, cursor.page, order)
    walk = _Walk(session.calls, 0, len(session.calls), None, session.created_at, order == "asc")
    steps = ((step.place, step) for step in walk.behind(cursor, inclusive=visit.repeats_item))
    piece = filled(visit, cursor, limit, steps, lambda step: visit.render.remote_message(step.message, step.at, caps))
    envelope = visit.render.remote_session(session, lambda _who: None, envelope=True)
    return closed(visit, piece, (("session", envelope),))


def _require_readable(unreadable: tuple[int, ...], page: int, order: str) -> None:
    if page in unreadable or (unreadable and order == "desc"):
        raise refused(Documented.UNREADABLE_PAGE)
