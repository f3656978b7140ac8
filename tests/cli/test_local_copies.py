"""Reading copies and extracts of a preserved local store, end to end."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal

SESSION = "0b5b6d2e-1111-4222-8333-444455556666"
OTHER = "0b5b6d2e-9999-4222-8333-444455556666"
RECORDS = (
    {"type": "summary", "summary": "x"},
    {"type": "user", "uuid": "u1", "sessionId": SESSION, "timestamp": "2026-01-01T00:00:00.000Z", "version": "2.1.0",
     "message": {"role": "user", "content": "Read the docs."}},
    {"type": "assistant", "uuid": "u2", "sessionId": SESSION,
     "message": {"role": "assistant", "content": [
         {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}]}},
    {"type": "user", "uuid": "u3", "sessionId": SESSION,
     "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "docs"}]}},
)  # fmt: skip


@pytest.fixture
def preserved(empty_case: Path, terminal: Terminal, tmp_path: Path) -> Path:
    """A case with a preserved store of two sessions, of which the second belongs to somebody else."""
    project = tmp_path / "home" / ".claude" / "projects" / "-work"
    (project / SESSION / "subagents").mkdir(parents=True)
    lines = b"".join(json.dumps(record).encode() + b"\n" for record in RECORDS)
    (project / f"{SESSION}.jsonl").write_bytes(lines)
    (project / SESSION / "subagents" / "agent-a1.jsonl").write_bytes(
        json.dumps({"type": "user", "uuid": "u9", "isSidechain": True, "message": {"content": "inner"}}).encode()
        + b"\n"
    )
    (project / f"{OTHER}.jsonl").write_bytes(b'{"type":"user","uuid":"o1","message":{"content":"other people"}}\n')
    root = str(tmp_path / "home" / ".claude")
    assert terminal.run("preserve-local-bundle", str(empty_case), "--root", root, "--all") in (0, 3), terminal.err
    return empty_case / "EX-0001"


def test_a_local_session_is_read_with_its_agents(preserved: Path, terminal: Terminal) -> None:
    """Transcript first, subagents after; each message with file, line and byte; other records named."""
    given = ("--session", SESSION, "--format", "jsonl", "--format", "html", "--format", "md")
    assert terminal.run("transcript", str(preserved), *given) == 0, terminal.err
    (folder,) = (preserved.parent / "reports").iterdir()
    (copy,) = folder.glob("*.jsonl")
    lines = [json.loads(line) for line in copy.read_bytes().splitlines()]
    assert [line["kind"] for line in lines] == ["head", "aside", "message", "message", "message", "message"]
    assert [line["way"]["line"] for line in lines[1:]] == [1, 2, 3, 4, 1]
    call, result = lines[3]["blocks"][0], lines[4]["blocks"][0]
    assert (call["join"]["to"], result["join"]["to"]) == ([[3, 0]], [[2, 0]])
    page = next(folder.glob("*.html")).read_text()
    assert "From here on: data/claude-code/r1/s0000" in page
    assert "2.1.0 (1)" in page
    assert "other people" not in page


def test_a_local_session_is_handed_over_alone(preserved: Path, terminal: Terminal, tmp_path: Path) -> None:
    """Its files, its entries and nothing of the other session; the extract verifies."""
    to = tmp_path / "out"
    assert terminal.run("extract", str(preserved), "--session", SESSION, "--to", str(to)) == 0, terminal.err
    everything = b"".join(path.read_bytes() for path in to.rglob("*") if path.is_file())
    assert OTHER.encode() not in everything
    assert b"other people" not in everything
    entries = [json.loads(line) for line in (to / "rows/entries.jsonl").read_bytes().splitlines()]
    assert {entry["name"].rpartition("/")[2] for entry in entries} == {f"{SESSION}.jsonl", "agent-a1.jsonl"}
    assert terminal.run("verify", str(to)) == 0
