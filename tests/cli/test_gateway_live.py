"""`preserve-gateway-ledger --live` as it is typed, with a stand-in for the Gateway's command."""

import os
from pathlib import Path

import msgspec
import pytest

from agentaudit.adapters.openclaw.livenote import LiveNote
from agentaudit.adapters.openclaw.notes import read_note
from agentaudit.cli import gatewayledger
from agentaudit.format import layout
from agentaudit.model.losses import Gap
from agentaudit.model.stream import StreamRow
from tests.cli.terminal import Terminal
from tests.support.gatewaying import CANARY, TOKEN, event, explanation
from tests.support.openclawing import StandIn, dead

NAME = "preserve-gateway-ledger"


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """A Gateway's command."""
    return StandIn(tmp_path / "bin")


def run(case: Path, stand_in: StandIn, *words: str, status: int = 0) -> Path:
    """The command; its exhibit verifies, and nothing of the source is printed."""
    stand_in.write()
    terminal = Terminal({**stand_in.path(), "OPENCLAW_GATEWAY_TOKEN": TOKEN})
    assert terminal.run(NAME, str(case), "--live", *words) == status, terminal.err
    exhibit = Path(terminal.out.strip())
    printed = terminal.both
    assert terminal.run("verify", str(exhibit)) == 0, terminal.out
    for secret in (CANARY, TOKEN, "run-1", "2026.9.6"):
        assert secret not in printed
    assert not [path for path in case.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    return exhibit


def streams(exhibit: Path) -> dict[str, StreamRow]:
    """The streams of an exhibit."""
    lines = (exhibit / layout.STREAMS).read_bytes().splitlines()
    return {row.stream: row for row in (msgspec.json.decode(line, type=StreamRow) for line in lines)}


def codes(row: StreamRow) -> dict[str, int]:
    """Findings with their counts."""
    return {one.code: one.count for one in row.findings}


def note(exhibit: Path) -> LiveNote:
    """The note of the run."""
    found = [read_note(path.read_bytes()) for path in exhibit.glob("data/**/*.json")]
    (live,) = (one for one in found if isinstance(one, LiveNote))
    return live


def gaps(exhibit: Path) -> dict[str, int]:
    """What was not obtained, by code."""
    lines = (exhibit / layout.GAPS).read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=Gap) for line in lines]
    return {row.code: row.count for row in rows if row.kind == "not_obtained"}


def test_the_ledger_is_paged_to_its_end(stand_in: StandIn, empty_case: Path) -> None:
    """Every answer is a file, every call is noted, and nothing lacks."""
    exhibit = run(empty_case, stand_in)
    assert stand_in.calls() == [
        ["--version"],
        ["audit", "--json", "--limit=500"],
        ["audit", "--json", "--limit=500", "--cursor=5"],
        ["audit", "--json", "--limit=500", "--cursor=3"],
        ["audit", "--json", "--limit=500", "--kind=skill_selection"],
    ]
    feed = streams(exhibit)["feed/000001"]
    assert (feed.events, codes(feed)) == (6, {})
    made = note(exhibit)
    assert (made.version, [walk.ended for walk in made.walks]) == ("openclaw 2026.9.6", ["exhausted", "exhausted"])
    assert [call.found for call in made.calls] == ["page"] * 4
    assert gaps(exhibit) == {}
    assert all(TOKEN not in " ".join(words) for words in stand_in.calls())
    assert {environ["OPENCLAW_GATEWAY_TOKEN"] for environ in stand_in.environs()} == {TOKEN}


def test_each_run_is_explained(stand_in: StandIn, empty_case: Path) -> None:
    """With its further pages; an ambiguous one by the executions that the Gateway names."""
    stand_in.events = (event(1), event(2, run="run-2"), event(3, run="a run with spaces"))
    identity = {"state": "ambiguous", "candidates": [{"executionId": "execution-8"}]}
    stand_in.explanations = {
        "run-1": explanation(nextDecisionCursor="g:1"),
        "run-1@g:1": explanation(),
        "run-2": explanation("run-2", identity=identity, decisionDisplays=[]),
        "execution-8": explanation("run-2"),
    }
    exhibit = run(empty_case, stand_in, "--explain", status=3)
    asked = [words[3] for words in stand_in.calls() if "--explain" in words]
    assert asked == ["--run=run-2", "--run=run-1", "--run=run-1", "--execution=execution-8"]
    found = [row for row in streams(exhibit).values() if row.kind == "execution"]
    assert [dict(row.words)["identity_state"] for row in found] == ["ambiguous", "present", "present", "present"]
    assert note(exhibit).not_explained == 1
    assert gaps(exhibit) == {"interrupted": 1}


