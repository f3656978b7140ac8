"""Content blocks as the server shows them: cut, flagged, replaced or left out (sections 2.3 and 3.2).

Laws:
    - Local transcripts put a bracketed placeholder where something is missing; remote ones put nothing.
    - A tool input is a string that holds JSON; once cut it is JSON no more.
    - ``truncated`` is the last member of each block and is always there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from agentaudit.demo.blocks import Block, Omitted, Strange, Text, ToolResult, ToolUse
from agentaudit.demo.truncate import SERVER_MAXIMUM, Caps, cut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentaudit.demo.canary import Canary
    from agentaudit.demo.jsontext import Json

_ASSERTED = "[The client supplied this assistant turn as history; who wrote it is not verified]"
_SYNTHETIC = "[The endpoint made this message in place of context that it does not show]"


@dataclass(frozen=True, slots=True)
class Showing:
    """How one request wants content: its caps, what is planted, and whether gaps are marked in band."""

    caps: Caps
    canary: Canary
    marks_gaps: bool


def shown(block: Block, how: Showing) -> tuple[Mapping[str, Json], ...]:
    """The block as zero or one rendered blocks."""
    match block:
        case Text():
            return (_text(block, how),)
        case ToolUse():
            return (_tool_use(block, how),)
        case ToolResult():
            return (_tool_result(block, how),)
        case Omitted():
            return (_marker(f"[{block.kind} omitted]"),) if how.marks_gaps else ()
        case Strange():
            return (dict(block.members),)
        case _:
            assert_never(block)


def server_marker(provenance: str) -> tuple[Mapping[str, Json], ...]:
    """The bracketed line that opens content of this provenance type; nothing for any other."""
    match provenance:
        case "client_asserted":
            return (_marker(_ASSERTED),)
        case "synthetic_marker":
            return (_marker(_SYNTHETIC),)
        case _:
            return ()


def _marker(text: str) -> Mapping[str, Json]:
    return {"type": "text", "text": text, "truncated": True}


def _text(block: Text, how: Showing) -> Mapping[str, Json]:
    text, was_cut = cut(how.canary.text(block.text), SERVER_MAXIMUM, None)
    return {"type": "text", "text": text, "truncated": was_cut or block.truncated}


def _tool_use(block: ToolUse, how: Showing) -> Mapping[str, Json]:
    raw, was_cut = cut(how.canary.tool_input(block.input), how.caps.tool_input, "tool_use_input_max_bytes")
    return {
        "type": "tool_use",
        "id": block.id,
        "name": how.canary.tool_name(block.name),
        "input": raw,
        "truncated": was_cut,
    }


def _tool_result(block: ToolResult, how: Showing) -> Mapping[str, Json]:
    parts = [cut(how.canary.text(item), how.caps.tool_result, "tool_result_max_bytes") for item in block.content]
    items = [{"type": "text", "text": text} for text, _ in parts]
    replaced = block.omitted > 0 and how.marks_gaps
    if replaced:
        items.append({"type": "text", "text": f"[{block.omitted} non-text items omitted]"})
    return {
        "type": "tool_result",
        "tool_use_id": block.tool_use_id,
        "name": how.canary.tool_name(block.name),
        "is_error": block.is_error,
        "content": items,
        "truncated": replaced or any(was_cut for _, was_cut in parts),
    }
