"""What stands in one cell of a document for people.

- A text, a number, something to be copied letter by letter (`Code`), something short that is not broken (`Whole`), or
  several of these, one below the other.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Code:
    """Words to be copied letter by letter: a path, a digest, an identifier."""

    text: str


@dataclass(frozen=True, slots=True)
class Whole:
    """A short text of a known form, kept on one line: a date, a time."""

    text: str


@dataclass(frozen=True, slots=True)
class Stack:
    """Several short things in one cell, one below the other."""

    cells: tuple["str | Code | Whole", ...]


Cell: TypeAlias = str | int | Code | Whole | Stack | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its heading, its share of the width in percent, and what it holds."""

    heading: str
    share: int
    holds: Literal["text", "word", "number"] = "text"
