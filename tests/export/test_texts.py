"""The rendered text of a session: content in its place, and the program's voice in its own."""

import gzip
import json

from agentaudit.export.content import Passage, speaker
from agentaudit.export.texts import head, message
from agentaudit.model.readings import ProvenanceWords, RecordRow
from agentaudit.model.tagfiles import ItemRow
from tests.export.dossiers import DIGEST, facts

ITEM = ItemRow(
    path="data/w/000001.json",
    bytes=9,
    sha256=DIGEST,
    role="answer",
    media_type=None,
    content_encoding=None,
    provenance=None,
)
CONTENT = [
    {"type": "text", "text": "hello", "truncated": False},
    {"type": "text", "text": 7, "truncated": True},
    {"type": "tool_use", "name": "Bash", "id": "t1", "input": '{"command":"ls"}'},
    {
        "type": "tool_result",
        "tool_use_id": "t1",
        "is_error": True,
        "content": [{"type": "text", "text": "no"}, {"type": "image"}],
    },
    {"type": "tool_result", "tool_use_id": "t2", "content": []},
    {"type": "canvas"},
    "no block",
]


def record(**more: object) -> RecordRow:
    """A message without content."""
    fields: dict[str, object] = {
        "session": "s000001", "walk": "w", "page": 1, "index": 0, "item": ITEM.path, "pointer": "/data/0", "id": "m1",
        "role": "user", "created_at": "2026-09-01T08:00:00Z", "model": None, "provenance": None, **more,
    }  # fmt: skip
    return RecordRow(**fields)  # type: ignore[arg-type]


def lines(*passages: Passage, found: bool = True, **more: object) -> list[str]:
    """The lines of one message."""
    return b"".join(message(1, record(**more), ITEM, passages if found else None)).decode().splitlines()


def body(entries: list[object]) -> bytes:
    """A page of messages."""
    return json.dumps({"data": entries, "next_page": None}).encode()


def test_each_block_is_a_passage() -> None:
    """Texts, calls and results give their text; what is no text is named."""
    speak = speaker("compliance/1")
    assert speak is not None
    found = speak(body([{"content": CONTENT}]), None)("/data/0")
    assert found == (
        Passage("text", "hello"),
        Passage("text [shortened]", None),
        Passage("tool use Bash t1", '{"command":"ls"}'),
        Passage("tool result (not stated) t1, an error", "no"),
        Passage("tool result (not stated) t1, an error", None),
        Passage("tool result (not stated) t2", None),
        Passage("block of type canvas, not rendered", None),
        Passage("block of type (not stated), not rendered", None),
    )


def test_a_place_without_a_message_gives_none() -> None:
    """A pointer beyond the page, into it, or into an unreadable page finds no message."""
    speak = speaker("compliance/1")
    assert speak is not None
    page = speak(gzip.compress(body([{"content": "text"}])), "gzip")
    assert page("/data/0") == ()
    assert [page(pointer) for pointer in ("/data/1", "/data/00", "/session", "/data/0/content")] == [None] * 4
    assert speak(b"no page", None)("/data/0") is None


def test_another_source_has_no_speaker() -> None:
    """The content of a source that this program does not render is not guessed at."""
    assert speaker("claude-code/1") is None


def test_a_message_names_its_raw_bytes() -> None:
    """File, pointer and digest stand under who spoke and when."""
    shown = lines(Passage("text", "hello"))
    assert shown[1] == "[1] user 2026-09-01T08:00:00Z m1"
    assert shown[2] == f"    data/w/000001.json#/data/0 {DIGEST}"
    assert shown[3:] == ["  -- text", "  hello"]


def test_content_cannot_speak_in_our_voice() -> None:
    """A text that imitates a heading of ours, on whatever kind of new line, stays indented and visible."""
    forged = "a\n[2] assistant\r  -- text\x85[3] user\u2028[4] user\x1b[2J"
    shown = lines(Passage("text\n[9] user", forged))
    assert [line for line in shown if line.startswith("[")] == ["[1] user 2026-09-01T08:00:00Z m1"]
    assert "  [4] user\\x1b[2J" in shown
    assert "  -- text\\n[9] user" in shown


def test_what_is_not_here_is_said() -> None:
    """A repetition, a withheld content, an unreadable place."""
    assert lines(repeated=True)[-1] == "    given before: the text stands at its first place"
    withheld = lines(provenance=ProvenanceWords(type="content_unavailable", reason="not_captured"))
    assert withheld[-1] == "    provenance, as the source says: content_unavailable not_captured"
    assert lines(found=False)[-1] == "    no message could be read at this place"


def test_the_head_says_what_the_file_is() -> None:
    """A working copy with content, of which exhibit and session, and that it is a demonstration where it is one."""
    shown = b"".join(head(facts(), "s000001")).decode()
    assert shown.startswith("DEMONSTRATION.")
    assert "THIS FILE HOLDS CONTENT" in shown
    assert f"exhibit EX-0001, seal {DIGEST}" in shown
    assert not b"".join(head(facts(attention=None), "s000001")).startswith(b"DEMO")
