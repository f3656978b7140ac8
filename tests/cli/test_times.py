"""Instants as they are typed."""

from datetime import UTC, datetime

import pytest

from agentaudit.cli.times import understood
from agentaudit.errors import UsageFault

NOW = datetime(2026, 3, 10, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "closes", "meant"),
    [
        ("2026-03-01T09:00:00+01:00", False, "2026-03-01T08:00:00+00:00"),
        ("2026-03-01t09:00:00z", False, "2026-03-01T09:00:00+00:00"),
        ("2026-03-01T09:00:00.25-05:30", True, "2026-03-01T14:30:00.250000+00:00"),
        ("2026-03-01", False, "2026-03-01T00:00:00+00:00"),
        ("2026-03-01", True, "2026-03-02T00:00:00+00:00"),
        ("2026-12-31", True, "2027-01-01T00:00:00+00:00"),
        ("7d", False, "2026-03-03T12:00:00+00:00"),
        ("36h", True, "2026-03-09T00:00:00+00:00"),
        ("90m", False, "2026-03-10T10:30:00+00:00"),
    ],
)
def test_three_forms_are_understood_in_utc(text: str, closes: bool, meant: str) -> None:
    """RFC 3339 with an offset, a UTC date, a duration back from now."""
    assert understood("--x", text, NOW, closes=closes).isoformat() == meant


def test_a_naive_time_is_refused_for_having_no_place() -> None:
    """A time without an offset is not guessed at."""
    with pytest.raises(UsageFault, match=r"--x: .* has no offset"):
        understood("--x", "2026-03-01T09:00:00", NOW, closes=False)


@pytest.mark.parametrize(
    "text",
    [
        "", "yesterday", "2026-3-1", "2026-02-30", "2026-03-01 09:00:00Z", "0d", "7", "7w", "-7d", "999999d",
        "2026-03-01T09:00:60Z", "2026-03-01T24:00:00Z", "2026-03-01T09:00Z", "20260301T090000Z", "\u0667d",
        "2026-03-01T09:00:00.1234567Z", "9999-12-31", "0001-01-01T00:00:00+14:00", " 7d",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_the_forms(text: str) -> None:
    """What is no time is never taken for one."""
    with pytest.raises(UsageFault) as refused:
        understood("--x", text, NOW, closes=True)
    assert "7d" in refused.value.hint
