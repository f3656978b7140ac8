"""The header fields of an answer."""

from agentaudit.model.headers import header

SENT = (("Retry-After", " 7 "), ("retry-after", "9"), ("date", ""))


def test_a_field_is_found_in_any_case_and_the_first_one_counts() -> None:
    """Names have no case; white space round a value is none of it."""
    assert header(SENT, "retry-after") == "7"
    assert header(SENT, "date") == ""


def test_a_field_that_did_not_come_is_none() -> None:
    """An absence is told apart from an empty value."""
    assert header(SENT, "request-id") is None
    assert header((), "date") is None
