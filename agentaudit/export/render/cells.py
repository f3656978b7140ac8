"""What stands in one cell of a document for people.

- A text, a number, something to be copied letter by letter (`Code`), or several of these, one below the other.
"""

from dataclasses import dataclass
from typing import TypeAlias

from agentaudit.export.lines import Way
from agentaudit.model.text import SourceText, display


@dataclass(frozen=True, slots=True)
class Code:
    """Words to be copied letter by letter: a path, a digest, an identifier."""

    text: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Several short things in one cell, one below the other."""

    cells: tuple["str | Code", ...]


Cell: TypeAlias = str | int | Code | Stack | None


def code(word: SourceText | None) -> Code | None:
    """A word of the source, to be copied; nothing where it said none."""
    return None if word is None else Code(display(word))


def stack(*cells: str | Code | None) -> Cell:
    """What there is of these, one below the other."""
    there = tuple(cell for cell in cells if cell)
    return there[0] if len(there) == 1 else Stack(there) if there else None


def way_cell(way: Way) -> Cell:
    """The way back: file and pointer, digest, request-id, journal row."""
    return stack(
        Code(f"{way.item}#{way.pointer}" if way.pointer else way.item) if way.item else None,
        code(way.sha256),
        Code(way.request_id) if way.request_id else None,
        f"journal row {way.row}" if way.row else None,
    )
