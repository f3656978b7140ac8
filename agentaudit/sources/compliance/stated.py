"""The losses that a transcript itself states, each noted once, whatever walk of the session states it again.

- An answer that names another session is not what was asked for: it is kept, and said.
- Session-level `truncated` (over 100,000 calls) and unavailable messages are different losses (trap 2).
- A message is known again by its identifier; the retention placeholder, whose identifier changes, by its reason.
"""

from agentaudit.adapters.compliance.messages import Withheld, message_mark, withheld
from agentaudit.adapters.compliance.pages import Page
from agentaudit.adapters.compliance.sessions import names_another
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.journal import Noted
from agentaudit.model.walk import Learned
from agentaudit.sources.compliance.gaps import Where, lost_gap, stated_gap
from agentaudit.sources.compliance.walking import Take


class Stated:
    """What was noted of one session so far; short digests stand for identifiers."""

    __slots__ = ("_asked", "_capped", "_marks", "_mixed_up", "_retention", "_session")

    def __init__(self, session: str, asked: str) -> None:
        """Begin with nothing noted; `session` is its key, `asked` its identifier."""
        self._session = session
        self._asked = asked
        self._mixed_up = False
        self._capped = False
        self._retention = False
        self._marks: set[int] = set()

    def cap(self, walk: str, *, truncated: bool) -> tuple[Noted, ...]:
        """The gap of a session that ends early at the source (trap 1), the first time it is said."""
        if not truncated or self._capped:
            return ()
        self._capped = True
        return (stated_gap("session_call_cap", Where(walk, self._session)),)

    def other(self, where: Where, said: Json) -> tuple[Noted, ...]:
        """The gap of an answer that names another session, the first time it does."""
        if self._mixed_up or not names_another(said, self._asked):
            return ()
        self._mixed_up = True
        return (lost_gap("other_session", where, "field"),)

    def on(self, walk: str) -> Take:
        """What each page of this walk states."""

        def take(page: int, found: Page, _item: str) -> tuple[Learned, ...]:
            truncated = (mapping(found.session) or {}).get("truncated") is True
            messages = (
                self._message(message, Where(walk, self._session, page, index))
                for index, message in enumerate(found.data)
            )
            other = self.other(Where(walk, self._session, page), found.session)
            return (*other, *self.cap(walk, truncated=truncated), *(gap for gap in messages if gap is not None))

        return take

    def _message(self, message: Json, where: Where) -> Noted | None:
        loss = withheld(message)
        if loss is None or self._is_known(message, loss):
            return None
        return stated_gap("retention_elapsed" if loss.is_retention else "content_unavailable", where, loss.reason)

    def _is_known(self, message: Json, loss: Withheld) -> bool:
        if loss.is_retention:
            known, self._retention = self._retention, True
            return known
        mark = message_mark(message)
        if mark is None:
            return False
        known = mark in self._marks
        self._marks.add(mark)
        return known
