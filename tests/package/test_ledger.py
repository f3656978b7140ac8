"""The findings of one check."""

import pytest

from agentaudit.package.ledger import KEPT_MAX, Ledger


def test_findings_come_out_by_code() -> None:
    """Then as they were found, each counted."""
    ledger = Ledger()
    ledger.add_all([("S002", "x", ""), ("M005", "b", ""), ("M005", "a", "why")])
    assert [(row.code, row.subject) for row in ledger.findings()] == [("M005", "b"), ("M005", "a"), ("S002", "x")]
    assert ledger.codes() == (("M005", 2), ("S002", 1))


def test_a_flood_is_counted_and_not_kept() -> None:
    """Of each code only the first hundred are held."""
    ledger = Ledger()
    for number in range(KEPT_MAX + 5):
        ledger.add("P003", f"{number}")
    assert len(ledger.findings()) == KEPT_MAX
    assert ledger.codes() == (("P003", KEPT_MAX + 5),)


@pytest.mark.parametrize(("code", "touches"), [("M005", True), ("R001", False), ("S002", False)])
def test_only_an_error_touches_integrity(code: str, touches: bool) -> None:
    """Warnings and notes do not."""
    ledger = Ledger()
    assert not ledger.has_errors()
    ledger.add(code, "x")
    assert ledger.has_errors() is touches


def test_an_unknown_code_is_refused() -> None:
    """What is not in the catalogue cannot be reported."""
    with pytest.raises(KeyError):
        Ledger().add("X001", "x")
