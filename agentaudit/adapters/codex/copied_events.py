"""The events of a rollout as blocks of a working copy: what the agent's program recorded of its own doing.

- An event is joined to a call by `call_id`. Executions of commands and changes of files are items whose id is that of
  their call (measured, Codex 0.171.0); any other item is joined only when a call has its id.
- A short word stands as a fact; a text, a list or an object stands as it is, under the name of its member.
- Which events a release stores differs. None of them shows that a person was asked.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from agentaudit.adapters.codex.copied import Members, shown, type_of
from agentaudit.adapters.codex.copied_items import clips_in
from agentaudit.adapters.stores.told import WORD_MAX, Facts, told
from agentaudit.encoding.foreign import Json, entries, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.readings import Word
from agentaudit.model.text import SourceText, display, source_text
from agentaudit.model.workingcopy import Block, Note

NOTES: Final[Mapping[str, Note]] = MappingProxyType(
    {"context_compacted": "compaction", "thread_rolled_back": "rollback", "turn_aborted": "abort"}
)

_WHOSE_CALL: Final = frozenset({"CommandExecution", "FileChange"})
_NAMES: Final = ("type", "id", "call_id", "item")
_SAID: Final = frozenset({
    "message", "text", "last_agent_message", "aggregated_output", "formatted_output", "stdout", "stderr", "output",
    "content", "reason", "unified_diff",
})  # fmt: skip


def event_type(event: Members) -> str:
    """The type of an event, and of the item in it: `item_completed/CommandExecution`."""
    item = event.inner("item")
    words = (type_of(event.values), "" if item is None else type_of(item.values))
    return "/".join(display(word) for word in words if word)


def event_facts(event: Members) -> Facts:
    """The short words of an event and of the item in it."""
    item = event.inner("item")
    inner = () if item is None else tuple((f"item.{name}", word) for name, word in _short(item))
    return (*_short(event), *inner)


def event_blocks(event: Members) -> tuple[Block, ...]:
    """The texts of an event and of the item in it, the first of them with the id of the call that it belongs to."""
    item = event.inner("item")
    blocks = [*_long(event), *(() if item is None else _long(item))]
    call, likely = _call_of(event, item)
    if not blocks:
        whose = event if item is None else item
        blocks = [Block(kind="event", type=type_of(whose.values), way=whose.way)]
    return tuple(
        msgspec.structs.replace(block, tool_use_id=call, id=likely) if number == 0 else block
        for number, block in enumerate(blocks)
    )


def _call_of(event: Members, item: Members | None) -> tuple[Word, Word]:
    """The id of the call of an event, or an id that may be one."""
    if item is None:
        return event.word("call_id"), UNSET
    if "call_id" in item.values or "call_id" in event.values:
        return (item if "call_id" in item.values else event).word("call_id"), UNSET
    return (item.word("id"), UNSET) if type_of(item.values) in _WHOSE_CALL else (UNSET, item.word("id"))


def _short(members: Members) -> Facts:
    return members.facts(*_NAMES, *(name for name, item in members.values.items() if _is_long(name, item)))


def _long(members: Members) -> Iterator[Block]:
    for name, item in members.values.items():
        if name not in _NAMES and _is_long(name, item):
            way = members.way_to(name)
            texts = _texts(members, name, item)
            yield Block(
                kind="event",
                type=source_text(name),
                way=way,
                texts=texts,
                clips=tuple(clip for text in texts for clip in clips_in(text, way.pointer)),
                facts=() if texts else tuple(told(name, item)),
            )


def _is_long(name: str, item: Json) -> bool:
    """Whether a member is shown as a text: it is one, or it has an inside that few words would not tell."""
    match item:
        case str():
            return name in _SAID or len(item) > WORD_MAX or "\n" in item
        case list():
            return bool(item)
        case dict():
            return any(isinstance(inner, list | dict) or _is_long("", inner) for inner in item.values())
        case _:
            return False


def _texts(members: Members, name: str, item: Json) -> tuple[SourceText, ...]:
    """A text; the texts of a list in which nothing else stands; anything else as it stands there."""
    if isinstance(item, str):
        return (source_text(item),)
    parts = [mapping(part) or {} for part in entries(item) or []]
    said = [text for part in parts if _is_plain(part) and isinstance(text := part.get("text"), str)]
    if said and len(said) == len(parts):
        return tuple(source_text(text) for text in said)
    return shown(members.text_of(name))


def _is_plain(part: dict[str, Json]) -> bool:
    return all(name in {"type", "text"} or item in ([], None) for name, item in part.items())
