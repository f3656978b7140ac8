"""The two session lists: order, filters, cursors."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from agentaudit.demo.jsontext import stamp
from tests.demo.asking import LOCAL, NOON, REMOTE, Asker, at, new_world

HOUR = timedelta(hours=1)


def _ladder(count: int) -> tuple[list[str], Asker]:
    world, _, asker = new_world()
    return [world.add_session(at=NOON - number * HOUR) for number in range(count)], asker


def test_local_session_has_its_nine_members() -> None:
    """A listed session has exactly the nine documented members."""
    (session_id,), asker = _ladder(1)
    assert asker.get(LOCAL).body == {
        "data": [
            {
                "type": "compliance_local_session",
                "id": session_id,
                "organization_uuid": asker.world.organizations[0].uuid,
                "workspace_id": None,
                "user": {"id": asker.world.users[0].id, "email_address": "ada@harbour.example"},
                "product_surface": "claude_code",
                "created_at": "2026-10-08T12:00:00Z",
                "updated_at": "2026-10-08T12:00:00Z",
                "truncated": False,
            }
        ],
        "next_page": None,
    }


def test_retrieve_gives_the_bare_session() -> None:
    """Retrieving a session gives the same object without an envelope, its address resolved."""
    (session_id,), asker = _ladder(1)
    assert asker.get((*LOCAL, session_id)).body == asker.get(LOCAL).at("data", 0)


def test_list_is_newest_first_over_all_pages() -> None:
    """A walk returns every session once, newest first, on full pages."""
    ids, asker = _ladder(5)
    pages = asker.walk(LOCAL, ("limit", 2))
    assert [page.ids() for page in pages] == [ids[:2], ids[2:4], ids[4:]]


def test_exactly_full_last_page_ends_the_walk() -> None:
    """A page that holds the last item has no next page."""
    _, asker = _ladder(2)
    assert asker.get(LOCAL, ("limit", 2)).at("next_page") is None


def test_ties_have_a_fixed_order() -> None:
    """Sessions of the same time come in the same order on one page and over several."""
    world, _, asker = new_world()
    for _ in range(4):
        world.add_session()
    whole = asker.get(LOCAL).ids()
    assert [one for page in asker.walk(LOCAL, ("limit", 1)) for one in page.ids()] == whole


def test_created_window_is_half_open() -> None:
    """The lower bound is inclusive, the upper one is not."""
    ids, asker = _ladder(4)
    window = (("created_at.gte", stamp(NOON - 2 * HOUR)), ("created_at.lt", stamp(NOON)))
    assert asker.get(LOCAL, *window).ids() == ids[1:3]
    assert [page.ids() for page in asker.walk(LOCAL, *window, ("limit", 1))] == [[ids[1]], [ids[2]]]


def test_offsets_are_understood() -> None:
    """A time with an offset is the moment it names, when its plus is encoded."""
    ids, asker = _ladder(2)
    assert asker.get(LOCAL, ("created_at.gte", "2026-10-08T14:00:00+02:00")).ids() == ids[:1]


def test_activity_filter_uses_the_value_that_the_list_shows() -> None:
    """A lagging list hides a session from the activity filter until the list catches up."""
    (session_id,), asker = _ladder(1)
    active = ("updated_at.gte", stamp(NOON + HOUR))
    asker.world.touch_session(session_id, at=NOON + 2 * HOUR, lag=True)
    assert asker.get(LOCAL, active).ids() == []
    assert asker.get(LOCAL).at("data", 0, "updated_at") == stamp(NOON)
    assert asker.get((*LOCAL, session_id)).at("updated_at") == stamp(NOON + 2 * HOUR)
    asker.world.touch_session(session_id, at=NOON + 3 * HOUR)
    assert asker.get(LOCAL, active).ids() == [session_id]


def test_departed_people_have_no_address() -> None:
    """Somebody who left keeps their id and loses their address in the list."""
    (_,), asker = _ladder(1)
    who = asker.world.users[0].id
    asker.world.depart(who)
    assert asker.get(LOCAL).at("data", 0, "user") == {"id": who, "email_address": None}


def test_unknown_people_have_no_address() -> None:
    """A user id that nobody knows any more has no address."""
    world, _, asker = new_world()
    world.add_session(user="user_gone")
    assert asker.get(LOCAL).at("data", 0, "user", "email_address") is None


def test_address_follows_the_reach_of_the_key() -> None:
    """The address of a person outside every organisation that the key reads is null."""
    world, _, _ = new_world()
    world.add_session(user=world.users[3].id)
    narrow = Asker(world, world.key("one-organization"))
    assert narrow.get(LOCAL).at("data", 0, "user", "email_address") is None


def test_hidden_sessions_are_nowhere() -> None:
    """A session without retention is not listed, and is a 404 when asked for."""
    world, _, asker = new_world()
    session_id = world.add_session()
    world.put(replace(world.local(session_id), hidden=True))
    assert asker.get(LOCAL).ids() == []
    assert asker.get((*LOCAL, session_id)).at("error", "message") == "Local session not found."


@pytest.mark.parametrize("token", ["page_", "page_AAAA", "nonsense", "page_ä", ""])
def test_strange_tokens_are_no_cursors(token: str) -> None:
    """A token that the world never wrote is refused."""
    _, asker = _ladder(1)
    answer = asker.get(LOCAL, ("page", token))
    assert answer.status == 400
    assert "not a valid cursor" in answer.text("error", "message")


def test_altered_and_foreign_cursors_are_refused() -> None:
    """A cursor with one changed letter, or of another endpoint, is refused; unaltered it works again."""
    ids, asker = _ladder(3)
    token = asker.get(LOCAL, ("limit", 1)).text("next_page")
    altered = token[:20] + ("A" if token[20] != "A" else "B") + token[21:]
    assert asker.get(LOCAL, ("page", altered)).status == 400
    assert asker.get(REMOTE, ("page", token)).status == 400
    assert asker.get(("organizations",), ("page", token)).status == 400
    assert asker.get(LOCAL, ("page", token)).ids() == asker.get(LOCAL, ("page", token)).ids() == ids[1:]


def test_cursor_outlives_its_key() -> None:
    """A cursor belongs to the organisation: another key goes on with it."""
    ids, asker = _ladder(2)
    token = asker.get(LOCAL, ("limit", 1)).text("next_page")
    assert Asker(asker.world, asker.world.key("auditor")).get(LOCAL, ("page", token)).ids() == ids[1:]


def test_list_cursor_is_good_for_a_day_and_then_skips_silently() -> None:
    """After 24 hours to the second a list cursor works; later it is accepted and a session is missing."""
    world, clock, asker = new_world()
    ids = [world.add_session(at=NOON - number * HOUR) for number in range(4)]
    token = asker.get(LOCAL, ("limit", 1)).text("next_page")
    clock.forward(timedelta(hours=24))
    assert asker.get(LOCAL, ("page", token)).ids() == ids[1:]
    clock.forward(timedelta(microseconds=1))
    assert asker.get(LOCAL, ("page", token)).ids() == ids[2:]


def test_expired_list_cursor_skips_without_waiting() -> None:
    """A test can age list cursors at once; a new walk is whole."""
    ids, asker = _ladder(3)
    token = asker.get(LOCAL, ("limit", 1)).text("next_page")
    asker.world.expire_cursors()
    assert asker.get(LOCAL, ("page", token)).ids() == ids[2:]
    assert [one for page in asker.walk(LOCAL, ("limit", 1)) for one in page.ids()] == ids


def test_walk_keeps_the_boundary_of_its_first_page() -> None:
    """A boundary that moves during a walk changes nothing for that walk, and everything for the next."""
    ids, asker = _ladder(3)
    token = asker.get(LOCAL, ("limit", 1)).text("next_page")
    asker.world.advance_retention(NOON - HOUR)
    assert asker.get(LOCAL, ("page", token)).ids() == ids[1:]
    assert asker.get(LOCAL).ids() == ids[:2]


def test_created_moves_later_as_calls_age_out() -> None:
    """A session whose head aged out begins at its first retained call, and vanishes with its last."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=3)
    world.advance_retention(NOON + timedelta(minutes=2))
    assert asker.get(LOCAL).at("data", 0, "created_at") == "2026-10-08T12:02:00Z"
    world.advance_retention(NOON + HOUR)
    assert asker.get(LOCAL).ids() == []
    assert asker.get((*LOCAL, session_id)).status == 404
    assert asker.messages(session_id).status == 404


