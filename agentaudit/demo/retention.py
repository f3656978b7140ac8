"""What the retention boundary and the cap on calls leave of a local session (sections 2.1, 2.3 and 6).

Laws:
    - Retention works call by call: a session loses its head, and vanishes when nothing is left.
    - ``created_at`` is the first retained call, so it moves later as calls age out.
    - Everything before the boundary becomes one placeholder whose id changes when more ages out.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.demo.ids import opaque
from agentaudit.demo.sessions import LocalMessage, Provenance

if TYPE_CHECKING:
    from datetime import datetime

    from agentaudit.demo.sessions import LocalSession


@dataclass(frozen=True, slots=True)
class LocalView:
    """A session as one boundary shows it: the calls from ``first`` up to but without ``last``.

    ``updated_at`` is the last call that counts: exact below the cap, a lower bound above it.
    """

    session: LocalSession
    first: int
    last: int
    created_at: datetime
    updated_at: datetime

    @property
    def truncated(self) -> bool:
        """Whether the session holds more retained calls than the cap lets through."""
        return len(self.session.calls) > self.last

    @property
    def listed_updated_at(self) -> datetime:
        """The value that the list shows: it can lag, and never precedes ``created_at``."""
        lagging = self.session.listed_updated_at
        return self.updated_at if lagging is None else max(lagging, self.created_at)

    @property
    def placeholder(self) -> LocalMessage | None:
        """The one message that stands for everything before the boundary; None when nothing aged out.

        Its role and time are not documented: the user's role and the first retained call's time are given.
        """
        if self.first == 0:
            return None
        name = opaque("clsm_", self.session.id, "elapsed", self.first)
        return LocalMessage(name, "user", (), None, Provenance("content_unavailable", "retention_elapsed"))


def view_of(session: LocalSession, boundary: datetime | None) -> LocalView | None:
    """The session at a boundary, or None when it is hidden or every call has aged out."""
    calls = session.calls
    first = 0 if boundary is None else bisect_left(calls, boundary, key=lambda call: call.at)
    if session.hidden or first >= len(calls):
        return None
    last = min(len(calls), first + session.call_cap)
    return LocalView(session, first, last, calls[first].at, calls[last - 1].at)
