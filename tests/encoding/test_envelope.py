"""Envelopes: outer members without their insides, and None where they do not fit."""

import msgspec
import pytest

from agentaudit.encoding.envelope import Envelopes, Raw, laxly
from agentaudit.encoding.foreign import ELIDED
from tests.support.interpreters import DEEP_STACK, SHALLOW_STACK, stack_of


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


def test_read_laxly_a_number_may_be_a_text_and_a_text_stays_one() -> None:
    """Digits in quotes are the number; what is not spelled like one does not fit."""

    class Counted(msgspec.Struct):
        """A number, a truth and a text."""

        number: int | None = None
        truth: bool | None = None
        text: str | None = None

    lax = Envelopes(Counted, lax=True)
    assert lax.read(b'{"number": "12", "truth": "true", "text": "12"}') == Counted(number=12, truth=True, text="12")
    assert lax.read(b'{"number": "twelve"}') is None
    assert Envelopes(Counted).read(b'{"number": "12"}') is None


@pytest.mark.parametrize(("depth", "is_read"), [(1, True), (255, True), (256, False), (900, False), (2_000, False)])
def test_a_shallow_reading_ends_at_one_depth_in_every_interpreter(depth: int, is_read: bool) -> None:
    """What it takes does not depend on how many calls there is room for."""
    text = b'{"word":"w","x":' + b"[" * depth + b"]" * depth + b"}"
    for room in (SHALLOW_STACK, DEEP_STACK):
        with stack_of(room):
            assert (Envelopes(Outer, shallow=True).read(text) is not None) is is_read


@pytest.mark.parametrize(
    ("kind", "item", "value"),
    [
        (int, "12", 12), (int, 12.0, 12), (int, 1.5, None), (int, "x", None), (int, None, None), (int, {}, None),
        (int, "\ud800", None), (int, ELIDED, None), (bool, "true", True), (bool, 0, False), (bool, "yes", None),
    ],
)  # fmt: skip
def test_a_value_is_taken_as_a_lax_reading_takes_its_text(kind: type[object], item: object, value: object) -> None:
    """As a number or a truth where its text would be one, else not at all."""
    assert laxly(kind, item) is value or laxly(kind, item) == value
