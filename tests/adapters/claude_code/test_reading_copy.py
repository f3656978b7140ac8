"""The content of preserved transcripts, as a working copy gets it."""

import json
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from agentaudit.adapters.claude_code.reading_copy import ClaudeCodeCopyReader
from agentaudit.adapters.stores.told import WORD_MAX
from agentaudit.model.base import UNSET, Instant, digest_of
from agentaudit.model.local import FileState, NanoInstant
from agentaudit.model.tagfiles import FileFacts, FileProvenance, ItemRow
from agentaudit.model.workingcopy import Aside, Block, Message, NotRead

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples" / "claude-code-2.1.332"
PATH = "data/claude-code/r1/s000001/transcript.jsonl"
MOMENT = NanoInstant("2026-01-01T00:00:00.000000000Z")
STATE = FileState(
    size_bytes=0,
    modified_at=MOMENT,
    changed_at=MOMENT,
    accessed_at=MOMENT,
    born_at=None,
    mode=0o600,
    user_id=0,
    group_id=0,
    owner=None,
    group=None,
    device="1",
    inode="1",
    links=1,
    allocated_bytes=None,
)


def item(role: str = "transcript", path: str = PATH) -> ItemRow:
    """A preserved file of a session."""
    return ItemRow(
        path=path,
        bytes=1,
        sha256=digest_of(b""),
        role="preserved",
        media_type=None,
        content_encoding=None,
        provenance=FileProvenance(
            row=9,
            survey=1,
            root="r1",
            entry=1,
            kept_at=Instant("2026-01-01T00:00:00.000000Z"),
            before=STATE,
            change="none",
        ),
        facts=FileFacts(role=role, session="s000001", media_type_from=None, framing=None, transcript=None),
    )


def read(pieces: Iterable[bytes]) -> list[Message | NotRead | Aside]:
    """What a reading makes of these pieces of one file."""
    return list(ClaudeCodeCopyReader().open("s000001", ()).feed(item(), pieces))


def line(**members: object) -> bytes:
    """One record as the agent writes it."""
    return json.dumps(members, separators=(",", ":")).encode() + b"\n"


def one(**members: object) -> Message:
    """The only message of a file of one record."""
    (found,) = read((line(**members),))
    assert isinstance(found, Message)
    return found


def block(content: object) -> Block:
    """The only block of a message with this content."""
    (found,) = one(type="user", message={"role": "user", "content": [content]}).blocks
    return found


def test_only_transcripts_of_this_agent_are_read() -> None:
    """The session's own transcript comes first, then those of its agents; other files hold no messages."""
    reader = ClaudeCodeCopyReader()
    roles = ("transcript", "transcript_copy", "old_agent", "subagent", "workflow_agent", "tool_result", "debug")
    assert (reader.name, reader.reads("claude-code/1"), reader.reads("compliance/1")) == (
        "claude-code-copy/1",
        True,
        False,
    )
    assert [reader.rank(item(role)) for role in roles] == [0, 1, 2, 3, 4, None, None]
    assert reader.rank(msgspec.structs.replace(item(), facts=None)) is None


def test_a_record_is_a_message_with_its_line_and_byte() -> None:
    """Role, model, time and uuid stand verbatim; the way back is file, line and offset."""
    first = line(type="summary", summary="x")
    second = line(
        type="assistant", uuid="u1", timestamp="t", message={"role": "assistant", "model": "m", "content": "hello"}
    )
    aside, found = read((first, second))
    assert isinstance(aside, Aside)
    assert (aside.type, aside.way.line, aside.way.offset_bytes) == ("summary", 1, 0)
    assert isinstance(found, Message)
    assert (found.id, found.role, found.model, found.created_at, found.standing) == (
        "u1",
        "assistant",
        "m",
        "t",
        "not_stated",
    )
    assert (found.index, found.page, found.part) == (1, None, PATH)
    assert (found.way.line, found.way.offset_bytes, found.way.pointer, found.way.row) == (2, len(first), "", 9)
    (text,) = found.blocks
    assert (text.kind, text.texts, text.way.pointer) == ("text", ("hello",), "/message/content")


