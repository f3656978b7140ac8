"""The picture of an exhibit's coverage, as inline SVG: sessions over time, their pages, their losses.

- Black, white and hatching: on paper it says the same as on a screen. It says nothing that the tables do not say.
- Figures of at most `ROWS` sessions, so that no page's end cuts one.
- No style, no script, no reference beyond the figure: shapes with presentation attributes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from agentaudit.export.render.axis import Axis
from agentaudit.export.render.coverage import BINS, Coverage, Mark, Strip
from agentaudit.export.render.markup import attribute, cut

ROWS = 30
_WIDTH = 720
_ROW = 17
_TOP = 46
BAR = (128, 430)
_STRIP = (452, 640)
_NUMBERS = 712
_CELLS_MAX = 16

_TALL = 120
_MOST_WIDE = 12.0


@dataclass(frozen=True, slots=True)
class Frame:
    """What figures of one exhibit share: its name, the axis, the window that was asked for, when it was collected."""

    exhibit: str
    axis: Axis
    window: tuple[datetime | None, datetime | None]
    collected: datetime


def figures(frame: Frame, found: Coverage) -> Iterator[str]:
    """Each figure as one `svg` element; none when no session is there."""
    if found.counted:
        yield _svg(frame, "density", _density(frame, found), _TOP + _TALL + 28, _DENSITY)
    for number, start in enumerate(range(0, len(found.strips), ROWS), 1):
        strips = found.strips[start : start + ROWS]
        height = _TOP + _ROW * len(strips) + 44
        yield _svg(frame, f"strips-{number}", _strips(frame, strips), height, _STRIPS)


_STRIPS = (
    "Each row is a session. The bar at the left reaches from its first to its last call, as the source says. Each "
    "cell at the right is a page, in the order returned: plain when it is here, with a black corner when something "
    "in it is shortened, with a ring when the source does not give some content, crossed when it was not obtained."
)
_DENSITY = (
    "The number of sessions by the time of their first call. Full parts are all given, hatched ones have losses, those "
    "with a broken outline are incomplete."
)


def _svg(frame: Frame, name: str, parts: Iterator[str], height: int, said: str) -> str:
    key = f"{frame.exhibit.lower()}-{name}"
    title = f"Coverage of {frame.exhibit} over time"
    head = (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-labelledby="{key}-t {key}-d" '
        'font-family="Helvetica Neue, Arial, Liberation Sans, sans-serif" font-size="10" fill="#111" stroke="none">'
        f'<title id="{key}-t">{attribute(title)}</title><desc id="{key}-d">{attribute(said)}</desc>'
        f'<defs><pattern id="{key}-h" patternUnits="userSpaceOnUse" width="4" height="4" '
        'patternTransform="rotate(45)"><path d="M0 0V4" stroke="#111" stroke-width="1.6"/></pattern></defs>'
    )
    return head + "".join(parts).replace("url(#h)", f"url(#{key}-h)") + "</svg>"


def _strips(frame: Frame, strips: Sequence[Strip]) -> Iterator[str]:
    bottom = _TOP + _ROW * len(strips)
    yield _text(0, 14, "Session", bold=True)
    yield _text(BAR[0], 14, "First to last call (UTC)", bold=True)
    yield _text(_STRIP[0], 14, "Pages, in the order returned", bold=True)
    yield _text(_NUMBERS, 14, "Messages", bold=True, anchor="end")
    yield from _axis(frame, bottom)
    for number, strip in enumerate(strips):
        yield from _row(frame.axis, strip, _TOP + _ROW * number)
    yield from _bar_legend(bottom + 22)
    yield from _page_legend(bottom + 38)


def _axis(frame: Frame, bottom: int) -> Iterator[str]:
    """The ticks, the window that was asked for, and the moment of collection where it lies on the axis."""
    begins, ends = frame.window
    if begins is not None or ends is not None:
        left = frame.axis.at(begins) if begins is not None else float(BAR[0])
        right = frame.axis.at(ends) if ends is not None else float(BAR[1])
        yield f'<path d="M{left:.1f} {_TOP - 4}V{_TOP - 8}H{right:.1f}V{_TOP - 4}" fill="none" stroke="#111"/>'
    for x, label in frame.axis.ticks():
        yield f'<path d="M{x:.1f} {_TOP - 4}V{bottom}" stroke="#bbb" stroke-width="0.6"/>'
        yield _text(x, _TOP - 18, label, anchor="middle")
    if frame.axis.holds(frame.collected):
        x = frame.axis.at(frame.collected)
        yield f'<path d="M{x:.1f} {_TOP - 4}V{bottom}" stroke="#111" stroke-dasharray="2 2" stroke-width="0.8"/>'


def _row(axis: Axis, strip: Strip, y: int) -> Iterator[str]:
    yield _text(0, y + 12, strip.session)
    yield _text(48, y + 12, cut(strip.surface, 15))
    yield f'<path d="M0 {y + _ROW - 0.5}H{_WIDTH}" stroke="#ddd" stroke-width="0.5"/>'
    if strip.begins is None or strip.ends is None:
        yield _text(BAR[0], y + 12, "no time stated", italic=True)
    else:
        left, right = axis.at(strip.begins), axis.at(strip.ends)
        yield bar(strip.outcome, left, y + 4, max(3.0, right - left), 9)
    yield from _cells(strip, y)
    yield _text(_NUMBERS, y + 12, f"{strip.messages:,}", anchor="end")


def bar(outcome: str, x: float, y: float, wide: float, tall: float) -> str:
    """A bar by outcome: full, hatched, empty with a broken outline, or a line where nothing was asked for."""
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{tall:.1f}"'
    match outcome:
        case "all_given":
            return f'{box} fill="#444" stroke="#111" stroke-width="0.8"/>'
        case "all_given_with_losses":
            return f'{box} fill="url(#h)" stroke="#111" stroke-width="0.8"/>'
        case "incomplete":
            return f'{box} fill="#fff" stroke="#111" stroke-width="1.2" stroke-dasharray="2.5 1.5"/>'
        case _:
            return f'<path d="M{x:.1f} {y + tall / 2:.1f}h{wide:.1f}" stroke="#111" stroke-width="1.2"/>'


def _cells(strip: Strip, y: int) -> Iterator[str]:
    cells, each = strip.cells(_CELLS_MAX)
    for number, mark in enumerate(cells):
        yield cell(mark, _STRIP[0] + number * _MOST_WIDE, y + 3)
    end = _STRIP[0] + len(cells) * _MOST_WIDE
    if strip.truncated:
        yield f'<path d="M{end + 2:.1f} {y + 16}l4 -12m1 12l4 -12" fill="none" stroke="#111" stroke-width="1.1"/>'
    if each > 1:
        yield _text(_STRIP[1] - 2, y + 12, f"x{each:,}", anchor="end")


def cell(mark: Mark, x: float, y: float) -> str:
    """One page."""
    box = f'<rect x="{x:.1f}" y="{y:.1f}" width="10" height="11" stroke="#111" stroke-width="0.8"'
    match mark:
        case "got":
            return f'{box} fill="#ddd"/>'
        case "clipped":
            return f'{box} fill="#ddd"/><path d="M{x + 10:.1f} {y + 2:.1f}v9h-9z"/>'
        case "withheld":
            ring = f'<circle cx="{x + 5:.1f}" cy="{y + 5.5:.1f}" r="2.8" fill="#fff" stroke="#111" stroke-width="1.1"/>'
            return f'{box} fill="#ddd"/>{ring}'
        case _:
            return (
                f'{box} fill="#fff"/><path d="M{x:.1f} {y:.1f}l10 11m0 -11l-10 11" stroke="#111" stroke-width="1.1"/>'
            )


_BARS = (
    ("all_given", "all given"), ("all_given_with_losses", "given, with losses"), ("incomplete", "incomplete"),
    ("not_asked", "not asked for"),
)  # fmt: skip
_CELLS: tuple[tuple[Mark, str], ...] = (
    ("got", "here"), ("clipped", "shortened"), ("withheld", "content not given"), ("missing", "not obtained"),
)  # fmt: skip


def _bar_legend(y: int) -> Iterator[str]:
    x = 0.0
    for outcome, label in _BARS:
        yield bar(outcome, x, y - 8, 16, 8) + _text(x + 20, y, label)
        x += 34 + 5.2 * len(label)


def _page_legend(y: int) -> Iterator[str]:
    x = 0.0
    for mark, label in _CELLS:
        yield cell(mark, x, y - 9) + _text(x + 13, y, label)
        x += 28 + 5.2 * len(label)
    yield f'<path d="M{x + 2:.1f} {y + 2}l4 -12m1 12l4 -12" fill="none" stroke="#111" stroke-width="1.1"/>'
    yield _text(x + 15, y, "the source cut the session here")


def _density(frame: Frame, found: Coverage) -> Iterator[str]:
    """Columns of sessions by the time of their first call, stacked by outcome."""
    bottom = _TOP + _TALL
    totals = [sum(found.counted.get((number, outcome), 0) for outcome, _ in _BARS) for number in range(BINS)]
    most = max(totals)
    yield _text(0, 14, f"{found.sessions:,} sessions by their first call (UTC); highest column {most:,}", bold=True)
    yield from _axis(frame, bottom)
    wide = (BAR[1] - BAR[0]) / BINS
    for number in range(BINS):
        y = float(bottom)
        for outcome, _ in _BARS:
            count = found.counted.get((number, outcome), 0)
            tall = _TALL * count / most
            y -= tall
            if count:
                yield bar(outcome, BAR[0] + number * wide, y, wide - 0.8, tall)
    yield from _bar_legend(bottom + 22)


def _text(x: float, y: float, words: str, *, bold: bool = False, italic: bool = False, anchor: str = "start") -> str:
    weight = ' font-weight="bold"' if bold else ' font-style="italic"' if italic else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{attribute(words)}</text>'
