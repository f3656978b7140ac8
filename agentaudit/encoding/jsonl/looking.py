"""What is asked of a good line: its `type`, the set of its top-level names, what the probes want.

- Only words leave: strings and integers. What is too long, or no word, is counted or passed over, never kept.
- A name that stands twice counts once in a key set.
"""

from agentaudit.encoding.jsonl.asked import Asked, Probe, Word
from agentaudit.encoding.jsonl.engine import NO_ANSWER
from agentaudit.encoding.jsonl.rows import WORD_MAX, RowLike, short
from agentaudit.encoding.jsonl.tally import Seen, Tally

TYPE_MAX = 128
SHAPE_NAMES_MAX = 4_096
_MEMO_MAX = 4_096


class Looks:
    """Asks rows and puts the answers into tallies."""

    def __init__(self, asked: Asked) -> None:
        """Take what is asked."""
        self._keys = asked.keys
        self._probes = asked.probes
        self._memo: dict[tuple[str, ...], tuple[str, ...] | None] = {}

    @property
    def more(self) -> bool:
        """True when more than the type of a line is asked for."""
        return self._keys or bool(self._probes)

    def ask(self, tally: Tally, row: RowLike) -> None:
        """Count the row's type, its key set when asked, and each probe's word."""
        try:
            kind = row["type"]
        except NO_ANSWER:
            kind = None
        if type(kind) is str:
            _count_type(tally, kind)
        if self._keys:
            self._shape(tally, tuple(row))
        for probe, seen in zip(self._probes, tally.probes, strict=True):
            _see(row, probe, seen)

    def _shape(self, tally: Tally, names: tuple[str, ...]) -> None:
        if names not in self._memo:
            if len(self._memo) >= _MEMO_MAX:
                self._memo.clear()
            self._memo[names] = _key_set(names)
        shape = self._memo[names]
        if shape is None:
            tally.shapes_beyond += 1
        else:
            tally.shapes[shape] = tally.shapes.get(shape, 0) + 1


def _see(row: RowLike, probe: Probe, seen: Seen) -> None:
    """Take the word below the probe's names; pass over anything else, and what is too long."""
    value: object = row
    try:
        for name in probe.path:
            value = value[name]  # type: ignore[index]
    except NO_ANSWER:
        return
    if type(value) is str:
        if len(value) <= WORD_MAX:
            _keep(value, probe, seen)
    elif type(value) is int:
        _keep(value, probe, seen)


def _keep(word: Word, probe: Probe, seen: Seen) -> None:
    if seen.first is None:
        seen.first = word
    seen.last = word
    if probe.distinct_max:
        seen.words[word] = seen.words.get(word, 0) + 1
    else:
        seen.bound(word)


def _count_type(tally: Tally, kind: str) -> None:
    if len(kind) > TYPE_MAX:
        tally.types_beyond += 1
    else:
        tally.types[kind] = tally.types.get(kind, 0) + 1


def _key_set(names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names once each, sorted; None when there are too many."""
    return tuple(sorted({short(name) for name in names})) if len(names) <= SHAPE_NAMES_MAX else None
