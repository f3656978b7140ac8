"""fact-sheet.txt: the facts for a person's certification, to be printed, filled in and signed by hand.

- Plain text in lines of at most `WIDTH` characters; what only a person can say is a line of underscores.
- It is written with every export, whatever the formats.
"""

from collections.abc import Iterator
from textwrap import wrap

from agentaudit.export.certificate import certification, preface
from agentaudit.export.dossier import Dossier, Rendered
from agentaudit.export.visible import visible

NAME = "fact-sheet.txt"
WIDTH = 78
BLANK = "_" * (WIDTH - 4)


def render_fact_sheet(dossier: Dossier) -> Iterator[Rendered]:
    """The one file of the sheet."""
    yield Rendered(NAME, (f"{line}\n".encode() for line in _lines(dossier)))


def _lines(dossier: Dossier) -> Iterator[str]:
    yield from ("FACTS FOR A PERSON'S CERTIFICATION", "")
    yield from wrap(preface(), WIDTH)
    for heading, facts in certification(dossier):
        yield from ("", visible(heading), "-" * min(WIDTH, len(visible(heading))), "")
        for question, answer in facts:
            yield from wrap(visible(question), WIDTH)
            yield from _answer(visible(answer))


def _answer(answer: str) -> Iterator[str]:
    if answer:
        yield from wrap(answer, WIDTH, initial_indent="    ", subsequent_indent="    ")
        return
    yield ""
    yield f"    {BLANK}"
    yield ""
