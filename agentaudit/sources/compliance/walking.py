"""One walk to its end: page after page, and the two ways in which an answer can be no page.

- Only a null or absent `next_page` ends a walk well; a token that was used before ends it as a gap (trap 4).
- An answer that cannot be read is asked for once more, under its own name; then the walk ends.
- `walk_began` is learned before the first question, `walk_ended` after the last.
- A token is as old as the first page of its walk: that page's time, not the last one's, sets the limit (trap 7).
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Generic, TypeAlias, TypeVar

from agentaudit.adapters.compliance.pages import Page, Unreadable, read_page
from agentaudit.model.base import Instant, instant_of, moment_of
from agentaudit.model.journal import Noted, WalkBegan, WalkEnded, WalkKind, WalkReason
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import GapCode, GapKind
from agentaudit.model.walk import Ask, Kept, Learned, Missed, Request
from agentaudit.sources.compliance.gaps import Where, end_of, lost_gap, missed_gap, unreadable_gap
from agentaudit.sources.compliance.requests import at_cursor

T = TypeVar("T")

Reader: TypeAlias = Callable[[bytes, str | None], T | Unreadable]
Take: TypeAlias = Callable[[int, Page, str], Iterable[Learned]]

CURSOR_LIFETIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Trail:
    """One walk as it is asked for: its first request, and what every one of its questions has in common.

    `lifetime` is how long its tokens live, from the first page on; None where no limit is documented.
    """

    walk: str
    kind: WalkKind
    request: Request
    session: str | None = None
    limits: ByteLimits | None = None
    optional: bool = False
    organization: str | None = None
    lifetime: timedelta | None = None
    read: Reader[Page] = read_page

    def began(self) -> WalkBegan:
        """The row that begins the walk."""
        return WalkBegan(
            walk=self.walk,
            kind=self.kind,
            session=self.session,
            parameters=self.request.query,
            limits=self.limits,
        )

    def ended(self, reason: WalkReason, pages: int, records: int) -> WalkEnded:
        """The row that ends it."""
        return WalkEnded(walk=self.walk, reason=reason, pages=pages, records=records)

    def ask(self, page: int, cursor: str | None, expires_at: Instant | None, learned: tuple[Learned, ...]) -> Ask:
        """The question for one page."""
        return Ask(
            walk=self.walk,
            page=page,
            request=at_cursor(self.request, cursor),
            cursor=cursor,
            limits=self.limits,
            expires_at=expires_at,
            optional=self.optional,
            organization=self.organization,
            learned=learned,
        )


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """An answer that could be read."""

    kept: Kept
    found: T


@dataclass(frozen=True, slots=True)
class Over:
    """How a walk ended: its word, the page that was asked for last, and why there was no more, where it failed.

    `learned` is what has still to travel, `walk_ended` included.
    """

    reason: WalkReason
    page: int
    why: Missed | Unreadable | None
    learned: tuple[Learned, ...]

    def gaps(self, where: Where, *, code: GapCode | None = None, kind: GapKind | None = None) -> tuple[Noted, ...]:
        """The gap of a walk that did not end well; `code` and `kind` as in `missed_gap`."""
        if self.reason == "cursor_repeated":
            return (lost_gap("cursor_repeated", where, "field"),)
        return why_gap(self.why, where, code=code, kind=kind)


def ask_twice(ask: Ask, read: Reader[T]) -> Generator[Ask, Kept | Missed, Read[T] | Missed | Unreadable]:
    """One question; when its answer cannot be read, the same once more."""
    answer = yield ask
    if isinstance(answer, Missed):
        return answer
    found = read(answer.body, answer.content_encoding)
    if not isinstance(found, Unreadable):
        return Read(answer, found)
    answer = yield replace(ask, ask=ask.ask + 1, learned=())
    if isinstance(answer, Missed):
        return answer
    found = read(answer.body, answer.content_encoding)
    return found if isinstance(found, Unreadable) else Read(answer, found)


def page_through(trail: Trail, take: Take, learned: tuple[Learned, ...] = ()) -> Generator[Ask, Kept | Missed, Over]:
    """A paged walk; `take` is shown each page with its number and file, and gives what is learned from it."""
    pending: tuple[Learned, ...] = (*learned, trail.began())
    used: set[str] = set()
    cursor: str | None = None
    expires_at: Instant | None = None
    pages = records = 0
    while True:
        answer = yield from ask_twice(trail.ask(pages + 1, cursor, expires_at, pending), trail.read)
        if not isinstance(answer, Read):
            reason: WalkReason = "unreadable" if isinstance(answer, Unreadable) else end_of(answer)
            return Over(reason, pages + 1, answer, (trail.ended(reason, pages, records),))
        page = answer.found
        pages, records = pages + 1, records + len(page.data)
        pending = tuple(take(pages, page, answer.kept.item))
        cursor = page.next_page
        if cursor is None or cursor in used:
            reason = "exhausted" if cursor is None else "cursor_repeated"
            return Over(reason, pages, None, (*pending, trail.ended(reason, pages, records)))
        used.add(cursor)
        expires_at = expires_at or _expiry(trail, answer.kept)


def why_gap(
    why: Missed | Unreadable | None, where: Where, *, code: GapCode | None = None, kind: GapKind | None = None
) -> tuple[Noted, ...]:
    """The gap of an answer that did not come or could not be read; none where there was nothing amiss."""
    match why:
        case None:
            return ()
        case Unreadable():
            return (unreadable_gap(why, where),)
        case Missed():
            return (missed_gap(why, where, code=code, kind=kind),)


def _expiry(trail: Trail, first: Kept) -> Instant | None:
    return None if trail.lifetime is None else instant_of(moment_of(first.asked_at) + trail.lifetime)
