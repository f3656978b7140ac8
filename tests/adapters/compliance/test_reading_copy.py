"""The content of a session's pages, as a working copy gets it."""

import json

import msgspec
import pytest

from agentaudit.adapters.answers import EXPANDED_MAX_BYTES
from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.model.base import UNSET, Instant, digest_of
from agentaudit.model.limits import ByteLimits
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.model.text import Unencodable
from agentaudit.model.workingcopy import Message, NotRead, Standing

WALK = "compliance/local/s000001/messages"
REMOTE = "compliance/remote/s000001/messages"
LIMITS = ByteLimits(tool_input_max_bytes=10, tool_result_max_bytes=10)
SUFFIX = "…[truncated; pass tool_use_input_max_bytes=-1 for more]"


def item(body: bytes, walk: str = WALK, page: int = 1) -> ItemRow:
    """The item of a page that was answered."""
    return ItemRow(
        path=f"data/{walk}/{page:06d}.json",
        bytes=len(body),
        sha256=digest_of(body),
        role="answer",
        media_type="application/json",
        content_encoding=None,
        provenance=ItemProvenance(
            row=7, walk=walk, page=page, ask=1, request_id="req_1", received_at=Instant("2026-01-01T00:00:00.000000Z")
        ),
    )


def walk(name: str = WALK) -> WalkRow:
    """The walk that the pages belong to."""
    return WalkRow(
        walk=name,
        kind="local_messages",
        session="s000001",
        parameters=(),
        limits=LIMITS,
        cursors=(None,),
        pages=1,
        records=None,
        ended="exhausted",
    )


def page(*messages: object) -> bytes:
    """A page of messages as the API would send it."""
    return json.dumps({"session": {}, "data": list(messages), "next_page": None}).encode()


def read(*bodies: bytes, name: str = WALK) -> list[Message | NotRead]:
    """What one reading makes of these pages, one after the other."""
    reading = ComplianceCopyReader().open("s000001", (walk(name),))
    return [
        piece
        for number, body in enumerate(bodies, 1)
        for piece in reading.feed(item(body, name, number), (body[:5], body[5:]))
    ]


def one(entry: object, name: str = WALK) -> Message:
    """The only message of a page."""
    (found,) = read(page(entry), name=name)
    assert isinstance(found, Message)
    return found


def test_only_exhibits_of_this_api_are_read() -> None:
    """The reader takes the exhibits of every version of its adapter, and no other's."""
    reader = ComplianceCopyReader()
    assert (reader.name, reader.reads("compliance/9"), reader.reads("claude-code/1")) == (
        "compliance-copy/1",
        True,
        False,
    )


@pytest.mark.parametrize(
    ("changed", "rank"),
    [
        ({}, 0),
        ({"role": "refusal"}, None),
        ({"role": "set_aside", "provenance": None}, None),
        ({"provenance": None}, None),
    ],
)
def test_only_answered_pages_of_messages_hold_messages(changed: dict[str, object], rank: int | None) -> None:
    """A refusal and a file set aside have no place in a copy."""
    assert ComplianceCopyReader().rank(msgspec.structs.replace(item(b""), **changed)) == rank


def test_the_retrieve_call_holds_no_messages() -> None:
    """A file of another walk of the session has no rank, and gives nothing when it is fed."""
    other = item(b"{}", "compliance/local/s000001/session")
    reading = ComplianceCopyReader().open("s000001", ())
    assert (ComplianceCopyReader().rank(other), list(reading.feed(other, (b"{}",)))) == (None, [])


@pytest.mark.parametrize(
    ("stated", "standing"),
    [
        ({"provenance": None}, "captured"),
        ({"provenance": {"type": "client_asserted"}}, "client_asserted"),
        ({"provenance": {"type": "synthetic_marker"}}, "synthetic_marker"),
        ({"provenance": {"type": "content_unavailable", "reason": "oversize"}}, "content_unavailable"),
        ({"provenance": {"type": "quantum"}}, "other"),
        ({"provenance": {"reason": "no type"}}, "other"),
        ({"provenance": "a word"}, "not_stated"),
        ({}, "not_stated"),
        ({"content_unavailable": True}, "content_unavailable"),
    ],
)
def test_standing_follows_the_provenance_type_alone(stated: dict[str, object], standing: Standing) -> None:
    """Bracketed text decides nothing: the type of the provenance does, or its absence."""
    content = [{"type": "text", "text": "[client supplied] [history diverged]", "truncated": False}]
    found = one({"id": "a", "role": "user", "content": content, **stated})
    assert found.standing == standing


def test_a_message_keeps_its_words_and_its_way_back() -> None:
    """Ids, role, model and time stand verbatim beside file, pointer, digest, request-id and journal row."""
    body = page({"id": "a", "role": "assistant", "model": "m", "created_at": "t", "content": [], "extra": 1})
    (found,) = read(body)
    assert isinstance(found, Message)
    assert (found.id, found.role, found.model, found.created_at, found.unknown_fields) == (
        "a",
        "assistant",
        "m",
        "t",
        ("extra",),
    )
    assert (found.way.item, found.way.pointer, found.way.sha256, found.way.request_id, found.way.row) == (
        f"data/{WALK}/000001.json",
        "/data/0",
        digest_of(body),
        "req_1",
        7,
    )
    assert (found.part, found.page, found.index, found.limits) == (WALK, 1, 0, LIMITS)


