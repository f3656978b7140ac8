"""One answer of an API: its body without the content coding, and the object that it is.

- Compressed answers are expanded within a bound, whatever was asked for.
- What cannot be read is an `Unreadable` with a coded reason: a value, never an exception.
"""

import zlib
from dataclasses import dataclass
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


def read_object(body: bytes, content_encoding: str | None = None) -> dict[str, Json] | Unreadable:
    """The one object that an answer is, such as a page or what a retrieve call gives."""
    octets = expand(body, content_encoding)
    if isinstance(octets, Unreadable):
        return octets
    try:
        top = mapping(decode(octets))
    except NotJson:
        return Unreadable("not_json")
    return Unreadable("not_an_object") if top is None else top


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
