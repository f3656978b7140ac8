"""Every refusal of a parameter."""

from __future__ import annotations

import pytest

from tests.demo.asking import LOCAL, REMOTE, new_world

EARLY, LATE = "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"


@pytest.mark.parametrize(
    ("segments", "query", "named"),
    [
        (LOCAL, (("order", "asc"),), "order"),
        (LOCAL, (("user_ids[]", "user_1"),), "user_ids[]"),
        (LOCAL, (("updated_at.lt", EARLY),), "updated_at.gte"),
        (LOCAL, (("created_at[gte]", EARLY),), "created_at.gte"),
        (LOCAL, (("created_at.gt", EARLY),), "created_at.gte"),
        (LOCAL, (("zzzzzz", "1"),), "zzzzzz"),
        (LOCAL, (("limit", 0),), "limit"),
        (LOCAL, (("limit", 501),), "limit"),
        (LOCAL, (("limit", "many"),), "limit"),
        (LOCAL, (("limit", ""),), "limit"),
        (LOCAL, (("limit", "1_0"),), "limit"),
        (LOCAL, (("limit", 1), ("limit", 1)), "limit"),
        (LOCAL, (("created_at.gte", "2026-01-01T00:00:00"),), "created_at.gte"),
        (LOCAL, (("created_at.gte", "2026-01-01"),), "created_at.gte"),
        (LOCAL, (("created_at.lt", "2026-13-01T00:00:00Z"),), "created_at.lt"),
        (LOCAL, (("updated_at.gte", "2026-01-01T00:00:00 01:00"),), "updated_at.gte"),
        (LOCAL, (("updated_at.gte", "0001-01-01T00:00:00+14:00"),), "updated_at.gte"),
        (LOCAL, (("created_at.gte", LATE), ("created_at.lt", EARLY)), "created_at.lt"),
        (LOCAL, (("created_at.gte", EARLY), ("created_at.lt", EARLY)), "created_at.lt"),
        (REMOTE, (("created_at.gte", EARLY), ("created_at.lt", EARLY)), "created_at.lt"),
        (REMOTE, (("updated_at.gte", EARLY),), "updated_at.gte"),
        (REMOTE, (("limit", 501),), "limit"),
        (REMOTE, tuple(("user_ids[]", f"user_{number}") for number in range(11)), "user_ids[]"),
        (REMOTE, tuple(("organization_ids[]", f"org_{number}") for number in range(501)), "organization_ids[]"),
        (("organizations",), (("limit", 1001),), "limit"),
        (("organizations",), (("cursor", "x"),), "cursor"),
    ],
)
def test_list_parameters_are_refused_by_name(
    segments: tuple[str, ...], query: tuple[tuple[str, str | int], ...], named: str
) -> None:
    """A parameter that is unknown, out of range, naive or contradictory is a 400 that names the right one."""
    _, _, asker = new_world()
    answer = asker.get(segments, *query)
    assert (answer.status, answer.at("error", "type")) == (400, "invalid_request_error")
    assert named in answer.text("error", "message")


@pytest.mark.parametrize("family", [LOCAL, REMOTE])
@pytest.mark.parametrize(
    "query",
    [
        ("limit", 0),
        ("limit", 1001),
        ("order", "newest"),
        ("tool_use_input_max_bytes", 0),
        ("tool_result_max_bytes", 0),
        ("tool_use_input_max_bytes", -2),
        ("tool_result_max_bytes", 2_147_483_648),
        ("created_at.gte", EARLY),
    ],
)
def test_transcript_parameters_are_refused_by_name(family: tuple[str, ...], query: tuple[str, str | int]) -> None:
    """A zero cap, a wrong order, a wide limit or a time filter is a 400 on either kind of transcript."""
    world, _, asker = new_world()
    session_id = world.add_session() if family is LOCAL else world.add_remote_session()
    answer = asker.messages(session_id, query, family=family)
    assert answer.status == 400
    assert answer.text("error", "message").startswith(query[0])


@pytest.mark.parametrize("query", [("limit", 1000), ("order", "desc"), ("tool_result_max_bytes", 2_147_483_647)])
def test_highest_values_are_accepted(query: tuple[str, str | int]) -> None:
    """The documented maxima are accepted."""
    world, _, asker = new_world()
    assert asker.messages(world.add_session(), query).status == 200


def test_refusals_never_repeat_the_value() -> None:
    """The message of a refusal holds no value from the request."""
    _, _, asker = new_world()
    assert b"vermilion" not in asker.get(LOCAL, ("limit", "vermilion")).response.body


def test_octets_that_are_no_text_are_a_400() -> None:
    """A query that is no UTF-8 is refused like a bad value."""
    _, _, asker = new_world()
    assert asker.raw("/v1/compliance/apps/sessions/local?page=%ff").status == 400


@pytest.mark.parametrize(
    "segments",
    [
        (*LOCAL, "cse_abcd"),
        (*LOCAL, "clls_a b"),
        (*LOCAL, "x", "messages"),
        (*REMOTE, "clls_abcd", "messages"),
    ],
)
def test_malformed_session_ids_are_a_400(segments: tuple[str, ...]) -> None:
    """An id of another family or with foreign characters is malformed, which is not the same as absent."""
    _, _, asker = new_world()
    assert asker.get(segments).status == 400


def test_retrieve_and_settings_take_no_parameters() -> None:
    """Retrieving a session and reading settings refuse every parameter."""
    world, _, asker = new_world()
    assert asker.get((*LOCAL, world.add_session()), ("limit", 1)).status == 400
    assert asker.get(("organizations", world.organizations[0].uuid, "settings"), ("page", "x")).status == 400
