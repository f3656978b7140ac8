"""The facts of one pass over a text of JSON Lines."""

from agentaudit.adapters.claude_code.linefacts import LineFacts


def test_facts_and_framing_of_one_pass() -> None:
    """Both speak of the same bytes."""
    facts = LineFacts("s")
    facts.feed(memoryview(b'{"type":"user","sessionId":"s"}\n{"type":"us'))
    facts.feed(memoryview(b'er","sessionId":"t"}\n{"cut'))
    framing, transcript = facts.finish()
    assert (framing.lines, framing.ok_lines, transcript.records, transcript.sessions) == (3, 2, 2, 2)
    assert transcript.own_session is True
