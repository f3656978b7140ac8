"""transcript-<session>.md: the copy as Markdown (GitHub's dialect), with nothing foreign left to act.

- A text of the transcript stands in a fence of more backticks than it holds, line by line, each line made visible:
  what steers a terminal or hides is written out.
- Everything else is escaped running text of one line.
"""

import re
from collections.abc import Iterator

from agentaudit.export.render.as_markdown import markdown, span, words
from agentaudit.export.visible import visible
from agentaudit.transcript.opening import Copy
from agentaudit.transcript.render.front import back, front
from agentaudit.transcript.telling import Facts, Passage, Told, tell

_TICKS = re.compile(r"`{3,}")


def render_markdown(copy: Copy) -> Iterator[bytes]:
    """The lines of the file, each with its line feed."""
    for block in front(copy.head):
        yield from (_line(line) for line in markdown(block))
    for one in tell(copy.pieces()):
        yield from (_line(line) for line in _piece(one))
    for block in back(copy.head):
        yield from (_line(line) for line in markdown(block))


def text_lines(text: str) -> Iterator[str]:
    """The lines of a text, tabs kept; CR LF ends a line as LF does, and a lone CR is written out."""
    for line in text.replace("\r\n", "\n").split("\n"):
        yield visible(line, keep="\t")


def _line(line: str) -> bytes:
    return f"{line}\n".encode()


def _piece(one: Told) -> Iterator[str]:
    yield f"### {words(one.heading)}"
    yield ""
    yield from _marks(one.marks)
    for passage in one.passages:
        yield from _passage(passage)
    yield from _facts(one.facts)


def _passage(passage: Passage) -> Iterator[str]:
    yield f"#### {words(passage.heading)}"
    yield ""
    for label, text in passage.texts:
        if label:
            yield f"*{words(label)}*"
            yield ""
        yield from _fenced(text)
    yield from _marks(passage.marks)
    if passage.leads:
        yield words(" ".join(text for text, _ in passage.leads))
        yield ""
    yield from _facts(passage.facts)


def _facts(facts: Facts) -> Iterator[str]:
    if facts:
        yield "; ".join(f"{words(name)} {span(text)}" for name, text in facts)
        yield ""


def _marks(marks: tuple[str, ...]) -> Iterator[str]:
    for mark in marks:
        yield f"**\\[{words(mark)}\\]**"
        yield ""


def _fenced(text: str) -> Iterator[str]:
    fence = "`" * (max((len(run) for run in _TICKS.findall(text)), default=2) + 1)
    yield f"{fence}text"
    yield from text_lines(text)
    yield fence
    yield ""