def test_the_input_of_a_call_is_cut_out_of_its_line() -> None:
    """The input stands as it stands in the file, spaces and order of keys with it."""
    call = b'{"type":"tool_use","id":"t","name":"N","input":{"b": 1, "a":2}}'
    raw = b'{"type":"assistant","message":{"content":[' + call + b"]}}\n"
    (found,) = read((raw,))
    assert isinstance(found, Message)
    (block_of_it,) = found.blocks
    assert (block_of_it.kind, block_of_it.texts, block_of_it.input_state, block_of_it.id, block_of_it.name) == (
        "tool_use",
        ('{"b": 1, "a":2}',),
        "present",
        "t",
        "N",
    )
    assert block_of_it.way.pointer == "/message/content/0"


def test_an_empty_input_is_told_from_one_that_cannot_be_cut_out() -> None:
    """`{}` is empty; where a line has another form, the input is not shown and nothing is claimed of it."""
    empty = block({"type": "tool_use", "id": "t", "name": "N", "input": {}})
    absent = block({"type": "tool_use", "id": "t", "name": "N"})
    assert (empty.texts, empty.input_state, absent.texts, absent.input_state) == (("{}",), "empty", (), UNSET)
    mixed = b'{"type":"user","message":{"content":["a word",{"type":"tool_use","id":"t","input":{"a":1}}]}}\n'
    (found,) = read((mixed,))
    assert isinstance(found, Message)
    assert [(one.kind, one.texts) for one in found.blocks] == [("other", ()), ("tool_use", ())]


def test_a_result_is_a_text_or_a_list_of_texts() -> None:
    """Both forms give their texts; an item that is no text is named."""
    plain = block({"type": "tool_result", "tool_use_id": "t", "content": "out", "is_error": True})
    listed = block({
        "type": "tool_result",
        "tool_use_id": None,
        "content": [{"type": "text", "text": "a"}, {"type": "image", "source": {}}, {}],
    })  # fmt: skip
    bare = block({"type": "tool_result", "tool_use_id": 5, "is_error": None})
    assert (plain.texts, plain.is_error, plain.tool_use_id) == (("out",), True, "t")
    assert (listed.texts, listed.tool_use_id, listed.is_error) == (("a",), None, UNSET)
    assert listed.facts == (("item that is no text", "image"), ("item that is no text", "of no type"))
    assert (bare.texts, bare.tool_use_id, bare.is_error) == ((), UNSET, None)


def test_thinking_is_shown_and_its_signature_named_by_size() -> None:
    """What an agent recorded of its thinking is content; a long word beside it is told by its length."""
    found = block({"type": "thinking", "thinking": "hm", "signature": "s" * (WORD_MAX + 1)})
    assert (found.kind, found.texts, found.facts) == (
        "thinking",
        ("hm",),
        (("signature", f"{WORD_MAX + 1:,} characters, in the raw bytes"),),
    )


def test_a_picture_is_named_and_not_shown() -> None:
    """A block of another kind gives its small members, and the size of what is large."""
    found = block({
        "type": "image",
        "source": {"media_type": "image/png", "data": "A" * 1000},
        "content": [1, 2],
        "ratio": 1.5,
        "inner": {"deep": {"er": 1}},
    })  # fmt: skip
    assert (found.kind, found.type, found.texts) == ("other", "image", ())
    assert dict(found.facts) == {
        "source.media_type": "image/png",
        "source.data": "1,000 characters, in the raw bytes",
        "content": "a list of 2, in the raw bytes",
        "ratio": "1.5",
        "inner.deep": "not shown, in the raw bytes",
    }


def test_a_block_that_is_no_object_keeps_its_place() -> None:
    """Whatever stands in the list is a block, so that pointers count right."""
    found = one(type="user", message={"role": "user", "content": [None, {"type": 3}]})
    assert [(each.kind, each.type) for each in found.blocks] == [("other", ""), ("other", "")]


def test_a_message_without_content_has_no_blocks() -> None:
    """Null, or no content at all, is no block."""
    assert one(type="user", message={"role": None, "content": None}).blocks == ()
    assert one(type="user", message={}).role is UNSET


