"""The content of preserved rollouts, as a working copy gets it."""

import gzip
import json
import random
from collections.abc import Iterable

import pytest
import zstandard

from agentaudit.adapters.codex.reading_copy import CodexCopyReader
from agentaudit.adapters.codex.unpacked import LINE_MAX
from agentaudit.adapters.wholelines import cut
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.tagfiles import ItemRow
from agentaudit.model.text import SourceText
from agentaudit.model.workingcopy import Aside, Block, Message, NotRead
from tests.adapters.claude_code.test_reading_copy import item as preserved
from tests.adapters.codex.homes import SAMPLE

PATH = "data/codex/r1/s000001/rollout.jsonl"
LINE_OF_JUNK = 400_000
MOMENT = "2026-11-29T23:02:36.810Z"

Piece = Message | NotRead | Aside


def item(role: str = "rollout", path: str = PATH) -> ItemRow:
    """A preserved file of a thread."""
    return preserved(role, path)


def read(octets: bytes, role: str = "rollout") -> list[Piece]:
    """What a reading makes of one file."""
    return list(CodexCopyReader().open("s000001", ()).feed(item(role), octets.splitlines(keepends=True)))


def line(kind: str, payload: object, **around: object) -> bytes:
    """One record as the agent writes it."""
    record = {"timestamp": MOMENT, "type": kind, "payload": payload, **around}
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def one(kind: str, payload: object, **around: object) -> Message:
    """The only message of a file of one record."""
    (found,) = read(line(kind, payload, **around))
    assert isinstance(found, Message)
    return found


def said(**members: object) -> Message:
    """The message that an item of the conversation is."""
    return one("response_item", members)


def event(**members: object) -> Message:
    """The message that an event is."""
    return one("event_msg", members)


def only(message: Message) -> Block:
    """The only block of a message."""
    (found,) = message.blocks
    return found


def pointers(blocks: Iterable[Block]) -> list[tuple[SourceText, str]]:
    """The type and the place of each block."""
    return [(block.type, block.way.pointer) for block in blocks]


def test_the_reader_is_that_of_preserved_homes() -> None:
    """It reads exhibits of this agent's adapter, whatever its version, and no others."""
    reader = CodexCopyReader()
    assert (reader.name, reader.reads("codex/9"), reader.reads("claude-code/1")) == ("codex-copy/1", True, False)


@pytest.mark.parametrize(
    ("role", "rank"),
    [("rollout", 0), ("rollout_zst", 1), ("archived_rollout", 2), ("old_rollout", 4), ("database", None)],
)
def test_rollouts_hold_records(role: str, rank: int | None) -> None:
    """The rollout comes first, then its twins; databases and snapshots hold none."""
    assert CodexCopyReader().rank(item(role)) == rank


def test_a_file_without_facts_holds_no_records() -> None:
    """An extended attribute beside a rollout is no text of it."""
    bare = ItemRow(
        path=PATH, bytes=1, sha256=item().sha256, role="attribute", media_type=None, content_encoding=None,
        provenance=None, facts=None,
    )  # fmt: skip
    assert CodexCopyReader().rank(bare) is None
    (found,) = CodexCopyReader().open("s000001", ()).feed(bare, (line("response_item", {"type": "message"}),))
    assert (found.way.row, found.way.line) == (None, 1)


