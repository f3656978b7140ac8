"""Ordinals: 0, 1, 2 ... to the end, or what lacks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.codex.ordinals import SHOWN_MAX, Ordinals
from agentaudit.encoding.foreign import Json
from agentaudit.model.codex import OrdinalFacts


def facts(*ordinals: Json, limit: int = 100) -> OrdinalFacts:
    """What is said of them."""
    reading = Ordinals(limit)
    for ordinal in ordinals:
        reading.see(ordinal)
    return reading.facts()


def test_a_whole_rollout_counts_from_nothing() -> None:
    """Contiguous, with first and last and nothing missing."""
    found = facts(0, 1, 2)
    assert (found.state, found.numbered, found.first, found.last) == ("contiguous", 3, 0, 2)
    assert (found.missing, found.gaps, found.repeats, found.late) == (0, (), 0, 0)


def test_no_record_and_no_ordinal_are_told_apart() -> None:
    """An older release numbers nothing, which is no fault."""
    assert (facts().state, facts().first, facts().last) == ("empty", None, None)
    assert facts(None, None).state == "unnumbered"
    assert facts(0, None).state == "partly"


@pytest.mark.parametrize(
    ("ordinals", "missing", "gaps", "repeats", "late"),
    [
        ((2, 3), 2, ((0, 1),), 0, 0),
        ((0, 1, 5), 3, ((2, 4),), 0, 0),
        ((0, 1, 1, 2), 0, (), 1, 0),
        ((0, 3, 1, 2), 0, (), 0, 2),
        ((0, 4, 2), 2, ((1, 1), (3, 3)), 0, 1),
        ((0, 4, 2, 2), 2, ((1, 1), (3, 3)), 1, 1),
        ((0, 1, 2, 0, 1), 0, (), 2, 0),
        ((1, 0), 0, (), 0, 1),
    ],
)
def test_what_breaks_the_count_is_named(
    ordinals: tuple[int, ...], missing: int, gaps: tuple[tuple[int, int], ...], repeats: int, late: int
) -> None:
    """Gaps, repeats and records that come late are three things."""
    found = facts(*ordinals)
    assert found.state == "broken"
    assert (found.missing, found.gaps, found.repeats, found.late) == (missing, gaps, repeats, late)


@pytest.mark.parametrize("odd", [-1, 2**53, 1.0, "1", True, [1]])
def test_what_is_no_ordinal_is_odd(odd: Json) -> None:
    """It is counted, and neither first nor last."""
    found = facts(odd)
    assert (found.state, found.odd, found.numbered, found.last) == ("broken", 1, 0, None)
    assert facts(0, odd, 1).state == "broken"


def test_too_many_gaps_leave_the_rest_unsaid() -> None:
    """Known to be unknown: no number is given that would be wrong."""
    found = facts(0, 2, 4, 6, limit=2)
    assert (found.state, found.missing, found.repeats, found.late, found.last) == ("broken", None, None, None, 6)
    assert found.gaps == ((1, 1), (3, 3))


def test_only_the_first_gaps_are_shown() -> None:
    """All of them are counted."""
    found = facts(*range(0, 400, 2), limit=1_000)
    assert (len(found.gaps), found.missing) == (SHOWN_MAX, 199)


@given(st.lists(st.integers(min_value=0, max_value=30), max_size=60))
def test_the_counts_agree_with_sets(ordinals: list[int]) -> None:
    """Missing is what lies below the greatest and was never seen; what is no new number is a repeat."""
    found = facts(*ordinals)
    distinct = set(ordinals)
    assert found.missing == (len(set(range(max(distinct))) - distinct) if distinct else 0)
    assert found.repeats == len(ordinals) - len(distinct)
    assert (found.state == "contiguous") == (bool(ordinals) and ordinals == list(range(len(ordinals))))
