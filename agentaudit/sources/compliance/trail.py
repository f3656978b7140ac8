"""One walk as it is asked for, before anything of it has been asked.

- The first request and the byte limits are those of every page; only the token changes.
- A token of a list or a local transcript lives 24 hours, counted from the first page (trap 7).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.pages import Page, read_page
from agentaudit.model.base import Instant
from agentaudit.model.journal import WalkBegan, WalkEnded, WalkKind, WalkReason
from agentaudit.model.limits import ByteLimits
from agentaudit.model.walk import Ask, Learned, Request
from agentaudit.sources.compliance.requests import at_cursor

CURSOR_LIFETIME = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Trail:
    """One walk as it is asked for: its first request, and what every one of its questions has in common.

    `lifetime` is how long its tokens live, from the first page on; None where no limit is documented. `due_at` is when
    it may begin at the earliest. `cursor_name` is the parameter that takes the token.
    """

    walk: str
    kind: WalkKind
    request: Request
    session: str | None = None
    limits: ByteLimits | None = None
    optional: bool = False
    organization: str | None = None
    lifetime: timedelta | None = None
    due_at: Instant | None = None
    cursor_name: str = "page"
    read: Callable[[bytes, str | None], Page | Unreadable] = read_page

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
            request=at_cursor(self.request, cursor, self.cursor_name),
            cursor=cursor,
            limits=self.limits,
            expires_at=expires_at,
            due_at=self.due_at if page == 1 else None,
            optional=self.optional,
            organization=self.organization,
            learned=learned,
        )
