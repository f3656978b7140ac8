r"""manifest.md: the document as Markdown (GitHub's dialect, for its tables), with nothing foreign left to act.

- Words are visible text with every mark of Markdown and HTML escaped; what is to be copied stands in code spans.
- A code span is fenced by more backticks than it holds; a `|` in a table is `\|`, also there.
- Whatever bears a foreign text is one line: line breaks are made visible.
"""

import re
from collections.abc import Iterable, Iterator
from typing import assert_never

from agentaudit.export.dossier import Dossier, Rendered
from agentaudit.export.render.blocks import Block, Grid, Heading, Pairs, Paragraph, Picture, Points
from agentaudit.export.render.cells import Cell, Code, Stack, Whole
from agentaudit.export.render.outline import outline
from agentaudit.export.visible import visible

NAME = "manifest.md"
BLANK = "\\_" * 30

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~&:@/^$=\"'])")
_TICKS = re.compile(r"`+")


def render_markdown(dossier: Dossier) -> Iterator[Rendered]:
    """The one file of this format."""
    yield Rendered(NAME, (f"{line}\n".encode() for block in outline(dossier) for line in markdown(block)))


def markdown(block: Block) -> Iterator[str]:
    """The lines of one block, with the empty line after it."""
    match block:
        case Heading():
            yield f"{'#' * block.level} {words(block.text)}"
        case Paragraph():
            yield _paragraph(block)
        case Points():
            yield from (f"- {words(text)}" for text in block.texts)
        case Pairs():
            blank = BLANK if block.blanks else ""
            yield from _table(("", ""), ((words(name), cell(one) or blank) for name, one in block.rows))
        case Grid():
            yield f"*{words(block.caption)}*"
            yield ""
            rows = (tuple(cell(one) for one in row) for row in block.rows)
            yield from _table(tuple(words(column.heading) for column in block.columns), rows)
        case Picture():
            yield "*The picture of this coverage stands in manifest\\.html; the tables below say the same\\.*"
        case _:
            assert_never(block)
    yield ""


def _paragraph(block: Paragraph) -> str:
    match block.kind:
        case "attention":
            return f"**{words(block.text)}**"
        case "command":
            return f"    {visible(block.text)}"
        case _:
            return words(block.text)


def words(text: str) -> str:
    """Running text, escaped: it is shown as it is, and does nothing."""
    return _MARKS.sub(r"\\\1", visible(text))


def span(text: str) -> str:
    """A code span in a table."""
    shown = visible(text)
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    pad = " " if shown[:1] in ("`", " ") or shown[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{shown}{pad}{fence}".replace("|", "\\|")


def cell(one: Cell) -> str:
    """What stands in one cell of a table."""
    match one:
        case None:
            return ""
        case Code():
            return span(one.text) if one.text else ""
        case Stack():
            return "; ".join(cell(inner) for inner in one.cells)
        case int():
            return str(one)
        case Whole():
            return words(one.text)
        case _:
            return words(one)


def _table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{'---|' * len(columns)}"
    empty = True
    for row in rows:
        empty = False
        yield f"| {' | '.join(row)} |"
    if empty:
        yield f"| none |{' |' * (len(columns) - 1)}"
