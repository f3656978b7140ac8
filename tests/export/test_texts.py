"""The rendered text of a session: content in its place, and the program's voice in its own."""

import msgspec

from agentaudit.export.texts import head_lines, message_lines, tail_lines, unread_lines
from agentaudit.model.readings import ProvenanceWords
from agentaudit.model.workingcopy import Block, Message, NotRead, Way
from tests.export.dossiers import DIGEST, facts

WAY = Way(item="data/w/000001.json", sha256=DIGEST, pointer="/data/0", request_id=None, row=None)
SAID = Message(
    part="w", page=1, index=0, id="m1", role="user", created_at="2026-09-01T08:00:00Z", model=None, provenance=None,
    standing="captured", way=WAY,
)  # fmt: skip


def lines(*blocks: Block, **more: object) -> list[str]:
    """The lines of one message; `more` replaces its fields."""
    one = msgspec.structs.replace(SAID, blocks=blocks, **more)
    return b"".join(message_lines(1, one)).decode().splitlines()


def block(**more: object) -> Block:
    """A text block; `more` replaces its fields."""
    return msgspec.structs.replace(Block(kind="text", type="text", way=WAY, texts=("hello",)), **more)


def test_a_message_names_its_raw_bytes() -> None:
    """File, pointer and digest stand under who spoke and when."""
    shown = lines(block())
    assert shown[1] == "[1] user 2026-09-01T08:00:00Z m1"
    assert shown[2] == f"    data/w/000001.json#/data/0 {DIGEST}"
    assert shown[3:] == ["  -- text", "  hello"]


def test_a_record_of_a_file_of_lines_names_line_and_byte() -> None:
    """Of a local transcript line and offset lead back."""
    way = Way(item="data/t.jsonl", sha256=DIGEST, pointer="", request_id=None, row=None, line=3, offset_bytes=77)
    assert lines(way=way)[2] == f"    data/t.jsonl, line 3 at byte 77 {DIGEST}"


def test_each_block_says_what_it_is() -> None:
    """A call, its failed result, what is shortened, what has no text."""
    call = block(kind="tool_use", type="tool_use", name="Bash", id="t1", texts=('{"command":"ls"}',))
    result = block(
        kind="tool_result", type="tool_result", tool_use_id="t1", is_error=True, truncated=True, texts=("a", "b")
    )
    nothing = block(kind="other", type="", texts=())
    assert lines(call, result, nothing)[3:] == [
        "  -- tool_use Bash t1",
        '  {"command":"ls"}',
        "  -- tool_result t1 [an error, shortened]",
        "  a",
        "  b",
        "  -- block (no text)",
    ]


def test_content_cannot_speak_in_our_voice() -> None:
    """A text that imitates a heading of ours, on whatever kind of new line, stays indented and visible."""
    forged = "a\n[2] assistant\r  -- text\x85[3] user\u2028[4] user\x1b[2J"
    shown = lines(block(texts=(forged,), name="x\n[9] user"))
    assert [line for line in shown if line.startswith("[")] == ["[1] user 2026-09-01T08:00:00Z m1"]
    assert "  [4] user\\x1b[2J" in shown
    assert "  -- text x\\n[9] user" in shown


def test_what_is_not_here_is_said() -> None:
    """A repetition, a withheld content, bytes that could not be read, records that are no messages."""
    assert lines(block(), repeated=True)[-1] == "    given before: the text stands at its first place"
    withheld = lines(provenance=ProvenanceWords(type="content_unavailable", reason="not_captured"))
    assert withheld[-1] == "    provenance, as the source says: content_unavailable not_captured"
    unread = b"".join(unread_lines(NotRead(part="w", reason="not_json", way=WAY))).decode()
    assert "(no message could be read here: not_json)" in unread
    assert b"".join(tail_lines(2)).startswith(b"\n(2 records")
    assert b"".join(tail_lines(0)) == b""


def test_the_head_says_what_the_file_is() -> None:
    """A working copy with content, of which exhibit and session, and that it is a demonstration where it is one."""
    shown = b"".join(head_lines(facts(), "s000001")).decode()
    assert shown.startswith("DEMONSTRATION.")
    assert "THIS FILE HOLDS CONTENT" in shown
    assert f"exhibit EX-0001, seal {DIGEST}" in shown
    assert not b"".join(head_lines(facts(attention=None), "s000001")).startswith(b"DEMO")
