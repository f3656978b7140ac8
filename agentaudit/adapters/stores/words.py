"""Foreign words in a content-free inventory: what has the form of a version, a type, an id or a name is kept.

- Everything else is a label: the beginning of its SHA-256.
- Sets and counts of foreign words are bounded: beyond the bound they are cut, and say so.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from agentaudit.model.framing import label_of

WORD_MAX: Final = 128

_VERSION: Final = re.compile(r"\d{1,5}(?:\.\d{1,8}){1,3}(?:[-+][0-9A-Za-z.+-]{1,32})?\Z", re.ASCII)
_ID: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z_@-]{0,127}\Z")
_NAME: Final = re.compile(r"[0-9A-Za-z_][0-9A-Za-z._-]{0,127}\Z")


def is_version(word: str) -> bool:
    """Whether a word has the form of a release number."""
    return _VERSION.match(word) is not None


def version_word(word: str) -> str:
    """A release number as it is, anything else as a label."""
    return word if is_version(word) else label_of(word)


def id_word(word: str) -> str:
    """An id as it is, anything that has not the form of one as a label."""
    return word if _ID.match(word) else label_of(word)


def name_word(word: str) -> str:
    """The name of a file that the product made as it is, any other as a label."""
    return word if _NAME.match(word) else label_of(word)


class Tally:
    """Counts of distinct words, at most `limit`; `cut` is set once a word found no place."""

    __slots__ = ("_counts", "_limit", "cut")

    def __init__(self, limit: int) -> None:
        self.cut = False
        self._limit = limit
        self._counts: dict[str, int] = {}

    def add(self, word: str) -> None:
        """Count the word; a very long one by its label."""
        counts = self._counts
        key = word if len(word) <= WORD_MAX else label_of(word)
        if key in counts:
            counts[key] += 1
        elif len(counts) >= self._limit:
            self.cut = True
        else:
            counts[key] = 1

    def __len__(self) -> int:
        """How many distinct words were counted."""
        return len(self._counts)

    def __contains__(self, word: str) -> bool:
        """Whether the word was counted."""
        return (word if len(word) <= WORD_MAX else label_of(word)) in self._counts

    def words(self, form: Callable[[str], str]) -> tuple[str, ...]:
        """The words in their written form, sorted."""
        return tuple(sorted({form(word) for word in self._counts}))

    def first(self, form: Callable[[str], str]) -> str | None:
        """The word that was counted first."""
        return next((form(word) for word in self._counts), None)

    def counts(self, form: Callable[[str], str]) -> tuple[tuple[str, int], ...]:
        """Word and count, sorted by word; words with one written form are added up."""
        return added_up((form(word), count) for word, count in self._counts.items())


def added_up(pairs: Iterable[tuple[str, int]]) -> tuple[tuple[str, int], ...]:
    """Pairs of equal words as one, sorted by word."""
    total: dict[str, int] = {}
    for word, count in pairs:
        total[word] = total.get(word, 0) + count
    return tuple(sorted(total.items()))
