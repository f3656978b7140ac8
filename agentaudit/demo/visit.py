"""One admitted request on its way through an endpoint, and the shape that its page is given.

Laws:
    - A visit is frozen: what the request may see was settled when it was admitted.
    - A page's shape never changes what a walk returns in all, only how it is spread over pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.demo.paging import Cursor

if TYPE_CHECKING:
    from datetime import datetime

    from agentaudit.demo.paging import CursorMint
    from agentaudit.demo.people import Key
    from agentaudit.demo.render import Renderer
    from agentaudit.demo.wire import WireRequest

_RESPONSE_SIZE = 8 * 1_048_576


@dataclass(frozen=True, slots=True)
class PageShape:
    """How pages come out: at most so many items and characters, these pages (from 0) empty, and how a walk ends.

    The real bound on the size of a response is not published; eight MiB stands for it.
    """

    max_items: int | None = None
    max_size: int = _RESPONSE_SIZE
    empty_pages: frozenset[int] = frozenset()
    absent_next_page: bool = False

    def limited(self, limit: int) -> int:
        """The items that one page may hold."""
        return limit if self.max_items is None else min(limit, self.max_items)


@dataclass(frozen=True, slots=True)
class Visit:
    """What an endpoint needs to know about the request in hand.

    ``repeated_cursor`` is given out as the next one; ``repeats_item`` opens with the last item of the page before.
    """

    request: WireRequest
    key: Key
    now: datetime
    boundary: datetime | None
    generation: int
    mint: CursorMint
    render: Renderer
    shape: PageShape = PageShape()
    repeated_cursor: str | None = None
    repeats_item: bool = False

    def cursor(self, scope: str, token: str | None) -> Cursor:
        """The cursor of this page: read from its token, or new for the first page of a walk."""
        if token is None:
            return Cursor(scope, None, self.now, self.boundary, 0, self.generation)
        return self.mint.read(token, scope)

    def reaches(self, organization_uuid: str) -> bool:
        """Whether the key reads this organisation."""
        return not self.key.reach or organization_uuid in self.key.reach
