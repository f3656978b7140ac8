"""The list of code artifacts beside chats, over a loopback socket: to its end, or stated as missing."""

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agentaudit.cli.readers import page_readers
from agentaudit.errors import SourceRefused
from agentaudit.format import layout
from agentaudit.model.base import instant_of
from agentaudit.model.selection import ChatSelection, Window
from agentaudit.verify import verify_exhibit
from tests.support.chatting import MOMENT, Chatting, chatting, gaps, streams
from tests.support.collecting import comparable, payload

LISTED = ChatSelection(with_code_artifacts=True)
MARK = "CANARY-code"
PATH = "/v1/compliance/apps/code/artifacts"


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Chatting]:
    """The organisation with five code artifacts, and a case."""
    with chatting(tmp_path, MARK) as given:
        published(given)
        yield given


def published(served: Chatting) -> None:
    """Three by the first person, a day apart and the last one now; two by the second, long ago."""
    world, part = served.world, served.world.organizations[0].uuid
    for number in range(3):
        world.library.add_code_artifact(f"harbour {number}", MOMENT - timedelta(days=number), world.users[0], part)
    for number in range(2):
        world.library.add_code_artifact(f"quay {number}", MOMENT - timedelta(days=90), world.users[1], part)


def listed(exhibit: Path) -> list[dict[str, object]]:
    """The events of the list."""
    lines = [json.loads(line) for line in (exhibit / layout.EVENTS).read_text().splitlines()]
    return [line for line in lines if line["stream"] == "code/000001"]


def queries(served: Chatting) -> list[tuple[tuple[str, str], ...]]:
    """The parameters of every request for the list."""
    return [one.query for one in served.world.requests if one.path.partition("?")[0] == PATH]


def test_an_empty_page_in_the_middle_ends_nothing(served: Chatting) -> None:
    """Pages of two, the second empty: all five are here, each once, and the empty page is counted."""
    served.world.set_page_shape(max_items=2, empty_pages=(1,), match=PATH)
    exhibit, result = served.run(LISTED)
    assert "not_obtained" not in {gap.kind for gap in result.gaps}
    events = listed(exhibit)
    assert len({str(one["id"]) for one in events}) == len(events) == 5
    row = streams(exhibit)["code/000001"]
    assert (row["counts"], row["findings"]) == ([["empty_pages", 1], ["pages", 4]], [])
    assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_titles_stay_in_the_page(served: Chatting) -> None:
    """Nothing outside `data/` but the heads of answers holds a title or an address."""
    exhibit, _ = served.run(LISTED)
    for path in exhibit.rglob("*"):
        if path.is_file() and "data" not in path.parts and path.name != "journal.jsonl":
            assert MARK.encode() not in path.read_bytes(), path.name
    assert MARK in (exhibit / "data/compliance/code/list/000001.json").read_text()


def test_the_list_is_asked_for_only_on_request(served: Chatting) -> None:
    """Without the option there is no request, no stream, and the limit says so."""
    exhibit, _ = served.run(ChatSelection())
    assert queries(served) == []
    assert "code/000001" not in streams(exhibit)


@pytest.mark.parametrize("kind", ["creation", "update"])
def test_a_window_bounds_the_update(served: Chatting, kind: str) -> None:
    """Whichever time of chats it bounds; people and organisations narrow as they do with chats."""
    world = served.world
    begins, ends = instant_of(MOMENT - timedelta(days=1)), instant_of(MOMENT)
    people = (world.users[0].id,) if kind == "creation" else ()
    part = world.organizations[0].uuid
    asked = ChatSelection(
        window_kind="creation" if kind == "creation" else "update",
        window=Window(begins=begins, ends=ends),
        users=people,
        organizations=(part,),
        with_code_artifacts=True,
    )
    exhibit, _ = served.run(asked)
    (query,) = queries(served)
    assert query == (
        ("updated_at.gte", begins), ("updated_at.lt", ends), *(("user_ids[]", one) for one in people),
        ("organization_ids[]", part), ("limit", "100"),
    )  # fmt: skip
    assert [one["at"] for one in listed(exhibit)] == ["2026-10-07T12:00:00Z"]


def test_an_entry_that_the_index_knows_late_is_marked(served: Chatting) -> None:
    """The index held an update of the window; the entry says a later one."""
    world, old = served.world, MOMENT - timedelta(days=30)
    world.library.add_code_artifact(
        "moved", old, world.users[0], world.organizations[0].uuid, updated_at=MOMENT, indexed_at=old
    )
    window = Window(begins=None, ends=instant_of(MOMENT - timedelta(days=20)))
    exhibit, _ = served.run(ChatSelection(window=window, with_code_artifacts=True))
    assert [one["marks"] for one in listed(exhibit) if one.get("marks")] == [["outside_window"]]
    assert streams(exhibit)["code/000001"]["findings"]


@pytest.mark.parametrize("status", [403, 404])
def test_the_list_may_be_refused_alone(served: Chatting, status: int) -> None:
    """Without its scope, or where the endpoint is not there, the chats are here and the loss is stated."""
    served.world.fail_next(status, match=PATH)
    exhibit, result = served.run(LISTED)
    assert (result.outcome, gaps(result)["refused"]) == ("incomplete", 1)
    assert "code/000001" not in streams(exhibit)
    assert "chat/000001" in streams(exhibit)


def test_a_cursor_that_comes_again_is_a_gap(served: Chatting) -> None:
    """The list does not end by itself: what came is here, and that it is not all is stated."""
    served.world.set_page_shape(max_items=2, match=PATH)
    served.world.loop_cursor_next(match=PATH, times=9)
    exhibit, result = served.run(LISTED)
    assert (result.outcome, gaps(result)["cursor_repeated"]) == ("incomplete", 1)
    assert streams(exhibit)["code/000001"]["counts"] == [["pages", 2]]


def test_an_interrupted_list_goes_on_where_it_stood(tmp_path: Path, served: Chatting) -> None:
    """The key is refused on the third page: the first two are not asked for again, and all is as if undisturbed."""
    served.world.set_page_shape(max_items=2, empty_pages=(1,), match=PATH)
    whole, _ = served.run(LISTED)
    given = served.elsewhere(tmp_path / "again")
    served.world.fail_next(401, match=lambda one: one.path.startswith(PATH) and len(queries(served)) == 4 + 3)
    with pytest.raises(SourceRefused):
        given.run(LISTED)
    given.resume()
    exhibit = given.job.case / "EX-0001"
    assert len(queries(served)) == 4 + 4 + 1
    assert (payload(exhibit), comparable(exhibit)) == (payload(whole), comparable(whole))
    for name in (layout.STREAMS, layout.EVENTS):
        assert (exhibit / name).read_bytes() == (whole / name).read_bytes()
