"""The three forms of a copy, over one session in which everything is odd."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from agentaudit.demo.jsontext import Json
from agentaudit.transcript.opening import Copy
from agentaudit.transcript.render.as_html import render_html
from agentaudit.transcript.render.as_jsonl import render_jsonl
from agentaudit.transcript.render.as_markdown import render_markdown, text_lines
from tests.transcript.odd import FENCES, HOSTILE, LONG, SCRIPT

ALLOWED = frozenset({
    "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "h4", "p", "ul", "li", "table",
    "caption", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "span", "code", "bdi", "article", "section",
    "pre", "a",
})  # fmt: skip


class Reader(HTMLParser):
    """What a browser would make of the page: its elements, its links, and the texts of its boxes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: set[str] = set()
        self.links: set[str] = set()
        self.anchors: set[str] = set()
        self.boxes: list[str] = []
        self.attributes: set[str] = set()
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element, its links and anchors; a box of text begins."""
        given = dict(attrs)
        self.elements.add(tag)
        self.attributes |= given.keys()
        self.links |= {given["href"] or ""} if "href" in given else set()
        self.anchors |= {given["id"] or ""} if "id" in given else set()
        if tag == "pre" and given.get("class") == "said":
            self._inside = True
            self.boxes.append("")

    def handle_endtag(self, tag: str) -> None:
        """A box ends with its element."""
        self._inside = self._inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        """Text inside a box is what was said."""
        if self._inside:
            self.boxes[-1] += data


@pytest.fixture
def page(copy: Copy) -> Reader:
    """The page, as a parser sees it."""
    reader = Reader()
    reader.feed(b"".join(render_html(copy)).decode())
    return reader


@pytest.fixture
def markdown(copy: Copy) -> str:
    """The Markdown form."""
    return b"".join(render_markdown(copy)).decode()


@pytest.fixture
def lines(copy: Copy) -> list[dict[str, Json]]:
    """The JSON Lines form, parsed."""
    return [json.loads(line) for line in render_jsonl(copy)]


def blocks(lines: list[dict[str, Json]], number: int) -> list[dict[str, Json]]:
    """The blocks of a message."""
    (message,) = [line for line in lines if line.get("number") == number]
    found = message["blocks"]
    assert isinstance(found, list)
    return [block for block in found if isinstance(block, dict)]


def test_the_page_holds_no_element_that_could_act(page: Reader) -> None:
    """Hostile texts add no element, no handler and no reference to the page."""
    assert page.elements <= ALLOWED
    assert not {name for name in page.attributes if name.startswith("on")} | ({"src", "style"} & page.attributes)


def test_the_links_of_the_page_lead_inside_it(page: Reader) -> None:
    """Every link is an anchor of this very page, and there are some."""
    assert page.links
    assert page.links <= {f"#{anchor}" for anchor in page.anchors}


def test_the_page_forbids_everything_by_its_policy(copy: Copy) -> None:
    """One style, known by its digest; no script, no image, no connection."""
    text = b"".join(render_html(copy)).decode()
    assert "default-src 'none'; style-src 'sha256-" in text
    assert "http://" not in text.replace("http://127.0.0.1", "")
    assert "https://" not in text


def test_the_boxes_of_the_page_hold_the_very_texts(page: Reader) -> None:
    """What a person reads is what stands in the raw bytes; the first line feed of a box is the parser's."""
    shown = [box.removeprefix("\n") for box in page.boxes]
    assert HOSTILE in shown
    assert FENCES in shown
    assert SCRIPT in shown
    assert "cat <<'X'\n<b>line one</b>\nline two\nX" in shown


@pytest.mark.parametrize("form", [render_html, render_markdown])
def test_what_steers_or_hides_is_written_out(copy: Copy, form: object) -> None:
    """Escape, bidi, zero-width and control characters stand as escapes; a tab stays one."""
    text = b"".join(form(copy)).decode() if callable(form) else ""
    assert r"\x1b[31mred\x1b[0m \u202ereversed\u202c \u200bnothing\x07 tab" + "\there\\rback" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u200b\u202a-\u202e\u2066-\u2069]", text)


def test_no_text_closes_its_fence(markdown: str) -> None:
    """A fence is longer than every run of backticks inside it, so the text never gets out."""
    fence = "`" * 5
    assert f"{fence}text\n{FENCES}\n{fence}\n" in markdown


def test_outside_fences_nothing_foreign_is_markup(markdown: str) -> None:
    """Outside its fences the document holds no unescaped angle bracket and no image or link."""
    inside, outside, fence = False, [], ""
    for line in markdown.splitlines():
        found = re.match("`{3,}", line)
        if found and not inside:
            inside, fence = True, found.group()
        elif inside and line == fence:
            inside = False
        elif not inside:
            outside.append(re.sub("`+[^`]*`+", "", line))
    assert not [line for line in outside if re.search(r"(?<!\\)[<>]|(?<!\\)\]\(", line)]


