"""Transcript pages, local and remote."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.blocks import Block, Text
from agentaudit.demo.compose import local_message, remote_call
from agentaudit.demo.ids import case_twin
from agentaudit.demo.sessions import Call, Provenance
from tests.demo.asking import LOCAL, NOON, REMOTE, Asker, at, new_world

if TYPE_CHECKING:
    from agentaudit.demo.world import World


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


def test_message_has_its_seven_members_and_envelope_blanks_the_address() -> None:
    """A message has exactly seven members, and the envelope's address is null."""
    _, asker, session_id = _said(Text("Hello."))
    answer = asker.messages(session_id)
    assert answer.at("session", "user", "email_address") is None
    row = answer.at("data", 0)
    assert isinstance(row, dict)
    assert list(row) == ["type", "id", "role", "model", "created_at", "provenance", "content"]
    assert at(row, "content") == [{"type": "text", "text": "Hello.", "truncated": False}]
    assert at(row, "provenance") is None


def test_model_is_null_on_user_messages_and_under_provenance() -> None:
    """Only a verified assistant message names a model."""
    world, _, asker = new_world()
    asserted = Provenance("client_asserted")
    session_id = _session(
        world, ("user", (Text("a"),), None), ("assistant", (Text("b"),), None), ("assistant", (Text("c"),), asserted)
    )
    rows = asker.messages(session_id).rows("data")
    assert [at(row, "model") for row in rows] == [None, "claude-sonnet-4-5", None]


def test_messages_of_a_call_share_its_time_and_may_be_parted_by_a_page() -> None:
    """A page can end inside a call; the walk loses nothing and both halves have the call's time."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=2)
    pages = asker.walk((*LOCAL, session_id, "messages"), ("limit", 3))
    assert [len(page.ids()) for page in pages] == [3, 1]
    assert pages[0].at("data", 2, "created_at") == pages[1].at("data", 0, "created_at")


def test_desc_reverses_calls_and_not_messages() -> None:
    """With desc the newest call comes first, and inside a call the order stays."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    path = (*LOCAL, session_id, "messages")
    rising = asker.get(path).ids()
    falling = [one for page in asker.walk(path, ("limit", 1), ("order", "desc")) for one in page.ids()]
    assert falling == rising[4:] + rising[2:4] + rising[:2]


def test_messages_cursor_is_bound_to_session_and_order() -> None:
    """A cursor of another session or order is not valid; its own request is."""
    world, _, asker = new_world()
    one, two = world.add_session(turns=2), world.add_session(turns=2)
    token = asker.messages(one, ("limit", 1)).text("next_page")
    refused = (asker.messages(two, ("page", token)), asker.messages(one, ("page", token), ("order", "desc")))
    for answer in refused:
        assert answer.status == 400
        assert "not a valid cursor" in answer.text("error", "message")
    assert len(asker.messages(one, ("page", token), ("order", "asc")).ids()) == 3


def test_messages_cursor_dies_a_day_after_the_first_page() -> None:
    """The age counts from the first page of the walk, not from the last use."""
    world, clock, asker = new_world()
    session_id = world.add_session(turns=3)
    token = asker.messages(session_id, ("limit", 1)).text("next_page")
    clock.forward(timedelta(hours=24))
    second = asker.messages(session_id, ("limit", 1), ("page", token))
    assert second.status == 200
    clock.forward(timedelta(microseconds=1))
    late = asker.messages(session_id, ("page", second.text("next_page")))
    assert late.status == 400
    assert "page cursor has expired" in late.text("error", "message")
    assert asker.messages(session_id).status == 200


def test_expired_messages_cursor_fails_at_once() -> None:
    """A test can age message cursors without moving the clock; remote ones do not age."""
    world, _, asker = new_world()
    local, remote = world.add_session(turns=2), world.add_remote_session(turns=2)
    tokens = [
        asker.messages(local, ("limit", 1)).text("next_page"),
        asker.messages(remote, ("limit", 1), family=REMOTE).text("next_page"),
    ]
    world.expire_cursors()
    assert asker.messages(local, ("page", tokens[0])).status == 400
    assert asker.messages(remote, ("page", tokens[1]), family=REMOTE).status == 200


def test_placeholder_stands_at_the_old_end_with_a_new_id_each_time() -> None:
    """What aged out is one empty message at the old end, and its id changes when more ages out."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=4)
    path = (*LOCAL, session_id, "messages")
    before = asker.get(path)
    world.advance_retention(NOON + timedelta(minutes=1))
    first = asker.get(path)
    world.advance_retention(NOON + timedelta(minutes=2))
    second = asker.get(path)
    assert first.ids()[1:] == before.ids()[2:]
    assert len({first.ids()[0], second.ids()[0], *before.ids()}) == 10
    assert first.at("data", 0, "provenance") == {"type": "content_unavailable", "reason": "retention_elapsed"}
    assert first.at("data", 0, "content") == []
    assert second.at("data", 0, "created_at") == second.at("session", "created_at") == "2026-10-08T12:02:00Z"
    assert asker.get(path, ("order", "desc")).ids()[-1] == second.ids()[0]


def test_placeholder_alone_on_a_page_is_not_repeated() -> None:
    """A page of one that holds the placeholder is followed by the first retained message."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=2)
    world.advance_retention(NOON + timedelta(minutes=1))
    pages = asker.walk((*LOCAL, session_id, "messages"), ("limit", 1))
    assert [len(page.ids()) for page in pages] == [1, 1, 1]
    assert len({page.ids()[0] for page in pages}) == 3


