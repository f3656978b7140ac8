"""What the result of a tool names: the file it was spilled into, the agent that it came from.

- A spilled result is named by `toolUseResult.persistedOutputPath`, or by the words that stand in its place.
- A path is that of another host: only its last component counts, whichever way its separators lean.
- Of a text only the beginning is looked at; nothing of it is kept but the name.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from agentaudit.encoding.foreign import Json, entries, mapping

BEGINNING: Final = 1_024
SIZE_END: Final = 2**53

_SAVED: Final = re.compile(r"saved to:? ?[^\r\n]*[/\\]tool-results[/\\]([^/\\\s\"'<>|]{1,255})")


@dataclass(frozen=True, slots=True)
class Naming:
    """One spilled result: the last component of its path, and its size where that is said."""

    name: str
    size: int | None = None


def last_component(path: str) -> str:
    """The name at the end of a path of any system."""
    return re.split(r"[/\\]", path)[-1]


def named(path: Json, size: Json) -> tuple[Naming, ...]:
    """The one file that a path names, or none; a size that no file has is not said."""
    if not isinstance(path, str) or not (name := last_component(path)):
        return ()
    if isinstance(size, int) and not isinstance(size, bool) and 0 <= size < SIZE_END:
        return (Naming(name, size),)
    return (Naming(name),)


def named_in_result(result: Json) -> tuple[Naming, ...]:
    """What `toolUseResult` names."""
    members = mapping(result) or {}
    return named(members.get("persistedOutputPath"), members.get("persistedOutputSize"))


def named_in_message(message: Json) -> Iterator[Naming]:
    """What the tool results of a message name by the words that stand in their place."""
    members = mapping(message)
    for block in (entries(members.get("content")) if members else None) or ():
        tool_result = mapping(block)
        if tool_result and tool_result.get("type") == "tool_result":
            yield from _named_in(_texts(tool_result.get("content")))


def agent_in(holder: Json) -> str | None:
    """The agent that a result or a progress record comes from."""
    members = mapping(holder)
    agent = members.get("agentId") if members else None
    return agent if isinstance(agent, str) and agent else None


def _texts(content: Json) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for part in entries(content) or ():
        text = (mapping(part) or {}).get("text")
        if isinstance(text, str):
            yield text


def _named_in(texts: Iterable[str]) -> Iterator[Naming]:
    for text in texts:
        found = _SAVED.search(text[:BEGINNING])
        if found is not None:
            yield Naming(found[1].rstrip("."))