def test_a_message_has_its_parts_and_the_way_to_each() -> None:
    """Texts stand as they are, with the kind that the agent gives each part; a picture is named, a stranger shown."""
    found = one(
        "response_item",
        {
            "type": "message", "id": "msg_1", "role": "user",
            "content": [{"type": "input_text", "text": "do it"}, {"type": "input_image", "image_url": "data:x"},
                        {"type": "hologram", "depth": 3}, {"type": "output_text", "text": 5}],
            "internal_chat_message_metadata_passthrough": {"content_item_kinds": ["user.text", None], "turn_id": "t1"},
        },
        ordinal=7, metadata={"client_authored": False},
    )  # fmt: skip
    assert (found.role, found.id, found.type, found.created_at) == ("user", "msg_1", "response_item/message", MOMENT)
    assert {("ordinal", "7"), ("metadata.client_authored", "false")} <= set(found.facts)
    assert ("internal_chat_message_metadata_passthrough.turn_id", "t1") in found.facts
    assert [(block.kind, block.texts) for block in found.blocks] == [
        ("text", ("do it",)),
        ("other", ()),
        ("other", ('{"type": "hologram", "depth": 3}',)),
        ("other", ('{"type": "output_text", "text": 5}',)),
    ]
    assert found.blocks[0].facts == (("content item kind", "user.text"),)
    assert found.blocks[1].facts == (("image_url", "data:x"),)
    assert found.blocks[2].way.pointer == "/payload/content/2"
    assert (found.way.line, found.way.offset_bytes, found.way.pointer) == (1, 0, "")


@pytest.mark.parametrize(("content", "texts"), [("as a text", [("as a text",)]), (None, []), (5, []), ([], [])])
def test_a_message_of_another_form_is_a_message(content: object, texts: list[tuple[str, ...]]) -> None:
    """A text in the place of parts is shown, and anything else is nothing."""
    assert [block.texts for block in said(type="message", role="user", content=content).blocks] == texts


def test_reasoning_stands_as_it_is() -> None:
    """A summary is shown; what is encrypted is said to be here and unreadable, with its length alone."""
    found = said(
        type="reasoning",
        summary=[{"type": "summary_text", "text": "in short"}],
        content=[{"type": "reasoning_text", "text": "at length"}],
        encrypted_content="gAAAA",
    )
    assert [(block.kind, block.texts, block.unreadable) for block in found.blocks] == [
        ("thinking", ("in short",), UNSET),
        ("thinking", ("at length",), UNSET),
        ("thinking", (), "encrypted"),
    ]
    assert found.blocks[2].facts == (("length", "5 characters"),)
    assert "gAAAA" not in repr(found.facts)
    assert said(type="reasoning", summary=[], encrypted_content=None).blocks == ()


@pytest.mark.parametrize(
    ("members", "texts", "state"),
    [
        ({"type": "function_call", "arguments": '{"cmd": "ls"}'}, ('{"cmd": "ls"}',), "present"),
        ({"type": "function_call", "arguments": "{}"}, ("{}",), "empty"),
        ({"type": "custom_tool_call", "input": "*** Begin"}, ("*** Begin",), "present"),
        ({"type": "local_shell_call", "action": {"command": ["ls"]}}, ('{"command": ["ls"]}',), "present"),
        ({"type": "web_search_call"}, (), "empty"),
    ],
)
def test_a_call_has_its_input_as_it_stands(members: dict[str, object], texts: tuple[str, ...], state: str) -> None:
    """A text is the text, an object is cut out unchanged, and none is none."""
    found = only(said(call_id="c1", name="tool", **members))
    assert (found.kind, found.id, found.name) == ("tool_use", "c1", "tool")
    assert (found.texts, found.input_state) == (texts, state)


@pytest.mark.parametrize(
    ("output", "texts", "facts"),
    [
        ("fine", ("fine",), ()),
        ({"content": "fine", "success": False}, ("fine",), (("output.success", "false"),)),
        ([{"type": "input_text", "text": "a"}, {"type": "input_image"}], ("a",),
         (("parts that are pictures", "1, in the raw bytes"),)),
        ({"content": [{"type": "text", "text": "b"}]}, ("b",), ()),
        ([{"type": "hologram"}], ('[{"type": "hologram"}]',), ()),
        (["odd"], ('["odd"]',), ()),
        (None, ("null",), ()),
    ],
)  # fmt: skip
def test_an_output_has_its_texts(output: object, texts: tuple[str, ...], facts: tuple[object, ...]) -> None:
    """Whatever form it has: texts where there are texts, and else the output as it stands."""
    found = only(said(type="function_call_output", call_id="c1", output=output))
    assert (found.kind, found.tool_use_id, found.texts, found.facts) == ("tool_result", "c1", texts, facts)


