"""What tests can plan: errors, faults, shapes, unknown members, the planted string."""

from __future__ import annotations

import gzip
import json

import pytest

from agentaudit.demo.errors import Documented
from agentaudit.demo.wire import ShortBy, WireRequest
from tests.demo.asking import LOCAL, REMOTE, at, new_world


@pytest.mark.parametrize("case", list(Documented))
def test_every_documented_error_travels_whole(case: Documented) -> None:
    """A documented error arrives with its status, type, code, waiting time and headers."""
    world, _, asker = new_world()
    world.problem_next(case)
    answer, problem = asker.get(LOCAL), case.value
    assert answer.status == problem.status
    assert answer.at("error", "type") == problem.error_type
    assert answer.at("error", "message") == problem.message
    assert at(answer.at("error"), "details", "error_code", missing=None) == problem.code if problem.code else True
    wait = None if problem.retry_after is None else str(problem.retry_after)
    assert answer.response.header("retry-after") == wait
    assert all(answer.response.header(name) == value for name, value in problem.headers)
    assert asker.get(LOCAL).status == 200


@pytest.mark.parametrize(
    ("case", "marker"),
    [
        (Documented.NOT_ENABLED, "not enabled"),
        (Documented.BAD_CURSOR, "not a valid cursor"),
        (Documented.EXPIRED_CURSOR, "page cursor has expired"),
        (Documented.SESSIONS_OFF, "Local sessions are not available"),
        (Documented.LOCAL_NOT_FOUND, "Local session not found"),
        (Documented.REMOTE_NOT_FOUND, "Remote session not found"),
        (Documented.INDEX_DOWN, "index is temporarily unavailable"),
        (Documented.CONTENT_LOCKED, "Captured content"),
        (Documented.RETENTION_UNKNOWN, "retention overrides"),
    ],
)
def test_markers_are_in_the_messages(case: Documented, marker: str) -> None:
    """Where the reference lists a marker, the message holds it."""
    assert marker in case.value.message


def test_planned_failure_says_everything_it_was_told() -> None:
    """A planned failure carries its type, message, code, waiting time and headers, so many times."""
    world, _, asker = new_world()
    world.fail_next(
        429, error_type="odd", message="why", code="because", retry_after=7, headers=(("x-extra", "1"),), times=2
    )
    for _ in range(2):
        answer = asker.get(LOCAL)
        assert (answer.status, answer.at("error", "type"), answer.at("error", "message")) == (429, "odd", "why")
        assert answer.at("error", "details", "error_code") == "because"
        assert (answer.response.header("retry-after"), answer.response.header("x-extra")) == ("7", "1")
    assert asker.get(LOCAL).status == 200


def test_planned_failure_waits_for_its_request() -> None:
    """A plan with a match leaves other requests alone."""
    world, _, asker = new_world()
    world.fail_next(500, match="remote")
    world.fail_next(502, match=lambda request: "limit=7" in request.target)
    assert asker.get(LOCAL).status == 200
    assert asker.get(LOCAL, ("limit", 7)).status == 502
    assert asker.get(REMOTE).at("error", "type") == "api_error"


def test_planned_body_is_sent_as_it_is() -> None:
    """A body given by hand is sent under its own content type."""
    world, _, asker = new_world()
    world.fail_next(503, body=b"<upstream>", content_type="text/xml")
    answer = asker.get(LOCAL).response
    assert (answer.body, answer.header("content-type")) == (b"<upstream>", "text/xml")


def test_plans_come_in_order() -> None:
    """Two plans for the same request happen one after the other."""
    world, _, asker = new_world()
    world.fail_next(500)
    world.fail_next(502)
    assert [asker.get(LOCAL).status for _ in range(3)] == [500, 502, 200]


def test_redirects_and_sign_in_pages() -> None:
    """A redirect names its place, and a captive network's page is HTML with a good status."""
    world, _, asker = new_world()
    world.redirect_next("https://elsewhere.example/")
    world.html_next()
    moved, portal = asker.get(LOCAL).response, asker.get(LOCAL).response
    assert (moved.status, moved.header("location")) == (302, "https://elsewhere.example/")
    assert (portal.status, portal.header("content-type")) == (200, "text/html; charset=utf-8")
    assert portal.body.startswith(b"<!doctype html>")


def test_changes_apply_to_the_same_answer_once_each() -> None:
    """A rewrite, a compression and a fault planned for the next answer all happen to it, once."""
    world, _, asker = new_world()
    world.rewrite_next(lambda body: body.replace(b'"data":[]', b'"data":[],"data":[]'))
    world.gzip_next()
    world.fault_next(ShortBy(3))
    answer = asker.get(LOCAL).response
    assert answer.fault == ShortBy(3)
    assert answer.header("content-encoding") == "gzip"
    assert gzip.decompress(answer.body).count(b'"data"') == 2
    assert asker.get(LOCAL).response.fault is None


