"""Which words of the ledger belong together."""

import pytest

from agentaudit.adapters.openclaw.vocabulary import CODES, REASONS, is_bound, is_bound_message


@pytest.mark.parametrize(
    ("kind", "status", "code", "bound"),
    [
        ("agent_run", "started", None, True),
        ("agent_run", "started", "run_failed", False),
        ("agent_run", "failed", "run_failed", True),
        ("agent_run", "failed", None, False),
        ("agent_run", "blocked", "run_timed_out", False),
        ("agent_run", "unknown", None, False),
        ("tool_action", "unknown", "tool_outcome_unknown", True),
    ],
)
def test_a_status_and_its_code_are_bound(kind: str, status: str, code: str | None, *, bound: bool) -> None:
    """Each status but the good ones has its own code; a run has no unknown end."""
    assert is_bound(kind, status, code) is bound


def test_every_status_takes_its_codes_and_no_other() -> None:
    """The whole table, both ways."""
    for kind, statuses in CODES.items():
        every = {code for codes in statuses.values() for code in codes}
        for status, codes in statuses.items():
            assert all(is_bound(kind, status, code) is (code in codes) for code in every)


@pytest.mark.parametrize(
    ("kind", "status", "outcome", "code", "reason", "bound"),
    [
        ("inbound_message", "succeeded", "completed", None, None, True),
        ("inbound_message", "succeeded", "completed", None, "fast_abort", True),
        ("inbound_message", "succeeded", "completed", None, "duplicate", False),
        ("inbound_message", "blocked", "skipped", None, "duplicate", True),
        ("inbound_message", "succeeded", "skipped", None, "duplicate", False),
        ("inbound_message", "failed", "failed", "message_processing_failed", "plugin_bound_error", True),
        ("inbound_message", "failed", "failed", None, None, False),
        ("inbound_message", "failed", "failed", "message_delivery_failed", None, False),
        ("inbound_message", "succeeded", "sent", None, None, False),
        ("outbound_message", "succeeded", "sent", None, None, True),
        ("outbound_message", "succeeded", "sent", "message_delivery_failed", None, False),
        ("outbound_message", "failed", "failed", "message_delivery_partial_failure", None, True),
        ("outbound_message", "blocked", "suppressed", None, "no_visible_payload", True),
        ("outbound_message", "blocked", "suppressed", None, None, False),
        ("outbound_message", "unknown", "unknown", None, None, True),
    ],
)
def test_the_words_of_a_message_are_bound(
    kind: str, status: str, outcome: str, code: str | None, reason: str | None, *, bound: bool
) -> None:
    """A blocked message is a skipped one, a suppressed one has a reason, a failed one a code."""
    assert is_bound_message(kind, status, outcome, code, reason) is bound


def test_there_are_so_many_reasons() -> None:
    """As the documents of the release list them."""
    assert {key: len(reasons) for key, reasons in REASONS.items()} == {
        ("inbound_message", "completed"): 7,
        ("inbound_message", "skipped"): 4,
        ("inbound_message", "failed"): 2,
        ("outbound_message", "suppressed"): 6,
    }