def test_tools_that_were_found_are_an_output() -> None:
    """The output of a search for tools has another name."""
    found = only(said(type="tool_search_output", call_id="c1", tools=[{"name": "x"}]))
    assert (found.texts, found.way.pointer) == (('[{"name": "x"}]',), "/payload/tools")


@pytest.mark.parametrize(
    ("text", "basis"),
    [
        ("Warning: truncated output (original token count: 9)\nx", ("mark_before",)),
        ("a…12 chars truncated…b", ("mark_within",)),
        ("a…12 tokens truncated…b", ("mark_within",)),
        ("truncated", None),
    ],
)
def test_a_shortened_output_says_so_in_its_own_text(text: str, basis: tuple[str, ...] | None) -> None:
    """The agent's marks are reported as what they are: words in the text."""
    clips = only(said(type="function_call_output", call_id="c1", output=text)).clips
    assert [(clip.by, clip.basis, clip.kept_bytes) for clip in clips] == (
        [] if basis is None else [("said_in_text", basis, len(text.encode()))]
    )


def test_an_execution_is_joined_by_the_id_of_its_call() -> None:
    """Command and output stand under their names; the first of them has the id; short words are facts."""
    text = "a\n... command output truncated for persistence ...\nb"
    found = event(
        type="item_completed", turn_id="t1",
        item={"type": "CommandExecution", "id": "c1", "command": ["sh", "-c", "ls"], "status": "failed",
              "exit_code": 1, "aggregated_output": text, "duration": {"secs": 0}, "parsed": []},
    )  # fmt: skip
    assert found.type == "event_msg/item_completed/CommandExecution"
    assert pointers(found.blocks) == [
        ("command", "/payload/item/command"),
        ("aggregated_output", "/payload/item/aggregated_output"),
    ]
    assert [block.tool_use_id for block in found.blocks] == ["c1", UNSET]
    assert found.blocks[0].texts == ('["sh", "-c", "ls"]',)
    assert [clip.basis for clip in found.blocks[1].clips] == [("mark_of_storing",)]
    assert {("turn_id", "t1"), ("item.status", "failed"), ("item.exit_code", "1"), ("item.duration.secs", "0")} <= set(
        found.facts
    )


@pytest.mark.parametrize(
    ("members", "call", "likely"),
    [
        ({"type": "exec_command_end", "call_id": "c1", "stdout": "x"}, "c1", UNSET),
        ({"type": "item_completed", "item": {"type": "FileChange", "id": "c1", "changes": {"a": {"type": "add"}}}},
         "c1", UNSET),
        ({"type": "item_completed", "item": {"type": "McpToolCall", "id": "c1"}}, UNSET, "c1"),
        ({"type": "item_completed", "item": {"type": "New", "id": "i1", "call_id": "c1"}}, "c1", UNSET),
        ({"type": "item_completed", "call_id": "c1", "item": {"type": "New", "id": "i1"}}, "c1", UNSET),
        ({"type": "task_started"}, UNSET, UNSET),
    ],
)  # fmt: skip
def test_an_event_names_its_call_where_it_has_one(members: dict[str, object], call: object, likely: object) -> None:
    """A call id is one; the id of an execution or a change is one; the id of another item may be one."""
    first = event(**members).blocks[0]
    assert (first.kind, first.tool_use_id, first.id) == ("event", call, likely)


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ([{"type": "Text", "text": "a", "text_elements": []}, {"type": "Text", "text": "b"}], ("a", "b")),
        ([{"type": "Text", "text": "a", "extra": 1}], ('[{"type": "Text", "text": "a", "extra": 1}]',)),
        ([{"type": "Text", "text": "a"}, {}], ('[{"type": "Text", "text": "a"}, {}]',)),
        ({"a": "b\nc"}, ('{"a": "b\\nc"}',)),
        ("x", ("x",)),
    ],
)
def test_the_texts_of_an_event(content: object, texts: tuple[str, ...]) -> None:
    """A list of nothing but texts is its texts; what holds more is shown as it stands."""
    assert only(event(type="item_completed", item={"type": "UserMessage", "content": content})).texts == texts


