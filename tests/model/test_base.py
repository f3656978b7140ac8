"""Digests and instants."""

from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.model.base import INSTANT, Frozen, digest_of, instant_of, moment_of
from agentaudit.model.limits import ByteLimits


def test_a_digest_names_its_algorithm() -> None:
    """`sha256:` and 64 hex digits, of any buffer."""
    expected = "sha256:" + sha256(b"abc").hexdigest()
    assert digest_of(b"abc") == digest_of(bytearray(b"abc")) == digest_of(memoryview(b"abc")) == expected


@given(st.datetimes(timezones=st.timezones()))
def test_an_instant_is_utc_with_microseconds(moment: datetime) -> None:
    """Whatever the offset it came with; it is read back as the same moment, and instants sort as moments do."""
    try:
        utc = moment.astimezone(UTC)
    except OverflowError:
        return
    instant = instant_of(moment)
    assert INSTANT.match(instant)
    assert moment_of(instant) == utc
    if utc < datetime.max.replace(tzinfo=UTC) - timedelta(seconds=1):
        assert instant_of(utc + timedelta(seconds=1)) > instant


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-02T09:00:00Z",
        "2026-03-02T09:00:00.000000+00:00",
        "2026-03-02 09:00:00.000000Z",
        "2026-03-02T09:00:00.000000Z\n",
        "٢026-03-02T09:00:00.000000Z",
    ],
)
def test_an_instant_has_one_form(text: str) -> None:
    """Six digits, `T` and `Z`, ASCII, and nothing behind them."""
    assert not INSTANT.match(text)
    assert INSTANT.match("2026-03-02T09:00:00.000000Z")


def test_a_moment_without_an_offset_has_no_place_in_time() -> None:
    """Neither as a value nor as a text."""
    naive = datetime(2026, 3, 2, 9, tzinfo=UTC).replace(tzinfo=None)
    with pytest.raises(ValueError, match="without an offset"):
        instant_of(naive)
    with pytest.raises(ValueError, match="without an offset"):
        moment_of("2026-03-02T09:00:00")
    with pytest.raises(ValueError, match="Invalid isoformat"):
        moment_of("tomorrow")
    assert moment_of("2026-03-02T10:00:00+01:00") == datetime(2026, 3, 2, 10, tzinfo=timezone(timedelta(hours=1)))


def test_values_are_frozen_and_refuse_what_they_do_not_know() -> None:
    """A field cannot be set, none can be added, and unknown ones are not read over."""
    limits = ByteLimits()
    with pytest.raises(AttributeError):
        limits.tool_input_max_bytes = 1  # type: ignore[misc]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"tool_input_max_bytes": 1, "other": 2}, ByteLimits)
    assert isinstance(limits, Frozen)
