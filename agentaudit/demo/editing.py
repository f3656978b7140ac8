"""The half of a world that tests edit: sessions, retention, keys, the clock, the shape of pages.

Laws:
    - Every edit holds the world's lock, so a walk sees it whole or not at all.
    - Editing the world never rewrites what was already sent.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.activities import Activity
from agentaudit.demo.blocks import Text
from agentaudit.demo.canary import Canary
from agentaudit.demo.compose import local_call, plain_local, plain_remote
from agentaudit.demo.gate import Budget, Gate
from agentaudit.demo.ids import plain
from agentaudit.demo.library import Library
from agentaudit.demo.mischief import Mischief
from agentaudit.demo.people import keys
from agentaudit.demo.render import Extra, Renderer
from agentaudit.demo.sessions import LocalSession, RemoteSession
from agentaudit.demo.tenant import Tenant
from agentaudit.demo.visit import PageShape
from agentaudit.demo.wire import WireRequest, matcher

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from agentaudit.demo.chats import Said
    from agentaudit.demo.jsontext import Json
    from agentaudit.demo.mischief import Match
    from agentaudit.demo.people import Organization, User
    from agentaudit.demo.render import Place
    from agentaudit.demo.shelf import LocalShelf


class EditableWorld(Mischief):
    """What a world holds and how tests change it; ``World`` adds the answering."""

    def __init__(
        self, clock: Callable[[], datetime], held: LocalShelf | None, budget: int, remote_budget: int, kept: int | None
    ) -> None:
        super().__init__()
        self._clock = clock
        self._skew = timedelta()
        self._tenant = Tenant(held)
        self._gate = Gate(keys(self._tenant.organizations), budget, remote_budget)
        self._boundary: datetime | None = None
        self._generation = 0
        self._render = Renderer(Canary())
        self._shape, self._shaped = PageShape(), matcher(None)
        self._log: deque[WireRequest] = deque(maxlen=kept)
        self._activities: deque[Activity] = deque(maxlen=kept)
        self._library = Library()
        self._added = 0

    @property
    def requests(self) -> list[WireRequest]:
        """Every request received so far in order, with the values of key headers replaced."""
        with self._lock:
            return list(self._log)

    def act(self, kind: str, at: datetime, user: User, organization: str, **fields: str | None) -> str:
        """Somebody does something that the feed lists; its id is returned."""
        with self._lock:
            number = len(self._activities)
            actor: dict[str, Json] = {"type": "user_actor", "user_id": user.id, "email_address": user.email}
            one = Activity(plain("activity_", kind, number), at, kind, actor, organization, tuple(fields.items()))
            self._activities.append(one)
            return one.id

    def add_chat(
        self, name: str, messages: tuple[Said, ...], user: User, organization: str, *, project: str | None = None
    ) -> str:
        """Somebody had a chat, which began with its first message; its id is returned."""
        with self._lock:
            return self._library.add_chat(name, messages, user, organization, project=project)

    def delete_chat(self, identifier: str, at: datetime) -> None:
        """Its user deletes a chat: it stays listed, without name and content; what its messages held is gone."""
        with self._lock:
            self._library.delete_chat(identifier, at)

    @property
    def library(self) -> Library:
        """Chats, projects and what is stored beside them, for tests that set the stage before anybody asks."""
        return self._library

    def forget_activities(self) -> None:
        """The feed has lost what happened so far."""
        with self._lock:
            self._activities.clear()

    @property
    def organizations(self) -> tuple[Organization, ...]:
        """The linked organisations."""
        return self._tenant.organizations

    @property
    def users(self) -> tuple[User, ...]:
        """Everybody who ever had a session, the departed included."""
        return self._tenant.users

    def now(self) -> datetime:
        """The server's time: the injected clock, shifted by the skew."""
        return self._clock() + self._skew

    def key(self, name: str = "reader") -> str:
        """The secret of a key.

        Names: reader, auditor, content-only, one-organization, can-delete, deactivated, admin, model.
        """
        return self._gate.keys[name].secret

    def revoke_key(self, name: str = "reader") -> None:
        """Deactivates a key; the next request with it gets a 401 (section 1.1)."""
        with self._lock:
            self._gate.revoke(name)

    def plant(self, canary: str) -> None:
        """Puts a string in every content member, name, address, settings value, error text and an extra header."""
        with self._lock:
            self._render = replace(self._render, canary=Canary(canary))

    def inject_unknown(self, place: Place, name: str, value: Json) -> None:
        """Adds an undocumented member to every object of a kind from now on; a known name is overwritten."""
        with self._lock:
            self._render = replace(self._render, extras=(*self._render.extras, Extra(place, name, value)))

    def set_page_shape(
        self,
        *,
        max_items: int | None = None,
        max_size: int | None = None,
        empty_pages: tuple[int, ...] = (),
        absent_next_page: bool = False,
        match: Match = None,
    ) -> None:
        """Shapes the pages of matching requests from now on; called with nothing, it takes the shape back.

        ``empty_pages`` are page numbers of a walk, from 0, that come empty while ``next_page`` is set.
        ``max_size`` is in characters of JSON text.
        """
        shape = PageShape(max_items, max_size or PageShape().max_size, frozenset(empty_pages), absent_next_page)
        with self._lock:
            self._shape, self._shaped = shape, matcher(match)

    def set_budget(self, *, shared: int | None = None, remote: int | None = None) -> None:
        """Replaces a budget, in requests a minute; the new one is unspent."""
        with self._lock:
            if shared is not None:
                self._gate.shared = Budget(shared)
            if remote is not None:
                self._gate.remote = Budget(remote)

    def expire_cursors(self) -> None:
        """Ages every cursor given out so far past 24 hours: messages fail loudly, the local list skips silently."""
        with self._lock:
            self._generation += 1

    def advance_retention(self, to: datetime) -> None:
        """Moves the retention boundary: calls before it are gone for walks that begin from now on (section 6)."""
        with self._lock:
            self._boundary = to

    def clock_skew(self, seconds: float) -> None:
        """Shifts the server's clock against the injected one."""
        with self._lock:
            self._skew = timedelta(seconds=seconds)

    def put(self, session: LocalSession | RemoteSession) -> str:
        """Adds a session or replaces the one of the same id; returns the id."""
        with self._lock:
            if isinstance(session, LocalSession):
                self._tenant.locals.put(session)
            else:
                self._tenant.remotes.put(session)
        return session.id

    def add_session(
        self,
        *,
        turns: int = 1,
        at: datetime | None = None,
        user: str | None = None,
        organization: str | None = None,
        surface: str | None = "claude_code",
    ) -> str:
        """Adds a local session of plain turns, one call a minute, two messages a call; returns its id.

        Defaults: begun now, by the first user, in the first organisation.
        """
        with self._lock:
            name, where, who = self._next_name(), organization or self.organizations[0].uuid, user or self.users[0].id
            session = plain_local(name, where, who, at or self.now(), turns)
            return self.put(replace(session, product_surface=surface))

    def add_remote_session(
        self,
        *,
        turns: int = 1,
        at: datetime | None = None,
        user: str | None = None,
        organization: str | None = None,
        status: str = "active",
    ) -> str:
        """Adds a remote session of plain turns, two messages a turn; returns its id."""
        with self._lock:
            name, where, who = self._next_name(), organization or self.organizations[0].uuid, user or self.users[0].id
            session = plain_remote(name, where, who, at or self.now(), turns)
            return self.put(replace(session, status=status))

    def touch_session(
        self, session_id: str, *, at: datetime | None = None, text: str = "One more thing.", lag: bool = False
    ) -> None:
        """Adds a call to a local session; with ``lag`` the list keeps its earlier ``updated_at`` (section 2.1).

        Raises:
            KeyError: no such session.
        """
        with self._lock:
            session = self.local(session_id)
            shown = session.listed_updated_at or session.calls[-1].at
            call = local_call(session_id, len(session.calls), at or self.now(), (Text(text),), (Text("Done."),))
            listed = shown if lag else None
            self.put(
                replace(
                    session,
                    calls=(*(session.calls[index] for index in range(len(session.calls))), call),
                    listed_updated_at=listed,
                )
            )

    def local(self, session_id: str) -> LocalSession:
        """A local session as it is held, for tests that change it with ``dataclasses.replace`` and ``put``.

        Raises:
            KeyError: no such session.
        """
        session = self._tenant.locals.find(session_id)
        if session is None:
            raise KeyError(session_id)
        return session

    def remote(self, session_id: str) -> RemoteSession:
        """A remote session as it is held.

        Raises:
            KeyError: no such session.
        """
        session = self._tenant.remotes.find(session_id)
        if session is None:
            raise KeyError(session_id)
        return session

    def depart(self, user_id: str) -> None:
        """Takes a person out of every organisation: off the directory at once, their address unknown to lists."""
        with self._lock:
            self._tenant.users = tuple(
                replace(user, memberships=()) if user.id == user_id else user for user in self._tenant.users
            )

    def _next_name(self) -> str:
        self._added += 1
        return f"added {self._added}"
