"""The content of one message before the server renders it: a closed union of frozen values.

Laws:
    - These are what the client sent; cutting, placeholders and flags are made when a page is rendered.
    - Non-text content is present here and never leaves: local transcripts show a placeholder, remote ones nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from agentaudit.demo.jsontext import Json


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text. ``truncated`` set by hand stands for dropped citations: flag up, text whole (section 2.3)."""

    text: str
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool call; ``input`` is the JSON-encoded string that the client sent, ``id`` may be missing."""

    id: str | None
    name: str
    input: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's answer: its text items, and how many items were not text."""

    tool_use_id: str | None
    name: str
    content: tuple[str, ...]
    is_error: bool = False
    omitted: int = 0


@dataclass(frozen=True, slots=True)
class Omitted:
    """An image, a PDF or another block that the API does not return."""

    kind: str


@dataclass(frozen=True, slots=True)
class Strange:
    """A block of a kind that nobody documented yet, member by member."""

    members: tuple[tuple[str, Json], ...]


Block: TypeAlias = Text | ToolUse | ToolResult | Omitted | Strange
