"""The budget: pure pacing, and a reserve for the organisation's own consumers."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.sources.compliance.budget import HOLD_MAX_MS, HOLD_UNDATED_MS, Budget

DATE = ("Date", "Thu, 08 Oct 2026 12:00:00 GMT")


def stated(remaining: str, limit: str = "600", reset: str = "2026-10-08T12:00:30Z") -> tuple[tuple[str, str], ...]:
    """Rate-limit headers."""
    return (
        ("Anthropic-RateLimit-Requests-Limit", limit),
        ("anthropic-ratelimit-requests-remaining", remaining),
        ("anthropic-ratelimit-requests-reset", reset),
    )


@settings(deadline=None)
@given(st.integers(1, 6_000), st.lists(st.integers(0, 2_000), max_size=200))
def test_no_stretch_holds_more_than_its_share(per_minute: int, pauses: list[int]) -> None:
    """Over any stretch from the beginning: one second's worth at once, then the stated rate."""
    budget, now = Budget(per_minute), 1_000
    for sent, pause in enumerate(pauses, 1):
        now += pause
        wait = budget.wait_ms(now)
        now += wait
        assert budget.wait_ms(now) == 0
        budget.spent(now)
        assert sent <= max(1.0, per_minute / 60) + (now - 1_000) * per_minute / 60_000 + 1e-6


def test_waiting_does_not_depend_on_how_often_it_is_asked_about() -> None:
    """Looking at the budget spends nothing."""
    budget = Budget(60)
    budget.spent(0)
    assert [budget.wait_ms(0), budget.wait_ms(0), budget.wait_ms(400)] == [1_001, 1_001, 601]


def test_a_clock_that_steps_back_gives_nothing_away() -> None:
    """No tokens appear from a negative time."""
    budget = Budget(60)
    budget.spent(1_000)
    assert budget.wait_ms(0) == 1_001


def test_trap_21_a_reserve_is_left_for_the_organisation() -> None:
    """Below a fifth of the shared budget nothing is sent until the reset; at a fifth it goes on."""
    budget = Budget(6_000)
    budget.learn((*stated("120"), DATE), 0)
    assert budget.wait_ms(0) == 0
    budget.learn((*stated("119"), DATE), 0)
    assert [budget.wait_ms(0), budget.wait_ms(29_000), budget.wait_ms(30_000)] == [30_000, 1_000, 0]


def test_the_reset_is_measured_by_the_server_s_own_clock() -> None:
    """Without its date, or with one that is none, a fixed pause is held."""
    for date in ((), (("date", "yesterday"),), (("date", "Thu, 08 Oct 2026 12:00:00 -0000"),)):
        budget = Budget(6_000)
        budget.learn((*stated("0"), *date), 0)
        assert budget.wait_ms(0) == HOLD_UNDATED_MS


def test_a_reset_far_away_or_past_or_unreadable_is_bounded() -> None:
    """At most two minutes, at least nothing."""
    for reset, wait in (
        ("2027-01-01T00:00:00Z", HOLD_MAX_MS),
        ("2026-10-08T11:00:00Z", 0),
        ("soon", HOLD_UNDATED_MS),
        ("2026-10-08T12:00:30", HOLD_UNDATED_MS),
    ):
        budget = Budget(6_000)
        budget.learn((*stated("0", reset=reset), DATE), 0)
        assert budget.wait_ms(0) == wait


def test_headers_that_cannot_be_read_change_nothing() -> None:
    """Missing, negative and wordy counts."""
    budget = Budget(6_000)
    for headers in ((), stated("few"), stated("-1"), stated("0", limit=""), stated("0", limit="0")):
        budget.learn(headers, 0)
    assert budget.wait_ms(0) == 0


def test_an_earlier_hold_is_not_shortened_by_a_later_answer() -> None:
    """Answers of several connections arrive in any order."""
    budget = Budget(6_000)
    budget.learn((*stated("0"), DATE), 0)
    budget.learn((*stated("0", reset="2026-10-08T12:00:01Z"), DATE), 0)
    assert budget.wait_ms(0) == 30_000
