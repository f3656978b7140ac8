"""Our own tag files: canonical out, strict in. The laws stand in tests/laws/test_codec.py."""

import pytest

from agentaudit.encoding.canonical import Codec, NotCanonical, encode, encode_line
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.losses import Gap

LIMITS = Codec(ByteLimits)
SMALL = b'{"tool_input_max_bytes":-1,"tool_result_max_bytes":64}'


def test_keys_are_sorted_and_nothing_stands_between() -> None:
    """One value has one form; a line has one LF more."""
    limits = ByteLimits(tool_result_max_bytes=64)
    assert encode(limits) == SMALL
    assert encode_line(limits) == SMALL + b"\n"
    assert LIMITS.decode(SMALL) == limits


def test_what_is_unset_is_absent_and_what_is_null_is_null() -> None:
    """The three states of knowledge are told apart in the bytes."""
    assert encode(Gap(kind="excluded", code="other_user", basis="rule", source=(("reason", None),))) == (
        b'{"basis":"rule","code":"other_user","count":1,"kind":"excluded","source":[["reason",null]]}'
    )


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff",
        b"[" * 100_000,
        SMALL + b"\n",
        SMALL.replace(b"-1", b"-1.0"),
        SMALL.replace(b"-1", b"-01"),
        SMALL.replace(b"-1", b'"-1"'),
        SMALL.replace(b":", b": "),
        b'{"tool_result_max_bytes":64,"tool_input_max_bytes":-1}',
        b'{"tool_input_max_bytes":-1,"tool_input_max_bytes":-1,"tool_result_max_bytes":64}',
        b'{"tool_input_max_bytes":-1,"tool_result_max_bytes":64,"x":0}',
        b'{"tool_input_max_bytes":-1}',
    ],
)
def test_what_is_not_canonical_is_refused_without_its_content(octets: bytes) -> None:
    """No JSON, other types, other writing, members twice, unknown or left out."""
    with pytest.raises(NotCanonical) as caught:
        LIMITS.decode(octets)
    assert "tool" not in str(caught.value)


def test_a_value_of_another_type_is_refused() -> None:
    """Each codec reads its own type."""
    with pytest.raises(NotCanonical):
        LIMITS.decode(encode(ReadLimits()))


def test_long_digits_in_a_text_are_no_integer() -> None:
    """A text that looks like one inside is read as it is."""
    gap = Gap(kind="excluded", code="other_user", basis="rule", subject="a:99999999999999999999")
    assert Codec(Gap).decode(encode(gap)) == gap
