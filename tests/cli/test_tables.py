"""Rows in columns."""

import io

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.cli import tables
from agentaudit.cli.console import Console
from agentaudit.cli.tables import Column, lines, pairs, table
from tests.cli.terminal import Screen

COLUMNS = (Column("name", whole=True), Column("what"), Column("count", right=True))


def test_rows_are_aligned_under_their_headings() -> None:
    """Text to the left, numbers to the right, no trailing space."""
    assert lines(COLUMNS, [("a", "first", "1"), ("bb", "second", "1,000")], 60) == (
        "  name  what    count",
        "  a     first       1",
        "  bb    second  1,000",
    )


HEADINGS = st.lists(
    st.builds(Column, st.text("abc", min_size=1, max_size=6), st.booleans(), st.booleans()), min_size=1, max_size=4
)
CELLS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12)


@given(HEADINGS, st.data(), st.integers(20, 100))
def test_a_table_that_fits_is_what_the_library_would_have_made(
    columns: list[Column], data: st.DataObject, width: int
) -> None:
    """The short way gives the same lines, or none and leaves the table to the library."""
    rows = data.draw(st.lists(st.lists(CELLS, min_size=len(columns), max_size=len(columns)), max_size=4))
    plain = tables._plain(columns, rows, width)
    assert plain in ((), tables._laid_out(columns, rows, width))


def test_what_has_to_be_measured_or_folded_is_left_to_the_library() -> None:
    """A wide character, a table that does not fit, and a cell with space at its edge."""
    assert tables._plain((Column("a"), Column("b")), [("x", "y")], 80) == ("  a  b", "  x  y")
    for row, width in ((("\u6f22", "y"), 80), (("x" * 40, "y"), 40), ((" x", "y"), 80)):
        assert tables._plain((Column("a"), Column("b")), [row], width) == ()


def test_a_long_cell_folds_and_nothing_is_cut() -> None:
    """Width costs lines, never characters."""
    shown = lines(COLUMNS, [("a", "x" * 50, "1")], 40)
    assert all(len(line) <= 40 for line in shown)
    assert sum(line.count("x") for line in shown) == 50


def test_foreign_cells_are_only_text() -> None:
    """Markup does not style, and control characters do not act."""
    shown = lines(COLUMNS, [("[red]r[/red]", "\x1b[31m:smile:", "\n")], 80)
    assert shown[1].split() == ["[red]r[/red]", r"\x1b[31m:smile:", r"\n"]


def test_a_row_in_a_pipe_stays_one_line() -> None:
    """Whoever searches the output finds whole rows."""
    out = io.StringIO()
    table(Console(out, io.StringIO(), io.BytesIO(), {}), COLUMNS, [("a", "y" * 400, "1")])
    assert len(out.getvalue().splitlines()) == 2


def test_a_row_on_a_terminal_folds_to_its_width() -> None:
    """The screen's width is respected."""
    out = Screen()
    console = Console(out, Screen(), io.BytesIO(), {})
    table(console, COLUMNS, [("a", "y" * 400, "1")])
    assert max(map(len, out.getvalue().splitlines())) <= console.width()


def test_pairs_stand_in_two_columns() -> None:
    """Labels share a width; an empty label continues the line above."""
    err = io.StringIO()
    pairs(Console(io.StringIO(), err, io.BytesIO(), {}), (("seal", "abc"), ("", "def"), ("a", "")), err=True)
    assert err.getvalue() == "  seal  abc\n        def\n  a\n"