def test_a_dead_gateway_is_no_empty_ledger(stand_in: StandIn, empty_case: Path) -> None:
    """It fails on its standard output: nothing is begun, and the status says unreachable."""
    stand_in.faults = {2: dead(), 3: dead()}
    stand_in.write()
    terminal = Terminal(stand_in.path())
    assert terminal.run(NAME, str(empty_case), "--live") == 6
    assert "ECONNREFUSED" not in terminal.both
    assert not list(empty_case.glob("EX-*"))


def test_a_gateway_that_dies_on_the_way_leaves_a_gap(stand_in: StandIn, empty_case: Path) -> None:
    """What came is kept, with the failures; the exhibit is incomplete."""
    stand_in.newer = False
    stand_in.faults = {3: dead(), 4: {"out": '{"events": []}', "err": CANARY, "status": 1}}
    exhibit = run(empty_case, stand_in, status=3)
    assert gaps(exhibit) == {"retries_exhausted": 1}
    found = streams(exhibit)
    noted = next(row for row in found.values() if row.form == "agentaudit-note")
    assert codes(noted) == {"call_failed": 4, "kind_refused": 1, "walk_not_to_end": 1}
    assert codes(found["feed/000001"])["next_page_not_here"] == 1
    assert [call.found for call in note(exhibit).calls] == ["page", "failure", "other", "failure", "failure"]


def test_a_call_that_fails_once_is_made_again(stand_in: StandIn, empty_case: Path) -> None:
    """Nothing lacks then, and the failure is kept."""
    stand_in.faults = {3: dead()}
    exhibit = run(empty_case, stand_in)
    assert codes(streams(exhibit)["feed/000001"]) == {}
    assert gaps(exhibit) == {}


def test_a_retired_cursor_is_recorded_and_the_walk_begun_anew(stand_in: StandIn, empty_case: Path) -> None:
    """What came twice is marked as that; a cursor that stays retired leaves a gap."""
    stand_in.retired = ("3",)
    exhibit = run(empty_case, stand_in, status=3)
    assert note(exhibit).walks[0].retired == ("3", "3")
    assert codes(streams(exhibit)["feed/000001"])["overlap"] == 8
    assert gaps(exhibit) == {"retries_exhausted": 1}


def test_a_cursor_that_goes_round_leaves_a_gap(stand_in: StandIn, empty_case: Path) -> None:
    """It is not followed for ever."""
    stand_in.cursor = "x:5"
    assert gaps(run(empty_case, stand_in, status=3)) == {"cursor_repeated": 1}


def test_what_takes_too_long_or_too_much_leaves_a_gap(
    stand_in: StandIn, empty_case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call is ended, and what it printed is no page."""
    monkeypatch.setattr(gatewayledger, "SECONDS_MAX", 3.0)
    monkeypatch.setattr(gatewayledger, "OUTPUT_MAX", 100_000)
    stand_in.faults = {3: {"out": '{"events": []}', "sleep": 60}, 4: {"flood": True}}
    exhibit = run(empty_case, stand_in, status=3)
    assert [call.ended for call in note(exhibit).calls[:3]] == ["exited", "timed_out", "over_limit"]
    assert gaps(exhibit) == {"retries_exhausted": 1}


@pytest.mark.parametrize(("version", "status"), [("", 0), ("x" * 300, 0), ("openclaw 9", 1)])
def test_a_command_that_does_not_name_its_version_is_run(
    version: str, status: int, stand_in: StandIn, empty_case: Path
) -> None:
    """The note says that it did not; its digest stands there."""
    stand_in.version, stand_in.version_status = version, status
    made = note(run(empty_case, stand_in, "--openclaw", str(stand_in.place)))
    assert made.version is None
    assert made.command_sha256.startswith("sha256:")


def test_pages_of_before_and_a_live_run_go_together(stand_in: StandIn, empty_case: Path, tmp_path: Path) -> None:
    """What was saved and what is asked for are files of one exhibit."""
    (tmp_path / "saved.json").write_bytes(b'{"events": []}')
    assert dict(streams(run(empty_case, stand_in, str(tmp_path / "saved.json")))["feed/000001"].counts)["pages"] == 5


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--explain",), 2),
        (("--openclaw", "somewhere"), 2),
        (("--live", "--dry-run"), 2),
        (("--live", "--resume", "EX-0001"), 2),
        (("--live", "--openclaw", "/nowhere/openclaw"), 2),
    ],
)
def test_what_makes_no_sense_starts_nothing(words: tuple[str, ...], status: int, untouched: Path) -> None:
    """No command is run and no exhibit begun."""
    terminal = Terminal({"PATH": os.environ["PATH"]})
    assert terminal.run(NAME, str(untouched), *words) == status
    assert not list(untouched.glob("EX-*"))
