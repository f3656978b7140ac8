"""A document is cut into pieces, however its bytes come, and damage is named."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.bridge.cutting import Damage, DocumentCutter, Element, Member, Piece

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(alphabet='ab"\\]}[{,:', max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='ab"', max_size=3), inner, max_size=3),
    max_leaves=8,
)


def _cut(octets: bytes, size: int, bound: int = 1_000) -> list[Piece]:
    cutter = DocumentCutter("entries", bound)
    pieces = [one for at in range(0, len(octets), size) for one in cutter.feed(octets[at : at + size])]
    return [*pieces, *cutter.finish()]


@given(st.lists(VALUES, max_size=4), VALUES, st.integers(1, 9))
def test_the_pieces_are_those_of_the_whole_document(elements: list[object], other: object, size: int) -> None:
    """Cutting byte by byte gives what reading the whole would."""
    octets = json.dumps({"a": other, "entries": elements, "z": 1}).encode()
    expected = [Member("a", other), *(Element(at, one) for at, one in enumerate(elements)), Member("z", 1)]  # type: ignore[arg-type]
    assert _cut(octets, size) == expected


@pytest.mark.parametrize(
    ("octets", "code", "offset"),
    [
        (b"", "document_cut", 0),
        (b"[1]", "not_an_object", 0),
        (b'"x"', "not_an_object", 0),
        (b"}", "not_an_object", 0),
        (b"abc,", "not_an_object", 3),
        (b"x{}", "not_an_object", 1),
        (b'{"entries":[1,2', "document_cut", 14),
        (b'{"a":1}x', "trailing_bytes", 7),
        (b'{"a":1}' + b"x" * 99, "trailing_bytes", 7),
        (b'{"entries":[nope]}', "not_json", 12),
        (b'{"a":}', "not_json", 1),
    ],
)
@pytest.mark.parametrize("size", [1, 100])
def test_damage_is_named_with_its_offset(octets: bytes, code: str, offset: int, size: int) -> None:
    """The last piece says what is amiss, and where."""
    damage = _cut(octets, size)[-1]
    assert isinstance(damage, Damage)
    assert (damage.code, damage.offset) == (code, offset)


def test_a_piece_over_the_bound_is_passed_over() -> None:
    """What follows it is read, under its own number."""
    octets = b'{"entries":[1,"' + b"x" * 50 + b'",2],"b":"' + b"y" * 50 + b'","c":3}'
    assert _cut(octets, 4, bound=10) == [
        Element(0, 1), Damage("piece_over_limit", 14), Element(2, 2), Damage("piece_over_limit", 70), Member("c", 3),
    ]  # fmt: skip


def test_after_damage_nothing_is_cut() -> None:
    """What comes behind is not looked at."""
    cutter = DocumentCutter("entries")
    assert [type(one) for one in cutter.feed(b"[1]")] == [Damage]
    assert list(cutter.feed(b'{"a":1}')) == []
    assert list(cutter.finish()) == []
