"""One page of a list of log files: what it names, and where the next page begins.

- The next page is asked for with `last_end_time`, while `has_more` is true; an empty page has null there.
- An entry without an id that an address can carry cannot be asked for: it is None in its place.
- A size or a digest that has not the form of one is as if it were not stated.
"""

import re
from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.wording import identifier, number, time, word
from agentaudit.encoding.foreign import Json, mapping

_HEX: Final = re.compile(r"[0-9a-fA-F]{64}\Z")
_NAME_MAX: Final = 255


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One file as its list names it; None for what the list does not state. `sha256` is `sha256:<hex>`."""

    id: str
    event_type: str | None = None
    end_time: str | None = None
    file_name: str | None = None
    bytes: int | None = None
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class LogPage:
    """A readable page; `last_end_time` is the source's own text, as it is sent back."""

    entries: tuple[LogEntry | None, ...]
    has_more: bool
    last_end_time: str | None


def read_list(body: bytes, content_encoding: str | None = None) -> LogPage | Unreadable:
    """The page in these bytes, or why it is none."""
    top = read_object(body, content_encoding)
    if isinstance(top, Unreadable):
        return top
    return list_of(mapping(top) or {})


def list_of(top: dict[str, Json]) -> LogPage | Unreadable:
    """The page that an object is."""
    data, more, last = top.get("data"), top.get("has_more"), top.get("last_end_time")
    if not isinstance(data, list):
        return Unreadable("data_wrong_type")
    if not isinstance(more, bool):
        return Unreadable("has_more_wrong_type")
    if last is not None and not isinstance(last, str):
        return Unreadable("next_page_wrong_type")
    if more and data and not last:
        return Unreadable("cursor_missing")
    if last is not None and not _is_utf8(last):
        return Unreadable("next_page_not_utf8")
    return LogPage(tuple(map(_entry, data)), more, last or None)


def is_list(top: dict[str, Json]) -> bool:
    """True for an object that has what only a list has."""
    return isinstance(top.get("data"), list) and "has_more" in top


def _entry(item: Json) -> LogEntry | None:
    told = mapping(item) or {}
    identity = identifier(told.get("id"))
    if identity is None or not identity.strip("."):
        return None
    name, digest = told.get("file_name"), told.get("file_sha256")
    return LogEntry(
        id=identity,
        event_type=word(told.get("event_type")),
        end_time=time(told.get("end_time")),
        file_name=name if isinstance(name, str) and 0 < len(name) <= _NAME_MAX else None,
        bytes=number(told.get("file_size")),
        sha256=f"sha256:{digest.lower()}" if isinstance(digest, str) and _HEX.match(digest) else None,
    )


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
