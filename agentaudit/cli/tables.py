"""Rows in aligned columns, calm enough for a court file.

- No colour, no frames, no markup: a cell is text that `safe` has passed.
- On a terminal long cells fold; in a pipe a row stays one line, so that it can be searched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from textwrap import wrap

from agentaudit.cli.console import Console, safe

PIPE_WIDTH = 1_000


@dataclass(frozen=True, slots=True)
class Column:
    """A heading; `right` for numbers; `whole` when the cell must not be folded."""

    heading: str
    right: bool = False
    whole: bool = False


def table(console: Console, columns: Sequence[Column], rows: Sequence[Sequence[str]], *, err: bool = False) -> None:
    """Write the rows under their headings, indented by two."""
    for line in lines(columns, rows, room(console, err=err)):
        console.writer(err=err)(line)


def lines(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """The table as lines without trailing space, at most `width` columns wide."""
    cells = [[safe(cell) for cell in row] for row in rows]
    return _plain(columns, cells, width) or _laid_out(columns, cells, width)


def _plain(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """The table where nothing has to be folded or measured; nothing otherwise.

    Most tables are such, and a check of bytes would pay more for loading the library than for all its rows.
    """
    table = [[column.heading for column in columns], *rows]
    if not all(cell.isascii() and cell == cell.strip() for row in table for cell in row):
        return ()
    widths = [max(map(len, cells)) for cells in zip(*table, strict=True)]
    if 0 in map(len, table[0]) or 2 + sum(widths) + 2 * (len(widths) - 1) > width:
        return ()
    aligned = [str.rjust if column.right else str.ljust for column in columns]
    return tuple(
        ("  " + "  ".join(align(cell, room) for align, cell, room in zip(aligned, row, widths, strict=True))).rstrip()
        for row in table
    )


def _laid_out(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    # Imported here: `--help` and the short commands do not pay for it.
    from rich.console import Console as Screen  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    grid = Table(box=None, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="")
    for column in columns:
        grid.add_column(
            Text(column.heading),
            justify="right" if column.right else "left",
            no_wrap=column.whole or column.right,
            overflow="fold",
        )
    for row in rows:
        grid.add_row(*map(Text, row))
    page = StringIO()
    Screen(file=page, width=width - 2, color_system=None, force_terminal=False, legacy_windows=False).print(grid)
    return tuple(f"  {line}".rstrip() for line in page.getvalue().splitlines())


def pairs(console: Console, rows: Sequence[tuple[str, str]], *, err: bool = False) -> None:
    """Labels and what they stand for, in two columns; the second goes on below itself, its words unbroken."""
    label = max((len(name) for name, _ in rows), default=0)
    write = console.writer(err=err)
    for name, text in rows:
        head = f"  {name.ljust(label)}  "
        for line in hung(head, text, room(console, err=err)):
            write(line)


def room(console: Console, *, err: bool) -> int:
    """The columns that a line may take: those of the terminal, or as many as it needs in a pipe."""
    return console.width(err=err) if console.is_terminal(err=err) else PIPE_WIDTH


def hung(head: str, text: str, width: int) -> tuple[str, ...]:
    """The text after its head, in lines that stand below each other; no word is broken. One line at least."""
    margin = " " * len(head)
    rows = wrap(
        safe(text), width, initial_indent=head, subsequent_indent=margin, break_long_words=False, break_on_hyphens=False
    )
    return tuple(rows) or (head.rstrip(),)
