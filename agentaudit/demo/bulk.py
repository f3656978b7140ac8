"""Very long lists and transcripts for benchmarks, generated while they are read.

Laws:
    - Memory stays flat: no session or message is held, each is made from its number.
    - The same number gives the same session or message, on any page and in any order.
    - Retention boundaries do not apply to a bulk list: it has no past to lose.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.blocks import Text
from agentaudit.demo.compose import MODEL
from agentaudit.demo.ids import number_of, numbered, plain, uuid_of
from agentaudit.demo.retention import LocalView
from agentaudit.demo.sessions import Call, LocalMessage, LocalSession
from agentaudit.demo.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentaudit.demo.sessions import Rows

_NOON = datetime(2026, 10, 8, 12, tzinfo=UTC)
_UNLIMITED = 1_000_000_000
_PAGE_MESSAGES = 20
_OVERHEAD = 420  # characters of JSON around one text
_SECOND = timedelta(seconds=1)


class BulkCalls:
    """The calls of one generated session: so many messages of so many characters, two to a call."""

    def __init__(self, name: str, begun: datetime, messages: int, size: int) -> None:
        self._name = name
        self._begun = begun
        self._messages = messages
        self._filler = "the quick brown fox jumps over the lazy dog " * (size // 44 + 1)
        self._size = size

    def __len__(self) -> int:
        return (self._messages + 1) // 2

    def __getitem__(self, index: int) -> Call[LocalMessage]:
        number = range(len(self))[index]
        pair = range(2 * number, min(2 * number + 2, self._messages))
        return Call(self._begun + number * _SECOND, tuple(self._message(one) for one in pair))

    def _message(self, number: int) -> LocalMessage:
        text = f"{number:09d} {self._filler}"[: max(9, self._size)]
        role = "assistant" if number % 2 else "user"
        return LocalMessage(numbered("clsm_", number, self._name), role, (Text(text),), MODEL)


class BulkShelf:
    """A shelf of so many sessions, one begun each second before noon, two short messages each."""

    def __init__(self, count: int, newest: datetime) -> None:
        self._views = _BulkViews(count, newest)

    def find(self, session_id: str) -> LocalSession | None:
        """The session of exactly this id."""
        number = number_of(session_id)
        if number is None or number >= len(self._views):
            return None
        session = self._views[number].session
        return session if session.id == session_id else None

    def put(self, session: LocalSession) -> None:
        """Refuses: a generated list holds nothing.

        Raises:
            TypeError: always.
        """
        raise TypeError(f"a bulk shelf does not hold {type(session).__name__}")

    def newest_first(self, boundary: datetime | None) -> Rows[LocalView]:
        """Every session in list order, whatever the boundary."""
        del boundary
        return self._views


class _BulkViews:
    def __init__(self, count: int, newest: datetime) -> None:
        self._numbers = range(count)
        self._newest = newest
        self._where, self._who = uuid_of("bulk"), plain("user_", "bulk")

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index: int) -> LocalView:
        number = self._numbers[index]
        session_id, begun = numbered("clls_", number, "bulk"), self._newest - number * _SECOND
        session = LocalSession(session_id, self._where, self._who, BulkCalls(session_id, begun, 2, 60))
        return LocalView(session, 0, 1, begun, begun)


def large_list(n: int, *, clock: Callable[[], datetime] = lambda: _NOON) -> World:
    """A world whose local list holds ``n`` sessions; no budgets, and the last thousand requests remembered."""
    return World(clock, held=BulkShelf(n, clock()), budget=_UNLIMITED, remote_budget=_UNLIMITED, kept=1000)


def large_session(n_messages: int, page_bytes: int, *, clock: Callable[[], datetime] = lambda: _NOON) -> World:
    """A world with one local session of ``n_messages``; a page holds 20 messages and about ``page_bytes`` bytes."""
    world = World(clock, budget=_UNLIMITED, remote_budget=_UNLIMITED, kept=1000)
    session_id = numbered("clls_", 0, "large")
    begun = clock() - n_messages * _SECOND
    size = max(9, page_bytes // _PAGE_MESSAGES - _OVERHEAD)
    where, who = world.organizations[0].uuid, world.users[0].id
    calls = BulkCalls(session_id, begun, n_messages, size)
    world.put(LocalSession(session_id, where, who, calls, call_cap=max(1, n_messages)))
    world.set_page_shape(max_items=_PAGE_MESSAGES, match="/messages")
    return world