def test_the_sender_of_a_remote_message_is_a_fact() -> None:
    """Who sent a turn of an agent-owned session is told where the source names them, and not where it does not."""
    named = one({"id": "a", "role": "user", "content": [], "sent_by_user_id": "user_1"}, REMOTE)
    silent = one({"id": "a", "role": "user", "content": [], "sent_by_user_id": None}, REMOTE)
    assert (named.facts, silent.facts) == ((("sent_by_user_id", "user_1"),), ())


def test_blocks_keep_their_texts_as_they_were_returned() -> None:
    """Text, input string and every text item stand whole, the server's own suffix with them."""
    blocks = [
        {"type": "text", "text": "hello", "truncated": False},
        {"type": "tool_use", "id": "t1", "name": "Bash", "input": f"0123456789{SUFFIX}", "truncated": True},
        {
            "type": "tool_result",
            "tool_use_id": "t1",
            "name": "Bash",
            "is_error": True,
            "content": [{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}, 5],
            "truncated": False,
        },
        {"type": "hologram", "depth": 3},
        "no block at all",
    ]
    text, call, result, strange, none = one({"id": "a", "content": blocks}).blocks
    assert (text.kind, text.texts, text.truncated, text.way.pointer) == (
        "text",
        ("hello",),
        False,
        "/data/0/content/0",
    )
    assert (call.kind, call.id, call.name, call.texts, call.input_state) == (
        "tool_use",
        "t1",
        "Bash",
        (f"0123456789{SUFFIX}",),
        "cut",
    )
    assert (result.texts, result.tool_use_id, result.is_error, result.input_state) == (("a", "b"), "t1", True, UNSET)
    assert (strange.kind, strange.type, strange.texts, strange.facts) == (
        "other",
        "hologram",
        (),
        (("member not shown", "depth"),),
    )
    assert (none.kind, none.type) == ("other", "")


def test_a_cut_says_who_cut_at_which_limit_and_where() -> None:
    """The clip of a block names limit, basis, bytes kept, parameter, and the pointer of the very text."""
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": f"0123456789{SUFFIX}", "truncated": True}
    whole = {"type": "text", "text": "x", "truncated": True}
    clipped, marked = one({"id": "a", "content": [call, whole]}).blocks
    (clip,) = clipped.clips
    assert (clip.by, clip.limit_bytes, clip.kept_bytes, clip.raise_parameter) == (
        "our_limit",
        10,
        10,
        "tool_use_input_max_bytes",
    )
    assert (clip.pointer, [mark.by for mark in marked.clips]) == ("/data/0/content/0/input", ["marker"])


def test_the_clips_of_the_tenth_block_are_not_those_of_the_first() -> None:
    """Pointers are compared part by part: `/content/1` is no beginning of `/content/10`."""
    blocks = [{"type": "text", "text": "x", "truncated": number == 10} for number in range(11)]
    found = one({"id": "a", "content": blocks}).blocks
    assert [len(block.clips) for block in found] == [0] * 10 + [1]


def test_a_message_that_came_again_is_marked_across_pages() -> None:
    """The same id on a later page is a repetition; another id is none."""
    found = read(page({"id": "a", "content": []}), page({"id": "a", "content": []}, {"id": "b", "content": []}))
    assert [piece.repeated for piece in found if isinstance(piece, Message)] == [False, True, False]


def test_an_unreadable_page_is_here_and_not_read() -> None:
    """Bytes from which no page can be had are named with the reason, and the pages around them are read."""
    first, second = read(b'{"data": 3}', page({"id": "a", "content": "no list"}))
    assert isinstance(first, NotRead)
    assert (first.reason, first.way.pointer) == ("data_wrong_type", "")
    assert isinstance(second, Message)
    assert second.blocks == ()


def test_an_entry_that_is_no_message_is_still_a_piece() -> None:
    """No place on a page is passed over."""
    (found,) = read(page("a word"))
    assert isinstance(found, Message)
    assert (found.standing, found.blocks, found.unknown_fields) == ("not_stated", (), ("wrong_type:message",))


def test_a_page_over_the_limit_is_not_taken_in() -> None:
    """A file larger than an answer may be is named and not read."""
    big = msgspec.structs.replace(item(b""), bytes=EXPANDED_MAX_BYTES + 1)
    (found,) = ComplianceCopyReader().open("s000001", ()).feed(big, ())
    assert isinstance(found, NotRead)
    assert found.reason == "over_limit"


def test_a_text_that_is_no_utf8_is_kept_as_hex() -> None:
    """A lone surrogate stays what it was, beside a form that can be shown."""
    body = b'{"data": [{"id": "a", "content": [{"type": "text", "text": "\\ud800"}]}]}'
    (found,) = read(body)
    assert isinstance(found, Message)
    assert found.blocks[0].texts == (Unencodable(hex="eda080", display="?"),)


def test_no_repr_shows_content() -> None:
    """What is printed of a message or a block by accident is its number or its kind."""
    found = one({"id": "a", "content": [{"type": "text", "text": "canary", "truncated": False}]})
    assert (repr(found), repr(found.blocks[0])) == ("Message(0)", "Block(text)")
