"""One walk of the bridge to its end: page after page, however short, until `nextCursor` is null.

- The boundary of an audit is that of its first page, and is sent with every other one: what is observed later is not
  part of this walk.
- A cursor that does not rise, or that was used before, ends a walk as a gap: it would go round for ever.
- An answer that cannot be read is asked for once more, under its own name; then the walk ends.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from agentaudit.adapters.bridge.pages import BridgePage, PageReading
from agentaudit.model.journal import WalkBegan, WalkEnded, WalkKind, WalkReason
from agentaudit.model.walk import Ask, Kept, Learned, Missed, Request
from agentaudit.sources.bridge.requests import at_cursor
from agentaudit.sources.compliance.gaps import end_of
from agentaudit.sources.compliance.walking import Over, Read, ask_twice

EMPTY_PAGES_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Trail:
    """One walk as it is asked for: its first request and how its answers are read."""

    walk: str
    kind: WalkKind
    request: Request
    read: PageReading
    optional: bool = False

    def began(self) -> WalkBegan:
        """The row that begins the walk."""
        return WalkBegan(walk=self.walk, kind=self.kind, session=None, parameters=self.request.query, limits=None)

    def ended(self, reason: WalkReason, pages: int, records: int) -> WalkEnded:
        """The row that ends it."""
        return WalkEnded(walk=self.walk, reason=reason, pages=pages, records=records)

    def ask(self, page: int, cursor: str | None, through: int | None, learned: tuple[Learned, ...]) -> Ask:
        """The question for one page."""
        request = at_cursor(self.request, cursor, through)
        return Ask(self.walk, page, request, cursor=cursor, optional=self.optional, learned=learned)


def walk_pages(
    trail: Trail, take: Callable[[BridgePage], Iterable[Learned]], learned: tuple[Learned, ...] = ()
) -> Generator[Ask, Kept | Missed, Over]:
    """A paged walk; `take` is shown each page and gives what is learned from it."""
    pending: tuple[Learned, ...] = (*learned, trail.began())
    used: set[str] = set()
    cursor: str | None = None
    through: int | None = None
    pages = records = empty = 0
    while True:
        answer = yield from ask_twice(trail.ask(pages + 1, cursor, through, pending), trail.read)
        if not isinstance(answer, Read):
            reason: WalkReason = end_of(answer) if isinstance(answer, Missed) else "unreadable"
            return Over(reason, pages + 1, answer, (trail.ended(reason, pages, records),))
        page = answer.found
        pages, records = pages + 1, records + len(page.data)
        pending = tuple(take(page))
        through = page.through if pages == 1 else through
        empty = 0 if page.data else empty + 1
        stands_still = _stands_still(cursor, page.next_cursor) or page.next_cursor in used or empty > EMPTY_PAGES_MAX
        cursor = page.next_cursor
        if cursor is None or stands_still:
            reason = "exhausted" if cursor is None else "cursor_repeated"
            return Over(reason, pages, None, (*pending, trail.ended(reason, pages, records)))
        used.add(cursor)


def _stands_still(before: str | None, after: str | None) -> bool:
    """True for two numbers that do not rise; the ids of jobs have no order."""
    if before is None or after is None or not (before.isdigit() and after.isdigit()):
        return False
    return int(after) <= int(before)
