"""The demo's organisation, the bulk worlds, the bridge, the planted string."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx
import pytest

from agentaudit.demo.bulk import BulkShelf
from agentaudit.demo.compose import plain_local
from agentaudit.demo.scenario import demo_world, large_list, large_session
from agentaudit.demo.wire import CloseBeforeAnswer, Drip, Endless, ResetAfter, ShortBy, Stall, WrongLength
from tests.demo.asking import LOCAL, NOON, REMOTE, Answer, Asker, at, new_world
from tests.demo.bridge import mock_transport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentaudit.demo.wire import Fault
    from agentaudit.demo.world import World

WHOLE = (("limit", 1000), ("tool_use_input_max_bytes", -1), ("tool_result_max_bytes", -1))
CANARY = "KINGFISHER-7"


def _demo(canary: str = "") -> tuple[World, Asker]:
    world = demo_world(lambda: NOON, canary=canary)
    return world, Asker(world)


def _transcripts(asker: Asker) -> Iterator[Answer]:
    for family in (LOCAL, REMOTE):
        for page in asker.walk(family, ("limit", 500)):
            for session_id in page.ids():
                yield from _pages(asker, (*family, session_id, "messages"))


def _pages(asker: Asker, path: tuple[str, ...]) -> Iterator[Answer]:
    token: object = None
    while True:
        query = WHOLE if token is None else (*WHOLE, ("page", str(token)))
        answer = asker.get(path, *query)
        yield answer
        if answer.status == 429:
            continue
        token = None if answer.status != 200 else answer.at("next_page")
        if token is None:
            return


def test_demo_has_its_sessions_people_and_parts() -> None:
    """Fourteen local and four remote sessions are listed, of five people in two organisations."""
    _, asker = _demo()
    local = [row for page in asker.walk(LOCAL) for row in page.rows("data")]
    remote = [row for page in asker.walk(REMOTE) for row in page.rows("data")]
    assert (len(local), len(remote)) == (14, 4)
    assert len({str(at(row, "user", "id")) for row in local}) == 5
    assert len(asker.get(("organizations",)).rows("data")) == 2
    assert any(at(row, "user", "email_address") is None for row in local)
    assert any(at(row, "truncated") is True for row in local)
    surfaces = {str(at(row, "product_surface")) for row in local}
    assert {"cowork", "claude_science", "claude_in_chrome", "claude_wallboard", "None"} < surfaces


def test_demo_holds_two_ids_that_differ_in_case_only() -> None:
    """Two listed ids are one on a disk that does not tell cases apart."""
    _, asker = _demo()
    ids = [one for page in asker.walk(LOCAL) for one in page.ids()]
    assert len({one.lower() for one in ids}) == 13


def test_demo_shows_every_block_provenance_and_failure() -> None:
    """Walking the demo meets every block kind, provenance and planned failure."""
    _, asker = _demo()
    answers = list(_transcripts(asker))
    assert sorted({answer.status for answer in answers}) == [200, 400, 404, 429]
    rows = [row for answer in answers if answer.status == 200 for row in answer.rows("data")]
    kinds = {str(at(block, "type")) for row in rows for block in _list(at(row, "content"))}
    assert kinds == {"text", "tool_use", "tool_result", "canvas_stroke"}
    found = [at(row, "provenance", missing=None) for row in rows]
    reasons = {(str(at(one, "type")), str(at(one, "reason"))) for one in found if one is not None}
    unavailable = ("not_captured", "client_aborted", "cmek_key_revoked", "oversize", "retention_elapsed")
    assert reasons == {
        *(("content_unavailable", reason) for reason in unavailable),
        ("client_asserted", "None"),
        ("synthetic_marker", "None"),
        ("relayed_by_peer", "newly_invented"),
    }
    bodies = b"".join(answer.response.body for answer in answers)
    for mark in (b"mcp__crm__export_contacts", b'"input":"{}"', b"\\ud83d", b'"is_error":true', b"region_hint"):
        assert mark in bodies
    assert "…[truncated; pass tool_use_input_max_bytes".encode() in bodies


def _list(value: object) -> list[object]:
    assert isinstance(value, list)
    return value


def test_canary_is_in_every_kind_of_content() -> None:
    """The planted string is in every text, input, result, address, name and settings value."""
    _, asker = _demo(CANARY)
    first = asker.world.organizations[0].uuid
    for answer in _transcripts(asker):
        assert answer.response.header("x-canary") == CANARY
        if answer.status != 200:
            assert CANARY in answer.text("error", "message")
            continue
        for row in answer.rows("data"):
            for block in _list(at(row, "content")):
                _assert_planted(block)
    for path in (("organizations",), ("organizations", first, "users")):
        for row in asker.get(path).rows("data"):
            assert CANARY in json.dumps(row)
    settings = asker.get(("organizations", first, "settings"))
    assert CANARY in settings.text("data", 1, "value")
    assert CANARY in settings.text("api_keys", 0, "name")
    assert CANARY in asker.get(LOCAL).text("data", 0, "user", "email_address")


def _assert_planted(block: object) -> None:
    match at(block, "type"):
        case "text":
            text = str(at(block, "text"))
            assert CANARY in text or text.startswith("[")
        case "tool_use":
            assert CANARY in str(at(block, "input"))
        case "tool_result":
            items = [str(at(item, "text")) for item in _list(at(block, "content"))]
            assert all(CANARY in item or item.startswith("[") for item in items)


def test_bulk_list_is_walked_without_holding_it() -> None:
    """A generated list gives every session once, newest first, and finds each again by its id."""
    world = large_list(1200)
    asker = Asker(world)
    pages = asker.walk(LOCAL, ("limit", 500))
    ids = [one for page in pages for one in page.ids()]
    assert [len(page.ids()) for page in pages] == [500, 500, 200]
    assert len(set(ids)) == 1200
    assert len(asker.messages(ids[700]).ids()) == 2
    assert asker.get((*LOCAL, ids[700])).at("id") == ids[700]


def test_bulk_list_knows_only_its_own_ids() -> None:
    """An id that the generated list never gave is not found in it."""
    world = large_list(3)
    asker = Asker(world)
    (first, *_), beyond = asker.get(LOCAL).ids(), large_list(9)
    assert asker.get((*LOCAL, Asker(beyond).get(LOCAL).ids()[8])).status == 404
    assert asker.get((*LOCAL, first[:-6] + "AAAA==")).status == 404
    assert asker.get((*LOCAL, "clls_abcd")).status == 404


def test_bulk_list_cannot_be_edited() -> None:
    """A generated list refuses to hold a session."""
    with pytest.raises(TypeError):
        BulkShelf(1, NOON).put(plain_local("x", "o", "u", NOON, 1))


def test_bulk_list_takes_no_memory() -> None:
    """A list of a billion sessions is made at once."""
    world = large_list(1_000_000_000)
    assert len(Asker(world).get(LOCAL, ("limit", 3)).ids()) == 3


def test_bulk_session_has_pages_of_the_wanted_size() -> None:
    """A generated session has its messages on pages of twenty, each about as large as asked."""
    world = large_session(101, 50_000)
    asker = Asker(world)
    (session_id,) = asker.get(LOCAL).ids()
    pages = asker.walk((*LOCAL, session_id, "messages"), ("limit", 1000))
    assert [len(page.ids()) for page in pages] == [20, 20, 20, 20, 20, 1]
    assert len({one for page in pages for one in page.ids()}) == 101
    assert all(45_000 < len(page.response.body) < 55_000 for page in pages[:-1])
    assert pages[0].at("session", "truncated") is False


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (ResetAfter(1), httpx.ReadError),
        (Stall(1, 60.0), httpx.ReadTimeout),
        (ShortBy(1), httpx.RemoteProtocolError),
        (WrongLength(1), httpx.RemoteProtocolError),
        (Endless(1), httpx.RemoteProtocolError),
        (CloseBeforeAnswer(), httpx.RemoteProtocolError),
    ],
)
def test_bridge_raises_what_a_socket_would(fault: Fault, error: type[Exception]) -> None:
    """Behind the bridge a fault is the error that httpx raises for it."""
    world, _, _ = new_world()
    world.fault_next(fault)
    with (
        httpx.Client(transport=mock_transport(world), base_url="http://world") as client,
        pytest.raises(error),
    ):
        client.get("/v1")


def test_bridge_passes_answers_as_they_are() -> None:
    """Behind the bridge an answer keeps its bytes, its headers and its encoding."""
    world, _, _ = new_world()
    world.gzip_next()
    world.fault_next(Drip(1, 1.0))
    with httpx.Client(transport=mock_transport(world), base_url="http://world") as client:
        headers = {"x-api-key": world.key()}
        with client.stream("GET", "/v1/compliance/organizations", headers=headers) as response:
            raw = b"".join(response.iter_raw())
    assert raw.startswith(b"\x1f\x8b")
    assert response.headers["content-length"] == str(len(raw))
    assert response.headers["request-id"] == "req_demo0000000000000001"
