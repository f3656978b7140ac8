"""Requests: only GET below one root, opaque segments, parameters that never change."""

import pytest

from agentaudit.model.base import Instant
from agentaudit.model.limits import ByteLimits
from agentaudit.model.selection import Family, SessionSelection, Window
from agentaudit.model.walk import Request
from agentaudit.sources.compliance.requests import (
    at_cursor,
    directory_request,
    list_requests,
    messages_request,
    session_request,
)

BEGINS, ENDS = Instant("2026-10-01T00:00:00.000000Z"), Instant("2026-10-08T00:00:00.000000Z")
LOCAL = "/v1/compliance/apps/sessions/local"
LIMIT = ("limit", "500")


def asked(
    kind: str, family: Family, begins: Instant | None = BEGINS, ends: Instant | None = ENDS
) -> list[tuple[str, ...]]:
    """The names and values asked for by each list walk."""
    selection = SessionSelection(
        families=(family,),
        window_kind=kind,  # type: ignore[arg-type]
        window=Window(begins=begins, ends=ends),
    )
    return [tuple("=".join(pair) for pair in request.query) for request in list_requests(selection, family)]


def test_trap_05_an_activity_window_is_listed_by_activity_and_then_reconciled_by_creation() -> None:
    """Two walks: `created_at.lt` with `updated_at.gte`, then `created_at.lt` alone."""
    assert asked("activity", "local") == [
        (f"created_at.lt={ENDS}", f"updated_at.gte={BEGINS}", "limit=500"),
        (f"created_at.lt={ENDS}", "limit=500"),
    ]
    assert asked("activity", "local", ends=None) == [(f"updated_at.gte={BEGINS}", "limit=500"), ("limit=500",)]


def test_a_window_without_a_beginning_needs_no_reconciliation() -> None:
    """The same list would be walked twice."""
    assert asked("activity", "local", begins=None) == [(f"created_at.lt={ENDS}", "limit=500")]


def test_remote_lists_know_no_filter_by_activity() -> None:
    """They are listed by creation and decided on our side; no user filter drops agents' sessions (trap 22)."""
    assert asked("activity", "remote") == [(f"created_at.lt={ENDS}", "limit=500")]


@pytest.mark.parametrize("family", ["local", "remote"])
def test_a_creation_window_is_asked_for_as_it_is(family: Family) -> None:
    """Both bounds, one walk."""
    assert asked("creation", family) == [(f"created_at.gte={BEGINS}", f"created_at.lt={ENDS}", "limit=500")]


def test_without_a_window_everything_is_listed() -> None:
    """Our filters are never sent: what they leave out is counted."""
    selection = SessionSelection(families=("local",), users=("u",), surfaces=("cowork",))
    assert list_requests(selection, "local") == (Request(LOCAL, (LIMIT,)),)


def test_trap_19_times_are_sent_with_z() -> None:
    """A bare plus would mean a space."""
    assert all("+" not in word for words in asked("creation", "local") for word in words)


def test_trap_19_an_identifier_is_one_percent_encoded_segment() -> None:
    """Slashes, pluses and equal signs of base64 included."""
    assert session_request("clls_a+/=é").path == f"{LOCAL}/clls_a%2B%2F%3D%C3%A9"


def test_trap_03_both_byte_limits_are_sent_and_trap_12_always_in_ascending_order() -> None:
    """The defaults would clip at 10,000 bytes; descending meets unreadable pages."""
    request = messages_request("remote", "cse_1", ByteLimits(tool_result_max_bytes=77))
    assert request == Request(
        "/v1/compliance/apps/sessions/remote/cse_1/messages",
        (("limit", "1000"), ("order", "asc"), ("tool_use_input_max_bytes", "-1"), ("tool_result_max_bytes", "77")),
    )


def test_every_page_repeats_the_parameters_unchanged() -> None:
    """Only the token is added."""
    request = messages_request("local", "clls_1", ByteLimits())
    assert at_cursor(request, None) == request
    assert at_cursor(request, "page_+") == Request(request.path, (*request.query, ("page", "page_+")))


def test_the_directory_has_three_questions() -> None:
    """Organisations, the settings of one, the members of one."""
    assert directory_request("organizations") == Request("/v1/compliance/organizations", (("limit", "1000"),))
    assert directory_request("settings", "a/b") == Request("/v1/compliance/organizations/a%2Fb/settings", ())
    assert directory_request("users", "o") == Request("/v1/compliance/organizations/o/users", (("limit", "1000"),))
