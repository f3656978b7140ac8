"""The picture: what it counts, where it puts it."""

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import pytest

from agentaudit.export.dossier import Part
from agentaudit.export.lines import GapLine, SessionLine, TruncationLine
from agentaudit.export.render.axis import TICKS_MAX, Axis, spanning
from agentaudit.export.render.coverage import DRAWN_MAX, Coverage, Strip, coverage, place
from agentaudit.export.render.markup import cut
from agentaudit.export.render.svg import ROWS, Frame, bar, figures
from tests.export.dossiers import MemoryRows, facts, gap, session, truncation

BEGIN = datetime(2026, 9, 1, tzinfo=UTC)
END = datetime(2026, 9, 30, tzinfo=UTC)
AXIS = Axis(BEGIN, END, 100.0, 200.0)


def of(
    *sessions: SessionLine, truncations: tuple[TruncationLine, ...] = (), gaps: tuple[GapLine, ...] = ()
) -> Coverage:
    """The coverage of an exhibit with these rows."""
    rows = MemoryRows(held_sessions=sessions, held_truncations=truncations, held_gaps=gaps)
    return coverage(Part(facts(), rows))


def strip(**more: object) -> Strip:
    """One strip."""
    one = Strip("s000001", "x", "all_given", BEGIN, END, 3, 9, truncated=False)
    for name, value in more.items():
        setattr(one, name, value)
    return one


def drawn(found: Coverage, window: tuple[datetime | None, datetime | None] = (None, None)) -> list[ET.Element]:
    """The figures, parsed as XML."""
    frame = Frame("EX-0001", spanning(found.begins, found.ends, END, 100.0, 200.0), window, END)
    return [ET.fromstring(one) for one in figures(frame, found)]  # noqa: S314 - our own figure


def texts(figure: ET.Element) -> list[str]:
    """Every text of a figure."""
    return [str(one.text) for one in figure.iter("text")]


def test_the_gravest_thing_known_of_a_page_is_its_mark() -> None:
    """A page that was not obtained outweighs one with missing content, which outweighs one that is shortened."""
    found = of(
        session(),
        truncations=(truncation(page=1), truncation(page=2), truncation("s000009")),
        gaps=(
            gap(page=2, kind="unavailable"),
            gap(page=3),
            gap(page=3, kind="unavailable"),
            gap(page=None),
            gap(None),
        ),
    )
    (one,) = found.strips
    assert one.marks == {1: "clipped", 2: "withheld", 3: "missing"}
    assert one.cells(16) == (("clipped", "withheld", "missing"), 1)


def test_many_pages_share_a_cell() -> None:
    """A cell stands for several pages and shows the gravest of them."""
    one = strip(pages=40)
    one.mark(33, "clipped")
    one.mark(1, "got")
    cells, each = one.cells(16)
    assert each == 3
    assert len(cells) == 14
    assert [place for place, mark in enumerate(cells) if mark != "got"] == [10]


def test_a_session_without_pages_has_no_cells() -> None:
    """Where nothing was asked for, nothing is drawn."""
    assert strip(pages=0).cells(16) == ((), 1)


def test_what_was_left_out_has_no_coverage() -> None:
    """An excluded session is no row; one without a readable time is a row without a bar."""
    excluded = session("s000002", decision="excluded")
    timeless = session("s000003", created_at="soon", updated_at=None)
    found = of(session(), excluded, timeless)
    assert [one.session for one in found.strips] == ["s000001", "s000003"]
    assert (found.sessions, found.timeless) == (2, 1)
    assert "no time stated" in texts(drawn(found)[0])


def test_one_time_is_both_ends() -> None:
    """A session that states one time is drawn there."""
    (one,) = of(session(created_at=None)).strips
    assert one.begins == one.ends == datetime(2026, 9, 3, 8, tzinfo=UTC)


def test_figures_hold_few_sessions_each() -> None:
    """No figure is longer than a page can hold."""
    found = of(*(session(f"s{number:06d}") for number in range(1, DRAWN_MAX + 1)))
    assert found.counted == {}
    figures_drawn = drawn(found)
    assert len(figures_drawn) == DRAWN_MAX // ROWS
    assert all(sum(text.startswith("s0") for text in texts(one)) == ROWS for one in figures_drawn)


