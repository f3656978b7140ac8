"""Content of messages: blocks, markers, cuts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agentaudit.demo.blocks import Block, Omitted, Strange, Text, ToolResult, ToolUse
from agentaudit.demo.compose import local_message, remote_call
from agentaudit.demo.sessions import Call, Provenance
from agentaudit.demo.truncate import SERVER_MAXIMUM
from tests.demo.asking import NOON, REMOTE, Answer, Asker, at, new_world

if TYPE_CHECKING:
    from agentaudit.demo.world import World

WHOLE = (("tool_use_input_max_bytes", -1), ("tool_result_max_bytes", -1))
SUFFIX = "…[truncated; pass "


def _session(world: World, *messages: tuple[str, tuple[Block, ...], Provenance | None]) -> str:
    session_id = world.add_session()
    call = Call(
        NOON,
        tuple(
            local_message(session_id, number, role, *blocks, provenance=kind)
            for number, (role, blocks, kind) in enumerate(messages)
        ),
    )
    return world.put(replace(world.local(session_id), calls=(call,)))


def _said(*blocks: Block) -> tuple[World, Asker, str]:
    world, _, asker = new_world()
    return world, asker, _session(world, ("assistant", blocks, None))


def _block(answer: Answer, index: int = 0) -> object:
    return answer.at("data", 0, "content", index)


@pytest.mark.parametrize("reason", ["not_captured", "client_aborted", "cmek_key_revoked", "oversize"])
def test_unavailable_content_is_empty(reason: str) -> None:
    """Content that is not available is an empty list, whatever the reason."""
    world, _, asker = new_world()
    session_id = _session(world, ("assistant", (Text("gone"),), Provenance("content_unavailable", reason)))
    answer = asker.messages(session_id)
    assert answer.at("data", 0, "content") == []
    assert answer.at("data", 0, "provenance", "reason") == reason


@pytest.mark.parametrize("kind", ["client_asserted", "synthetic_marker"])
def test_server_markers_open_what_nobody_verified(kind: str) -> None:
    """Asserted and synthetic messages open with a bracketed line of the server."""
    world, _, asker = new_world()
    session_id = _session(world, ("assistant", (Text("told"),), Provenance(kind)))
    answer = asker.messages(session_id)
    assert answer.text("data", 0, "content", 0, "text").startswith("[")
    assert at(_block(answer), "truncated") is True
    assert at(_block(answer, 1), "text") == "told"


def test_unknown_provenance_keeps_its_content() -> None:
    """A provenance type that nobody documented comes with its content and without a marker."""
    world, _, asker = new_world()
    session_id = _session(world, ("user", (Text("kept"),), Provenance("newly_made")))
    assert at(_block(asker.messages(session_id)), "text") == "kept"


def test_tool_blocks_have_their_members() -> None:
    """A tool call carries its input as a string, and null ids stay null."""
    _, asker, session_id = _said(ToolUse(None, "Bash", "{}"), ToolResult(None, "Bash", ("out",), is_error=True))
    answer = asker.messages(session_id)
    assert _block(answer) == {"type": "tool_use", "id": None, "name": "Bash", "input": "{}", "truncated": False}
    assert _block(answer, 1) == {
        "type": "tool_result",
        "tool_use_id": None,
        "name": "Bash",
        "is_error": True,
        "content": [{"type": "text", "text": "out"}],
        "truncated": False,
    }


def test_default_caps_cut_and_minus_one_does_not() -> None:
    """Ten thousand bytes pass by default, one more is cut with the name of the parameter, -1 lifts it."""
    long = "x" * 10_001
    _, asker, session_id = _said(ToolUse("t", "Bash", long), ToolResult("t", "Bash", (long, "short", long[:-1])))
    cut = asker.messages(session_id)
    assert at(_block(cut), "input") == "x" * 10_000 + SUFFIX + "tool_use_input_max_bytes=-1 for more]"
    assert at(_block(cut), "truncated") is True
    texts = [at(item, "text") for item in cut.rows("data", 0, "content", 1, "content")]
    assert texts == ["x" * 10_000 + SUFFIX + "tool_result_max_bytes=-1 for more]", "short", "x" * 10_000]
    whole = asker.messages(session_id, *WHOLE)
    assert [at(_block(whole, index), "truncated") for index in (0, 1)] == [False, False]


def test_caps_are_independent_and_count_bytes() -> None:
    """Each cap cuts its own kind, in bytes and at a letter's edge."""
    _, asker, session_id = _said(ToolUse("t", "Bash", "ééé"), ToolResult("t", "Bash", ("ééé",)))
    answer = asker.messages(session_id, ("tool_use_input_max_bytes", 5))
    assert str(at(_block(answer), "input")).startswith("éé" + SUFFIX)
    assert at(_block(answer, 1), "truncated") is False


def test_cut_input_is_json_no_more() -> None:
    """A cut tool input does not parse."""
    _, asker, session_id = _said(ToolUse("t", "Bash", json.dumps({"command": "x" * 50})))
    raw = asker.messages(session_id, ("tool_use_input_max_bytes", 20)).text("data", 0, "content", 0, "input")
    with pytest.raises(json.JSONDecodeError):
        json.loads(raw)


@pytest.mark.parametrize("cap", [-1, 2_147_483_647])
def test_server_maximum_holds_for_everybody(cap: int) -> None:
    """Above one MiB even -1 and the largest cap cut; a text block is cut there without a parameter."""
    long = "x" * (SERVER_MAXIMUM + 1)
    _, asker, session_id = _said(ToolUse("t", "Write", long), Text(long), Text("x" * SERVER_MAXIMUM))
    answer = asker.messages(session_id, ("tool_use_input_max_bytes", cap))
    assert [at(_block(answer, index), "truncated") for index in range(3)] == [True, True, False]
    assert at(_block(answer, 1), "text") == "x" * SERVER_MAXIMUM + "…[truncated]"


def test_dropped_citations_raise_the_flag_over_whole_text() -> None:
    """The flag can be up while the text is whole."""
    _, asker, session_id = _said(Text("whole", truncated=True))
    assert _block(asker.messages(session_id)) == {"type": "text", "text": "whole", "truncated": True}


def test_local_gaps_are_marked_and_remote_ones_are_not() -> None:
    """A picture becomes a placeholder locally and nothing remotely; so do items of a result."""
    blocks = (Omitted("image"), ToolResult("t", "Read", ("a",), omitted=2))
    world, asker, local = _said(*blocks)
    here = asker.messages(local)
    assert _block(here) == {"type": "text", "text": "[image omitted]", "truncated": True}
    assert len(here.rows("data", 0, "content", 1, "content")) == 2
    assert at(_block(here, 1), "truncated") is True
    remote = world.add_remote_session()
    world.put(replace(world.remote(remote), calls=(remote_call(remote, 0, NOON, "user", *blocks),)))
    there = asker.messages(remote, family=REMOTE)
    assert len(there.rows("data", 0, "content")) == 1
    assert at(_block(there), "truncated") is False
    assert len(there.rows("data", 0, "content", 0, "content")) == 1


def test_unknown_blocks_pass_as_they_are() -> None:
    """A block of an unknown kind is shown member by member."""
    _, asker, session_id = _said(Strange((("type", "hologram"), ("depth", 3))))
    assert _block(asker.messages(session_id)) == {"type": "hologram", "depth": 3}
