"""What a local store held, and what of it is not in the exhibit: summed by rule, then one by one.

- What was preserved is counted here and listed with the payload files; JSON and tables have a row for every entry.
"""

from collections.abc import Iterator

from agentaudit.export.document import EntryTotal
from agentaudit.export.dossier import Part
from agentaudit.export.entries import RULES
from agentaudit.export.lines import EntryLine
from agentaudit.export.render.blocks import Block, Grid, Heading
from agentaudit.export.render.cells import Cell, Column
from agentaudit.export.render.telling import code, stack
from agentaudit.export.words import plainly, sentence
from agentaudit.model.text import display

_TOTALS = (
    Column("Decision", 12, "word"), Column("Rule", 46), Column("Kind", 10, "word"), Column("Entries", 10, "number"),
    Column("Bytes", 12, "number"), Column("Survey", 10, "number"),
)  # fmt: skip
_LEFT = (
    Column("Where", 33), Column("Kind", 8, "word"), Column("Bytes", 10, "number"), Column("Decision and rule", 25),
    Column("SHA-256, where it was read", 24),
)  # fmt: skip


def store_blocks(part: Part) -> Iterator[Block]:
    """The section; nothing for a source that has no directory entries."""
    name = part.facts.exhibit
    if not part.facts.entry_totals:
        return
    yield Heading(3, "What the store held, and what of it is not here")
    yield Grid(f"Entries of {name} by decision and rule", _TOTALS, map(_total, part.facts.entry_totals))
    left = (row for row in part.rows.entries() if row.is_left_out)
    yield Grid(f"Left out of {name}, one by one", _LEFT, map(_left, left))


def _total(row: EntryTotal) -> tuple[Cell, ...]:
    return (
        plainly(row.decision), sentence(RULES, row.rule), row.kind, row.entries, row.bytes,
        row.survey,
    )  # fmt: skip


def _left(row: EntryLine) -> tuple[Cell, ...]:
    """An entry by root and number, which lead to its row; by its true path too where names are shown."""
    place = f"{row.root}, entry {row.number} of survey {row.survey}"
    target = f"leads to {display(row.target)}" if row.target is not None else None
    problem = f"could not be looked at: {row.problem}" if row.problem is not None else None
    return (
        stack(code(row.name), place, f"{plainly(row.role)}, {plainly(row.category)}", row.session, target),
        row.kind,
        row.size_bytes,
        stack(plainly(row.decision), sentence(RULES, row.rule), problem),
        code(row.sha256),
    )
