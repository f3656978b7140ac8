"""Reading copies, extracts and exports of a preserved local store, end to end."""

import csv
import io
import json
import os
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


def test_an_export_has_a_row_for_everything_the_survey_saw(
    empty_case: Path, terminal: Terminal, tmp_path: Path
) -> None:
    """Copied, left out by a rule, link, pipe, secret: JSON and table have them all; without names none has a path."""
    root = tmp_path / "home" / ".claude"
    (root / "projects" / "-secret-client").mkdir(parents=True)
    (root / "projects" / "-secret-client" / f"{SESSION}.jsonl").write_bytes(b"{}\n")
    (root / "history.jsonl").write_bytes(b"{}\n")
    (root / ".credentials.json").write_bytes(b"{}")
    (root / "projects" / "-secret-client" / "link").symlink_to(root / "history.jsonl")
    os.mkfifo(root / "projects" / "pipe")
    given = ("--root", str(root), "--all")
    assert terminal.run("preserve-local-bundle", str(empty_case), *given) in (0, 3), terminal.err
    seen = [json.loads(row) for row in (empty_case / "EX-0001/agentaudit/entries.jsonl").read_bytes().splitlines()]
    rules = {row["rule"] for row in seen}
    assert {"selected", "category_opt_in", "link", "special", "folder"} <= rules
    assert any(rule.startswith("credentials") for rule in rules)
    formats = [word for name in ("json", "csv", "html", "case") for word in ("--format", name)]
    for names in ((), ("--show-names",)):
        out = tmp_path / f"out{len(names)}"
        assert terminal.run("export-manifest", str(empty_case), *formats, "--out", str(out), *names) == 0, terminal.err
        (exhibit,) = json.loads((out / "manifest.json").read_bytes())["exhibits"]
        table = list(csv.DictReader(io.StringIO((out / "entries.csv").read_text("utf-8-sig"))))
        key = [(str(row["number"]), row["kind"], row["decision"], row["rule"]) for row in seen]
        assert [(str(row["number"]), row["kind"], row["decision"], row["rule"]) for row in exhibit["entries"]] == key
        assert [(row["number"], row["kind"], row["decision"], row["rule"]) for row in table] == key
        assert sum(total["entries"] for total in exhibit["entry_totals"]) == len(seen)
        page = (out / "manifest.html").read_text()
        assert "neither a file nor a folder; recorded and not opened" in page
        for name in ("manifest.json", "entries.csv", "manifest.html", "manifest.case.jsonld"):
            assert ("secret-client" in (out / name).read_text()) is (bool(names) and name != "manifest.case.jsonld")
