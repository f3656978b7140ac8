"""Times of records: least, greatest, and steps back; what has no offset has no place."""

import pytest

from agentaudit.adapters.stores.times import Times


def times(*stamps: str | None) -> Times:
    """The times of records in file order."""
    seen = Times()
    for stamp in stamps:
        seen.see(stamp)
    return seen


def test_the_order_of_the_file_is_not_the_order_of_time() -> None:
    """First and last are least and greatest, in one form, whatever offset they were written with."""
    seen = times(
        "2026-01-01T10:00:00.000Z", "2026-01-01T09:00:00Z", "2026-01-01T12:00:00+01:00", "2026-01-01T10:30:00Z"
    )
    assert (seen.first, seen.last) == ("2026-01-01T09:00:00.000000Z", "2026-01-01T11:00:00.000000Z")
    assert (seen.reversals, seen.untimed) == (2, 0)


@pytest.mark.parametrize(
    "stamp",
    [None, "", "yesterday", "2026-01-01T10:00:00", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "\ud83d"],
)
def test_what_is_no_instant_is_untimed(stamp: str | None) -> None:
    """Missing, naive, unreadable, or at the ends of the calendar."""
    seen = times(stamp)
    assert (seen.first, seen.last, seen.untimed) == (None, None, 1)


def test_an_equal_time_is_no_step_back() -> None:
    """Several records share one instant."""
    assert times(*["2026-01-01T10:00:00Z"] * 3).reversals == 0
