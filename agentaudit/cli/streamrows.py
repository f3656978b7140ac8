"""Streams of a sibling source as a table: how much was read of each, from when to when, what the checks found.

- A name of the source stands only where names were asked for.
- A finding is a lead about the source; the package is judged by `verify`.
"""

from collections.abc import Iterable
from itertools import islice

from agentaudit.cli.console import Console
from agentaudit.cli.tables import Column, table
from agentaudit.cli.words import minute, plainly
from agentaudit.model.shown import StreamShown
from agentaudit.model.text import display

_COLUMNS = (
    Column("stream"),
    Column("kind"),
    Column("form"),
    Column("events", right=True),
    Column("first"),
    Column("last"),
    Column("findings"),
)


def _cells(row: StreamShown) -> tuple[str, ...]:
    """One row of the table."""
    found = ", ".join(f"{code} {count:,}" for code, count in row.findings)
    return (
        row.stream,
        plainly(row.kind),
        row.form or "",
        f"{row.events:,}",
        minute(row.first_at or ""),
        minute(row.last_at or ""),
        plainly(found),
    )


def _name(row: StreamShown) -> str | None:
    """The stream with the name that the source gives it; None where it has none, or none was asked for."""
    return None if row.name is None else f"  {row.stream}  {display(row.name)}"


def tell_streams(console: Console, rows: Iterable[StreamShown], most: int | None) -> None:
    """Print at most so many streams, and how many more there are; nothing where there are none."""
    rows = iter(rows)
    page = list(islice(rows, most))
    if not page:
        return
    console.result()
    table(console, _COLUMNS, [_cells(row) for row in page])
    named = [line for row in page if (line := _name(row)) is not None]
    if named:
        console.result()
    for line in named:
        console.result(line)
    left = sum(1 for _ in rows)
    if left:
        console.result()
        console.result(f"  {left:,} more streams: --all prints them")
