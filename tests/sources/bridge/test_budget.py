"""The pace of requests to the bridge."""

from agentaudit.sources.bridge.budget import EvenBudget


def test_no_window_of_a_minute_holds_more_than_was_set() -> None:
    """Wherever the bridge's fixed window begins: there is no burst, also after a pause."""
    budget, now, sent = EvenBudget(200), 500_000, []
    for _ in range(700):
        now += budget.wait_ms(now)
        assert budget.wait_ms(now) == 0
        budget.spent(now)
        sent.append(now)
    assert max(sum(begin <= at < begin + 60_000 for at in sent) for begin in sent) <= 200
    budget.learn((("retry-after", "1"),), now)
    assert budget.wait_ms(now + 600_000) == 0
