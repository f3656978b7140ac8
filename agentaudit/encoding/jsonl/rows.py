"""One object as a row of named members, from the exact reader's places; and the duplicates among its names.

- Of a name that stands twice the first member counts, as the fast parser has it.
- Only strings and integers of 64 bits become values; whatever else is asked for is None.
- A string or name of more than `WORD_MAX` characters is `LONG`: they are all alike, and nobody asks for one.
- A row answers like the fast parser's: `row[name]`, KeyError for a name that it has not, iteration over the names.
"""

import json
from array import array
from collections.abc import Iterator
from typing import Protocol

from agentaudit.encoding.jsonl.grammar import Octets, Reader

WORD_MAX = 4_096
LONG = "x" * (WORD_MAX + 1)
# A character is at most two escaped halves of a surrogate pair.
_TOKEN_MAX = 12 * WORD_MAX + 2
_OBJECT = 0x7B
_QUOTE = 0x22
_NUMBER_BEGINS = b"-0123456789"
_DECODER = json.JSONDecoder()


class RowLike(Protocol):
    """What the fast parser and the exact reader both give for an object."""

    def __getitem__(self, name: str, /) -> object:
        """The member's value; KeyError without it."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The names in their order, duplicates included."""
        ...


class Row:
    """An object of a grammatical, UTF-8 text: its first `MEMBERS_MAX` members."""

    __slots__ = ("_places", "_text")

    def __init__(self, text: Octets, at: int) -> None:
        """Take the object that begins at `at`; where its members stand is found at once."""
        reader = Reader(members=True)
        reader.read(text, at)
        self._text = text
        self._places = reader.members or array("q")

    def __getitem__(self, name: str, /) -> object:
        """The value of the first member of that name: a string, a `Row`, an integer, or None for anything else."""
        for place, standing in enumerate(self):
            if standing == name:
                return self._value(self._places[3 * place + 2])
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """The names in their order, duplicates included."""
        keys, ends = self._places[::3], self._places[1::3]
        return (_string(self._text, key, end) for key, end in zip(keys, ends, strict=True))

    def _value(self, at: int) -> object:
        first = self._text[at]
        if first == _OBJECT:
            return Row(self._text, at)
        if first != _QUOTE and first not in _NUMBER_BEGINS:
            return None
        reader = Reader()
        reader.read(self._text, at)
        if first == _QUOTE:
            return _string(self._text, at, reader.at)
        digits = bytes(self._text[at : reader.at])
        return None if reader.huge or not digits.lstrip(b"-").isdigit() else int(digits)


def short(word: str) -> str:
    """The word itself, or `LONG` in the place of one that is too long."""
    return word if len(word) <= WORD_MAX else LONG


def _string(text: Octets, begin: int, end: int) -> str:
    """The string of a token; a lone surrogate escape stays one."""
    if end - begin > _TOKEN_MAX:
        return LONG
    return short(str(_DECODER.decode(bytes(text[begin:end]).decode())))
