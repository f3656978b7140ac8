"""What could be done about each kind of gap."""

from typing import get_args

from agentaudit.cli.advice import ADVICE, KINDS
from agentaudit.model.losses import GapCode, GapKind


def test_every_code_has_its_line_and_every_kind_its_heading() -> None:
    """A gap without a word about it could not be acted on."""
    assert set(ADVICE) == set(get_args(GapCode))
    assert set(KINDS) == set(get_args(GapKind))
    assert all(ADVICE.values())
