"""How a row is told in cells: identifiers to be copied, whole times, the way back, many things cut to a few."""

from datetime import UTC

from agentaudit.export.lines import Facts, Way
from agentaudit.export.render.cells import Cell, Code, Stack, Whole
from agentaudit.model.base import moment_of
from agentaudit.model.text import SourceText, display

FEW = 4
"""Of a thing that stands many times so many are written out in a document for people."""


def code(word: SourceText | None) -> Code | None:
    """A word of the source, to be copied; nothing where it said none."""
    return None if word is None else Code(display(word))


def stack(*cells: str | Code | Whole | None) -> Cell:
    """What there is of these, one below the other."""
    there = tuple(cell for cell in cells if cell)
    return there[0] if len(there) == 1 else Stack(there) if there else None


def way_cell(way: Way) -> Cell:
    """The way back: file and pointer, digest, request-id, journal row."""
    return stack(
        Code(f"{way.item}#{way.pointer}" if way.pointer else way.item) if way.item else None,
        code(way.sha256),
        Code(way.request_id) if way.request_id else None,
        f"journal row {way.row}" if way.row else None,
    )


def gathered(facts: Facts) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each name once, with what stands under it; of many only the first `FEW`, and how many more there are."""
    grouped: dict[str, list[str]] = {}
    for name, text in facts:
        grouped.setdefault(name, []).append(text)
    return tuple((name, _few(texts)) for name, texts in grouped.items())


def _few(texts: list[str]) -> tuple[str, ...]:
    more = (f"and {len(texts) - FEW:,} more, in an export as JSON",) if len(texts) > FEW else ()
    return (*texts[:FEW], *more)


def moment(words: str | None) -> str | Whole | None:
    """A time as people read it, in UTC; words that are no time stand as they are."""
    try:
        at = moment_of(words or "").astimezone(UTC)
    except (ValueError, OverflowError):
        return words
    return Whole(f"{at:%Y-%m-%d %H:%M:%S} UTC")