def test_more_sessions_than_can_be_drawn_are_counted() -> None:
    """Above the bound sessions are counted over time by outcome, and the first incomplete ones are drawn."""
    many = [session(f"s{number:06d}") for number in range(1, 2 * DRAWN_MAX)]
    many += [session("s000900", outcome="incomplete"), session("s000901", created_at=None, updated_at=None)]
    many += [session("s000902", decision="excluded")]
    found = of(*many)
    assert [one.session for one in found.strips] == ["s000900"]
    assert sum(found.counted.values()) == 2 * DRAWN_MAX
    density, strips = drawn(found)
    assert "241 sessions by their first call (UTC); highest column 240" in texts(density)
    assert "s000900" in texts(strips)


def test_no_session_no_figure() -> None:
    """An exhibit without sessions has no picture."""
    assert drawn(of()) == []


@pytest.mark.parametrize("outcome", ["all_given", "all_given_with_losses", "incomplete", "not_asked"])
def test_each_outcome_has_a_form_of_its_own(outcome: str) -> None:
    """Bars differ by form and not by colour."""
    others = {"all_given", "all_given_with_losses", "incomplete", "not_asked"} - {outcome}
    assert bar(outcome, 0, 0, 9, 9) not in {bar(one, 0, 0, 9, 9) for one in others}


def test_the_window_is_a_bracket() -> None:
    """A window with one open end reaches to that end of the axis."""
    found = of(session(truncated_at_source=True))
    plain, *_ = drawn(found)
    for window in ((BEGIN, None), (None, END), (BEGIN, END)):
        windowed, *_ = drawn(found, window)
        assert len(list(windowed.iter("path"))) == len(list(plain.iter("path"))) + 1


def test_a_session_of_many_pages_says_how_many_a_cell_is() -> None:
    """The number of pages a cell stands for is written beside the cells."""
    counts = session().counts
    many = session(counts=type(counts)(pages=1_600, messages=3))
    assert "x100" in texts(drawn(of(many))[0])


def test_a_moment_lies_between_its_neighbours() -> None:
    """The axis is linear, and what lies outside is drawn at its end."""
    assert AXIS.at(BEGIN + (END - BEGIN) / 2) == pytest.approx(150.0)
    assert AXIS.at(BEGIN - timedelta(days=9)) == 100.0
    assert AXIS.at(END + timedelta(days=9)) == 200.0
    assert not AXIS.holds(END + timedelta(days=9))


@pytest.mark.parametrize("days", [0.001, 0.02, 0.3, 2, 20, 200, 2_000, 20_000])
def test_ticks_are_few_and_on_the_axis(days: float) -> None:
    """From a minute to decades there are some ticks and not too many, each on the axis."""
    axis = Axis(BEGIN, BEGIN + timedelta(days=days), 0.0, 1.0)
    ticks = list(axis.ticks())
    assert 1 <= len(ticks) <= TICKS_MAX + 1
    assert all(0.0 <= at <= 1.0 for at, _ in ticks)


def test_the_collection_is_on_the_axis_where_it_does_not_squeeze_it() -> None:
    """The moment of collection widens the axis by half at most."""
    assert spanning(BEGIN, END, END + timedelta(days=3), 0, 1).holds(END + timedelta(days=3))
    assert not spanning(BEGIN, END, END + timedelta(days=300), 0, 1).holds(END + timedelta(days=300))
    assert not spanning(BEGIN, END, BEGIN - timedelta(days=30), 0, 1).holds(BEGIN - timedelta(days=30))
    assert spanning(None, None, BEGIN, 0, 1).holds(BEGIN)


def test_the_end_belongs_to_the_last_span() -> None:
    """Spans are half-open, but for the last; a single moment is in the first."""
    assert [place(at, BEGIN, END, 4) for at in (BEGIN, END)] == [0, 3]
    assert place(BEGIN, BEGIN, BEGIN, 4) == 0


def test_a_long_name_is_cut_and_says_so() -> None:
    """A cut text ends in an ellipsis, a short one is whole."""
    assert cut("claude_code", 15) == "claude_code"
    assert cut("claude_in_chrome_beta", 15) == "claude_in_chro\N{HORIZONTAL ELLIPSIS}"
