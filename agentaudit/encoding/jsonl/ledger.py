"""The counts of a whole text: tallies of its blocks, added in the order of the text whatever the order they come in.

- The first words of a text are kept, up to a bound for each question; the lines of all others are one number.
- What is said of a word is its label; the words themselves are handed out beside the facts, never in them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from agentaudit.encoding.jsonl.asked import Asked, Probe, Probed, Word
from agentaudit.encoding.jsonl.document import Document
from agentaudit.encoding.jsonl.tally import FINDINGS_MAX, Place, Seen, Tally
from agentaudit.model.base import UNSET
from agentaudit.model.framing import (
    FaultClass,
    FramingFacts,
    FramingFinding,
    FramingNote,
    KeySetCount,
    LabelCount,
    NoteKind,
    SecondLook,
    label_of,
)

K = TypeVar("K")

TYPES_MAX = 256
SHAPES_MAX = 1_024


@dataclass(frozen=True, slots=True)
class Framed:
    """The facts of a text; what its probes saw; and for each label in the facts its word, for those who may see it."""

    facts: FramingFacts
    probed: tuple[Probed, ...]
    words: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class _First(Generic[K]):
    """The first `most` different words with their lines, and the lines of all others."""

    most: int
    lines: dict[K, int] = field(default_factory=dict)
    beyond: int = 0

    def add(self, words: Mapping[K, int]) -> None:
        for word, lines in words.items():
            if word in self.lines or len(self.lines) < self.most:
                self.lines[word] = self.lines.get(word, 0) + lines
            else:
                self.beyond += lines


class Ledger:
    """Takes the tallies of one text and says what they come to."""

    def __init__(self, asked: Asked) -> None:
        """Begin with nothing counted."""
        self._asked = asked
        self._sum = Tally()
        self._findings: list[FramingFinding] = []
        self._types: _First[str] = _First(TYPES_MAX)
        self._shapes: _First[tuple[str, ...]] = _First(SHAPES_MAX)
        self._probes = [(probe, Seen(), _First[Word](probe.distinct_max)) for probe in asked.probes]
        self._waiting: dict[int, tuple[int, Tally]] = {}
        self._next = 0

    def put(self, sequence: int, offset: int, tally: Tally) -> None:
        """Take the tally of the block of that number, counted from 0, which begins at that offset."""
        self._waiting[sequence] = (offset, tally)
        while self._next in self._waiting:
            self._add(*self._waiting.pop(self._next))
            self._next += 1

    def close(self, octets: int, document: Document | None, *, final_newline: bool) -> Framed:
        """What the text of so many bytes comes to; `document` is the guess that lived to its end."""
        total = self._sum
        if not octets:
            self._note("empty_file", None, 1)
        elif not final_newline:
            self._note("no_final_lf", total.lines, 1)
        if document is not None and self._is_documents(document):
            self._set_documents(document, octets)
        facts = FramingFacts(
            bytes=octets,
            lines=total.lines,
            ok_lines=total.ok,
            ok_after_first_finding=total.ok_after,
            values=total.values,
            longest_line_bytes=total.longest,
            final_newline=final_newline if octets else None,
            findings=tuple(self._findings),
            findings_by_class=tuple(sorted(total.faults.items())),
            notes=tuple(FramingNote(note=note, lines=n, first_line=at or None) for note, (n, at) in _sorted(total)),
            kinds=tuple(sorted(total.kinds.items())),
            types=tuple(LabelCount(label=label_of(word), lines=n) for word, n in _by_count(self._types.lines)),
            types_beyond=self._types.beyond + total.types_beyond,
            key_sets=tuple(self._key_sets()) if self._asked.keys else UNSET,
            key_sets_beyond=self._shapes.beyond + total.shapes_beyond if self._asked.keys else UNSET,
            second_look=self._second_look(octets),
            second_look_bytes=min(octets, octets if self._limit is None else self._limit),
        )
        return Framed(facts, tuple(_probed(*each) for each in self._probes), tuple(self._words()))

    @property
    def _limit(self) -> int | None:
        return self._asked.second_look_bytes

    def _second_look(self, octets: int) -> SecondLook:
        if self._limit == 0:
            return "not_asked"
        return "every_line" if self._limit is None or octets <= self._limit else "head"

    def _add(self, offset: int, tally: Tally) -> None:
        total = self._sum
        room = FINDINGS_MAX - len(self._findings)
        self._findings.extend(_finding(place, total.lines, offset) for place in tally.places[:room])
        for note, (lines, first) in tally.notes.items():
            self._note(note, total.lines + first + 1, lines)
        self._types.add(tally.types)
        self._shapes.add(tally.shapes)
        for (_, all_seen, words), seen in zip(self._probes, tally.probes, strict=True):
            words.add(seen.words)
            all_seen.add(seen)
        total.add(tally)

    def _note(self, note: NoteKind, line: int | None, lines: int) -> None:
        before, first = self._sum.notes.get(note, (0, line or 0))
        self._sum.notes[note] = (before + lines, first)

    def _is_documents(self, document: Document) -> bool:
        """True when the documents explain the text better than its lines do."""
        blank = sum(self._sum.notes.get(note, (0, 0))[0] for note in _BLANK)
        return document.whole and 2 * document.values <= self._sum.lines - blank

    def _set_documents(self, document: Document, octets: int) -> None:
        """One finding for the whole text in the place of one a line."""
        total = self._sum
        total.ok = total.ok_after = total.types_beyond = total.shapes_beyond = 0
        total.values, total.kinds = document.values, document.kinds
        total.faults = {"not_json_lines": 1}
        whole = FramingFinding(fault="not_json_lines", line=1, offset=0, length=octets, value_count=document.values)
        self._findings = [whole]
        self._types, self._shapes = _First(TYPES_MAX), _First(SHAPES_MAX)

    def _key_sets(self) -> Iterator[KeySetCount]:
        for names, lines in _by_count(self._shapes.lines):
            yield KeySetCount(keys=tuple(sorted(map(label_of, names))), lines=lines)

    def _words(self) -> Iterator[tuple[str, str]]:
        names = {name for shape in self._shapes.lines for name in shape}
        for word in sorted(names | set(self._types.lines)):
            yield label_of(word), word


_BLANK: tuple[NoteKind, ...] = ("empty_line", "whitespace_line")


def _sorted(total: Tally) -> list[tuple[NoteKind, tuple[int, int]]]:
    return sorted(total.notes.items())


def _by_count(lines: Mapping[K, int]) -> list[tuple[K, int]]:
    """The most frequent first; among equals the one that came first."""
    return sorted(lines.items(), key=lambda item: -item[1])


def _finding(place: Place, lines: int, offset: int) -> FramingFinding:
    """The finding at its place in the text, of which so many lines and bytes come before the block."""
    judged = place.judged
    fault: FaultClass = judged.fault or "bad_json"
    begins = offset + place.offset
    return FramingFinding(
        fault=fault,
        line=lines + place.line + 1,
        offset=begins,
        length=place.length,
        values=tuple(begins + value for value in judged.values),
        value_count=judged.count,
        nul_bytes=judged.nul_bytes,
        bad_utf8_at=None if judged.bad_utf8_at is None else begins + judged.bad_utf8_at,
    )


def _probed(probe: Probe, seen: Seen, words: _First[Word]) -> Probed:
    bounds = seen.strings or seen.integers or (None, None)
    lines = tuple(words.lines.items())
    return Probed(probe.path, lines, words.beyond, seen.first, seen.last, bounds[0], bounds[1])
