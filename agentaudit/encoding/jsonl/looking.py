"""What is asked of a good line: its `type`, the set of its top-level names, what the probes want.

- Only words leave: strings and integers. What is too long, or no word, is counted or passed over, never kept.
- A name that stands twice counts once in a key set.
"""

from typing import TypeGuard

from agentaudit.encoding.jsonl.asked import Asked, Probe, Word
from agentaudit.encoding.jsonl.engine import REFUSALS
from agentaudit.encoding.jsonl.rows import LONG, RowLike, short
from agentaudit.encoding.jsonl.tally import Tally

TYPE_MAX = 128
SHAPE_NAMES_MAX = 4_096
_MEMO_MAX = 4_096


class Looks:
    """Asks rows and puts the answers into a tally."""

    def __init__(self, asked: Asked) -> None:
        """Take what is asked."""
        self._keys = asked.keys
        self._probes = asked.probes
        self._memo: dict[tuple[str, ...], tuple[str, ...] | None] = {}

    def ask(self, tally: Tally, row: RowLike) -> None:
        """Count the row's type, its key set when asked, and each probe's word."""
        kind = word_at(row, ("type",))
        if isinstance(kind, str):
            _count_type(tally, kind)
        if self._keys:
            self._shape(tally, row)
        for probe, seen in zip(self._probes, tally.probes, strict=True):
            word = self._word(row, probe)
            if word is not None:
                seen.see(word)

    def _word(self, row: RowLike, probe: Probe) -> Word | None:
        return word_at(row, probe.path)

    def _shape(self, tally: Tally, row: RowLike) -> None:
        names = tuple(row)
        if names not in self._memo:
            if len(self._memo) >= _MEMO_MAX:
                self._memo.clear()
            self._memo[names] = _key_set(names)
        shape = self._memo[names]
        if shape is None:
            tally.shapes_beyond += 1
        else:
            tally.shapes[shape] = tally.shapes.get(shape, 0) + 1


def word_at(row: RowLike, path: tuple[str, ...]) -> Word | None:
    """The string or integer below those names; None for anything else, for nothing, and for what is too long."""
    value: object = row
    for name in path:
        if not _has_names(value):
            return None
        try:
            value = value[name]
        except (KeyError, *REFUSALS):
            return None
    if isinstance(value, str):
        return value if short(value) is not LONG else None
    return value if type(value) is int else None


def _has_names(value: object) -> TypeGuard[RowLike]:
    """False for what certainly has no members; an array says so itself when it is asked for a name."""
    return not isinstance(value, str | int | float | None)


def _count_type(tally: Tally, kind: str) -> None:
    if len(kind) > TYPE_MAX:
        tally.types_beyond += 1
    else:
        tally.types[kind] = tally.types.get(kind, 0) + 1


def _key_set(names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names once each, sorted; None when there are too many."""
    return tuple(sorted({short(name) for name in names})) if len(names) <= SHAPE_NAMES_MAX else None
