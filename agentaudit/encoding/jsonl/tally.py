"""What was counted in a block of lines, relative to the block: small, picklable, and added up in the order of the text.

- A block keeps every different word it saw; the bounds on words hold for the whole text, in file order, so that
  they do not depend on where blocks end.
- Lines count from 0 within the block, offsets from its first byte.
"""

from dataclasses import dataclass, field

from agentaudit.encoding.jsonl.asked import Word
from agentaudit.encoding.jsonl.judging import Judged
from agentaudit.model.framing import FaultClass, NoteKind, ValueKind

FINDINGS_MAX = 1_000


@dataclass(frozen=True, slots=True)
class Place:
    """A finding's place within its block."""

    line: int
    offset: int
    length: int
    judged: Judged


@dataclass(slots=True)
class Seen:
    """What a probe saw in a block; where only bounds are asked for, `words` stays empty."""

    words: dict[Word, int] = field(default_factory=dict)
    first: Word | None = None
    last: Word | None = None
    strings: tuple[str, str] | None = None
    integers: tuple[int, int] | None = None

    def add(self, other: "Seen") -> None:
        """Add what the next block saw, its words apart."""
        if self.first is None:
            self.first = other.first
        self.last = self.last if other.last is None else other.last
        for word in (*(other.strings or ()), *(other.integers or ()), *other.words):
            self.bound(word)

    def bound(self, word: Word) -> None:
        """Widen the bounds of the word's kind."""
        if isinstance(word, str):
            least, greatest = self.strings or (word, word)
            self.strings = (min(least, word), max(greatest, word))
        else:
            lowest, highest = self.integers or (word, word)
            self.integers = (min(lowest, word), max(highest, word))


@dataclass(slots=True)
class Tally:
    """The counts of one block of lines."""

    lines: int = 0
    ok: int = 0
    ok_after: int = 0
    values: int = 0
    longest: int = 0
    places: list[Place] = field(default_factory=list)
    faults: dict[FaultClass, int] = field(default_factory=dict)
    notes: dict[NoteKind, tuple[int, int]] = field(default_factory=dict)
    kinds: dict[ValueKind, int] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    types_beyond: int = 0
    shapes: dict[tuple[str, ...], int] = field(default_factory=dict)
    shapes_beyond: int = 0
    probes: list[Seen] = field(default_factory=list)

    def good(self, lines: int) -> None:
        """Count lines that are one complete object each."""
        self.ok += lines
        self.ok_after += lines if self.faults else 0

    def ordinary(self, lines: int) -> None:
        """Count good lines of which nothing is to be noted."""
        if lines:
            self.good(lines)
            self.values += lines
            self.kinds["object"] = self.kinds.get("object", 0) + lines

    def note(self, kind: NoteKind, line: int) -> None:
        """Count a line with a note; the first line of its kind is kept."""
        count, first = self.notes.get(kind, (0, line))
        self.notes[kind] = (count + 1, min(first, line))

    def put(self, place: Place) -> None:
        """Count a line that the exact reader judged."""
        judged = place.judged
        for note in judged.notes:
            self.note(note, place.line)
        for kind in judged.kinds:
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.values += judged.count
        if judged.fault is not None:
            self._fault(judged.fault, place)
        elif judged.begins is not None:
            self.good(1)

    def add(self, other: "Tally") -> None:
        """Add the counts of the next block; its places, notes and words are kept elsewhere."""
        self.ok_after += other.ok if self.faults else other.ok_after
        self.lines += other.lines
        self.ok += other.ok
        self.values += other.values
        self.longest = max(self.longest, other.longest)
        self.types_beyond += other.types_beyond
        self.shapes_beyond += other.shapes_beyond
        for fault, count in other.faults.items():
            self.faults[fault] = self.faults.get(fault, 0) + count
        for kind, count in other.kinds.items():
            self.kinds[kind] = self.kinds.get(kind, 0) + count

    def _fault(self, fault: FaultClass, place: Place) -> None:
        self.faults[fault] = self.faults.get(fault, 0) + 1
        if len(self.places) < FINDINGS_MAX:
            self.places.append(place)
