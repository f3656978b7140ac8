"""`agentaudit extract`, and `verify` on what it made."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.cli.test_transcript import session


@pytest.fixture
def taken(case: Path, terminal: Terminal, tmp_path: Path) -> Path:
    """An extract of a session of EX-0002."""
    key, _ = session(case / "EX-0002")
    to = tmp_path / "out"
    assert terminal.run("extract", str(case / "EX-0002"), "--session", key, "--to", str(to)) == 0, terminal.err
    return to


def test_one_session_is_taken_out(case: Path, terminal: Terminal, taken: Path) -> None:
    """The folder is the result; what stayed behind is said in numbers, and no id is printed."""
    _, identifier = session(case / "EX-0002")
    assert terminal.out.strip() == str(taken)
    assert "left behind: " in terminal.err
    assert "package.json among these, because it names others" in terminal.err
    assert "the exhibit is not signed" in terminal.err
    assert "recorded as row" in terminal.err
    assert identifier not in terminal.out + terminal.err
    assert terminal.run("custody", str(case)) == 0
    assert "extract.json" in terminal.out


def test_verify_says_what_it_is_and_checks_it(terminal: Terminal, taken: Path) -> None:
    """An extract is no exhibit: its verdict says so, ends with 0, and with 4 when anything was changed."""
    assert terminal.run("verify", str(taken)) == 0
    assert "one session of a sealed exhibit, not an exhibit" in terminal.out
    assert "intact: " in terminal.out
    with (taken / "manifest-sha256.txt").open("ab") as stream:
        stream.write(b"x")
    assert terminal.run("verify", str(taken)) == 4
    assert "FAULTS" in terminal.out
    assert "M005" in terminal.out


def test_verify_compares_the_noted_seal(terminal: Terminal, taken: Path) -> None:
    """The seal of the original, as it was noted."""
    seal = json.loads((taken / "extract.json").read_bytes())["seal"]
    assert terminal.run("verify", str(taken), "--seal", seal) == 0
    assert terminal.run("verify", str(taken), "--seal", "0" * 64) == 4


def test_verify_prints_one_document(terminal: Terminal, taken: Path) -> None:
    """The verdict for a program."""
    assert terminal.run("verify", str(taken), "--json") == 0
    assert json.loads(terminal.out)["result"] == "extract_verdict"


def test_verify_of_what_says_nothing_of_itself(terminal: Terminal, taken: Path) -> None:
    """Without a readable extract.json the verdict names nothing and finds it."""
    (taken / "extract.json").write_bytes(b"{}")
    assert terminal.run("verify", str(taken)) == 4
    assert "Extract of an unknown exhibit, session unknown" in terminal.out
    (taken / "tagmanifest-sha256.txt").unlink()
    assert terminal.run("verify", str(taken)) == 4


@pytest.mark.parametrize("option", [("--record",), ("--allowed-signers", "x"), ("--tsa-certificate", "x")])
def test_verify_refuses_what_an_extract_does_not_have(terminal: Terminal, taken: Path, option: tuple[str, ...]) -> None:
    """No custody log, and attestations are checked with stock tools: 2."""
    assert terminal.run("verify", str(taken), *option) == 2


def test_json_prints_one_result(case: Path, terminal: Terminal, tmp_path: Path) -> None:
    """Where it lies, its digest, its row."""
    key, _ = session(case / "EX-0002")
    given = ("--session", key, "--to", str(tmp_path / "out"), "--json", "--quiet")
    assert terminal.run("extract", str(case / "EX-0002"), *given) == 0
    result = json.loads(terminal.out)
    assert (result["result"], result["session"]) == ("extracted", key)
    assert terminal.err == ""


def test_faults_end_it(case: Path, terminal: Terminal, tmp_path: Path) -> None:
    """4, and nothing is written."""
    key, _ = session(case / "EX-0002")
    with (case / "EX-0002/bagit.txt").open("ab") as stream:
        stream.write(b"x")
    assert terminal.run("extract", str(case / "EX-0002"), "--session", key, "--to", str(tmp_path / "out")) == 4
    assert not (tmp_path / "out").exists()


def test_an_exhibit_alone_is_recorded_nowhere(case: Path, terminal: Terminal, tmp_path: Path) -> None:
    """Without a case around it there is no log to write to, and that is said; a signature beside it is counted."""
    alone = tmp_path / "alone"
    alone.mkdir()
    exhibit = (case / "EX-0002").rename(alone / "EX-0002")
    (exhibit / "tagmanifest-sha256.txt.1.sig").write_bytes(b"x")
    key, _ = session(exhibit)
    assert terminal.run("extract", str(exhibit), "--session", key, "--to", str(alone / "out")) == 0
    assert "recorded nowhere" in terminal.err
    assert "not signed" not in terminal.err
    assert terminal.run("verify", str(alone / "out")) == 0
    assert "not checked: attestations" in terminal.out
