"""What a sibling source holds: its streams, and what their checks found; events stand in JSON and in a table."""

from collections.abc import Iterator
from itertools import chain

from agentaudit.export.dossier import Part
from agentaudit.export.lines import StreamLine
from agentaudit.export.render.blocks import Block, Grid, Heading, Paragraph
from agentaudit.export.render.cells import Cell, Column
from agentaudit.export.render.telling import code, stack
from agentaudit.export.words import plainly

_STREAMS = (
    Column("Stream", 24), Column("Events", 8, "number"), Column("First and last", 22), Column("Findings", 20),
    Column("More", 26),
)  # fmt: skip


def stream_blocks(part: Part) -> Iterator[Block]:
    """The section; nothing for a source without streams."""
    rows = part.rows.streams()
    first = next(rows, None)
    if first is None:
        return
    yield Heading(3, "Streams of events")
    yield Paragraph("A finding of a stream is a lead about the source, and no fault of the package.")
    yield Grid(f"Streams of {part.facts.exhibit}", _STREAMS, map(_stream, chain((first,), rows)))


def _stream(row: StreamLine) -> tuple[Cell, ...]:
    return (
        stack(row.stream, code(row.name), plainly(row.kind), row.within, row.form, code(row.way.item)),
        row.events,
        stack(row.first_at, row.last_at),
        stack(*(f"{plainly(name)}: {count:,}" for name, count in row.findings)),
        stack(*(f"{name}: {text}" for name, text in row.more)),
    )
