"""The context of an organisation, as far as it is documented."""

import json

import pytest

from agentaudit.adapters.compliance.directory import delete_scope_warning, organization_id, retention_periods
from agentaudit.encoding.foreign import Json


@pytest.mark.parametrize(
    ("entry", "identifier"),
    [
        ({"uuid": "a-1"}, "a-1"),
        ({"uuid": ".."}, None),
        ({"uuid": "x" * 65}, None),
        ({"uuid": "a\n"}, None),
        ({"uuid": 5}, None),
        ({}, None),
        ([], None),
    ],
)
def test_an_organisation_is_asked_for_by_a_plain_uuid(entry: Json, identifier: str | None) -> None:
    """Anything else is no segment of a path."""
    assert organization_id(entry) == identifier


FIXED: Json = {"type": "fixed", "duration": 30, "timescale": "day"}


def test_trap_23_retention_periods_are_found_at_the_top_and_in_rows() -> None:
    """The layout is not documented to the last member."""
    assert retention_periods({"data_retention_periods": {"chat": FIXED}}) == (("chat", "fixed 30 day"),)
    rows: Json = {
        "data": [{"type": "data_retention_periods", "value": {"all": {"type": "indefinite"}}}, 5, {"type": "x"}]
    }
    assert retention_periods(rows) == (("all", "indefinite"),)


@pytest.mark.parametrize(
    "settings",
    [
        None,
        {},
        {"data_retention_periods": []},
        {"data_retention_periods": {"a": True, "b\n": FIXED, "c": {}}},
        {"data": 5},
    ],
)
def test_what_is_no_period_is_not_stated(settings: Json) -> None:
    """A guess about retention would be worse than none."""
    assert retention_periods(settings) == ()


def settings(*keys: object) -> bytes:
    """Settings with these keys."""
    return json.dumps({"api_keys": list(keys)}).encode()


DELETES = {"scopes": ["read:x", "delete:compliance_user_data"], "is_active": True}


def test_trap_25_a_key_that_may_delete_is_warned_about() -> None:
    """Seen in the text of a 403, or among the organisation's active keys."""
    refusal = b'{"error": {"type": "permission_error", "message": "has delete:compliance_user_data"}}'
    assert delete_scope_warning(403, (), refusal) is not None
    assert delete_scope_warning(200, (("Content-Encoding", "identity"),), settings(5, DELETES)) is not None


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (403, b'{"error": {"message": "read:compliance_user_data"}}'),
        (404, settings(DELETES)),
        (200, settings({**DELETES, "is_active": False})),
        (200, settings({"scopes": "delete:all"}, {"scopes": [5, "read:x"]})),
        (200, b'{"api_keys": 5}'),
        (200, b"<html>"),
    ],
)
def test_no_other_answer_is_warned_about(status: int, body: bytes) -> None:
    """Reading scopes, inactive keys, and answers that say nothing of keys."""
    assert delete_scope_warning(status, (), body) is None
