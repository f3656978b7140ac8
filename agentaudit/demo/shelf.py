"""Where sessions stand: looked up by id, or walked newest first.

Laws:
    - The list is in descending order of ``created_at``; ties are in a fixed order, the id's (section 1.3).
    - A view of the whole shelf is made once for each boundary and forgotten at the next change.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from agentaudit.demo.retention import LocalView, view_of

if TYPE_CHECKING:
    from agentaudit.demo.sessions import LocalSession, RemoteSession, Rows

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ListKey = tuple[int, str]


class LocalShelf(Protocol):
    """What the world asks of a collection of local sessions."""

    def find(self, session_id: str) -> LocalSession | None:
        """The session of exactly this id, letters' case included."""
        ...

    def put(self, session: LocalSession) -> None:
        """Adds a session or replaces the one of the same id."""
        ...

    def newest_first(self, boundary: datetime | None) -> Rows[LocalView]:
        """Every visible session at a boundary, in list order."""
        ...


class HeldLocals:
    """Local sessions held in memory, for worlds that tests edit."""

    def __init__(self) -> None:
        self._sessions: dict[str, LocalSession] = {}
        self._views: dict[datetime | None, tuple[LocalView, ...]] = {}

    def find(self, session_id: str) -> LocalSession | None:
        """The session of exactly this id."""
        return self._sessions.get(session_id)

    def put(self, session: LocalSession) -> None:
        """Adds or replaces a session."""
        self._sessions[session.id] = session
        self._views.clear()

    def newest_first(self, boundary: datetime | None) -> Rows[LocalView]:
        """Every visible session at a boundary, in list order."""
        if boundary not in self._views:
            views = (view_of(session, boundary) for session in self._sessions.values())
            found = [view for view in views if view is not None]
            self._views[boundary] = tuple(sorted(found, key=local_key))
        return self._views[boundary]


class HeldRemotes:
    """Remote sessions held in memory."""

    def __init__(self) -> None:
        self._sessions: dict[str, RemoteSession] = {}

    def find(self, session_id: str) -> RemoteSession | None:
        """The session of exactly this id."""
        return self._sessions.get(session_id)

    def put(self, session: RemoteSession) -> None:
        """Adds or replaces a session."""
        self._sessions[session.id] = session

    def newest_first(self) -> tuple[RemoteSession, ...]:
        """Every session that is not deleted, in list order."""
        return tuple(sorted((held for held in self._sessions.values() if not held.hidden), key=remote_key))


def local_key(view: LocalView) -> ListKey:
    """The place of a local session in the list."""
    return moment_key(view.created_at), view.session.id


def remote_key(session: RemoteSession) -> ListKey:
    """The place of a remote session in the list."""
    return moment_key(session.created_at), session.id


def moment_key(at: datetime) -> int:
    """A number that grows as time goes back: microseconds before the epoch."""
    return (_EPOCH - at) // timedelta(microseconds=1)
