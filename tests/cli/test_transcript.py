"""`agentaudit transcript`: content goes into files of a new folder, to the screen only when asked."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal

KEY = "s000001"


def session(exhibit: Path) -> tuple[str, str]:
    """Key and id of a session of which there is a transcript."""
    rows = [json.loads(line) for line in (exhibit / "agentaudit/sessions.jsonl").read_bytes().splitlines()]
    row = next(row for row in rows if row["counts"]["messages"])
    return row["session"], row["id"]


def text_of(exhibit: Path, key: str) -> str:
    """A text that stands in the transcript."""
    page = json.loads((exhibit / f"data/compliance/local/{key}/messages/000001.json").read_bytes())
    return next(str(block["text"]) for message in page["data"] for block in message["content"] if "text" in block)


def test_a_copy_goes_into_the_next_report(case: Path, terminal: Terminal) -> None:
    """The folder is the result; the warning that it holds content goes to the person; nothing of it is printed."""
    exhibit = case / "EX-0002"
    key, identifier = session(exhibit)
    assert terminal.run("transcript", str(exhibit), "--session", identifier, "--format", "html", "--format", "md") == 0
    folder = case / "reports/R-0001"
    assert terminal.out.strip() == str(folder)
    assert "it holds CONTENT and is no evidence" in terminal.err
    assert "recorded as row" in terminal.err
    assert {f"transcript-{key}.md", f"transcript-{key}.html"} < {path.name for path in folder.iterdir()}
    for printed in (terminal.out, terminal.err):
        assert text_of(exhibit, key) not in printed
        assert identifier not in printed


def test_json_prints_one_document(case: Path, terminal: Terminal) -> None:
    """What was written, with its digests and its row."""
    key, _ = session(case / "EX-0002")
    assert terminal.run("transcript", str(case / "EX-0002"), "--session", key, "--json", "--quiet") == 0
    result = json.loads(terminal.out)
    assert (result["result"], result["session"], result["formats"]) == ("transcribed", key, ["md"])
    assert {one["name"] for one in result["files"]} >= {f"transcript-{key}.md"}
    assert terminal.err == ""


@pytest.mark.parametrize("form", [(), ("--format", "jsonl")])
def test_the_screen_gets_it_only_when_asked(case: Path, terminal: Terminal, form: tuple[str, ...]) -> None:
    """With --to-terminal the copy is printed, nothing is written, and nothing steers the terminal."""
    exhibit = case / "EX-0002"
    key, _ = session(exhibit)
    assert terminal.run("transcript", str(exhibit), "--session", key, "--to-terminal", *form) == 0
    assert text_of(exhibit, key) in terminal.out
    assert not (case / "reports").exists()
    assert "\x1b" not in terminal.out


@pytest.mark.parametrize(
    "wrong",
    [
        ("--format", "pdf"),
        ("--to-terminal", "--out", "x"),
        ("--to-terminal", "--json"),
        ("--to-terminal", "--format", "html"),
        ("--to-terminal", "--format", "md", "--format", "jsonl"),
    ],
)
def test_what_makes_no_sense_is_refused(case: Path, terminal: Terminal, wrong: tuple[str, ...]) -> None:
    """An unknown format, or a screen and a file at once: 2, and nothing was started."""
    assert terminal.run("transcript", str(case / "EX-0002"), "--session", KEY, *wrong) == 2
    assert not (case / "reports").exists()


def test_an_exhibit_with_faults_is_not_copied(case: Path, terminal: Terminal) -> None:
    """One changed byte anywhere: 4, and nothing is written."""
    exhibit = case / "EX-0002"
    key, _ = session(exhibit)
    with (exhibit / "bagit.txt").open("ab") as stream:
        stream.write(b"x")
    assert terminal.run("transcript", str(exhibit), "--session", key) == 4
    assert not (case / "reports").exists()


def test_a_session_that_is_not_here_is_said_so(case: Path, terminal: Terminal) -> None:
    """2, with the command that lists keys and ids."""
    assert terminal.run("transcript", str(case / "EX-0002"), "--session", "s000099") == 2
    assert "--show-names lists keys and ids" in terminal.err


def test_an_exhibit_alone_needs_a_place(case: Path, terminal: Terminal, tmp_path: Path) -> None:
    """Without a case there are no reports: 7; with a place it is copied and recorded nowhere."""
    alone = tmp_path / "alone"
    alone.mkdir()
    exhibit = (case / "EX-0002").rename(alone / "EX-0002")
    key, _ = session(exhibit)
    assert terminal.run("transcript", str(exhibit), "--session", key) == 7
    assert terminal.run("transcript", str(exhibit), "--session", key, "--out", str(alone / "copy")) == 0
    assert "recorded nowhere" in terminal.err


def test_the_custody_log_tells_of_the_copy(case: Path, terminal: Terminal) -> None:
    """Its row names the session's key and the report."""
    key, _ = session(case / "EX-0002")
    terminal.run("transcript", str(case / "EX-0002"), "--session", key)
    assert terminal.run("custody", str(case)) == 0
    assert f"{key} for reading, as md" in " ".join(terminal.out.split())
    assert terminal.run("verify", str(case)) == 0
