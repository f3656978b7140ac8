"""`preserve-telemetry` as it is typed."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with one file."""
    folder = tmp_path / "a private name"
    folder.mkdir()
    (folder / "logs.jsonl").write_bytes(b"{}\n")
    return folder


def test_files_are_preserved_shown_and_verified(logs: Path, empty_case: Path) -> None:
    """From the command line to a sealed exhibit; no name of a file is printed."""
    terminal = Terminal()
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs), "--dry-run") == 0
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs), "--dry-run", "--json") == 0
    assert terminal.run("preserve-telemetry", str(empty_case), str(logs)) == 0, terminal.err
    exhibit = terminal.out.strip()
    assert terminal.run("show", exhibit) == 0
    assert "handed over: telemetry" in terminal.out
    assert "a private name" not in terminal.both
    assert terminal.run("verify", exhibit) == 0


@pytest.mark.parametrize("words", [(), ("somewhere", "--resume", "EX-0001"), ("--dry-run", "--resume", "EX-0001")])
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], empty_case: Path) -> None:
    """Nothing was named, or more was said than a resumption takes."""
    assert Terminal().run("preserve-telemetry", str(empty_case), *words) == 2


def test_a_resumption_of_nothing_is_refused(empty_case: Path) -> None:
    """There is no such exhibit."""
    assert Terminal().run("preserve-telemetry", str(empty_case), "--resume", "EX-0001") == 7
