"""Lines cut from chunks of any size."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.stores import cutting
from agentaudit.adapters.stores.cutting import LineCutter


def cut(text: bytes, *cuts: int) -> list[bytes]:
    """The lines of a text that comes in the pieces between the cuts."""
    taken: list[bytes] = []
    cutter = LineCutter(taken.append)
    for begin, end in pairwise((0, *sorted(one % (len(text) + 1) for one in cuts), len(text))):
        cutter.feed(memoryview(text)[begin:end])
    cutter.finish()
    return taken


@given(st.lists(st.sampled_from([b"a", b"bc", b"\n", b"\r"]), max_size=40).map(b"".join), st.lists(st.integers(0, 99)))
def test_lines_do_not_depend_on_the_pieces(text: bytes, cuts: list[int]) -> None:
    """Each line that is not empty, whole, without its line feed."""
    assert cut(text, *cuts) == [line for line in text.split(b"\n") if line]


@pytest.mark.parametrize("cuts", [(), (3,), (3, 6), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)])
def test_a_line_over_the_bound_is_passed_over(monkeypatch: pytest.MonkeyPatch, cuts: tuple[int, ...]) -> None:
    """Its neighbours are whole; memory holds no more than the bound."""
    monkeypatch.setattr(cutting, "LINE_MAX_BYTES", 4)
    assert cut(b"ab\nabcdefgh\ncd\n", *cuts) == ([b"ab", b"cd"] if cuts else [b"ab", b"abcdefgh", b"cd"])


def test_a_last_line_over_the_bound_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no line feed ends it."""
    monkeypatch.setattr(cutting, "LINE_MAX_BYTES", 4)
    assert cut(b"ab\nabcdefgh", 5, 7) == [b"ab"]