def test_session_over_the_cap_says_so() -> None:
    """More calls than the cap: the flag is up, and ``updated_at`` is the last call that counts."""
    world, _, asker = new_world()
    session_id = world.add_session(turns=5)
    world.put(replace(world.local(session_id), call_cap=2))
    assert asker.get((*LOCAL, session_id)).at("truncated") is True
    assert asker.get(LOCAL).at("data", 0, "updated_at") == "2026-10-08T12:01:00Z"


def test_remote_session_has_its_ten_members() -> None:
    """A listed remote session has exactly the ten documented members, and no type."""
    world, _, asker = new_world()
    session_id = world.add_remote_session()
    assert asker.get(REMOTE).at("data", 0) == {
        "id": session_id,
        "organization_uuid": world.organizations[0].uuid,
        "user": {"id": world.users[0].id, "email_address": "ada@harbour.example"},
        "agent_id": None,
        "started_by_user": None,
        "status": "active",
        "created_at": "2026-10-08T12:00:00Z",
        "updated_at": "2026-10-08T12:00:30Z",
        "product_surface": "cowork_remote",
        "claude_project_id": None,
    }


def test_remote_times_have_all_four_bounds() -> None:
    """Remote lists know exclusive and inclusive bounds on both sides."""
    world, _, asker = new_world()
    ids = [world.add_remote_session(at=NOON - number * HOUR) for number in range(3)]
    middle = stamp(NOON - HOUR)
    assert asker.get(REMOTE, ("created_at.gt", middle)).ids() == ids[:1]
    assert asker.get(REMOTE, ("created_at.gte", middle)).ids() == ids[:2]
    assert asker.get(REMOTE, ("created_at.lt", middle)).ids() == ids[2:]
    assert asker.get(REMOTE, ("created_at.lte", middle)).ids() == ids[1:]
    assert [page.ids() for page in asker.walk(REMOTE, ("limit", 1))] == [[one] for one in ids]