def test_what_stands_around_a_message_is_told_beside_it() -> None:
    """Permission, prompt, agent and result members are facts; long ones are sizes."""
    found = one(
        type="user",
        isSidechain=True,
        agentId="a1",
        promptId="p1",
        parentUuid=None,
        permissionDecision={"reasonType": "rule"},
        toolUseResult={"stdout": "x" * 1000, "interrupted": False},
        secretOfOthers="never",
        message={"role": "user", "id": "msg_1", "content": ""},
    )
    assert dict(found.facts) == {
        "isSidechain": "true",
        "agentId": "a1",
        "promptId": "p1",
        "parentUuid": "null",
        "permissionDecision.reasonType": "rule",
        "toolUseResult.stdout": "1,000 characters, in the raw bytes",
        "toolUseResult.interrupted": "false",
        "message.id": "msg_1",
    }


def test_a_record_whose_uuid_came_before_is_repeated() -> None:
    """A resumed session repeats records: the second is marked; one without a uuid never is."""
    record = line(type="user", uuid="u1", message={"content": ""})
    bare = line(type="user", message={"content": ""})
    found = read((record, record, bare, bare))
    assert [piece.repeated for piece in found if isinstance(piece, Message)] == [False, True, False, False]


def test_what_is_no_message_is_named_by_its_type() -> None:
    """Records of other kinds, and a user record without a message, are asides."""
    found = read((line(type="progress"), line(type="user"), line(kind="x"), line(type=3, message={})))
    assert [piece.type for piece in found if isinstance(piece, Aside)] == ["progress", "user", "", ""]


def test_lines_that_are_no_objects_are_here_and_not_read() -> None:
    """A cut line, a bare value and a line over the limit are named with line and byte; empty lines are not."""
    found = read((b'{"type": "us\n', b"\n", b"  \r\n", b"[1]\n", b"x" * 10, b"y" * 10, b"z\n", b'{"type":"user"'))
    assert [(type(piece).__name__, piece.way.line, piece.way.offset_bytes) for piece in found] == [
        ("NotRead", 1, 0),
        ("NotRead", 4, 18),
        ("NotRead", 5, 22),
        ("NotRead", 6, 44),
    ]
    assert [piece.reason for piece in found if isinstance(piece, NotRead)] == [
        "not_json",
        "not_an_object",
        "over_limit",
        "not_json",
    ]


def test_a_last_line_over_the_limit_without_an_end_is_told() -> None:
    """A line that comes in pieces and never ends is over the limit too."""
    (found,) = read((b"x" * 10, b"y" * 10))
    assert isinstance(found, NotRead)
    assert found.reason == "over_limit"


def test_a_file_without_a_journal_row_still_has_a_way_back() -> None:
    """File, line and byte are enough."""
    alone = msgspec.structs.replace(item(), provenance=None)
    (found,) = ClaudeCodeCopyReader().open("s000001", ()).feed(alone, (line(type="x"),))
    assert (found.way.row, found.way.line) == (None, 1)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the captured stores are not here")
@pytest.mark.parametrize("gates", ["all-gates", "default-gates"])
def test_a_real_store_reads_without_a_loss(gates: str) -> None:
    """Every record of a captured store is a message or an aside, and every call finds its result by id."""
    files = sorted((SAMPLES / gates).glob("claude-home/.claude/projects/*/*.jsonl"))
    files += sorted((SAMPLES / gates).glob("claude-home/.claude/projects/*/*/subagents/*.jsonl"))
    reading = ClaudeCodeCopyReader().open("s000001", ())
    pieces = [
        piece
        for file in files
        for piece in reading.feed(item(path=file.name), file.read_bytes().splitlines(keepends=True))
    ]
    messages = [piece for piece in pieces if isinstance(piece, Message)]
    blocks = [each for message in messages for each in message.blocks]
    calls = {each.id for each in blocks if each.kind == "tool_use"}
    results = {each.tool_use_id for each in blocks if each.kind == "tool_result"}
    assert not [piece for piece in pieces if isinstance(piece, NotRead)]
    assert calls
    assert calls == results
    assert all(each.texts for each in blocks if each.kind == "tool_use")


def test_a_name_that_is_no_utf8_is_told_readably() -> None:
    """The name of a member may hold what UTF-8 has no form for: the copy goes on with a display form."""
    (found,) = read((b'{"type":"user","message":{"content":[]},"toolUseResult":{"\\ud800":1}}\n',))
    assert isinstance(found, Message)
    assert ("toolUseResult.?", "1") in found.facts
