"""Whose lines they are: the adapter is found by a word, and what has no lines has no facts."""

import pytest

from agentaudit.acquire.lines import Gathered, gathered, gathering
from agentaudit.model.selection import Keeper

LINE = b'{"type":"user","sessionId":"s1","version":"2.1.0"}\n'
ROLLED = b'{"timestamp":"2026-03-02T09:00:00.000Z","type":"session_meta","ordinal":0,"payload":{"id":"t1"}}\n'


@pytest.mark.parametrize(("agent", "octets"), [("claude-code", LINE), ("codex", ROLLED)])
@pytest.mark.parametrize("cut", [1, 7, 1_000])
def test_each_agents_lines_come_to_its_own_facts(agent: Keeper, octets: bytes, cut: int) -> None:
    """Whatever the pieces; the other agent's facts stay unsaid."""
    lines = gathering(agent, "rollout" if agent == "codex" else "transcript", None)
    for at in range(0, len(octets), cut):
        lines.feed(memoryview(octets[at : at + cut]))
    found = gathered(lines)
    assert found.framing is not None
    assert (found.framing.lines, found.framing.ok_lines) == (1, 1)
    assert (found.transcript is None, found.rollout is None) == (agent == "codex", agent == "claude-code")


def test_a_transcript_knows_whether_the_session_of_its_name_is_among_its_rows() -> None:
    """The stem is handed on; without one nothing is said."""
    told = []
    for stem in ("s1", "s2", None):
        lines = gathering("claude-code", "transcript", stem)
        lines.feed(memoryview(LINE))
        facts = gathered(lines).transcript
        assert facts is not None
        told.append(facts.own_session)
    assert told == [True, False, None]


def test_a_file_whose_lines_were_not_read_has_no_facts() -> None:
    """Known to be unknown is not the same as an empty text, which has facts."""
    assert gathered(None) == Gathered()
    empty = gathered(gathering("claude-code", "transcript", None)).framing
    assert empty is not None
    assert (empty.lines, empty.bytes) == (0, 0)


@pytest.mark.parametrize("deposit", ["telemetry", "bridge", "openai-logs"])
def test_handed_over_files_are_not_read_line_by_line_here(deposit: Keeper) -> None:
    """Asking for it is a bug, and is told as one."""
    with pytest.raises(ValueError, match="not read line by line"):
        gathering(deposit, "other", None)
