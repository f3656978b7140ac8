"""Envelopes: outer members without their insides, and None where they do not fit."""

import msgspec
import pytest

from agentaudit.encoding.envelope import Envelopes, Raw


class Outer(msgspec.Struct, frozen=True, kw_only=True):
    """Two members of a foreign object."""

    word: str | None = None
    inside: Raw = Raw()


def test_named_members_are_read_and_the_rest_is_passed_over() -> None:
    """What lies inside stays the text that it is."""
    outer = Envelopes(Outer).read(b'{"x": [1, {"y": 2}], "word": "w", "inside": {"a": [1, 2]}}')
    assert outer is not None
    assert (outer.word, bytes(outer.inside)) == ("w", b'{"a": [1, 2]}')
    assert Envelopes(Outer).read(b"{}") == Outer()


@pytest.mark.parametrize(
    "text", [b"", b"[]", b'{"word": 1}', b'{"word": "w"', b'{"word": "\xff"}', b"[" * 5000, b"{} {}"]
)
def test_what_does_not_fit_is_none(text: bytes) -> None:
    """The tolerant reader decides about it."""
    assert Envelopes(Outer).read(text) is None
