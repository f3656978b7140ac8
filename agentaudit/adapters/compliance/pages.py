"""One answer of the compliance API as a page: whether it is one, what is in it, where the next lies.

- Only `next_page` null or absent ends a walk; a short or an empty page does not (compliance reference, trap 4).
- A page is readable when its top is an object, `next_page` is text, null or absent, and `data` is an array.
- Compressed answers are expanded within a bound, whatever was asked for.
- Everything that is not a page is an `Unreadable` with a coded reason: a value, never an exception.
"""

import zlib
from dataclasses import dataclass, replace
from typing import Literal

from agentaudit.encoding.foreign import Json, NotJson, decode, mapping

EXPANDED_MAX_BYTES = 256 * 1024 * 1024

_AUTO = 47
_RAW = -15
_INFLATABLE = frozenset({"gzip", "x-gzip", "deflate"})


@dataclass(frozen=True, slots=True)
class Unreadable:
    """No page: why, in a word of ours."""

    reason: Literal[
        "content_encoding", "decompression_failed", "decompression_bound", "not_json", "not_an_object",
        "next_page_wrong_type", "next_page_not_utf8", "data_wrong_type", "cursor_missing", "has_more_wrong_type",
    ]  # fmt: skip


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
    top = _top(body, content_encoding)
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
    top = _top(body, content_encoding)
    more = not isinstance(top, Unreadable) and top.get("has_more") is True
    return Unreadable("cursor_missing") if more else page


def read_id_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page that leads on by the id of its last entry, while `has_more` is true (section 1.3)."""
    top = _top(body, content_encoding)
    return top if isinstance(top, Unreadable) else _by_id(top, top.get("data"))


def read_chat_page(body: bytes, content_encoding: str | None = None) -> Page | Unreadable:
    """A page of one chat's messages; `session` is the chat around them (section 7.1).

    A chat that was deleted may come without the array of its messages: then the page is empty.
    """
    top = _top(body, content_encoding)
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


def read_object(body: bytes, content_encoding: str | None = None) -> Json | Unreadable:
    """A bare object, as retrieve and settings give it (section 2.2)."""
    return _top(body, content_encoding)


def expand(body: bytes, content_encoding: str | None, bound: int = EXPANDED_MAX_BYTES) -> bytes | Unreadable:
    """The body without its content coding, at most `bound` bytes of it (RFC 9110, section 8.4)."""
    coding = (content_encoding or "identity").strip().lower()
    if coding in ("", "identity"):
        return body
    if coding not in _INFLATABLE:
        return Unreadable("content_encoding")
    try:
        return _inflated(body, bound, _AUTO)
    except zlib.error:
        pass
    try:
        # RFC 9110 names the zlib form "deflate"; servers that send the raw form are common.
        return _inflated(body, bound, _RAW) if coding == "deflate" else Unreadable("decompression_failed")
    except zlib.error:
        return Unreadable("decompression_failed")


def _inflated(body: bytes, bound: int, form: int) -> bytes | Unreadable:
    expanded = bytearray()
    rest = body
    while rest:
        member = zlib.decompressobj(form)
        expanded += member.decompress(rest, bound + 1 - len(expanded))
        if len(expanded) > bound:
            return Unreadable("decompression_bound")
        if not member.eof:
            return Unreadable("decompression_failed")
        rest = member.unused_data
    return bytes(expanded)


def _top(body: bytes, content_encoding: str | None) -> dict[str, Json] | Unreadable:
    octets = expand(body, content_encoding)
    if isinstance(octets, Unreadable):
        return octets
    try:
        top = mapping(decode(octets))
    except NotJson:
        return Unreadable("not_json")
    return Unreadable("not_an_object") if top is None else top


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
