"""Filling one page and closing it: the part that every paged endpoint shares.

Laws:
    - A page holds at least one item when one is left, unless a test asked for an empty page.
    - ``next_page`` is set exactly when something is left, and names the last item returned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from agentaudit.demo.jsontext import object_of, text_of
from agentaudit.demo.paging import Cursor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agentaudit.demo.paging import Position
    from agentaudit.demo.visit import Visit

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Slice:
    """One page before it is closed: its cursor, the items as JSON text, the last item's place, what is left."""

    cursor: Cursor
    items: tuple[str, ...]
    after: Position | None
    more: bool


def filled(
    visit: Visit, cursor: Cursor, limit: int, steps: Iterator[tuple[Position, T]], render: Callable[[T], str]
) -> Slice:
    """A page from the items behind a cursor: up to the limit, the test's bound and the size of a response.

    Sizes are characters of JSON text: the real bound is not published, so bytes would not be truer.
    """
    step = next(steps, None)
    if cursor.page in visit.shape.empty_pages and step is not None:
        return Slice(cursor, (), cursor.after, more=True)
    items: list[str] = []
    size, place = 0, cursor.after
    while step is not None and len(items) < visit.shape.limited(limit):
        rendered = render(step[1])
        size += len(rendered)
        if items and size > visit.shape.max_size:
            break
        items.append(rendered)
        place, step = step[0], next(steps, None)
    return Slice(cursor, tuple(items), place, more=step is not None)


def closed(visit: Visit, piece: Slice, head: tuple[tuple[str, str], ...] = (), *, counts_more: bool = False) -> str:
    """The page as JSON text: what comes before, ``data``, ``next_page``, and undocumented members.

    ``counts_more`` adds ``has_more``, which the directory has and sessions do not have (section 1.3).
    """
    following = _next_token(visit, piece)
    members = [*head, ("data", "[" + ",".join(piece.items) + "]")]
    if counts_more:
        members.append(("has_more", text_of(following is not None)))
    if following is not None or not visit.shape.absent_next_page:
        members.append(("next_page", text_of(following)))
    return object_of(*members, *visit.render.surplus("envelope"))


def _next_token(visit: Visit, piece: Slice) -> str | None:
    if visit.repeated_cursor is not None:
        return visit.repeated_cursor
    if not piece.more:
        return None
    walk = piece.cursor
    return visit.mint.write(
        Cursor(walk.scope, piece.after, walk.started, walk.boundary, walk.page + 1, walk.generation)
    )
