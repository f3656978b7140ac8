"""Keys, scopes, budgets, and what every answer carries."""

from __future__ import annotations

from datetime import timedelta

import pytest

from agentaudit.demo.world import World
from tests.demo.asking import LOCAL, NOON, REMOTE, Answer, Asker, Clock, new_world


def _problem(answer: Answer) -> tuple[int, object, object]:
    return answer.status, answer.at("error", "type"), answer.at("error", "message")


@pytest.mark.parametrize("name", ["none", "model"])
def test_no_key_and_a_foreign_key_get_a_bare_404(name: str) -> None:
    """Without a key, or with one of another family, the answer is exactly ``Not found``."""
    world, _, _ = new_world()
    asker = Asker(world, "" if name == "none" else world.key(name))
    assert _problem(asker.get(LOCAL)) == (404, "not_found_error", "Not found")


def test_settings_without_a_key_get_a_401() -> None:
    """Organisation settings are the exception that answers 401 without a key."""
    world, _, _ = new_world()
    answer = Asker(world, "").get(("organizations", world.organizations[0].uuid, "settings"))
    assert answer.status == 401


def test_wrong_path_looks_like_a_wrong_key() -> None:
    """A path that does not exist is answered like a missing key."""
    _, _, asker = new_world()
    for segments in (("nope",), (*LOCAL, "a", "b", "c"), ("apps", "sessions", "other"), (*REMOTE, "cse_abcd")):
        assert _problem(asker.get(segments)) == (404, "not_found_error", "Not found")


def test_unencoded_slash_in_an_id_is_a_wrong_path() -> None:
    """An id that was not percent-encoded falls apart at its slashes and reaches nothing."""
    world, _, asker = new_world()
    session_id = world.add_session()
    answer = asker.raw(f"/v1/compliance/apps/sessions/local/{session_id}/messages")
    assert _problem(answer) == (404, "not_found_error", "Not found")


def test_unknown_deactivated_and_revoked_keys_get_a_401() -> None:
    """A key of the right family that is unknown, deactivated or revoked is a 401."""
    world, _, asker = new_world()
    assert asker.get(LOCAL).status == 200
    world.revoke_key()
    assert _problem(asker.get(LOCAL))[:2] == (401, "authentication_error")
    assert Asker(world, world.key("deactivated")).get(LOCAL).status == 401
    assert Asker(world, world.key("auditor") + "x").get(LOCAL).status == 401


@pytest.mark.parametrize("segments", [LOCAL, (*LOCAL, "clls_abcd"), (*LOCAL, "clls_abcd", "messages"), REMOTE])
def test_admin_key_lacks_the_scope_for_sessions(segments: tuple[str, ...]) -> None:
    """An Admin key gets a 403 that lists what it has and what is needed, and pays one request for it."""
    world, _, _ = new_world()
    answer = Asker(world, world.key("admin")).get(segments)
    assert answer.status == 403
    assert "Missing required scopes" in answer.text("error", "message")
    assert "read:compliance_activities" in answer.text("error", "message")
    assert answer.response.header("anthropic-ratelimit-requests-remaining") == "599"


def test_audit_scope_opens_every_read() -> None:
    """The audit scope alone reads sessions and the directory; a content key does not read organisations."""
    world, _, _ = new_world()
    auditor = Asker(world, world.key("auditor"))
    assert [auditor.get(path).status for path in (LOCAL, REMOTE, ("organizations",))] == [200, 200, 200]
    assert Asker(world, world.key("content-only")).get(("organizations",)).status == 403


def test_refused_keys_cost_nothing() -> None:
    """Unauthenticated requests leave the budget alone and carry no budget headers."""
    world, _, asker = new_world()
    refused = Asker(world, world.key("deactivated")).get(LOCAL)
    assert refused.response.header("anthropic-ratelimit-requests-limit") is None
    assert asker.get(LOCAL).response.header("anthropic-ratelimit-requests-remaining") == "599"


def test_shared_budget_runs_out_and_returns_after_its_window() -> None:
    """A spent budget answers 429 with the seconds until it returns, and returns then."""
    clock = Clock()
    world = World(clock, budget=2)
    asker = Asker(world)
    assert [asker.get(LOCAL).status for _ in range(3)] == [200, 200, 429]
    clock.forward(timedelta(seconds=20.5))
    late = asker.get(LOCAL)
    assert late.response.header("retry-after") == "40"
    assert late.response.header("anthropic-ratelimit-requests-remaining") == "0"
    clock.forward(timedelta(seconds=40))
    assert asker.get(LOCAL).status == 200


def test_remote_budget_always_says_one_second() -> None:
    """A spent remote budget says one second, while its headers describe the shared budget."""
    world, _, asker = new_world()
    world.set_budget(remote=1)
    assert asker.get(REMOTE).status == 200
    spent = asker.get((*REMOTE, "cse_abcd", "messages"))
    assert spent.status == 429
    assert spent.response.header("retry-after") == "1"
    assert spent.response.header("anthropic-ratelimit-requests-remaining") == "598"
    assert asker.get(LOCAL).status == 200


def test_budget_is_shared_by_all_keys() -> None:
    """Two keys spend the same budget."""
    world, _, asker = new_world()
    world.set_budget(shared=1)
    assert asker.get(LOCAL).status == 200
    assert Asker(world, world.key("auditor")).get(LOCAL).status == 429


def test_every_answer_has_an_id_and_a_date_from_the_skewed_clock() -> None:
    """Request ids count up, and the date is the world's clock with its skew."""
    world, _, asker = new_world()
    world.clock_skew(-60)
    first, second = asker.get(LOCAL), asker.get(("nope",))
    assert first.response.header("request-id") != second.response.header("request-id")
    assert second.at("request_id") == second.response.header("request-id")
    assert first.response.header("date") == "Thu, 08 Oct 2026 11:59:00 GMT"


def test_guide_shape_of_errors_has_no_platform_members() -> None:
    """With the guide's shape an error body is the error alone."""
    world = World(lambda: NOON, platform=False)
    assert Asker(world, "").get(LOCAL).body == {"error": {"type": "not_found_error", "message": "Not found"}}


def test_only_get_is_served() -> None:
    """Another method is refused and changes nothing."""
    _, _, asker = new_world()
    assert asker.get(LOCAL, method="DELETE").status == 405


def test_requests_are_remembered_without_the_key() -> None:
    """The log holds every request with the value of the key replaced."""
    world, _, asker = new_world()
    asker.get(LOCAL, ("limit", 5))
    assert [request.target for request in world.requests] == ["/v1/compliance/apps/sessions/local?limit=5"]
    assert world.requests[0].header("x-api-key") == "redacted"


def test_reach_of_a_key_hides_other_organisations() -> None:
    """A key for one organisation lists, reads and resolves nothing of another, and does not say so."""
    world, _, asker = new_world()
    other = world.organizations[1].uuid
    local, remote = world.add_session(organization=other), world.add_remote_session(organization=other)
    narrow = Asker(world, world.key("one-organization"))
    assert asker.get(LOCAL).ids() == [local]
    assert asker.get(REMOTE).ids() == [remote]
    assert narrow.get(LOCAL).body == {"data": [], "next_page": None}
    assert narrow.get(REMOTE).ids() == []
    assert narrow.get((*LOCAL, local)).status == 404
    assert narrow.messages(local).status == 404
    assert narrow.messages(remote, family=REMOTE).status == 404
    assert narrow.get(("organizations", other, "users")).status == 404
    assert narrow.get(("organizations", other, "settings")).status == 404
    assert len(narrow.get(("organizations",)).rows("data")) == 1
