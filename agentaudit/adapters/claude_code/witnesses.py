"""Other witnesses of sessions: lines of the history, listing caches, the files of running processes; ids and counts.

- The history survives the clean-up of transcripts: a session that it names and no transcript holds was there.
- A listing cache (`sessions-index.json`) is often stale or empty: it is never the list of what sessions there are.
- A running-session file may be stale: it is a fact about the file, not proof that a process runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from agentaudit.adapters.stores.words import id_word
from agentaudit.encoding.foreign import Json, mapping

SESSIONS_MAX = 65_536

_PID_MAX = 2**32


@dataclass(frozen=True, slots=True)
class Running:
    """What `sessions/<pid>.json` says: the process and the session that it writes."""

    process: int
    session: str


class HistoryReading:
    """The sessions that a history names, with the number of lines of each; `cut` when there were too many."""

    def __init__(self, limit: int = SESSIONS_MAX) -> None:
        self.cut = False
        self._limit = limit
        self._counts: dict[str, int] = {}

    def see(self, record: Json) -> None:
        """One line's value; the prompt in it is not touched."""
        members = mapping(record)
        session = members.get("sessionId") if members else None
        if not isinstance(session, str):
            return
        word = id_word(session)
        if word in self._counts or len(self._counts) < self._limit:
            self._counts[word] = self._counts.get(word, 0) + 1
        else:
            self.cut = True

    @property
    def sessions(self) -> Mapping[str, int]:
        """Lines by session."""
        return self._counts


def listed_in(record: Json) -> frozenset[str] | None:
    """The sessions that a listing cache names, as it writes them; None when it is no such cache."""
    listing = (mapping(record) or {}).get("entries")
    if not isinstance(listing, list):
        return None
    named = ((mapping(entry) or {}).get("sessionId") for entry in listing)
    return frozenset(session for session in named if isinstance(session, str))


def running_of(record: Json) -> Running | None:
    """The process and session of a running-session file; None when it does not say both."""
    members = mapping(record) or {}
    process, session = members.get("pid"), members.get("sessionId")
    if not isinstance(process, int) or isinstance(process, bool) or not 0 < process < _PID_MAX:
        return None
    return Running(process, id_word(session)) if isinstance(session, str) and session else None