@pytest.mark.parametrize(
    ("kind", "name", "note"),
    [
        ("event_msg", "context_compacted", "compaction"),
        ("event_msg", "thread_rolled_back", "rollback"),
        ("event_msg", "turn_aborted", "abort"),
        ("response_item", "compaction", "compaction"),
        ("event_msg", "task_complete", UNSET),
    ],
)
def test_what_must_not_be_overlooked_is_noted(kind: str, name: str, note: object) -> None:
    """Compactions, roll-backs and aborted turns change what the rest means."""
    assert one(kind, {"type": name}).note == note


def test_a_compaction_shows_what_took_the_place_of_all_before() -> None:
    """The summary is a text, and each item of the new history stands as it is."""
    found = one("compacted", {"message": "so far", "replacement_history": [{"type": "message"}, 5], "window": 2})
    assert [(block.kind, block.texts) for block in found.blocks] == [
        ("text", ("so far",)),
        ("state", ('{"type": "message"}',)),
        ("state", ("5",)),
    ]
    assert (found.note, found.facts) == ("compaction", (("window", "2"),))
    assert one("compacted", {"message": None}).blocks == ()


def test_settings_are_compared_with_those_before() -> None:
    """What is no more as it was is told member by member, ids of turns apart; the first state has nothing before it."""
    before = {"turn_id": "t1", "approval_policy": "on-request", "roots": ["/a"], "sandbox_policy": {"type": "read"},
              "rules": [{}], "gone": "x"}  # fmt: skip
    after = {"turn_id": "t2", "approval_policy": "never", "roots": ["/a", "/b"], "sandbox_policy": {"type": "danger"},
             "rules": [{}, {}], "empty": {}}  # fmt: skip
    rows = b"".join(line("turn_context", one) for one in (before, before, after))
    first, same, changed = (one for one in read(rows) if isinstance(one, Message))
    assert (first.note, first.facts, same.note, same.facts) == (UNSET, (), UNSET, ())
    assert changed.note == "settings_changed"
    assert changed.facts == (
        ("changed: approval_policy", "on-request -> never"),
        ("changed: roots", "/a -> /a, /b"),
        ("changed: sandbox_policy.type", "read -> danger"),
        ("changed: rules", "a list of 1, in the raw bytes -> a list of 2, in the raw bytes"),
        ("changed: gone", "x -> not there"),
    )
    assert only(changed).kind == "state"
    assert json.loads(str(only(changed).texts[0])) == after


def test_the_settings_of_a_thread_are_a_state_too() -> None:
    """They are compared among themselves."""
    rows = b"".join(
        line("event_msg", {"type": "thread_settings_applied", "thread_settings": {"model": model}}) for model in "ab"
    )
    found = [one for one in read(rows) if isinstance(one, Message)]
    assert [one.note for one in found] == [UNSET, "settings_changed"]
    assert found[1].facts == (("changed: model", "a -> b"),)


def test_a_state_that_nests_too_deep_is_compared_to_a_depth() -> None:
    """What lies deeper is not looked into."""
    deep: dict[str, object] = {"end": 1}
    for _ in range(12):
        deep = {"in": deep}
    assert read(line("turn_context", deep) * 2)[1] == read(line("turn_context", deep) * 2)[1]


@pytest.mark.parametrize(
    ("row", "word"),
    [
        (line("event_msg", {"type": "token_count"}), "event_msg/token_count"),
        (line("token_usage_record", {"usage": 1}), "token_usage_record"),
        (b'{"record_type":"state"}\n', "state"),
    ],
)
def test_counts_are_named_and_not_shown(row: bytes, word: str) -> None:
    """They are the only records that are."""
    assert [one.type for one in read(row) if isinstance(one, Aside)] == [word]


