"""manifest.html: one page that a person can read and that does nothing else."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from agentaudit.export.dossier import Dossier, Part
from agentaudit.export.render.as_html import ROWS_MAX, cell, render_html
from agentaudit.export.render.cells import Code, Stack, Whole
from tests.export.dossiers import HOSTILE, MemoryRows, dossier, facts, item, joined, rows, session

VOID = {"meta", "col", "br", "path", "rect", "circle"}
ACTIVE = {"script", "iframe", "img", "link", "object", "embed", "form", "input", "button", "video", "audio", "base"}


class Page(HTMLParser):
    """The elements of a page, whether they nest, and what it refers to."""

    def __init__(self, text: str) -> None:
        """Parse the page."""
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        """An element ends: it must be the one that began last."""
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        """Text."""
        self.texts.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element of this kind."""
        return [attributes for name, attributes in self.elements if name == tag]


def text_of(given_dossier: Dossier) -> str:
    """The page."""
    (file,) = render_html(given_dossier)
    return joined(file.pieces).decode()


EACH = pytest.mark.parametrize("given", [dossier(), dossier(word=HOSTILE), dossier(alone=True)])


@EACH
def test_the_page_nests_and_nothing_in_it_acts(given: Dossier) -> None:
    """Every element is closed in its order; none loads, runs or sends anything."""
    page = Page(text_of(given))
    assert page.open == []
    assert not {tag for tag, _ in page.elements} & ACTIVE
    names = {name for _, attributes in page.elements for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("style", "src", "srcset", "xlink:href")}


@EACH
def test_every_reference_stays_in_the_page(given: Dossier) -> None:
    """A link leads to an anchor of the page itself, and each anchor is there once."""
    page = Page(text_of(given))
    targets = [str(attributes["href"]) for attributes in page.named("a")]
    anchors = [str(attributes["id"]) for _, attributes in page.elements if "id" in attributes]
    assert len(anchors) == len(set(anchors))
    assert {target.removeprefix("#") for target in targets} <= set(anchors)
    used = set(re.findall(r"url\(#([\w-]+)\)", text_of(given)))
    assert used <= set(anchors)
    assert "url(" not in re.sub(r"url\(#", "", text_of(given))


@EACH
def test_the_policy_knows_the_one_style(given: Dossier) -> None:
    """The policy forbids everything but the one style sheet, which it knows by digest."""
    text = text_of(given)
    (style,) = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    (policy,) = [meta["content"] for meta in Page(text).named("meta") if meta.get("http-equiv")]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def test_hostile_words_are_shown_and_change_nothing() -> None:
    """The page has the same elements with hostile words as with plain ones, beside the marks of direction."""
    plain, hostile = (Page(text_of(dossier(word=word))) for word in ("plain", HOSTILE))
    shapes = [[tag for tag, _ in page.elements if tag not in ("bdi", "b")] for page in (plain, hostile)]
    assert shapes[0] == shapes[1]
    shown = "".join(hostile.texts)
    assert "\\x1b]52;c;\\x07" in shown
    assert "\\u202egpj.exe" in shown
    assert not set(text_of(dossier(word=HOSTILE))) & set("\x1b\x07\u202e")


def test_it_can_be_read_without_seeing_it() -> None:
    """Language, title, headings in order, tables with captions and heads, pictures with a text."""
    page = Page(text_of(dossier()))
    assert page.named("html")[0]["lang"] == "en"
    levels = [int(tag[1]) for tag, _ in page.elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    plain_tables = [one for one in page.named("table") if one.get("class") != "pairs"]
    assert len(page.named("caption")) == len(plain_tables)
    assert all(head.get("scope") in ("col", "row") for head in page.named("th"))
    for picture in page.named("svg"):
        assert picture["role"] == "img"
        labels = str(picture["aria-labelledby"]).split()
        assert {one["id"] for one in (*page.named("title"), *page.named("desc")) if "id" in one} >= set(labels)


def test_a_demonstration_says_so_on_every_sheet() -> None:
    """The margin of every printed page says it; that of a vendor's exhibit does not."""
    assert 'content: "DEMONSTRATION' in text_of(dossier())
    real = dossier(Part(facts(attention=None, endpoint_class="vendor"), rows()))
    assert "DEMONSTRATION" not in text_of(real)


def test_a_long_table_says_how_much_more_there_is() -> None:
    """The first rows are shown and the rest is counted."""
    many = MemoryRows(held_items=tuple(item(f"data/w/{number:06d}.json") for number in range(1, ROWS_MAX + 8)))
    text = text_of(dossier(Part(facts(), many)))
    assert "7 more rows: an export as JSON or CSV has them all" in text
    assert f"data/w/{ROWS_MAX:06d}.json" in text
    assert f"data/w/{ROWS_MAX + 1:06d}.json" not in text


def test_more_sessions_than_can_be_drawn_are_counted_in_the_caption() -> None:
    """The caption says that rows are drawn of some only."""
    many = MemoryRows(held_sessions=tuple(session(f"s{number:06d}") for number in range(1, 200)))
    assert "There are more than 120" in text_of(dossier(Part(facts(window=(None, None)), many)))


def test_each_further_figure_says_what_it_is() -> None:
    """Further figures are more sessions on the same axis, or the first incomplete ones."""
    some, incomplete = (
        MemoryRows(held_sessions=tuple(session(f"s{number:06d}", outcome=outcome) for number in range(1, many)))
        for many, outcome in ((40, "all_given"), (200, "incomplete"))
    )
    assert "The same axis: more sessions." in text_of(dossier(Part(facts(), some)))
    assert "The same axis: the first sessions that are incomplete." in text_of(dossier(Part(facts(), incomplete)))


@pytest.mark.parametrize(
    ("one", "written"),
    [
        (None, ""), (1_200, "1,200"), (Code("a<"), "<code>a&lt;</code>"), (Whole("x"), '<b class="whole">x</b>'),
        (Stack(("a", Code("b"))), "<span>a</span><span><code>b</code></span>"), ("\u05d0", "<bdi>\u05d0</bdi>"),
    ],
)  # fmt: skip
def test_each_kind_of_cell_has_its_form(one: str | int | Code | Stack | Whole | None, written: str) -> None:
    """A cell is written by its kind; a text beyond ASCII keeps its direction to itself."""
    assert cell(one) == written
