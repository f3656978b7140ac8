"""The items of a conversation as blocks of a working copy: what is said, thought, called, given back.

- Calls and outputs are joined by `call_id`; what has none is joined to nothing.
- Reasoning that is stored encrypted is said to be here and unreadable; only its length is told.
- An output whose own text says that it is shortened is marked so: the words are the agent's, and a command could have
  printed them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

import msgspec

from agentaudit.adapters.codex.copied import Members, shown, type_of
from agentaudit.adapters.stores.told import Facts
from agentaudit.encoding.foreign import Json, entries, mapping
from agentaudit.model.text import SourceText, source_text
from agentaudit.model.workingcopy import Block, BlockKind, Clip, Way

_TEXTS: Final = frozenset({"input_text", "output_text", "text", "Text", "summary_text", "reasoning_text"})
_PICTURES: Final = frozenset({"input_image", "output_image", "image"})
_INPUTS: Final = ("arguments", "input", "action")
_CALL: Final = ("type", "id", "name", "call_id", *_INPUTS)
_OUTPUT: Final = ("type", "id", "call_id", "output", "tools")
_PASSAGES: Final = ("content", "summary", "encrypted_content")
_KINDS_OF: Final = "internal_chat_message_metadata_passthrough"

_MARKS: Final = (
    ("mark_before", re.compile(r"Warning: truncated output \(original token count: [0-9]+\)")),
    ("mark_within", re.compile(r"…[0-9]+ (?:chars|tokens|lines) truncated…")),
    ("mark_of_storing", re.compile(r"\.\.\. command output truncated for persistence \.\.\.")),
)


def item_facts(item: Members) -> Facts:
    """What an item holds beside its texts."""
    return item.facts(*_OUTPUT, *_CALL, *_PASSAGES, "role")


def item_blocks(name: str, item: Members) -> tuple[Block, ...]:
    """The blocks of an item of that type, which is one of `ITEMS`."""
    return tuple(ITEMS[name](item))


def clips_in(text: SourceText, pointer: str) -> tuple[Clip, ...]:
    """The clip that a text speaks of in itself; none for a text that speaks of none."""
    words = text if isinstance(text, str) else text.display
    basis = tuple(name for name, mark in _MARKS if mark.search(words))
    if not basis:
        return ()
    kept = len(words.encode())
    return (Clip(pointer=pointer, by="said_in_text", basis=basis, kept_bytes=kept, limit_bytes=None,
                 raise_parameter=None),)  # fmt: skip


def _message(item: Members) -> Iterator[Block]:
    around = mapping(item.values.get(_KINDS_OF)) or {}
    kinds = entries(around.get("content_item_kinds")) or []
    for number, block in enumerate(_passages(item, "content", "text")):
        kind = kinds[number] if number < len(kinds) else None
        said = (("content item kind", source_text(kind)),) if isinstance(kind, str) else ()
        yield msgspec.structs.replace(block, facts=(*said, *block.facts))


def _reasoning(item: Members) -> Iterator[Block]:
    yield from _passages(item, "summary", "thinking")
    yield from _passages(item, "content", "thinking")
    yield from _encrypted(item)


def _encrypted(item: Members) -> Iterator[Block]:
    sealed = item.values.get("encrypted_content")
    if isinstance(sealed, str):
        yield Block(
            kind="thinking",
            type="encrypted_content",
            way=item.way_to("encrypted_content"),
            unreadable="encrypted",
            facts=(("length", f"{len(sealed):,} characters"),),
        )


def _passages(item: Members, name: str, kind: BlockKind) -> Iterator[Block]:
    """The passages of a member: a text, or a list of parts, of which pictures are named and strangers shown raw."""
    said = item.values.get(name)
    if isinstance(said, str):
        yield Block(kind=kind, type=name, way=item.way_to(name), texts=(source_text(said),))
    parts = entries(said) or []
    raws = list(item.texts_in(name))
    for number, part in enumerate(parts):
        raw = raws[number] if len(raws) == len(parts) else None
        yield _passage(mapping(part) or {}, raw, item.way_to(name, number), kind)


def _passage(part: dict[str, Json], raw: bytes | None, way: Way, kind: BlockKind) -> Block:
    text = part.get("text")
    members = Members(part, raw, way)
    if part.get("type") in _TEXTS and isinstance(text, str):
        facts = members.facts("type", "text")
        return Block(kind=kind, type=type_of(part), way=way, texts=(source_text(text),), facts=facts)
    facts = members.facts("type")
    texts = () if part.get("type") in _PICTURES else shown(raw)
    return Block(kind="other", type=type_of(part), way=way, texts=texts, facts=facts)


def _call(item: Members) -> Iterator[Block]:
    name = next((one for one in _INPUTS if item.values.get(one) is not None), None)
    given = item.values.get(name) if name is not None else None
    texts = (source_text(given),) if isinstance(given, str) else () if name is None else shown(item.text_of(name))
    yield Block(
        kind="tool_use",
        type=type_of(item.values),
        way=item.way_to(name) if name is not None else item.way,
        texts=texts,
        name=item.word("name"),
        id=item.word("call_id"),
        input_state="empty" if given in (None, "", "{}", {}) else "present",
    )


def _output(item: Members) -> Iterator[Block]:
    name = "output" if "output" in item.values else "tools"
    way = item.way_to(name)
    texts = _given_back(item, name)
    yield Block(
        kind="tool_result",
        type=type_of(item.values),
        way=way,
        texts=texts,
        tool_use_id=item.word("call_id"),
        clips=tuple(clip for text in texts for clip in clips_in(text, way.pointer)),
        facts=_beside(item.values.get(name)),
    )


def _given_back(item: Members, name: str) -> tuple[SourceText, ...]:
    """The texts of an output: itself, its `content`, or its parts; anything else as it stands."""
    output = item.values.get(name)
    inner = mapping(output)
    said = output if inner is None else inner.get("content")
    if isinstance(said, str):
        return (source_text(said),)
    parts = [mapping(part) or {} for part in entries(said) or []]
    found = [text for part in parts if part.get("type") in _TEXTS and isinstance(text := part.get("text"), str)]
    pictures = sum(part.get("type") in _PICTURES for part in parts)
    if parts and len(found) + pictures == len(parts):
        return tuple(source_text(text) for text in found)
    return shown(item.text_of(name))


def _beside(output: Json) -> Facts:
    """What an output says beside its text: flags of an object, parts that are pictures."""
    inner = mapping(output) or {}
    parts = [mapping(part) or {} for part in entries(inner.get("content", output)) or []]
    pictures = sum(part.get("type") in _PICTURES for part in parts)
    flags = tuple((f"output.{name}", str(item).lower()) for name, item in inner.items() if isinstance(item, bool))
    return (*flags, *((("parts that are pictures", f"{pictures:,}, in the raw bytes"),) if pictures else ()))


ITEMS: Final[Mapping[str, Callable[[Members], Iterator[Block]]]] = MappingProxyType({
    "message": _message,
    "reasoning": _reasoning,
    "compaction": _encrypted,
    "context_compaction": _encrypted,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "web_search_call": _call,
    "tool_search_call": _call,
    "image_generation_call": _call,
    "function_call_output": _output,
    "custom_tool_call_output": _output,
    "local_shell_call_output": _output,
    "tool_search_output": _output,
    "tool_search_call_output": _output,
})  # fmt: skip
