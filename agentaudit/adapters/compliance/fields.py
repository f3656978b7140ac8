"""The members of a foreign object as words of a row: kept verbatim, absent, null, or of a wrong type.

- A member of a wrong type is left out like an absent one, and named in `unknown_fields` as `wrong_type:<name>`.
- A member that nobody documented is named in `unknown_fields`; its value stays in the raw bytes.
- Names are foreign text too: long ones are named by their length, and many by their number.
"""

from collections.abc import Callable, Mapping

from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.readings import Word
from agentaudit.model.text import SourceText, source_text

NAMES_MAX = 64
NAME_CHARS_MAX = 120
COUNT_MAX = 2**53 - 1


def natural(item: Json) -> int | None:
    """A number that counts something and can stand in a row (at most 2^53-1); None for anything else."""
    whole = isinstance(item, int) and not isinstance(item, bool)
    return item if whole and isinstance(item, int) and 0 <= item <= COUNT_MAX else None


def as_it_is(word: str) -> str:
    """The word itself: for a reading that keeps no more than one row at a time."""
    return word


class Fields:
    """One foreign object while it is read; `odd` collects the names for `unknown_fields`."""

    __slots__ = ("_members", "_share", "odd")

    def __init__(self, members: Mapping[str, Json], share: Callable[[str], str] = as_it_is) -> None:
        """`share` gives one string for all equal ones, so that a long reading stays small."""
        self._members = members
        self._share = share
        self.odd: list[str] = []

    def word(self, name: str, *, shared: bool = True) -> Word:
        """The text under a name, null, or absent; words that hardly ever repeat are not worth sharing."""
        item = self._members.get(name, UNSET)
        if isinstance(item, str):
            return source_text(self._share(item) if shared else item)
        return None if item is None else self._wrong(name, item)

    def flag(self, name: str) -> bool | Unset | None:
        """The truth value under a name, null, or absent."""
        item = self._members.get(name, UNSET)
        return item if item is None or isinstance(item, bool) else self._wrong(name, item)

    def mark(self, name: str) -> bool | Unset:
        """The truth value under a name that is never null; null counts as a wrong type."""
        item = self._members.get(name, UNSET)
        return item if isinstance(item, bool) else self._wrong(name, item)

    def inner(self, name: str) -> "Fields | Unset | None":
        """The object under a name, null, or absent."""
        item = self._members.get(name, UNSET)
        if isinstance(item, dict):
            return Fields(item, self._share)
        return None if item is None else self._wrong(name, item)

    def items(self, name: str) -> tuple[Json, ...] | Unset:
        """The array under a name, or absent."""
        item = self._members.get(name, UNSET)
        return tuple(item) if isinstance(item, list) else self._wrong(name, item)

    def unknown(self, known: frozenset[str]) -> None:
        """Note every member that is none of the known ones."""
        for name in self._members.keys() - known:
            self.odd.append(name if len(name) <= NAME_CHARS_MAX else f"long_name:{len(name)}")

    def _wrong(self, name: str, item: Json | Unset) -> Unset:
        if item is not UNSET:
            self.odd.append(f"wrong_type:{name}")
        return UNSET


def odd_names(names: list[str]) -> tuple[SourceText, ...]:
    """The names for `unknown_fields`, sorted; beyond the first 64 their number."""
    if not names:
        return ()
    rows = sorted(set(names))
    more = [f"more_names:{len(rows) - NAMES_MAX}"] if len(rows) > NAMES_MAX else []
    return tuple(source_text(name) for name in rows[:NAMES_MAX] + more)
