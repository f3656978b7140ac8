"""manifest.html: one self-contained page, to be read on a screen and on paper.

- No script, no outside reference, a policy that forbids both. Every text is escaped and made visible.
- A table shows its first `ROWS_MAX` rows and says how many more there are, and where: a page must stay readable.
- Headings in order, tables with captions and heads, figures with a text of their own.
"""

from collections.abc import Iterator
from typing import assert_never

from agentaudit.export.dossier import Dossier, Part, Rendered
from agentaudit.export.render.axis import spanning
from agentaudit.export.render.blocks import Block, Grid, Heading, Pairs, Paragraph, Picture, Points
from agentaudit.export.render.cells import Cell, Code, Stack, Whole
from agentaudit.export.render.coverage import DRAWN_MAX, Coverage, coverage
from agentaudit.export.render.markup import attribute, isolated
from agentaudit.export.render.outline import outline, title
from agentaudit.export.render.style import DEMONSTRATION, STYLE, policy
from agentaudit.export.render.svg import BAR, Frame, figures
from agentaudit.model.base import moment_of

NAME = "manifest.html"
ROWS_MAX = 300


def render_html(dossier: Dossier) -> Iterator[Rendered]:
    """The one file of this format."""
    yield Rendered(NAME, (piece.encode() for piece in _page(dossier)))


def _page(dossier: Dossier) -> Iterator[str]:
    style = STYLE + (DEMONSTRATION if dossier.facts.attention else "")
    yield (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(style)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{attribute(title(dossier))}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
    )
    for block in outline(dossier):
        if isinstance(block, Heading) and block.anchor == "exhibits":
            yield _contents(dossier)
        yield from html(block)
    yield "</main>\n</body>\n</html>\n"


def _contents(dossier: Dossier) -> str:
    chapters = [("exhibits", "Exhibits")]
    chapters += [(part.facts.exhibit.lower(), f"Exhibit {part.facts.exhibit}") for part in dossier.parts]
    chapters += [("custody", "Custody log"), ("verify", "How to verify without this program")]
    chapters += [("cannot-show", "What this cannot show"), ("fact-sheet", "Fact sheet for a person's certification")]
    entries = "".join(f'<li><a href="#{attribute(to)}">{attribute(text)}</a></li>' for to, text in chapters)
    return f'<nav aria-label="Contents"><ol>{entries}</ol></nav>\n'


def html(block: Block) -> Iterator[str]:
    """The markup of one block, piece by piece."""
    match block:
        case Heading():
            anchor = f' id="{attribute(block.anchor)}"' if block.anchor else ""
            page = ' class="page"' if block.page else ""
            yield f"<h{block.level}{anchor}{page}>{isolated(block.text)}</h{block.level}>\n"
        case Paragraph():
            yield _paragraph(block)
        case Points():
            yield f"<ul>{''.join(f'<li>{isolated(text)}</li>' for text in block.texts)}</ul>\n"
        case Pairs():
            yield '<table class="pairs">\n<tbody>\n'
            yield from (_pair(name, one, blanks=block.blanks) for name, one in block.rows)
            yield "</tbody>\n</table>\n"
        case Grid():
            yield from _grid(block)
        case Picture():
            yield from _picture(block.part)
        case _:
            assert_never(block)


def _pair(name: str, one: Cell, *, blanks: bool) -> str:
    blank = ' class="blank"' if blanks and not one else ""
    return f'<tr{blank}><th scope="row">{isolated(name)}</th><td>{cell(one)}</td></tr>\n'


def _paragraph(block: Paragraph) -> str:
    match block.kind:
        case "attention":
            return f'<p class="attention">{isolated(block.text)}</p>\n'
        case "command":
            return f"<pre><code>{attribute(block.text)}</code></pre>\n"
        case _:
            return f"<p>{isolated(block.text)}</p>\n"


def _grid(grid: Grid) -> Iterator[str]:
    shares = "".join(f'<col width="{column.share}%">' for column in grid.columns)
    heads = "".join(
        f'<th scope="col" class="{column.holds}">{isolated(column.heading)}</th>' for column in grid.columns
    )
    short = ' class="short"' if grid.grouped else ""
    yield f"<table{short}>\n<caption>{isolated(grid.caption)}</caption>\n<colgroup>{shares}</colgroup>\n"
    yield f"<thead><tr>{heads}</tr></thead>\n<tbody>\n"
    shown = left = 0
    for row in grid.rows:
        if shown < ROWS_MAX:
            shown += 1
            yield _row(grid, row)
        else:
            left += 1
    if left or not shown:
        words = f"{left:,} more rows: an export as JSON or CSV has them all" if left else "none"
        yield f'<tr class="more"><td colspan="{len(grid.columns)}">{words}</td></tr>\n'
    yield "</tbody>\n</table>\n"


def _row(grid: Grid, row: tuple[Cell, ...]) -> str:
    begins = ' class="group"' if grid.grouped and row[0] is not None else ""
    cells = (f'<td class="{column.holds}">{cell(one)}</td>' for column, one in zip(grid.columns, row, strict=True))
    return f"<tr{begins}>{''.join(cells)}</tr>\n"


def cell(one: Cell) -> str:
    """What stands in one cell."""
    match one:
        case None:
            return ""
        case Code():
            return f"<code>{isolated(one.text)}</code>"
        case Whole():
            return f'<b class="whole">{attribute(one.text)}</b>'
        case Stack():
            return "".join(f"<span>{cell(inner)}</span>" for inner in one.cells)
        case int():
            return f"{one:,}"
        case _:
            return isolated(one)


def _picture(part: Part) -> Iterator[str]:
    found = coverage(part)
    facts = part.facts
    collected = moment_of(facts.begun_at)
    begins, ends = (moment_of(one) if one is not None else None for one in facts.window)
    axis = spanning(found.begins, found.ends, collected, *BAR)
    for number, figure in enumerate(figures(Frame(facts.exhibit, axis, (begins, ends), collected), found)):
        said = _next(found) if number else _said(found, windowed=facts.window != (None, None))
        yield f"<figure>\n{figure}\n<figcaption>{said}</figcaption>\n</figure>\n"


def _next(found: Coverage) -> str:
    return (
        "The same axis: the first sessions that are incomplete." if found.counted else "The same axis: more sessions."
    )


def _said(found: Coverage, *, windowed: bool) -> str:
    """What the first figure shows, in words of ours."""
    many = f" There are more than {DRAWN_MAX}: rows are drawn only of the first that are incomplete."
    bracket = " The bracket above the bars is the window that was asked for."
    return (
        "Coverage over time, by session. A session may be silent within its bar; the times are the source's. A broken "
        "line, where there is one, is the moment at which the collection began."
        + (bracket if windowed else "")
        + (many if found.counted else "")
    )
