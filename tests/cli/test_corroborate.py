"""What a feed says of a collection's requests, as it is printed."""

import io

from agentaudit.cli.console import Console
from agentaudit.cli.corroborate import LISTED, tell
from agentaudit.model.base import Instant
from agentaudit.model.corroboration import Corroboration, OwnRequest

AT = Instant("2026-10-08T11:59:00.000000Z")


def told(*missing: OwnRequest, whole: bool = True) -> str:
    """The comparison of a collection, these requests of which are missing."""
    found = Corroboration(
        exhibit="EX-0001", feed="EX-0002", begins=None, ends=None, feed_is_whole=whole, requests=len(missing),
        matched=0, missing=len(missing), not_covered=0, without_id=0, status_differs=0, others_of_the_key=0,
        missing_requests=missing, differing_requests=(), other_requests=(),
    )  # fmt: skip
    out = io.StringIO()
    tell(Console(out, io.StringIO(), io.BytesIO(), {}), found)
    return out.getvalue()


def request(row: int) -> OwnRequest:
    """A request of that journal row."""
    return OwnRequest(row=row, walk="w0001", page=2, asked_at=AT, request_id="req", status=200)


def test_a_window_without_ends_is_said_to_have_none() -> None:
    """Nothing that was not asked for looks like a date."""
    assert "the beginning until open" in told()


def test_a_feed_that_broke_off_weakens_what_is_missing() -> None:
    """It is said, and only then."""
    assert "broke off" in told(request(7), whole=False)
    assert "broke off" not in told(request(7))


def test_each_missing_request_is_told_and_the_rest_counted() -> None:
    """A list that was cut never looks whole."""
    assert f"  missing: journal row 7, w0001 page 2, asked at {AT}" in told(request(7))
    page = told(*(request(row) for row in range(LISTED + 2)))
    assert page.count("  missing: ") == LISTED
    assert "2 more missing requests: --json names up to 1,000" in page
    assert "more missing" not in told(*(request(row) for row in range(LISTED)))
