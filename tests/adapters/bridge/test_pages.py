"""Pages, names and words of the bridge."""

import pytest

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.bridge.naming import (
    JOBS_WALK,
    STATUS_WALK,
    Place,
    is_job_id,
    job_asked,
    job_walk,
    payloads_asked,
    place_of,
)
from agentaudit.adapters.bridge.pages import READ_AUDIT, READ_JOBS, BridgePage, read_lone, read_one
from agentaudit.adapters.bridge.secrets import REDUCED, is_bridge_secret, is_withheld_table
from agentaudit.adapters.wording import NUMBER_MAX, number
from tests.support.bridging import job_id


@pytest.mark.parametrize(
    ("body", "cursor"),
    [
        (b'{"entries":[],"nextCursor":null}', None),
        (b'{"entries":[]}', None),
        (b'{"entries":[],"nextCursor":7}', "7"),
        (b'{"entries":[],"nextCursor":"abc"}', "abc"),
    ],
)
def test_only_a_null_or_absent_cursor_ends_a_walk(body: bytes, cursor: str | None) -> None:
    """A number and an id lead on."""
    page = READ_AUDIT(body, None)
    assert isinstance(page, BridgePage)
    assert page.next_cursor == cursor


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"no json", "not_json"),
        (b"[]", "not_an_object"),
        (b'{"jobs":{}}', "data_wrong_type"),
        (b'{"jobs":[],"nextCursor":true}', "next_page_wrong_type"),
        (b'{"jobs":[],"nextCursor":"a b"}', "next_page_wrong_type"),
    ],
)
def test_what_is_no_page_is_unreadable(body: bytes, reason: str) -> None:
    """A coded reason, and never an exception."""
    found = READ_JOBS(body, None)
    assert isinstance(found, Unreadable)
    assert found.reason == reason


def test_a_lone_object_is_a_page_of_one() -> None:
    """Also where it stands under `job`."""
    assert read_lone(b'{"job":{"id":1}}') == BridgePage(({"id": 1},), None)
    assert read_one(b'{"id":1}') == {"id": 1}
    assert isinstance(read_lone(b"["), Unreadable)


def test_a_walk_says_what_was_asked() -> None:
    """Its name has counters only, and a foreign one says nothing."""
    assert place_of(STATUS_WALK) == Place("status")
    assert place_of(JOBS_WALK) == Place("jobs")
    assert place_of(job_walk(7, "audit")) == Place("audit", 7)
    assert place_of("compliance/local/lists/l01") is None
    assert job_asked("http://h/v1/bridge/jobs/a%20b/audit?x=1") == "a b"
    assert job_asked("http://h/v1/bridge/status") is None
    assert payloads_asked((("includePayloads", "true"),))
    assert not payloads_asked((("includePayloads", "false"),))


def test_numbers_are_those_that_a_row_can_hold() -> None:
    """No truth value, no negative, nothing beyond 2^53-1."""
    assert [number(one) for one in (0, 7, True, -1, 1.0, "1", None, NUMBER_MAX + 1)] == [0, 7, *[None] * 6]
    assert is_job_id(job_id(1))
    assert not is_job_id("job-1")


@pytest.mark.parametrize("name", [b"owner.token", b"queue.sqlite", b"Queue.SQLite-wal", b"a.db", b"x.pem"])
def test_tokens_and_databases_are_secrets(name: bytes) -> None:
    """Whatever the case of their names."""
    assert is_bridge_secret(name)


def test_what_is_no_secret_is_none() -> None:
    """An export, and the copy that lacks the rows of tokens."""
    assert not is_bridge_secret(b"export.json")
    assert not is_bridge_secret(REDUCED)
    assert is_withheld_table("Tokens")
    assert not is_withheld_table("jobs")
