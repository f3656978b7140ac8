"""What holds over all files of one exhibit: its sessions, its kinds, and the ids that came before.

- A session is known by the id that its records state. So many are listed; events of others are counted.
- A session's first and last time are those of its records as they came, by the text of times in UTC.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from agentaudit.adapters.openai_logs.records import Record
from agentaudit.adapters.openai_logs.repeats import SeenIds
from agentaudit.model.base import UNSET
from agentaudit.model.stream import StreamRow

SESSIONS_MAX: Final = 100_000

_CLIENT: Final = "client"


@dataclass(slots=True)
class Span:
    """Times seen, the earliest and the latest; only times that end in Z compare as text."""

    first: str | None = None
    last: str | None = None

    def take(self, at: str | None) -> None:
        """Widen it by a time."""
        if at is None or not at.endswith("Z"):
            return
        self.first = at if self.first is None or at[:19] < self.first[:19] else self.first
        self.last = at if self.last is None or at[:19] >= self.last[:19] else self.last


@dataclass(slots=True)
class _Session:
    """One session, in the order first seen."""

    number: int
    kinds: Counter[str] = field(default_factory=Counter)
    clients: Counter[str] = field(default_factory=Counter)
    span: Span = field(default_factory=Span)


class Totals:
    """Takes every record that is no repetition; gives the streams of the whole."""

    def __init__(self, ids: SeenIds | None = None, sessions: int = SESSIONS_MAX) -> None:
        """`sessions` bounds how many are listed."""
        self.ids = ids or SeenIds()
        self._most = sessions
        self._sessions: dict[str, _Session] = {}
        self._kinds: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._span = Span()

    def count(self, name: str) -> None:
        """Count something of the whole."""
        self._counts[name] += 1

    def take(self, record: Record) -> None:
        """Count a record, of its session too where it states one."""
        self._kinds[record.kind] += 1
        self._span.take(record.at)
        if record.session is None:
            return
        session = self._sessions.get(record.session)
        if session is None:
            if len(self._sessions) >= self._most:
                self._counts["events_of_sessions_not_listed"] += 1
                return
            session = self._sessions[record.session] = _Session(len(self._sessions) + 1)
        session.kinds[record.kind] += 1
        session.span.take(record.at)
        client = dict(record.words).get(_CLIENT)
        if client is not None:
            session.clients[client] += 1

    def rows(self) -> Iterator[StreamRow]:
        """The whole, then each session."""
        counts = dict(self._counts)
        if self.ids.forgotten:
            counts["ids_not_compared"] = self.ids.forgotten
        yield StreamRow(
            stream="service/000001",
            kind="service",
            events=sum(self._kinds.values()),
            first_at=UNSET if self._span.first is None else self._span.first,
            last_at=UNSET if self._span.last is None else self._span.last,
            kinds=tuple(sorted(self._kinds.items())),
            counts=tuple(sorted(counts.items())),
        )
        for name, session in self._sessions.items():
            yield StreamRow(
                stream=f"session/{session.number:06d}",
                kind="session",
                name=name,
                events=sum(session.kinds.values()),
                first_at=UNSET if session.span.first is None else session.span.first,
                last_at=UNSET if session.span.last is None else session.span.last,
                producers=tuple((client, None, events) for client, events in sorted(session.clients.items())),
                kinds=tuple(sorted(session.kinds.items())),
            )