def test_messages_walk_keeps_the_boundary_of_its_first_page() -> None:
    """Within a walk the placeholder and the retained turns stay, even when all of them age out."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    token = asker.messages(session_id, ("limit", 1)).text("next_page")
    for minutes in (1, 60):
        world.advance_retention(NOON + timedelta(minutes=minutes))
        assert len(asker.messages(session_id, ("page", token)).ids()) == 5
    assert asker.messages(session_id).status == 404


def test_cursor_whose_call_is_gone_is_refused() -> None:
    """A cursor into calls that an edit took away is no longer valid."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    token = asker.messages(session_id, ("limit", 5)).text("next_page")
    world.put(replace(world.local(session_id), calls=(world.local(session_id).calls[0],)))
    assert asker.messages(session_id, ("page", token)).status == 400


def test_messages_added_during_a_walk_come_at_its_end() -> None:
    """An ascending walk meets what was added behind it."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=1)
    token = asker.messages(session_id, ("limit", 1)).text("next_page")
    world.touch_session(session_id, at=NOON + timedelta(hours=1))
    assert len(asker.messages(session_id, ("page", token)).ids()) == 3


def test_capped_session_ends_early_and_normally() -> None:
    """A session over the cap returns its earliest calls and ends without a next page."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=4)
    world.put(replace(world.local(session_id), call_cap=2))
    answer = asker.messages(session_id)
    assert len(answer.ids()) == 4
    assert answer.at("next_page") is None
    assert answer.at("session", "truncated") is True


def test_unreadable_page_stays_unreadable() -> None:
    """The second page answers its code whatever the limit, and desc meets it at once."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=4)
    world.put(replace(world.local(session_id), unreadable_pages=(1,)))
    token = asker.messages(session_id, ("limit", 2)).text("next_page")
    for query in ((("page", token),), (("page", token), ("limit", 1)), (("order", "desc"),)):
        answer = asker.messages(session_id, *query)
        assert answer.status == 400
        assert answer.at("error", "details", "error_code") == "transcript_page_read_limit_exceeded"


def test_one_letter_of_case_tells_two_sessions_apart() -> None:
    """An id with one letter in the other case is not this session."""
    world, _, asker = new_world()
    session_id = world.add_session()
    assert asker.messages(case_twin(session_id)).status == 404


def test_remote_message_has_its_six_members_and_envelope_blanks_three() -> None:
    """A remote message has six members, and its envelope has no address, starter or project."""
    world, _, asker = new_world()
    session_id = world.add_remote_session()
    held = replace(world.remote(session_id), claude_project_id="claude_proj_1")
    call = remote_call(session_id, 0, NOON, "user", Text("hi"), sent_by="user_1")
    lost = remote_call(session_id, 1, NOON, "assistant", Text("lost"), unavailable=True)
    world.put(replace(held, calls=(call, lost)))
    answer = asker.messages(session_id, family=REMOTE)
    assert answer.at("session", "user", "email_address") is None
    assert answer.at("session", "claude_project_id") is None
    assert asker.get(REMOTE).at("data", 0, "claude_project_id") == "claude_proj_1"
    row = answer.at("data", 0)
    assert isinstance(row, dict)
    assert list(row) == ["id", "role", "created_at", "content", "sent_by_user_id", "content_unavailable"]
    assert at(row, "sent_by_user_id") == "user_1"
    assert answer.at("data", 1, "content") == []
    assert answer.at("data", 1, "content_unavailable") is True


def test_agent_owned_envelope_has_no_user() -> None:
    """The envelope of an agent's session has neither a user nor a starter."""
    world, _, asker = new_world()
    session_id = world.add_remote_session()
    held = replace(world.remote(session_id), user_id=None, agent_id="cagt_1", started_by=world.users[0].id)
    world.put(held)
    answer = asker.messages(session_id, family=REMOTE)
    assert (answer.at("session", "user"), answer.at("session", "started_by_user")) == (None, None)
    assert answer.at("session", "agent_id") == "cagt_1"


def test_response_size_ends_a_page_early() -> None:
    """A page ends before it grows too large, and holds at least one message."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    world.set_page_shape(max_size=10)
    pages = asker.walk((*LOCAL, session_id, "messages"))
    assert [len(page.ids()) for page in pages] == [1] * 6
