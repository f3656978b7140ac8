"""manifest.md: everything is said, nothing foreign acts."""

import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.render.as_markdown import cell, render_markdown, span, words
from agentaudit.export.render.cells import Code, Stack, Whole
from agentaudit.export.visible import visible
from agentaudit.model.actors import Actors
from tests.export.dossiers import HOSTILE, MemoryRows, dossier, facts, joined, session

PARSER = MarkdownIt("commonmark", {"html": True}).enable("table")
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def text_of(given_dossier: Dossier) -> str:
    """The document."""
    (file,) = render_markdown(given_dossier)
    return joined(file.pieces).decode()


def tokens(text: str) -> list[Token]:
    """Every token of the parsed document, inner ones too."""
    found = []
    for token in PARSER.parse(text):
        found.append(token)
        found.extend(token.children or [])
    return found


def shown(markdown: str) -> str:
    """What a reader sees of one table cell."""
    (row,) = [token for token in PARSER.parse(f"| h |\n|---|\n| {markdown} |\n") if token.type == "inline"][1:]
    return "".join(token.content for token in row.children or [])


@pytest.mark.parametrize("given_dossier", [dossier(), dossier(word=HOSTILE), dossier(alone=True)])
def test_nothing_foreign_becomes_markup(given_dossier: Dossier) -> None:
    """Neither a link, nor an image, nor HTML comes out of the document, whatever its words are."""
    kinds = {token.type for token in tokens(text_of(given_dossier))}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "hr", "blockquote_open"}


def test_hostile_words_add_no_heading_and_no_row() -> None:
    """The document has the same shape with hostile words as with plain ones."""
    plain, hostile = (
        [token.type for token in PARSER.parse(text_of(dossier(word=word))) if token.type in ("heading_open", "tr_open")]
        for word in ("plain", HOSTILE)
    )
    assert plain == hostile


@given(TEXTS)
def test_running_text_is_shown_as_it_is(text: str) -> None:
    """An escaped text reads as the visible text; white space at its ends is the format's."""
    assert shown(words(text)).split() == visible(text).split()


@given(TEXTS)
def test_a_code_span_is_shown_as_it_is(text: str) -> None:
    """A code span holds the text letter by letter, backticks and bars too."""
    if visible(text).strip(" "):
        assert shown(span(text)).strip(" ") == visible(text).strip(" ")


@pytest.mark.parametrize(
    ("one", "written"),
    [
        (None, ""), (12, "12"), (Code(""), ""), (Code("a`b"), "``a`b``"), (Code("`"), "`` ` ``"),
        (Whole("2026"), "2026"), (Stack(("a", Code("b"))), "a; `b`"),
    ],
)  # fmt: skip
def test_each_kind_of_cell_has_its_form(one: str | int | Code | Stack | Whole | None, written: str) -> None:
    """A cell is written by its kind."""
    assert cell(one) == written


def test_every_row_is_there() -> None:
    """A document of a thousand sessions has a thousand rows, and an empty table says `none`."""
    many = MemoryRows(held_sessions=tuple(session(f"s{number:06d}") for number in range(1, 1_001)))
    text = text_of(dossier(Part(facts(), many)))
    assert sum(line.startswith("| s00") for line in text.splitlines()) == 1_000
    assert "| none |" in text


def test_it_begins_with_what_it_is_not() -> None:
    """The title, then that this is a demonstration."""
    assert text_of(dossier()).splitlines()[2].startswith("**DEMONSTRATION")


def test_what_is_not_there_is_not_told() -> None:
    """Without clock, notes and command line their rows are missing; one with names has the command line."""
    quiet = Actors(examiner="e", authority="a")
    bare = facts(clock=None, actors=quiet, acts=msgspec.structs.replace(facts().acts, command_line=()))
    text = text_of(dossier(Part(bare, MemoryRows())))
    assert not {"Source\\'s clock", "Clock note", "Command line"} & set(
        re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE)
    )
    assert "| Command line | `agentaudit`; `plain` |" in text_of(dossier())
