"""The facts of a text of a home, chunk by chunk."""

from agentaudit.adapters.codex.linefacts import HomeLineFacts
from agentaudit.adapters.stores.cutting import LINE_MAX_BYTES
from tests.adapters.codex.homes import A, line, text


def test_a_line_over_the_bound_is_framed_and_counted_as_unread() -> None:
    """Whether or not it ends; what comes after it is read."""
    facts = HomeLineFacts("rollout", A)
    for chunk in (b'"', b"x" * LINE_MAX_BYTES, b'"\n', text(line("event_msg", {})), b"\n"):
        facts.feed(memoryview(chunk))
    framing, rollout = facts.finish()
    assert rollout is not None
    assert (framing.lines, rollout.records, rollout.unread) == (2, 1, 1)


def test_other_files_of_lines_are_framed_alone() -> None:
    """A history has no facts of a rollout."""
    facts = HomeLineFacts("history", None)
    facts.feed(b"{}\n{}")
    framing, rollout = facts.finish()
    assert (framing.lines, rollout) == (2, None)
