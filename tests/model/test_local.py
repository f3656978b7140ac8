"""Names and times of local files."""

from hypothesis import given
from hypothesis import strategies as st

from agentaudit.model.local import nano_instant, nanoseconds_of, true_name
from agentaudit.model.text import Unencodable


@given(st.integers(-(2**63), 2**63 - 1))
def test_a_time_is_written_to_the_nanosecond(nanoseconds: int) -> None:
    """Whatever a file system can hold, inside and outside the calendar, comes back as it was."""
    assert nanoseconds_of(nano_instant(nanoseconds)) == nanoseconds


def test_times_within_and_beyond_the_calendar_have_their_forms() -> None:
    """RFC 3339 with nine digits; `@` and seconds where no year has four digits."""
    assert nano_instant(0) == "1970-01-01T00:00:00.000000000Z"
    assert nano_instant(-1) == "1969-12-31T23:59:59.999999999Z"
    assert nano_instant(10**21 + 5) == "@1000000000000.000000005"
    assert nanoseconds_of(nano_instant(10**21 + 5)) == 10**21 + 5


@given(st.binary(max_size=12))
def test_the_true_name_is_kept_whatever_its_bytes(raw: bytes) -> None:
    """As text where it is UTF-8, else its bytes in hex beside a form that can be read."""
    name = true_name(raw)
    if isinstance(name, Unencodable):
        assert bytes.fromhex(name.hex) == raw
        assert name.display.encode().decode() == name.display
    else:
        assert name.encode() == raw


def test_a_name_that_is_no_utf_8_is_told_from_its_display_form() -> None:
    """The bytes decide, not what they look like."""
    odd, plain = true_name(b"a\xff"), true_name(rb"a\xff")
    assert odd != plain
    assert isinstance(odd, Unencodable)
    assert odd.display == plain