@pytest.mark.parametrize(
    ("row", "kind", "text"),
    [
        (line("prophecy", {"type": "vision", "x": 1}), "prophecy/vision", '{"type": "vision", "x": 1}'),
        (line("response_item", {"type": "novelty"}), "response_item/novelty", '{"type": "novelty"}'),
        (line("response_item", "a text"), "response_item", '"a text"'),
        (line("world_state", None), "world_state", "null"),
        (b'{"x":1}\n', UNSET, '{"x":1}\n'),
    ],
)
def test_what_nobody_knows_is_shown_as_it_stands(row: bytes, kind: object, text: str) -> None:
    """A record of an unknown type, or of another form, stays visible with all that it holds."""
    (found,) = read(row)
    assert isinstance(found, Message)
    assert (found.type, only(found).kind, only(found).texts) == (kind, "other", (text,))


def test_lines_of_older_releases_have_no_envelope() -> None:
    """The item, or the head, is the line."""
    rows = (
        b'{"id":"x","timestamp":"2025-01-01T00:00:00Z","instructions":"be good"}\n'
        b'{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}\n'
        b'{"type":"function_call","name":"shell","call_id":"c1","arguments":"{}"}\n'
    )
    head, message, call = (one for one in read(rows) if isinstance(one, Message))
    assert (head.type, only(head).kind) == ("session_head", "state")
    assert (message.role, only(message).texts, only(message).way.pointer) == ("user", ("hello",), "/content/0")
    assert (only(call).kind, only(call).id, call.way.line) == ("tool_use", "c1", 3)


def test_the_oldest_releases_wrote_one_document() -> None:
    """Its session and its items are records, each with its pointer; anything else is one record as a whole."""
    document = {"session": {"id": "x", "timestamp": MOMENT}, "items": [{"type": "message", "role": "user"}]}
    head, message = read(json.dumps(document, indent=1).encode(), "old_rollout")
    assert (head.way.pointer, message.way.pointer) == ("/session", "/items/0")
    assert isinstance(message.way.line, Unset)
    (other,) = read(b'{"no": "session"}', "old_rollout")
    assert isinstance(other, Message)
    (broken,) = read(b"{", "old_rollout")
    assert isinstance(broken, NotRead)
    (huge,) = CodexCopyReader().open("s", ()).feed(item("old_rollout"), (b" " * LINE_MAX, b" "))
    assert isinstance(huge, NotRead)
    assert huge.reason == "over_limit"


@pytest.mark.parametrize(("row", "reason"), [(b"{\n", "not_json"), (b"[]\n", "not_an_object"), (b"x", "not_json")])
def test_a_line_that_is_no_record_is_said_to_be_here(row: bytes, reason: str) -> None:
    """It is named with its place, and the reading goes on."""
    first, second = read(line("token_usage_record", {}) + row)
    assert isinstance(second, NotRead)
    assert (second.reason, second.way.line, second.way.offset_bytes) == (
        reason,
        2,
        len(line("token_usage_record", {})),
    )
    assert isinstance(first, Aside)


def test_empty_lines_are_no_records_and_a_long_line_is_not_read() -> None:
    """White space is nothing; a line that came in several pieces is over the limit."""
    found = list(CodexCopyReader().open("s", ()).feed(item(), (b"\n", b" \r\n", b"{", b"}\n")))
    assert [(type(one).__name__, one.way.line) for one in found] == [("NotRead", 3)]


def test_what_cannot_be_cut_out_is_told_in_few_words() -> None:
    """A name that is no UTF-8 stops the short cut: then the text is not shown, and its members are told."""
    bad = b'"\\ud800":1'
    rows = (
        b'{"type":"turn_context","payload":{"model":"m",' + bad + b"}," + bad + b"}\n"
        b'{"type":"event_msg","payload":{"type":"e","list":[1,2],' + bad + b"}}\n"
        b'{"type":"response_item","payload":{"type":"message","content":[{"type":"new"}],' + bad + b"}}\n"
        b'{"type":"response_item","payload":{"type":"local_shell_call","action":{"a":1},' + bad + b"}}\n"
    )
    state, event_, message, call = (one for one in read(rows) if isinstance(one, Message))
    assert only(state).texts == ()
    assert ("model", "m") in only(state).facts
    assert (only(event_).texts, only(event_).facts) == ((), (("list", "a list of 2, in the raw bytes"),))
    assert (only(message).kind, only(message).texts) == ("other", ())
    assert only(call).texts == ()


