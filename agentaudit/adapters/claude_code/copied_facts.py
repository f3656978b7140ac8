"""The small things beside the texts of a record, for a working copy: who, when, under which permission.

- The input of a call is cut out of its line as it stands there, never written anew.
"""

import msgspec

from agentaudit.adapters.stores.told import Facts, told
from agentaudit.encoding.envelope import Envelopes, Raw
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.text import SourceText, source_text

_RECORD = (
    "sessionId", "agentId", "isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly",
    "isApiErrorMessage", "parentUuid", "promptId", "requestId", "permissionMode", "permissionDecision", "sandboxed",
    "sourceToolAssistantUUID", "version", "cwd", "toolUseResult",
)  # fmt: skip
_MESSAGE = ("id", "stop_reason")
_SHOWN = frozenset({
    "type", "text", "thinking", "id", "name", "input", "tool_use_id", "is_error", "content",
})  # fmt: skip


class _Use(msgspec.Struct, frozen=True, kw_only=True):
    input: Raw = Raw()


class _Message(msgspec.Struct, frozen=True, kw_only=True):
    content: list[_Use] = []


class _Line(msgspec.Struct, frozen=True, kw_only=True):
    message: _Message | None = None


_LINES = Envelopes(_Line, shallow=True)


def record_facts(record: dict[str, Json], message: dict[str, Json]) -> Facts:
    """What stands around a message, by the names of its members; inner ones are joined by a dot."""
    around = [pair for name in _RECORD if name in record for pair in told(name, record[name])]
    inside = [pair for name in _MESSAGE if name in message for pair in told(f"message.{name}", message[name])]
    return tuple(around + inside)


def block_facts(kind: str, members: dict[str, Json]) -> Facts:
    """What a block holds beside its texts; items of a result that are no text are named."""
    facts = [pair for name, item in members.items() if name not in _SHOWN for pair in told(name, item)]
    content = members.get("content")
    if kind == "tool_result" and isinstance(content, list):
        inner = [mapping(item) or {} for item in content]
        facts += [("item that is no text", _kind(item)) for item in inner if item.get("type") != "text"]
    if kind == "other":
        facts += [pair for name in ("content", "input") if name in members for pair in told(name, members[name])]
    return tuple(facts)


def input_texts(line: bytes, blocks: int) -> tuple[str | None, ...]:
    """The text of each block's input as it stands in the line; None for a block without one, or for all of them.

    All are None when the line is of no form from which a part can be cut; then the raw bytes must be looked at.
    """
    found = _LINES.read(line)
    uses = found.message.content if found is not None and found.message is not None else []
    if len(uses) != blocks:
        return (None,) * blocks
    return tuple(bytes(use.input).decode("utf-8", "replace") or None for use in uses)


def _kind(item: dict[str, Json]) -> SourceText:
    word = item.get("type")
    return source_text(word) if isinstance(word, str) else "of no type"
