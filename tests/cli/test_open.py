"""`open`, `docs` and `demo`."""

import json
import os
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.cli.docs import DOCUMENTS
from agentaudit.cli.open import OpenedResult
from agentaudit.demo.run import run_demo, typed
from tests.cli.terminal import Terminal

FACTS = ("--number", "N-1", "--title", "T", "--examiner", "E", "--authority", "A")


def test_a_case_is_opened_in_a_new_folder(tmp_path: Path) -> None:
    """Its facts are told, its path is the result, its files are the owner's alone."""
    path, terminal = tmp_path / "case", Terminal()
    assert terminal.run("open", str(path), *FACTS, "--handling", "confidential") == 0
    assert terminal.out == f"{path}\n"
    assert "handling   confidential" in terminal.err
    assert json.loads((path / "case.json").read_bytes())["handling"] == "confidential"
    if os.name == "posix":
        modes = {entry.stat().st_mode & 0o777 for entry in (path, *path.iterdir())}
        assert modes == {0o700, 0o600}


def test_an_opened_case_can_be_a_document(tmp_path: Path) -> None:
    """`--json` prints it, `--quiet` prints only the path."""
    terminal = Terminal()
    assert terminal.run("open", str(tmp_path / "a"), *FACTS, "--json") == 0
    jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(OpenedResult))
    assert terminal.run("open", str(tmp_path / "b"), *FACTS, "--quiet") == 0
    assert (terminal.out, terminal.err) == (f"{tmp_path / 'b'}\n", "")


def test_nothing_is_opened_over_what_is_there(tmp_path: Path) -> None:
    """An existing folder, empty or not, is refused: status 7."""
    assert Terminal().run("open", str(tmp_path), *FACTS) == 7
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--number", "--title", "--examiner", "--authority"])
def test_a_blank_fact_is_refused(tmp_path: Path, option: str) -> None:
    """It would stand in every package."""
    facts = list(FACTS)
    facts[facts.index(option) + 1] = " "
    assert Terminal().run("open", str(tmp_path / "case"), *facts) == 2
    assert not (tmp_path / "case").exists()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_document_is_in_the_program_and_printable(name: str) -> None:
    """Each is listed with what it is about, and is printed whole."""
    terminal = Terminal()
    assert terminal.run("docs") == 0
    assert f"{name} " in terminal.out
    assert terminal.run("docs", name) == 0
    assert len(terminal.out.splitlines()) > 20


def test_a_document_inside_the_package_goes_before_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed program needs no checkout."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "glossary.md").write_text("the shipped one\n")
    monkeypatch.setattr("agentaudit.cli.docs.files", lambda _package: tmp_path)
    terminal = Terminal()
    assert terminal.run("docs", "glossary") == 0
    assert terminal.out == "the shipped one\n"


def test_the_demo_plays_the_whole_job(tmp_path: Path) -> None:
    """Real commands, each printed before it runs; one answers 3; the end is a verified case and status 0."""
    terminal, folder = Terminal(), tmp_path / "demo"
    assert terminal.run("demo", str(folder)) == 0, terminal.both
    steps = [line for line in terminal.err.splitlines() if line.startswith("$ agentaudit")]
    assert [line.split()[2] for line in steps] == [
        "open", "collect-sessions", "show", "collect-sessions", "collect-sessions", "show",
        "preserve-local-bundle", "preserve-local-bundle", "show", "collect-chats", "verify",
    ]  # fmt: skip
    assert "exit status 3" in terminal.err
    assert "intact: the custody log and every sealed exhibit in it" in terminal.out
    assert "sk-" not in terminal.both
    assert Terminal().run("verify", str(folder / "case")) == 0


def test_the_demo_uses_no_folder_that_holds_anything(tmp_path: Path) -> None:
    """Nothing is overwritten: status 7."""
    (tmp_path / "mine").write_text("x")
    assert Terminal().run("demo", str(tmp_path)) == 7
    assert Terminal().run("demo", str(tmp_path / "mine")) == 7
    assert Terminal().run("demo", str(tmp_path / "no" / "where")) == 7


def test_the_demo_finds_itself_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first number that is free, up to a bound."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agentaudit-demo-1").mkdir()
    monkeypatch.setattr("agentaudit.cli.demo.run_demo", lambda folder, _run, say: say(str(folder)) or 0)
    terminal = Terminal()
    assert terminal.run("demo") == 0
    assert terminal.err == "agentaudit-demo-2\n"
    monkeypatch.setattr("agentaudit.cli.demo.TRIES", 3)
    assert Terminal().run("demo") == 7


def test_a_folder_that_cannot_be_made_ends_the_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system's own reason, and what to do instead."""

    def refuse(_path: Path, mode: int = 0) -> None:
        raise PermissionError(13, "refused", str(mode))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "mkdir", refuse)
    terminal = Terminal()
    assert terminal.run("demo") == 7
    assert "Permission denied" in terminal.err


def test_a_demo_that_goes_wrong_ends_with_the_status_that_it_got(tmp_path: Path) -> None:
    """Nothing is played on after a step that answered otherwise; a wrong 0 is no success."""
    said: list[str] = []
    assert run_demo(tmp_path / "a", lambda _argv, _key: 6, said.append) == 6
    assert "expected exit status 0 here, and got 6" in said[-1]
    statuses = iter((0, 0, 0, 0))
    assert run_demo(tmp_path / "b", lambda _argv, _key: next(statuses), said.append) == 1


def test_a_system_without_a_checker_is_told_where_to_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The demo needs no tool that is not there."""
    said: list[str] = []
    monkeypatch.setattr("agentaudit.demo.run.shutil.which", lambda _name: None)
    statuses = iter((0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0))
    assert run_demo(tmp_path, lambda _argv, _key: next(statuses), said.append) == 0
    assert any("VERIFY.txt" in line for line in said)


def test_what_a_stock_tool_finds_is_shown(tmp_path: Path) -> None:
    """Its own words, and its exit status."""
    said: list[str] = []
    (tmp_path / "case" / "EX-0002").mkdir(parents=True)
    statuses = iter((0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0))
    assert run_demo(tmp_path, lambda _argv, _key: next(statuses), said.append) == 0
    assert "  exit status 1" in said
    assert any("tagmanifest-sha256.txt" in line and "No such file" in line for line in said)


def test_a_command_is_shown_as_it_is_typed() -> None:
    """Quoted for a shell, continued where it grows long, an option beside its value."""
    words = ("agentaudit", "open", "a case", "--flag", "--title", "x" * 40, "--number", "y" * 40, "--last")
    assert list(typed(words)) == [
        "$ agentaudit open 'a case' --flag \\",
        f"    --title {'x' * 40} \\",
        f"    --number {'y' * 40} --last",
    ]
