"""One walk to its end: page after page, and the two ways in which an answer can be no page.

- Only a null or absent `next_page` ends a walk well; a token that was used before ends it as a gap (trap 4), and
  so does a source that hands out new tokens and empty pages without end.
- An answer that cannot be read is asked for once more, under its own name; then the walk ends.
- `walk_began` is learned before the first question, `walk_ended` after the last.
- A token is as old as the first page of its walk: that page's time, not the last one's, sets the limit (trap 7).
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.pages import Page
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import Instant, instant_of, moment_of
from agentaudit.model.journal import Noted, WalkReason
from agentaudit.model.losses import GapCode, GapKind
from agentaudit.model.walk import Ask, Kept, Learned, Missed
from agentaudit.sources.compliance.gaps import Where, end_of, lost_gap, missed_gap, unreadable_gap
from agentaudit.sources.compliance.trail import Trail

_T = TypeVar("_T")

EMPTY_PAGES_MAX = 1_000

_Reader: TypeAlias = Callable[[bytes, str | None], _T | Unreadable]

Take: TypeAlias = Callable[[int, Page, str], Iterable[Learned]]


@dataclass(frozen=True, slots=True)
class Read(Generic[_T]):
    """An answer that could be read."""

    kept: Kept
    found: _T


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


def ask_twice(ask: Ask, read: _Reader[_T]) -> Generator[Ask, Kept | Missed, Read[_T] | Missed | Unreadable]:
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


@dataclass(frozen=True, slots=True)
class Told:
    """What came of asking for one object: the object, or why there is none; and what has still to travel."""

    found: Json
    why: Missed | Unreadable | None
    learned: tuple[Learned, ...]


def ask_object(trail: Trail, learned: tuple[Learned, ...] = ()) -> Generator[Ask, Kept | Missed, Told]:
    """A walk of one question whose answer is a bare object."""
    answer = yield from ask_twice(trail.ask(1, None, None, (*learned, trail.began())), read_object)
    if isinstance(answer, Read):
        return Told(answer.found, None, (trail.ended("exhausted", 1, 0),))
    reason: WalkReason = "unreadable" if isinstance(answer, Unreadable) else end_of(answer)
    return Told(None, answer, (trail.ended(reason, 0, 0),))


def page_through(trail: Trail, take: Take, learned: tuple[Learned, ...] = ()) -> Generator[Ask, Kept | Missed, Over]:
    """A paged walk; `take` is shown each page with its number and file, and gives what is learned from it."""
    pending: tuple[Learned, ...] = (*learned, trail.began())
    used: set[str] = set()
    cursor: str | None = None
    expires_at: Instant | None = None
    pages = records = empty = 0
    while True:
        answer = yield from ask_twice(trail.ask(pages + 1, cursor, expires_at, pending), trail.read)
        if not isinstance(answer, Read):
            reason: WalkReason = "unreadable" if isinstance(answer, Unreadable) else end_of(answer)
            return Over(reason, pages + 1, answer, (trail.ended(reason, pages, records),))
        page = answer.found
        pages, records = pages + 1, records + len(page.data)
        pending = tuple(take(pages, page, answer.kept.item))
        cursor = page.next_page
        empty = 0 if page.data else empty + 1
        if cursor is None or cursor in used or empty > EMPTY_PAGES_MAX:
            reason = "exhausted" if cursor is None else "cursor_repeated"
            return Over(reason, pages, None, (*pending, trail.ended(reason, pages, records)))
        used.add(cursor)
        expires_at = expires_at or _expiry(trail, answer.kept)


def why_gap(
    why: Missed | Unreadable | None, where: Where, *, code: GapCode | None = None, kind: GapKind | None = None
) -> tuple[Noted, ...]:
    """The gap of an answer that did not come or could not be read; none where there was nothing amiss."""
    if why is None:
        return ()
    if isinstance(why, Unreadable):
        return (unreadable_gap(why, where),)
    return (missed_gap(why, where, code=code, kind=kind),)


def _expiry(trail: Trail, first: Kept) -> Instant | None:
    return None if trail.lifetime is None else instant_of(moment_of(first.asked_at) + trail.lifetime)
