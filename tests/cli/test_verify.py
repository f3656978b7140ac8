"""`verify` on the command line."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.cli.verdicts import AUTHENTICITY, INTEGRITY
from agentaudit.format import layout
from agentaudit.model.verdict import CaseVerdict, Verdict
from tests.cli.terminal import Terminal


def seal_of(exhibit: Path) -> str:
    """The seal that the command prints, as 64 digits."""
    terminal = Terminal()
    terminal.run("verify", str(exhibit), "--json")
    return str(json.loads(terminal.out)["seal"]).removeprefix("sha256:")


def test_three_answers_are_given_apart(collected: Path) -> None:
    """Integrity, outcome and authenticity, then the findings they rest on; 0 for what is intact."""
    terminal = Terminal()
    assert terminal.run("verify", str(collected / "EX-0002")) == 0
    assert INTEGRITY["intact"] in terminal.out
    assert AUTHENTICITY["unsigned"] in terminal.out
    assert "all given, with losses" in terminal.out
    assert "DEMONSTRATION" in terminal.out
    assert "S002     note" in terminal.out


def test_a_case_is_checked_with_all_its_exhibits(collected: Path) -> None:
    """The custody log first, then each exhibit."""
    terminal = Terminal()
    assert terminal.run("verify", str(collected)) == 0
    assert [line for line in terminal.out.splitlines() if line.startswith(("Case", "Exhibit"))] == [
        "Case N-1", "Exhibit EX-0001 of case N-1", "Exhibit EX-0002 of case N-1",
    ]  # fmt: skip


def test_a_changed_byte_is_status_4(case: Path) -> None:
    """Of the exhibit, and of the case that holds it."""
    item = next((case / "EX-0002" / "data").rglob("*.json"))
    octets = bytearray(item.read_bytes())
    octets[-2] ^= 1
    item.write_bytes(octets)
    for path in (case / "EX-0002", case):
        terminal = Terminal()
        assert terminal.run("verify", str(path)) == 4
        assert "M005     error" in terminal.out
        assert "FAULTS" in terminal.out
        assert "not checked: journal, because there are faults below it" in terminal.out


def test_many_faults_of_one_kind_are_one_line(case: Path) -> None:
    """The first subject, and how many more there are."""
    for item in (case / "EX-0002" / "data").rglob("*.json"):
        item.write_bytes(b"{}")
    terminal = Terminal()
    assert terminal.run("verify", str(case / "EX-0002")) == 4
    assert terminal.out.count("M005") == 1
    assert " more" in next(line for line in terminal.out.splitlines() if "M005" in line)


def test_a_noted_seal_is_compared(collected: Path) -> None:
    """As it was copied, in groups or not; another one is a fault."""
    exhibit = collected / "EX-0002"
    digits = seal_of(exhibit)
    grouped = " ".join(digits[at : at + 8] for at in range(0, 64, 8)).upper()
    assert Terminal().run("verify", str(exhibit), "--seal", grouped) == 0
    terminal = Terminal()
    assert terminal.run("verify", str(exhibit), "--seal", digits[::-1]) == 4
    assert "S001" in terminal.out


@pytest.mark.parametrize(("path", "seal"), [("EX-0002", "short"), ("", "0" * 64)])
def test_a_seal_that_is_none_or_of_a_case_makes_no_sense(collected: Path, path: str, seal: str) -> None:
    """A seal belongs to one exhibit."""
    assert Terminal().run("verify", str(collected / path), "--seal", seal) == 2


def test_incomplete_is_status_3_only_when_all_is_required(case: Path) -> None:
    """An intact exhibit may lack something; a partial one lacks everything."""
    assert Terminal().run("verify", str(case), "--require-all-given") == 0
    (case / "EX-0002").rename(case / "EX-0002.partial")
    terminal = Terminal()
    terminal.run("verify", str(case), "--require-all-given", "--json")
    assert json.loads(terminal.out)["partial"] != []
    assert Terminal().run("verify", str(case), "--require-all-given") in (3, 4)
    assert Terminal().run("verify", str(case / "EX-0001"), "--require-all-given") == 0


def test_bytes_only_says_what_it_left_out(collected: Path) -> None:
    """Nothing is rebuilt, and the verdict says so."""
    terminal = Terminal()
    assert terminal.run("verify", str(collected / "EX-0002"), "--bytes-only") == 0
    assert "not checked: readings, because only bytes were to be checked" in terminal.out


def test_verdicts_are_documents_of_their_schemas(collected: Path) -> None:
    """One JSON document for an exhibit, one for a case."""
    terminal = Terminal()
    kinds: tuple[tuple[Path, type[msgspec.Struct]], ...] = ((collected / "EX-0001", Verdict), (collected, CaseVerdict))
    for path, kind in kinds:
        assert terminal.run("verify", str(path), "--json") == 0
        jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(kind))


def test_a_check_writes_nothing_unless_it_is_recorded(case: Path) -> None:
    """`--record` appends one row with the three answers and the codes; the log is then still intact."""
    log = case / layout.CUSTODY
    before = log.read_bytes()
    assert Terminal().run("verify", str(case)) == 0
    assert log.read_bytes() == before
    for path in (case / "EX-0002", case):
        assert Terminal().run("verify", str(path), "--record", "--examiner", "Second Reader") == 0
    rows = [json.loads(line) for line in log.read_bytes().removeprefix(before).splitlines()]
    assert [(row["event"], row["subject"], row["integrity"]) for row in rows] == [
        ("verified", "EX-0002", "intact"), ("verified", "case", "intact"),
    ]  # fmt: skip
    assert rows[0]["actors"]["examiner"] == "Second Reader"
    assert rows[0]["outcome"] == "all_given_with_losses"
    assert ["S002", 1] in rows[0]["findings"]
    assert Terminal().run("verify", str(case)) == 0


def test_a_verdict_without_a_case_around_it_cannot_be_recorded(case: Path, tmp_path: Path) -> None:
    """An exhibit that was handed over alone has no log beside it: status 7."""
    alone = tmp_path / "alone" / "EX-0002"
    alone.parent.mkdir()
    (case / "EX-0002").rename(alone)
    assert Terminal().run("verify", str(alone)) == 0
    assert Terminal().run("verify", str(alone), "--record") == 7


def test_what_is_not_ours_is_8_and_what_is_not_sealed_is_9(tmp_path: Path) -> None:
    """Neither is a finding."""
    (tmp_path / "EX-0001.partial").mkdir()
    assert Terminal().run("verify", str(tmp_path / "none")) == 8
    assert Terminal().run("verify", str(tmp_path)) == 8
    assert Terminal().run("verify", str(tmp_path / "EX-0001.partial")) == 9
