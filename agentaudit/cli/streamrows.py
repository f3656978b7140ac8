"""Streams of a sibling source as a table: how much was read of each, from when to when, what the checks found.

- A name of the source stands only where names were asked for.
- A finding is a lead about the source; the package is judged by `verify`.
"""

from agentaudit.cli.tables import Column
from agentaudit.cli.words import minute, plainly
from agentaudit.model.shown import StreamShown
from agentaudit.model.text import display

COLUMNS = (
    Column("stream"),
    Column("kind"),
    Column("form"),
    Column("events", right=True),
    Column("first"),
    Column("last"),
    Column("findings"),
)


def stream_cells(row: StreamShown) -> tuple[str, ...]:
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


def stream_names(row: StreamShown) -> str | None:
    """The stream with the name that the source gives it; None where it has none, or none was asked for."""
    return None if row.name is None else f"  {row.stream}  {display(row.name)}"