def test_names_of_members_make_pointers() -> None:
    """A slash and a tilde in a name are escaped (RFC 6901), and a name that is no UTF-8 is still a pointer."""
    found = event(**{"type": "e", "a/b~c": "x\ny"})
    assert only(found).way.pointer == "/payload/a~1b~0c"
    (odd,) = read(b'{"type":"event_msg","payload":{"type":"e","\\ud800":"x\\ny"}}\n')
    assert isinstance(odd, Message)
    assert only(odd).way.pointer == "/payload/?"


@pytest.mark.parametrize("compress", [zstandard.ZstdCompressor().compress, gzip.compress])
def test_a_compressed_rollout_is_read_by_its_text(compress: object) -> None:
    """Lines and bytes are those of the text, whatever the name says."""
    assert callable(compress)
    noise = random.Random(1)  # noqa: S311 (bytes that do not compress)
    rows = [line("event_msg", {"type": "e", "pad": noise.randbytes(5_000).hex()}) for _ in range(40)]
    packed = compress(b"".join(rows))
    found = list(CodexCopyReader().open("s", ()).feed(item("rollout_zst"), (packed,)))
    assert [one.way.line for one in found] == list(range(1, 41))
    assert found[3].way.offset_bytes == sum(map(len, rows[:3]))


def test_a_compressed_rollout_that_breaks_off_says_so() -> None:
    """What came before the fault is shown, every byte is taken, and the fault is a piece."""
    packed = zstandard.ZstdCompressor().compress(b"".join(line("event_msg", {"type": "e", "n": n}) for n in range(9)))
    taken: list[bytes] = []

    def pieces(*given: bytes) -> Iterable[bytes]:
        for one in given:
            taken.append(one)
            yield one

    for given, reason in (
        ((packed[:40], packed[40:60]), "truncated"),
        ((packed[:8], b"\n" * LINE_OF_JUNK, b"\n", b"\n"), "corrupt"),
    ):
        taken.clear()
        found = list(CodexCopyReader().open("s", ()).feed(item("rollout_zst"), pieces(*given)))
        assert isinstance(found[-1], NotRead)
        assert found[-1].reason == reason
        assert len(taken) == len(given)


def test_a_twin_repeats_and_a_line_that_stands_twice_does_not() -> None:
    """The same record at the same place of a later file is repeated; the same words later in one file are not."""
    rows = line("event_msg", {"type": "e"}) * 2
    reading = CodexCopyReader().open("s000001", ())
    found = [one for _ in range(2) for one in reading.feed(item(), rows.splitlines(keepends=True))]
    assert [isinstance(one, Message) and one.repeated for one in found] == [False, False, True, True]


def test_pieces_are_cut_at_line_feeds_and_at_the_limit() -> None:
    """Bytes are lost nowhere; a long line comes in several pieces, the last of which ends in LF."""
    assert list(cut((b"ab\nc", b"d", b"efgh", b"i\nj"), 5)) == [b"ab\n", b"cdefgh", b"i\n", b"j"]
    assert list(cut((), 5)) == []


@pytest.mark.skipif(not SAMPLE.is_dir(), reason="the samples are not here")
def test_a_rollout_that_the_released_agent_wrote() -> None:
    """Every record of the genuine run is a piece; its five calls have outputs, and two texts say they are shortened."""
    (path,) = SAMPLE.rglob("rollout-*.jsonl")
    found = read(path.read_bytes())
    messages = [one for one in found if isinstance(one, Message)]
    blocks = [block for one in messages for block in one.blocks]
    calls = [block.id for block in blocks if block.kind == "tool_use"]
    assert (len(found), len(messages), len(calls)) == (40, 28, 5)
    assert calls == [block.tool_use_id for block in blocks if block.kind == "tool_result"]
    assert [block.type for block in blocks if block.kind == "other"] == []
    assert sum(len(block.clips) for block in blocks) == 2
