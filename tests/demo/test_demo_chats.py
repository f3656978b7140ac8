"""The chats of the synthetic organisation keep to what is documented of them."""

import json
from datetime import timedelta

import pytest

from agentaudit.demo.chats import Said
from agentaudit.demo.wire import WireRequest
from agentaudit.demo.world import World
from tests.demo.asking import NOON, Clock

CHATS = "/v1/compliance/apps/chats"


@pytest.fixture
def world() -> World:
    """Three chats of one person, one minute apart."""
    made = World(Clock())
    for number in range(3):
        at = NOON - timedelta(hours=1, minutes=-number)
        said = (Said("user", at, "a"), Said("assistant", at + timedelta(seconds=1), "b", "x" * 11_000, "y" * 11_000))
        made.add_chat(f"name {number}", said, made.users[0], made.organizations[0].uuid, project="p")
    return made


def asked(world: World, query: str, path: str = CHATS) -> tuple[int, dict[str, object]]:
    """The status and body of an answer."""
    answer = world.answer(WireRequest("GET", f"{path}?{query}", (("x-api-key", world.key()),)))
    body: dict[str, object] = json.loads(answer.body)
    return answer.status, body


def ids(body: dict[str, object], name: str = "data") -> list[str]:
    """The ids of a page."""
    entries = body[name]
    assert isinstance(entries, list)
    return [str(one["id"]) for one in entries]


@pytest.mark.parametrize(
    "query",
    [
        "order_by=name",
        "order_by=updated_at&created_at.gte=2026-10-08T00:00:00Z",
        "updated_at.gte=2026-10-08T00:00:00Z",
        "user_ids[]=u&order_by=updated_at",
        "&".join(f"user_ids[]={number}" for number in range(11)),
        "project_ids[]=p",
        "before_id=x",
        "after_id=x",
        "user_ids[]=u&after_id=x&before_id=y",
        "limit=1001",
        "page=x",
    ],
)
def test_what_the_documentation_refuses_is_refused(world: World, query: str) -> None:
    """A bound of another key, too many people, a filter without people, a cursor that is none: 400."""
    assert asked(world, query)[0] == 400


def test_pages_lead_on_and_back_by_the_cursors_of_their_order(world: World) -> None:
    """`after_id` leads on, `before_id` back; a cursor of another sort key is none."""
    user = world.users[0].id
    everything = ids(asked(world, "")[1])
    first = asked(world, "limit=2")[1]
    assert (ids(first), first["has_more"]) == (everything[:2], True)
    rest = asked(world, f"after_id={first['last_id']}")[1]
    assert (ids(rest), rest["has_more"]) == (everything[2:], False)
    back = asked(world, f"limit=1&user_ids[]={user}&before_id={rest['first_id']}")[1]
    assert (ids(back), back["has_more"]) == (everything[1:2], True)
    assert asked(world, f"order_by=updated_at&after_id={first['last_id']}")[0] == 400


def test_a_project_and_a_time_narrow_the_list(world: World) -> None:
    """Each filter that is given holds."""
    user = world.users[0].id
    assert len(ids(asked(world, f"user_ids[]={user}&project_ids[]=p")[1])) == 3
    assert len(ids(asked(world, f"user_ids[]={user}&project_ids[]=q")[1])) == 0
    assert len(ids(asked(world, "created_at.gt=2026-10-08T11:00:00Z&created_at.lte=2026-10-08T11:02:00Z")[1])) == 2
    assert len(ids(asked(world, "order_by=updated_at&updated_at.lt=2026-10-08T11:01:00Z")[1])) == 1


def test_tool_text_is_cut_by_characters_unless_told(world: World) -> None:
    """The limits default to 10,000; -1 takes them off; a chat that nobody has is a 404."""
    chat = ids(asked(world, "")[1])[0]
    path = f"{CHATS}/{chat}/messages"
    cut, whole = (json.dumps(asked(world, query, path)[1]) for query in ("order=desc", "&".join((
        "tool_use_input_max_chars=-1", "tool_result_max_chars=-1"))))  # fmt: skip
    assert (cut.count("x" * 11_000), cut.count("y" * 10_000), whole.count("x" * 11_000)) == (0, 1, 1)
    assert (cut.count('"truncated": true'), whole.count('"truncated": true')) == (2, 0)
    assert asked(world, "", f"{CHATS}/other/messages")[0] == 404
    assert asked(world, "", f"{CHATS}/{chat}/elsewhere")[0] == 404
