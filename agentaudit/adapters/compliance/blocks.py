"""The content blocks of a message, without their content, and what was clipped in them (section 2.3).

- A block of a kind that nobody documented is a row with its type and the names of its members.
- A tool result is judged text item by text item: its one flag may stand for any of them, or for items that are
  no text and were replaced.
- Local results say so with the flag; a remote result's flag speaks of shortened text only (section 3.2).
"""

from dataclasses import dataclass

from agentaudit.adapters.compliance.clipping import Clip, is_empty_input, size_of, text_clip, tool_clip
from agentaudit.adapters.compliance.fields import Fields, odd_names
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.limits import ByteLimits
from agentaudit.model.readings import BlockRow, InputState
from agentaudit.model.selection import Family

INPUT_PARAMETER = "tool_use_input_max_bytes"
RESULT_PARAMETER = "tool_result_max_bytes"

_TEXT = frozenset({"type", "text", "truncated"})
_TOOL_USE = frozenset({"type", "id", "name", "input", "truncated"})
_TOOL_RESULT = frozenset({"type", "tool_use_id", "name", "is_error", "content", "truncated"})
_OTHER = frozenset({"type", "truncated"})
_ITEM = frozenset({"type", "text"})


@dataclass(frozen=True, slots=True)
class Clipped:
    """One clipped thing of a block: `pointer` is relative to the block, `parameter` the one that was in force."""

    pointer: str
    clip: Clip
    parameter: str | None


@dataclass(frozen=True, slots=True)
class BlockReading:
    """A block as a row, and what was clipped in it."""

    row: BlockRow
    clipped: tuple[Clipped, ...] = ()


def read_block(block: Json, family: Family, limits: ByteLimits | None) -> BlockReading:
    """The row of one block; `limits` are those that its page was asked with, None when not known."""
    members = mapping(block)
    if members is None:
        return BlockReading(BlockRow(type="", unknown_fields=("wrong_type:block",)))
    fields = Fields(members)
    match members.get("type"):
        case "text":
            return _text(fields, members)
        case "tool_use":
            return _tool_use(fields, members, limits)
        case "tool_result":
            return _tool_result(fields, family, limits)
        case _:
            return _other(fields)


def _text(fields: Fields, members: dict[str, Json]) -> BlockReading:
    fields.unknown(_TEXT)
    text = members.get("text")
    flag = fields.mark("truncated")
    if "text" in members and not isinstance(text, str):
        fields.odd.append("wrong_type:text")
    clip = text_clip(text, flagged=flag is True) if isinstance(text, str) else None
    row = BlockRow(
        type="text",
        truncated=flag,
        bytes=size_of(text) if isinstance(text, str) else UNSET,
        unknown_fields=odd_names(fields.odd),
    )
    return BlockReading(row, () if clip is None else (Clipped("/text", clip, None),))


def _tool_use(fields: Fields, members: dict[str, Json], limits: ByteLimits | None) -> BlockReading:
    fields.unknown(_TOOL_USE)
    given = members.get("input", UNSET)
    flag = fields.mark("truncated")
    asked = limits.tool_input_max_bytes if limits else None
    clip = tool_clip(given, flagged=flag is True, asked=asked) if isinstance(given, str) else None
    row = BlockRow(
        type="tool_use",
        name=fields.word("name"),
        id=fields.word("id"),
        truncated=flag,
        bytes=size_of(given) if isinstance(given, str) else UNSET,
        input_state=_input_state(given, flagged=flag is True),
        unknown_fields=odd_names(fields.odd),
    )
    return BlockReading(row, () if clip is None else (Clipped("/input", clip, INPUT_PARAMETER),))


def _input_state(given: Json | Unset, *, flagged: bool) -> InputState | Unset:
    if given is UNSET:
        return UNSET
    if not isinstance(given, str):
        return "not_a_string"
    if flagged:
        return "cut"
    return "empty" if is_empty_input(given) else "present"


def _tool_result(fields: Fields, family: Family, limits: ByteLimits | None) -> BlockReading:
    fields.unknown(_TOOL_RESULT)
    content = fields.items("content")
    texts = _texts(fields, () if content is UNSET else content)
    flag = fields.mark("truncated")
    sizes = tuple(size_of(text) for _, text in texts)
    row = BlockRow(
        type="tool_result",
        name=fields.word("name"),
        tool_use_id=fields.word("tool_use_id"),
        is_error=fields.flag("is_error"),
        truncated=flag,
        bytes=UNSET if content is UNSET else sum(sizes),
        item_bytes=UNSET if content is UNSET else sizes,
        unknown_fields=odd_names(fields.odd),
    )
    asked = limits.tool_result_max_bytes if limits else None
    return BlockReading(row, _result_clips(texts, sum(sizes), family, asked, flagged=flag is True))


def _texts(fields: Fields, content: tuple[Json, ...]) -> list[tuple[int, str]]:
    """The text items of a result with their places; what is no text item is named as odd."""
    texts: list[tuple[int, str]] = []
    for index, item in enumerate(content):
        members = mapping(item) or {}
        text = members.get("text")
        if members.get("type") == "text" and isinstance(text, str):
            texts.append((index, text))
        else:
            fields.odd.append("wrong_type:content.item")
        inner = Fields(members)
        inner.unknown(_ITEM)
        fields.odd.extend(f"content.{name}" for name in inner.odd)
    return texts


def _result_clips(
    texts: list[tuple[int, str]], total: int, family: Family, asked: int | None, *, flagged: bool
) -> tuple[Clipped, ...]:
    found = [(index, tool_clip(text, flagged=flagged, asked=asked)) for index, text in texts]
    clips = tuple(
        Clipped(f"/content/{index}/text", _weighed(clip, family), RESULT_PARAMETER)
        for index, clip in found
        # The flag is the block's: an item without a sign of its own is not accused by it.
        if clip is not None and clip.basis != ("flag",)
    )
    if clips or not flagged:
        return clips
    whole = Clip("marker" if family == "local" else "undetermined", ("flag",), total)
    return (Clipped("", whole, RESULT_PARAMETER),)


def _weighed(clip: Clip, family: Family) -> Clip:
    """A local item of the right length without the suffix may be whole: the flag may speak of another item."""
    if family == "local" and "suffix" not in clip.basis:
        return Clip("undetermined", clip.basis, clip.kept_bytes)
    return clip


def _other(fields: Fields) -> BlockReading:
    kind = fields.word("type")
    fields.unknown(_OTHER)
    row = BlockRow(
        type=kind if kind is not UNSET and kind is not None else "",
        truncated=fields.mark("truncated"),
        unknown_fields=odd_names(fields.odd),
    )
    return BlockReading(row)
