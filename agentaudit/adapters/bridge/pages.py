"""One answer of the bridge as a page: what is in it, where the next begins, which boundary it states.

- Only `nextCursor` null or absent ends a walk: pages end at about 4 MB too, however few entries they hold.
- `through` is the boundary of a walk: taken from the first page, and sent with every other one.
- Everything that is no page is an `Unreadable` with a coded reason.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.wording import identifier, number
from agentaudit.encoding.foreign import Json, mapping

Member = Literal["jobs", "attempts", "entries", "tools"]


@dataclass(frozen=True, slots=True)
class BridgePage:
    """A readable page: its entries, the cursor of the next one, the boundary and the summary where it states them."""

    data: tuple[Json, ...]
    next_cursor: str | None
    through: int | None = None
    summary: dict[str, Json] = field(default_factory=dict)


PageReading: TypeAlias = Callable[[bytes, str | None], BridgePage | Unreadable]


def read_page(member: Member, body: bytes, content_encoding: str | None = None) -> BridgePage | Unreadable:
    """The page whose entries stand under a member."""
    top = read_object(body, content_encoding)
    if isinstance(top, Unreadable):
        return top
    data = top.get(member)
    if not isinstance(data, list):
        return Unreadable("data_wrong_type")
    cursor = top.get("nextCursor")
    token = _token(cursor)
    if token is None and cursor is not None:
        return Unreadable("next_page_wrong_type")
    return BridgePage(tuple(data), token, number(top.get("through")), mapping(top.get("summary")) or {})


READ_JOBS: Final[PageReading] = partial(read_page, "jobs")
READ_ATTEMPTS: Final[PageReading] = partial(read_page, "attempts")
READ_AUDIT: Final[PageReading] = partial(read_page, "entries")
READ_TOOLS: Final[PageReading] = partial(read_page, "tools")


def read_one(body: bytes, content_encoding: str | None = None) -> dict[str, Json] | Unreadable:
    """An answer that is one object: the status, or a job; a job may stand under `job`."""
    top = read_object(body, content_encoding)
    if isinstance(top, Unreadable):
        return top
    return mapping(top.get("job")) or top


def read_lone(body: bytes, content_encoding: str | None = None) -> BridgePage | Unreadable:
    """The same as a page of one entry."""
    found = read_one(body, content_encoding)
    return found if isinstance(found, Unreadable) else BridgePage((found,), None)


def _token(item: Json) -> str | None:
    """A cursor as it is sent: the number of an entry, or the id of a job."""
    whole = number(item)
    return identifier(item) if whole is None else str(whole)
