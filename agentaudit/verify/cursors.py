"""Whether each page was asked for with the cursor that the page before gave (FORMAT.md, section 5.3).

- Cursors are opaque: they are compared, never parsed, and held as digests.
- Answers come in the order of their paths, so the pages of a walk come together; a page that was asked for again
  counts once, and any of its answers may have led on.
- What no reader gets a cursor from is not judged.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from agentaudit.format.readings import CursorReading, Reading
from agentaudit.model.journal import Answered
from agentaudit.model.readings import Unread
from agentaudit.model.storejournal import Kept
from agentaudit.package.check import Row
from agentaudit.package.index import JournalIndex

_END = b""


@dataclass(slots=True)
class _Page:
    """One page of the walk at hand: the cursor of its first question, and where its answers lead."""

    number: int
    ask: int = 0
    sent: bytes = _END
    gave: set[bytes] = field(default_factory=set)


class CursorCheck:
    """A watch over one reading; call it with each answer after it was fed."""

    def __init__(self) -> None:
        self._walk = ""
        self._before: _Page | None = None
        self._page = _Page(0)
        self._strayed: list[tuple[str, int]] = []
        self._leads_on: set[str] = set()

    def __call__(self, row: Answered | Kept, reading: Reading) -> None:
        """Take an answer and what the reading says of its next page."""
        if not isinstance(row, Answered) or not isinstance(reading, CursorReading):
            return
        if row.walk != self._walk:
            self._finish_walk()
            self._walk = row.walk
        if row.page != self._page.number:
            self._finish_page()
            self._before, self._page = self._page, _Page(row.page)
        page, leads_to = self._page, reading.next_cursor()
        if not page.ask or row.ask < page.ask:
            page.ask, page.sent = row.ask, _token(row.exchange.cursor)
        if not isinstance(leads_to, Unread):
            page.gave.add(_token(leads_to))

    def rows(self, index: JournalIndex) -> Iterator[Row]:
        """After the last answer: the findings."""
        self._finish_walk()
        for walk, number in self._strayed:
            yield "W003", walk, f"page {number}"
        for walk in sorted(self._leads_on):
            marks = index.walks.get(walk)
            if marks is not None and marks.reason == "exhausted":
                yield "W005", walk, ""

    def _finish_page(self) -> None:
        before, page = self._before, self._page
        follows = before is not None and before.gave and page.number == before.number + 1
        if follows and before is not None and page.sent not in before.gave:
            self._strayed.append((self._walk, page.number))

    def _finish_walk(self) -> None:
        self._finish_page()
        if self._page.gave and _END not in self._page.gave:
            self._leads_on.add(self._walk)
        self._before, self._page = None, _Page(0)


def _token(cursor: str | None) -> bytes:
    return _END if cursor is None else sha256(cursor.encode("utf-8", "surrogatepass")).digest()[:16]