def test_remote_organisations_are_named_either_way() -> None:
    """Organisations are named by UUID or ``org_`` form; an unknown one matches nothing."""
    world, _, asker = new_world()
    first, second = world.organizations
    one = world.add_remote_session(organization=first.uuid)
    two = world.add_remote_session(organization=second.uuid)
    assert asker.get(REMOTE, ("organization_ids[]", first.uuid)).ids() == [one]
    assert asker.get(REMOTE, ("organization_ids[]", second.org_id)).ids() == [two]
    both = asker.get(REMOTE, ("organization_ids[]", first.uuid), ("organization_ids[]", second.uuid))
    assert set(both.ids()) == {one, two}
    assert asker.get(REMOTE, ("organization_ids[]", "org_unknown")).ids() == []


def test_remote_user_filter_drops_agents() -> None:
    """The user filter looks at owners only: a session that the person started for an agent is dropped."""
    world, _, asker = new_world()
    who = world.users[0].id
    owned, run = world.add_remote_session(user=who), world.add_remote_session(user=who)
    world.put(replace(world.remote(run), user_id=None, agent_id="cagt_1", started_by=who))
    assert asker.get(REMOTE, ("user_ids[]", who)).ids() == [owned]
    row = next(row for row in asker.get(REMOTE).rows("data") if at(row, "id") == run)
    assert at(row, "user") is None
    assert at(row, "started_by_user", "email_address") == "ada@harbour.example"


def test_deleted_remote_sessions_are_nowhere() -> None:
    """A deleted remote session is neither listed nor readable; a pending one is listed only."""
    world, _, asker = new_world()
    deleted, pending = world.add_remote_session(), world.add_remote_session(status="pending")
    world.put(replace(world.remote(deleted), hidden=True))
    assert asker.get(REMOTE).ids() == [pending]
    for session_id in (deleted, pending):
        assert asker.messages(session_id, family=REMOTE).at("error", "message") == "Remote session not found."


def test_remote_cursors_have_no_documented_age() -> None:
    """A remote cursor goes on after any time, and loses nothing."""
    world, clock, asker = new_world()
    ids = [world.add_remote_session(at=NOON - number * HOUR) for number in range(3)]
    token = asker.get(REMOTE, ("limit", 1)).text("next_page")
    clock.forward(timedelta(days=3))
    assert asker.get(REMOTE, ("page", token)).ids() == ids[1:]


def test_unknown_sessions_cannot_be_edited() -> None:
    """Editing a session that does not exist fails loudly."""
    world, _, _ = new_world()
    with pytest.raises(KeyError):
        world.local("clls_none")
    with pytest.raises(KeyError):
        world.remote("cse_none")
