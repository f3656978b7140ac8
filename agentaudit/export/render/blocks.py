"""The blocks that a document for people is made of; Markdown and HTML are two ways to write them down.

- Rows of a grid come one at a time.
- Every text may be hostile: whoever writes a block down makes it safe.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentaudit.export.dossier import Part
from agentaudit.export.render.cells import Cell, Column


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: level 1 is the document's, 2 a chapter's, 3 a section's; `page`: on paper it begins a page."""

    level: Literal[1, 2, 3]
    text: str
    anchor: str = ""
    page: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; what wants `attention`, so that nobody overlooks it; or a `command`, to be typed as it stands."""

    text: str
    kind: Literal["text", "attention", "command"] = "text"


@dataclass(frozen=True, slots=True)
class Points:
    """Things said one after the other."""

    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Names and what they stand for; when `blanks`, an answer that is empty is left to a person's hand."""

    rows: tuple[tuple[str, Cell], ...]
    blanks: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its caption, its columns, its rows; when `grouped`, a row with a first cell begins a group."""

    caption: str
    columns: tuple[Column, ...]
    rows: Iterable[tuple[Cell, ...]]
    grouped: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """The coverage of one exhibit over time, by session, with pages and losses; the tables say it in words."""

    part: Part


Block: TypeAlias = Heading | Paragraph | Points | Pairs | Grid | Picture