def test_looping_cursor_is_given_back_once() -> None:
    """A planned loop answers a continued page with its own token; a first page cannot loop."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    world.loop_cursor_next()
    token = asker.messages(session_id, ("limit", 1)).text("next_page")
    looped = asker.messages(session_id, ("limit", 1), ("page", token))
    assert looped.text("next_page") == token
    assert asker.messages(session_id, ("limit", 1), ("page", token)).text("next_page") != token


def test_duplicates_open_the_next_page() -> None:
    """At least once: a continued page can open with the last item of the one before, in every paged list."""
    world, _, asker = new_world()
    local, remote = world.add_session(turns=2), world.add_remote_session(turns=2)
    world.add_session()
    world.add_remote_session()
    paths = (
        LOCAL,
        REMOTE,
        (*LOCAL, local, "messages"),
        (*REMOTE, remote, "messages"),
        ("organizations", world.organizations[0].uuid, "users"),
    )
    for path in paths:
        world.duplicate_next()
        first = asker.get(path, ("limit", 1))
        second = asker.get(path, ("limit", 2), ("page", first.text("next_page")))
        assert second.ids()[0] == first.ids()[0], path
        assert len(second.ids()) == 2


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_placeholder_can_be_duplicated(order: str) -> None:
    """A placeholder that closed a page can open the next one again."""
    world, clock, asker = new_world()
    session_id = world.add_session(turns=2)
    world.touch_session(session_id, at=clock().replace(hour=14))
    world.advance_retention(clock().replace(hour=13))
    world.duplicate_next()
    first = asker.messages(session_id, ("limit", 1), ("order", order))
    second = asker.messages(session_id, ("page", first.text("next_page")), ("order", order))
    assert second.ids()[0] == first.ids()[0]
    assert len(set(second.ids())) == 3


def test_shape_spreads_a_walk_without_changing_it() -> None:
    """Short and empty pages, and an absent end, leave the sequence of items as it was."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    whole = asker.messages(session_id).ids()
    world.set_page_shape(max_items=2, empty_pages=(0, 2), absent_next_page=True, match="/messages")
    pages = asker.walk((*LOCAL, session_id, "messages"))
    assert [len(page.ids()) for page in pages] == [0, 2, 0, 2, 2]
    assert [one for page in pages for one in page.ids()] == whole
    body = pages[-1].body
    assert isinstance(body, dict)
    assert "next_page" not in body
    assert asker.get(LOCAL).at("next_page") is None
    world.set_page_shape()
    assert len(asker.messages(session_id).ids()) == 6


def test_empty_end_stays_the_end() -> None:
    """A page that is planned empty and has nothing behind it ends the walk."""
    world, _, asker = new_world()
    world.set_page_shape(empty_pages=(0,))
    assert asker.get(LOCAL).body == {"data": [], "next_page": None}


def test_unknown_members_appear_where_they_were_put() -> None:
    """A member that nobody documented can appear in every kind of object."""
    world, _, asker = new_world()
    session_id = world.add_session()
    for place in ("envelope", "session", "message", "block", "organization", "user"):
        world.inject_unknown(place, "new_thing", {"in": place})
    page = asker.messages(session_id)
    assert page.at("new_thing", "in") == "envelope"
    assert page.at("session", "new_thing", "in") == "session"
    assert page.at("data", 0, "new_thing", "in") == "message"
    assert page.at("data", 0, "content", 0, "new_thing", "in") == "block"
    assert asker.get(("organizations",)).at("data", 0, "new_thing", "in") == "organization"
    users = asker.get(("organizations", world.organizations[0].uuid, "users"))
    assert users.at("data", 0, "new_thing", "in") == "user"


def test_directory_counts_more_and_sessions_do_not() -> None:
    """Directory pages have ``has_more`` beside ``next_page``; departed people are not in them."""
    world, _, asker = new_world()
    path = ("organizations", world.organizations[0].uuid, "users")
    pages = asker.walk(path, ("limit", 2))
    assert [page.at("has_more") for page in pages] == [True, False]
    assert len({one for page in pages for one in page.ids()}) == 3
    world.depart(world.users[0].id)
    assert world.users[0].id not in asker.get(path).ids()
    assert asker.get(("organizations", "unknown", "users")).status == 404


def test_settings_show_periods_and_keys_without_secrets() -> None:
    """Settings hold the retention periods and every key's scopes, and no secret."""
    world, _, asker = new_world()
    answer = asker.get(("organizations", world.organizations[0].uuid, "settings"))
    assert answer.at("data", 0, "type") == "data_retention_periods"
    assert answer.at("api_keys", 1, "scopes") == ["read:org_audit"]
    assert world.key().encode() not in answer.response.body
    unknown = asker.get(("organizations", "unknown", "settings"))
    assert (unknown.status, unknown.at("error", "type")) == (404, "not_found_error")


def test_unknown_error_member_and_canary_leave_exact_texts_alone() -> None:
    """The planted string is in an error's message, unless the message must be exact."""
    world, _, asker = new_world()
    world.plant("WAGTAIL")
    assert asker.get(("nope",)).at("error", "message") == "Not found"
    assert "WAGTAIL" in asker.get(LOCAL, ("limit", 0)).text("error", "message")
    assert asker.get(LOCAL).response.header("x-canary") == "WAGTAIL"


def test_answers_are_determined_by_what_came_before() -> None:
    """Two worlds of the same seed and clock give the same bytes to the same requests."""
    answers = []
    for _ in range(2):
        world, _, asker = new_world()
        session_id = world.add_session(turns=2)
        answers.append((asker.get(LOCAL).response, asker.messages(session_id, ("limit", 1)).response))
    assert answers[0] == answers[1]


def test_world_answers_whatever_comes() -> None:
    """A request without sense gets an answer, not an exception."""
    world, _, _ = new_world()
    for target in ("", "/", "//", "/v1", "/v1/compliance/apps/sessions/local/%ff/messages?page=%ff&&=&"):
        answer = world.answer(WireRequest("BREW", target, (("x-api-key", world.key()),)))
        assert json.loads(answer.body)["error"]["type"]
