"""The one part of an export that reads content: the text of a message, from the raw page that holds it.

- A `Speaker` belongs to an adapter; an exhibit without one gives no texts, and says so.
- A message is found by the JSON pointer of its record; what is no text is named, never guessed at.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from agentaudit.adapters.compliance.pages import Page, read_page
from agentaudit.encoding.foreign import Json, entries, mapping

_POINTER = re.compile(r"/data/(0|[1-9][0-9]{0,8})\Z")


@dataclass(frozen=True, slots=True)
class Passage:
    """One part of a message: what it is, in a line with words of the source; its text, None where it has none."""

    heading: str
    text: str | None


Message: TypeAlias = Callable[[str], tuple[Passage, ...] | None]
"""The passages at a JSON pointer of one page; None when there is no message at that place."""

Speaker: TypeAlias = Callable[[bytes, str | None], Message]
"""Opens one payload file, given its bytes and its content encoding."""


def speaker(adapter: str) -> Speaker | None:
    """How to read the content of an exhibit that this adapter reads; None for one whose content is not rendered."""
    return _compliance if adapter.startswith("compliance/") else None


def _compliance(body: bytes, content_encoding: str | None) -> Message:
    page = read_page(body, content_encoding)
    data = page.data if isinstance(page, Page) else ()

    def at(pointer: str) -> tuple[Passage, ...] | None:
        found = _POINTER.match(pointer)
        place = int(found.group(1)) if found else len(data)
        return tuple(_passages(data[place])) if place < len(data) else None

    return at


def _passages(message: Json) -> Iterator[Passage]:
    for block in entries((mapping(message) or {}).get("content")) or []:
        members = mapping(block) or {}
        shortened = " [shortened]" if members.get("truncated") is True else ""
        match members.get("type"):
            case "text":
                yield Passage(f"text{shortened}", _string(members.get("text")))
            case "tool_use":
                heading = f"tool use {_word(members, 'name')} {_word(members, 'id')}{shortened}"
                yield Passage(heading, _string(members.get("input")))
            case "tool_result":
                failed = ", an error" if members.get("is_error") is True else ""
                heading = f"tool result {_word(members, 'name')} {_word(members, 'tool_use_id')}{failed}{shortened}"
                yield from _results(heading, entries(members.get("content")) or [])
            case _:
                yield Passage(f"block of type {_word(members, 'type')}, not rendered{shortened}", None)


def _results(heading: str, items: list[Json]) -> Iterator[Passage]:
    if not items:
        yield Passage(heading, None)
    for item in items:
        members = mapping(item) or {}
        yield Passage(heading, _string(members.get("text")) if members.get("type") == "text" else None)


def _word(members: dict[str, Json], name: str) -> str:
    return _string(members.get(name)) or "(not stated)"


def _string(item: Json) -> str | None:
    return item if isinstance(item, str) else None
