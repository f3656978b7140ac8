"""What the picture of an exhibit shows, as numbers: sessions in time, their pages, where something is lost.

- Held are at most `DRAWN_MAX` sessions; of more than that only their number over time, and those that are incomplete.
- A time that the source did not state, or that cannot be read as one, has no place on the axis; that is shown.
- A page's place is its number in the order returned, never a time.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from agentaudit.export.dossier import Part
from agentaudit.export.lines import SessionLine
from agentaudit.model.base import moment_of

DRAWN_MAX = 120
_INCOMPLETE_MAX = 30
BINS = 48

Mark: TypeAlias = Literal["got", "clipped", "withheld", "missing"]
"""Of a page: it is here; here with something shortened; here with content that the source does not give; not here."""

_ORDER: tuple[Mark, ...] = ("got", "clipped", "withheld", "missing")


@dataclass(slots=True)
class Strip:
    """One session: when, how it came out, and the mark of each page from 1; `pages` are those that are here."""

    session: str
    surface: str
    outcome: str
    begins: datetime | None
    ends: datetime | None
    pages: int
    messages: int
    truncated: bool
    marks: dict[int, Mark] = field(default_factory=dict)

    def mark(self, page: int, mark: Mark) -> None:
        """Note the gravest thing that is known of a page."""
        if _ORDER.index(mark) > _ORDER.index(self.marks.get(page, "got")):
            self.marks[page] = mark

    def cells(self, most: int) -> tuple[tuple[Mark, ...], int]:
        """The marks in at most so many cells, each the gravest of its pages; and how many pages a cell stands for."""
        count = max(self.pages + sum(mark == "missing" for mark in self.marks.values()), *self.marks, 0)
        each = max(1, -(-count // most))
        cells: list[Mark] = ["got"] * -(-count // each)
        for page, mark in self.marks.items():
            place = max(0, page - 1) // each
            cells[place] = max(cells[place], mark, key=_ORDER.index)
        return tuple(cells), each


@dataclass(frozen=True, slots=True)
class Coverage:
    """The sessions of an exhibit that were not left out: all of them as strips, or too many and only counted.

    `counted` holds (bin, outcome) -> sessions over `BINS` equal spans from `begins` to `ends`; it is empty when the
    strips are all there is. `timeless` sessions have no time that can be read.
    """

    strips: tuple[Strip, ...]
    sessions: int
    begins: datetime | None
    ends: datetime | None
    timeless: int
    counted: dict[tuple[int, str], int]


def coverage(part: Part) -> Coverage:
    """The coverage of an exhibit; its rows are walked through, not held."""
    first = _Survey()
    for line in part.rows.sessions():
        first.take(line)
    strips = {strip.session: strip for strip in first.chosen()}
    _mark_losses(part, strips)
    many = first.sessions > DRAWN_MAX
    counted = _counted(part.rows.sessions(), first) if many else {}
    return Coverage(tuple(strips.values()), first.sessions, first.begins, first.ends, first.timeless, counted)


class _Survey:
    """The first pass: how many, from when to when, and the strips that may be drawn."""

    def __init__(self) -> None:
        self.sessions = self.timeless = 0
        self.begins: datetime | None = None
        self.ends: datetime | None = None
        self._all: list[Strip] = []
        self._incomplete: list[Strip] = []

    def take(self, line: SessionLine) -> None:
        """Look at one session; one that was left out on purpose has no coverage."""
        if line.decision == "excluded":
            return
        strip = _strip(line)
        self.sessions += 1
        self.timeless += strip.begins is None
        for moment in (strip.begins, strip.ends):
            if moment is not None:
                self.begins = min(self.begins or moment, moment)
                self.ends = max(self.ends or moment, moment)
        if len(self._all) < DRAWN_MAX:
            self._all.append(strip)
        if strip.outcome == "incomplete" and len(self._incomplete) < _INCOMPLETE_MAX:
            self._incomplete.append(strip)

    def chosen(self) -> list[Strip]:
        """All strips when they can be drawn, else the first incomplete ones."""
        return self._all if self.sessions <= DRAWN_MAX else self._incomplete


def _strip(line: SessionLine) -> Strip:
    begins, ends = _moment(line.created_at), _moment(line.updated_at)
    return Strip(
        session=line.session,
        surface=line.surface or line.family or "",
        outcome=line.outcome or "not_asked",
        begins=begins or ends,
        ends=ends or begins,
        pages=line.counts.pages,
        messages=line.counts.messages,
        truncated=line.truncated_at_source,
    )


def _moment(words: str | None) -> datetime | None:
    try:
        return moment_of(words or "").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _mark_losses(part: Part, strips: dict[str, Strip]) -> None:
    for cut in part.rows.truncations():
        if cut.session in strips:
            strips[cut.session].mark(cut.page, "clipped")
    for gap in part.rows.gaps():
        if gap.session in strips and gap.page is not None:
            strips[gap.session].mark(gap.page, "missing" if gap.kind == "not_obtained" else "withheld")


def _counted(lines: Iterable[SessionLine], survey: _Survey) -> dict[tuple[int, str], int]:
    """How many sessions begin in each span, by outcome."""
    counted: Counter[tuple[int, str]] = Counter()
    for line in lines:
        strip = _strip(line)
        if line.decision != "excluded" and strip.begins and survey.begins and survey.ends:
            counted[place(strip.begins, survey.begins, survey.ends, BINS), strip.outcome] += 1
    return dict(counted)


def place(moment: datetime, begins: datetime, ends: datetime, spans: int) -> int:
    """Which of so many equal spans a moment lies in, from 0; the end belongs to the last."""
    share = (moment - begins) / (ends - begins) if ends > begins else 0.0
    return min(spans - 1, max(0, int(share * spans)))
