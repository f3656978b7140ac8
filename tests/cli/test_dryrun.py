"""`collect-sessions --dry-run`: what would be asked first."""

import json
from pathlib import Path

import jsonschema
import msgspec

from agentaudit.cli.dryrun import DryRunResult
from agentaudit.format import layout
from tests.cli.terminal import Terminal


def test_a_dry_run_needs_no_key_and_writes_nothing(untouched: Path) -> None:
    """It prints what would be asked first, with the limits, and how a window was understood."""
    terminal = Terminal()
    before = (untouched / layout.CUSTODY).read_bytes()
    options = ("--active-from", "2026-03-01", "--active-until", "2026-03-02", "--tool-input-max-bytes", "5000")
    assert terminal.run("collect-sessions", str(untouched), "--dry-run", *options) == 0, terminal.err
    assert "GET https://api.anthropic.com/v1/compliance/apps/sessions/local?" in terminal.out
    assert "updated_at.gte=2026-03-01" in terminal.out
    assert "from 2026-03-01T00:00:00.000000Z until 2026-03-03T00:00:00.000000Z (UTC)" in terminal.err
    assert "tool input 5,000 bytes" in terminal.err
    assert "tool result the server's maximum" in terminal.err
    assert (untouched / layout.CUSTODY).read_bytes() == before
    assert [entry.name for entry in untouched.iterdir() if entry.is_dir()] == []


def test_a_dry_run_shows_ids_only_when_asked(untouched: Path) -> None:
    """A request by id holds the id."""
    terminal = Terminal()
    argv = ("collect-sessions", str(untouched), "--dry-run", "--session", "clls_a+b/c=")
    assert terminal.run(*argv) == 0, terminal.err
    assert "clls_" not in terminal.both
    assert "<id>" in terminal.out
    assert terminal.run(*argv, "--show-names") == 0
    assert "clls_a%2Bb%2Fc%3D" in terminal.out


def test_a_dry_run_of_many_sessions_shows_the_first(tmp_path: Path, untouched: Path) -> None:
    """The rest is a number."""
    ids = tmp_path / "ids"
    ids.write_text("".join(f"clls_{number}\n" for number in range(300)))
    terminal = Terminal()
    assert terminal.run("collect-sessions", str(untouched), "--dry-run", "--sessions-from", str(ids)) == 0
    assert terminal.out.count("GET ") <= 20
    assert "more of the same kind" in terminal.err


def test_a_dry_run_can_be_a_document(untouched: Path) -> None:
    """One JSON document that satisfies its schema."""
    terminal = Terminal()
    assert terminal.run("collect-sessions", str(untouched), "--dry-run", "--json") == 0
    jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(DryRunResult))
    assert json.loads(terminal.out)["result"] == "dry_run"
