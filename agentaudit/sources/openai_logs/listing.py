"""One list of log files to its end: page after page, until `has_more` is false.

- The next page begins at the `last_end_time` of the one before; the file at that boundary comes again.
- A page that leads to a beginning that was used before ends the walk as a gap: it would go round for ever. An empty
  page that says there is more leads nowhere: it has null there.
- An answer that cannot be read is asked for once more, under its own name; then the walk ends.
"""

from collections.abc import Callable, Generator

from agentaudit.adapters.openai_logs.listing import LogEntry, LogPage, read_list
from agentaudit.adapters.openai_logs.naming import list_walk
from agentaudit.model.journal import WalkBegan, WalkEnded, WalkReason
from agentaudit.model.walk import Ask, Ended, Kept, Learned, Missed, Request
from agentaudit.sources.compliance.gaps import Where, end_of, lost_gap
from agentaudit.sources.compliance.walking import EMPTY_PAGES_MAX, Over, Read, ask_twice
from agentaudit.sources.openai_logs.requests import at_end_time


def walk_list(number: int, request: Request, see: Callable[[LogEntry], None]) -> Generator[Ask, Kept | Missed, Ended]:
    """The list of that number; `see` is shown each entry that can be asked for."""
    walk, odd = list_walk(number), 0

    def take(page: LogPage) -> None:
        nonlocal odd
        for entry in page.entries:
            if entry is None:
                odd += 1
            else:
                see(entry)

    over = yield from _pages(walk, request, take)
    lost = (lost_gap("unreadable_answer", Where(walk), "field", subject="file_without_id", count=odd),) if odd else ()
    return Ended((*over.learned, *over.gaps(Where(walk, page=over.page)), *lost))


def _pages(walk: str, request: Request, take: Callable[[LogPage], None]) -> Generator[Ask, Kept | Missed, Over]:
    began = WalkBegan(walk=walk, kind="log_files", session=None, parameters=request.query, limits=None)
    pending: tuple[Learned, ...] = (began,)
    used: set[str] = set()
    cursor: str | None = None
    pages = records = empty = 0
    while True:
        ask = Ask(walk, pages + 1, at_end_time(request, cursor), cursor=cursor, learned=pending)
        answer = yield from ask_twice(ask, read_list)
        if not isinstance(answer, Read):
            reason: WalkReason = end_of(answer) if isinstance(answer, Missed) else "unreadable"
            return Over(reason, pages + 1, answer, (_ended(walk, reason, pages, records),))
        page: LogPage = answer.found
        pages, records, pending = pages + 1, records + len(page.entries), ()
        take(page)
        cursor, empty = page.last_end_time, 0 if page.entries else empty + 1
        if not page.has_more or cursor is None or cursor in used or empty > EMPTY_PAGES_MAX:
            reason = "cursor_repeated" if page.has_more else "exhausted"
            return Over(reason, pages, None, (_ended(walk, reason, pages, records),))
        used.add(cursor)


def _ended(walk: str, reason: WalkReason, pages: int, records: int) -> WalkEnded:
    return WalkEnded(walk=walk, reason=reason, pages=pages, records=records)
