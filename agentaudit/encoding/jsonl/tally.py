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
    """What a probe saw in a block."""

    words: dict[Word, int] = field(default_factory=dict)
    first: Word | None = None
    last: Word | None = None

    def see(self, word: Word) -> None:
        """Count one more word."""
        self.words[word] = self.words.get(word, 0) + 1
        if self.first is None:
            self.first = word
        self.last = word


@dataclass(slots=True)
class Tally:
    """The counts of one block of lines; `began_cut` tells how its first line that is not blank ends."""

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
    began_cut: bool | None = None

    def good(self, lines: int) -> None:
        """Count lines that are one complete object each."""
        self.ok += lines
        self.ok_after += lines if self.faults else 0
        if lines and self.began_cut is None:
            self.began_cut = False

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

    def _fault(self, fault: FaultClass, place: Place) -> None:
        self.faults[fault] = self.faults.get(fault, 0) + 1
        if len(self.places) < FINDINGS_MAX:
            self.places.append(place)
        if self.began_cut is None:
            self.began_cut = fault in ("cut", "incomplete_tail") and not place.judged.values
