"""One answer of the compliance API as a page: whether it is one, what is in it, where the next lies.

- Only `next_page` null or absent ends a walk; a short or an empty page does not (compliance reference, trap 4).
- A page is readable when its top is an object, `next_page` is text, null or absent, and `data` is an array.
- Everything that is not a page is an `Unreadable` with a coded reason: a value, never an exception.
"""

from dataclasses import dataclass, replace

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.encoding.foreign import Json


@dataclass(frozen=True, slots=True)
class Page:
    """A readable page: its entries in the order returned, and the token of the next one, None where there is none.

    `session` is the envelope of a messages page, as it came.
    """

    data: tuple[Json, ...]
    next_page: str | None
    session: Json = None


def read_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page of a list or of a transcript (compliance reference, sections 2 and 3)."""
    top = read_object(body, content_encoding)
    if isinstance(top, Unreadable):
        return top
    data = top.get("data")
    if not isinstance(data, list):
        return Unreadable("data_wrong_type")
    return _turned(top, tuple(data))


def read_directory_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page of organisations or users: `has_more` without a token is no page (section 1.3)."""
    page = read_page(body, content_encoding)
    if isinstance(page, Unreadable) or page.next_page is not None:
        return page
    top = read_object(body, content_encoding)
    more = not isinstance(top, Unreadable) and top.get("has_more") is True
    return Unreadable("cursor_missing") if more else page


def read_id_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page that leads on by the id of its last entry, while `has_more` is true (section 1.3)."""
    top = read_object(body, content_encoding)
    return top if isinstance(top, Unreadable) else _by_id(top, top.get("data"))


def read_chat_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page of one chat's messages; `session` is the chat around them (section 7.1).

    A chat that was deleted may come without the array of its messages: then the page is empty.
    """
    top = read_object(body, content_encoding)
    if isinstance(top, Unreadable):
        return top
    chat = {name: item for name, item in top.items() if name != "chat_messages"}
    messages = top.get("chat_messages")
    gone = messages is None and isinstance(top.get("deleted_at"), str)
    page = _by_id({"has_more": False, **top} if gone else top, [] if gone else messages)
    return page if isinstance(page, Unreadable) else replace(page, session=chat)


def _by_id(top: dict[str, Json], data: Json) -> Page | Unreadable:
    more = top.get("has_more")
    if not isinstance(data, list):
        return Unreadable("data_wrong_type")
    if not isinstance(more, bool):
        return Unreadable("has_more_wrong_type")
    if not more:
        return Page(tuple(data), None)
    last = top.get("last_id")
    return _turned({"next_page": last}, tuple(data)) if last else Unreadable("cursor_missing")


def _turned(top: dict[str, Json], data: tuple[Json, ...]) -> Page | Unreadable:
    session = top.get("session")
    token = top.get("next_page")
    if token is None:
        return Page(data, None, session)
    if not isinstance(token, str) or not token:
        return Unreadable("next_page_wrong_type")
    try:
        token.encode()
    except UnicodeEncodeError:
        # A token that UTF-8 cannot hold cannot be sent back unchanged.
        return Unreadable("next_page_not_utf8")
    return Page(data, token, session)
