"""The switches of a configuration, and nothing else of it."""

import pytest

from agentaudit.adapters.openclaw.settings import audit_settings
from tests.support.gatewaying import TOKEN, settings


def test_switches_are_said_and_defaults_are_not_filled_in() -> None:
    """What nobody wrote down is unset; nothing else of the file comes along."""
    found = audit_settings(settings())
    assert found == (
        ("enabled", "true"),
        ("executionIdentity", "unset"),
        ("messages", "direct"),
        ("root_block", "false"),
    )
    assert TOKEN not in repr(found)


@pytest.mark.parametrize(
    ("value", "said"), [("false", "false"), ('"off"', "off"), ('"all"', "all"), ('"loud"', "other"), ("3", "other")]
)
def test_a_value_is_a_word_of_a_closed_list(value: str, said: str) -> None:
    """A mode that is not known is `other`, and not repeated."""
    found = dict(audit_settings(f'{{"logging": {{"audit": {{"messages": {value}}}}}}}'.encode()) or ())
    assert found["messages"] == said


def test_a_block_at_the_root_is_named_and_not_read() -> None:
    """The Gateway rejects it."""
    found = dict(audit_settings(b'{"audit": {"enabled": false}, "logging": []}') or ())
    assert (found["enabled"], found["root_block"]) == ("unset", "true")


def test_what_is_no_json_says_nothing() -> None:
    """A configuration with comments is not guessed at."""
    assert audit_settings(b"{ // comment\n}") is None