def test_a_copy_says_first_that_it_is_no_evidence(copy: Copy, markdown: str, lines: list[dict[str, Json]]) -> None:
    """Every form says so in its head, and that the source was not the vendor's."""
    html = b"".join(render_html(copy)).decode()
    for text in (html, markdown.replace("\\", ""), json.dumps(lines[0])):
        assert "Working copy for reading. Not evidence" in text
        assert "DEMONSTRATION" in text


def test_every_message_and_block_leads_back(lines: list[dict[str, Json]], copy: Copy) -> None:
    """File, pointer, digest and request-id stand on each; the digest is that of the file in the exhibit."""
    messages = [line for line in lines if line["kind"] == "message"]
    assert [line["number"] for line in messages] == list(range(1, 17))
    for line in messages:
        ways = [line["way"], *(block["way"] for block in blocks(lines, int(str(line["number"]))))]
        for way in ways:
            assert isinstance(way, dict)
            assert str(way["pointer"]).startswith(f"/data/{line['index']}")
            assert way["sha256"] == copy.head.parts[0].sha256
            assert way["request_id"]


def test_the_pointer_leads_to_the_text(lines: list[dict[str, Json]], odd: tuple[Path, str]) -> None:
    """Followed by hand, the way back ends at the text that the copy shows."""
    (first, *_) = blocks(lines, 1)
    way = first["way"]
    assert isinstance(way, dict)
    found = json.loads((odd[0] / "EX-0001" / str(way["item"])).read_bytes())
    for part in str(way["pointer"]).split("/")[1:]:
        found = found[int(part)] if part.isdigit() else found[part]
    assert [found["text"]] == first["texts"] == [HOSTILE]


def test_joins_say_what_they_rest_on(lines: list[dict[str, Json]]) -> None:
    """Joined, missing, without an id, more than one: each block says which it is."""
    states = {
        number: [block["join"] and dict(block["join"])["state"] for block in blocks(lines, number)]  # type: ignore[arg-type]
        for number in (2, 3, 4, 5, 6, 7, 8)
    }
    assert states == {
        2: [None, "joined"],
        3: ["joined"],
        4: ["missing"],
        5: ["missing"],
        6: ["no_id", "several"],
        7: ["no_id", "several"],
        8: ["several"],
    }


def test_cuts_are_marked_with_their_limit(markdown: str, lines: list[dict[str, Json]]) -> None:
    """Our limits are named with bytes kept and the parameter that gives more; the text itself is as it came."""
    (call,), (result,) = blocks(lines, 9), blocks(lines, 10)
    assert len(str(call["texts"])) < len(LONG)
    clips = [clip for block in (call, result) for clip in block["clips"] if isinstance(clip, dict)]  # type: ignore[union-attr]
    assert [(clip["by"], clip["limit_bytes"]) for clip in clips] == [("our_limit", 200), ("our_limit", 64)]
    plain = markdown.replace("\\", "")
    assert "CLIPPED HERE: shortened at the byte limit that was asked for (200 bytes); 200 bytes kept" in plain
    assert "raise tool_result_max_bytes to get more" in plain


def test_only_the_provenance_field_makes_a_marker(lines: list[dict[str, Json]]) -> None:
    """A person who types a marker's words is still a person."""
    standings = {line["number"]: line["standing"] for line in lines if line["kind"] == "message"}
    assert [standings[number] for number in (12, 13, 14, 15, 16)] == [
        "client_asserted",
        "synthetic_marker",
        "content_unavailable",
        "other",
        "captured",
    ]


def test_the_page_and_the_text_mark_what_nobody_verified(copy: Copy, markdown: str) -> None:
    """Client-asserted text, a synthetic marker and a placeholder are marked in capitals in both forms."""
    html = b"".join(render_html(copy)).decode()
    for words in ("CLIENT-ASSERTED: ", "SYNTHETIC MARKER: ", "PLACEHOLDER: ", "NOT SHOWN: "):
        assert f'<p class="mark">{words}' in html
        assert f"**[{words}" in markdown.replace("\\", "")


def test_the_same_exhibit_gives_the_same_bytes(copy: Copy) -> None:
    """Each form, made twice, is the same."""
    for form in (render_html, render_markdown, render_jsonl):
        assert b"".join(form(copy)) == b"".join(form(copy))


def test_a_carriage_return_before_a_line_feed_ends_a_line() -> None:
    """CR LF is one line end; a CR alone is written out."""
    assert list(text_lines("a\r\nb\rc\n")) == ["a", "b\\rc", ""]
