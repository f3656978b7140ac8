"""The row of an event: what is told of its attributes, as ids, words, numbers and lengths, never as content.

- Which attributes are told, and in which order, depends on their names only: it is worked out once for each set of
  names, and a bounded number of sets is remembered.
- An id or a word that is too long to be one is left out and marked; content is told by its length in bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from agentaudit.adapters.otlp.dialects import Dialect
from agentaudit.adapters.otlp.events import Event
from agentaudit.adapters.otlp.values import Fields, Value, number_of, octets_of
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place
from agentaudit.model.text import SourceText, source_text

WORD_MAX: Final = 128
"""Characters of a word from a closed vocabulary."""
ID_MAX: Final = 256
"""Characters of an id."""

_SETS_MAX: Final = 1_024

T = TypeVar("T")
Keys: TypeAlias = tuple[tuple[KeyName, SourceText], ...]
Words: TypeAlias = tuple[tuple[str, SourceText], ...]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Of a set of attributes those that are told: each with the name under which it is, in the order of those names."""

    keys: tuple[tuple[str, KeyName], ...]
    words: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, str, bool], ...]


class Telling:
    """Makes the rows of one agent's events."""

    def __init__(self, dialect: Dialect) -> None:
        """No set of names is known."""
        self._dialect = dialect
        self._known: dict[tuple[str, ...], _Columns] = {}

    def row(self, event: Event, stream: str, place: Place, order: int | None, marks: set[str]) -> EventRow:
        """The row of an event; `marks` are added to where something was left out."""
        fields = event.fields
        names = tuple(fields)
        columns = self._known.get(names) or self._learn(names)
        keys: Keys = tuple([
            (key, word)
            for name, key in columns.keys
            if (word := fields[name].stringValue) and len(word) <= ID_MAX and word.isascii()
        ])  # fmt: skip
        if len(keys) != len(columns.keys):
            keys = tuple(_told(fields, columns.keys, ID_MAX, marks))
        words: Words = tuple([
            (told, word)
            for name, told in columns.words
            if (word := fields[name].stringValue) and len(word) <= WORD_MAX and word.isascii()
        ])  # fmt: skip
        if len(words) != len(columns.words):
            words = tuple(_told(fields, columns.words, WORD_MAX, marks))
        return EventRow(
            stream=stream,
            kind=event.kind,
            place=place,
            at=source_text(event.at[:WORD_MAX]) if event.at else UNSET,
            order=UNSET if order is None else order,
            keys=keys,
            words=words,
            numbers=tuple(_numbers(fields, columns.numbers)) if columns.numbers else (),
            marks=tuple(sorted(marks)) if marks else (),
        )

    def _learn(self, names: tuple[str, ...]) -> _Columns:
        keys: list[tuple[KeyName, str]] = []
        words: list[tuple[str, str]] = []
        numbers: list[tuple[str, str, bool]] = []
        for name in names:
            how, told = self._dialect.told.get(name, (None, ""))
            if how == "key":
                keys.append((self._dialect.keys[name], name))
            elif how == "word":
                words.append((told, name))
            elif how is not None:
                numbers.append((told, name, how == "content"))
        found = _Columns(
            tuple((name, key) for key, name in sorted(keys)),
            tuple((name, told) for told, name in sorted(words)),
            tuple((name, told, content) for told, name, content in sorted(numbers)),
        )
        if len(self._known) >= _SETS_MAX:
            self._known.clear()
        self._known[names] = found
        return found


def _told(
    fields: Fields, columns: tuple[tuple[str, T], ...], longest: int, marks: set[str]
) -> Iterator[tuple[T, SourceText]]:
    """The slower way, for truths, foreign letters, and what is too long."""
    for name, told in columns:
        word = _word(fields[name])
        if word is None:
            continue
        if len(word) <= longest:
            yield told, source_text(word)
        else:
            marks.add("word_over_limit")


def _word(value: Value) -> str | None:
    if value.boolValue is not None:
        return "true" if value.boolValue else "false"
    return value.stringValue or None


def _numbers(fields: Fields, columns: tuple[tuple[str, str, bool], ...]) -> Iterator[tuple[str, int]]:
    for name, told, content in columns:
        value = fields[name]
        if content:
            if value.stringValue is not None:
                yield told, octets_of(value.stringValue)
        else:
            number = number_of(value)
            if number is not None:
                yield told, number
