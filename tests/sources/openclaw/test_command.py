"""One call of the Gateway's command, with a stand-in: its words, its environment, its bounds."""

import os
import signal
import time
from pathlib import Path

import pytest

from agentaudit.errors import Interrupted, UsageFault
from agentaudit.sources.openclaw.command import GatewayCommand, Ran, find_command
from tests.support.openclawing import StandIn, dead


def ran(
    stand_in: StandIn, folder: Path, *words: str, seconds: float = 60, most: int = 10**6, stop: int | None = None
) -> tuple[Ran, bytes, bytes]:
    """How a call ended, and what it printed on both streams."""
    place = stand_in.write()
    command = GatewayCommand(place, dict(os.environ), folder, lambda: stop, seconds, most)
    done = command.run(words, folder / "out", folder / "err")
    return done, (folder / "out").read_bytes(), (folder / "err").read_bytes()


@pytest.fixture
def stand_in(tmp_path: Path) -> StandIn:
    """A command that says what it is told."""
    return StandIn(tmp_path / "bin")


def test_what_it_prints_is_a_file(stand_in: StandIn, tmp_path: Path) -> None:
    """Both streams apart, and the status of the process."""
    stand_in.faults = {1: {"out": "out", "err": "err", "status": 7}}
    assert ran(stand_in, tmp_path, "audit", "a b; $HOME") == (Ran("exited", 7), b"out", b"err")
    assert stand_in.calls() == [["audit", "a b; $HOME"]]


def test_it_is_given_no_more_of_the_environment_than_it_needs(
    stand_in: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own variables, and where things lie; another program's key is not among them."""
    monkeypatch.setenv("OPENCLAW_GATEWAY_PORT", "1")
    monkeypatch.setenv("SOME_OTHER_KEY", "canary")
    ran(stand_in, tmp_path, "--version")
    (environ,) = stand_in.environs()
    assert environ["OPENCLAW_GATEWAY_PORT"] == "1"
    assert "SOME_OTHER_KEY" not in environ


def test_one_that_takes_too_long_is_ended(stand_in: StandIn, tmp_path: Path) -> None:
    """With what it printed before."""
    stand_in.faults = {1: {"out": "before", "sleep": 60}}
    began = time.monotonic()
    done, out, _ = ran(stand_in, tmp_path, "audit", seconds=1)
    assert (done, out) == (Ran("timed_out", -signal.SIGKILL), b"before")
    assert time.monotonic() - began < 30


def test_one_that_prints_too_much_is_ended(stand_in: StandIn, tmp_path: Path) -> None:
    """Not much later than at the bound."""
    stand_in.faults = {1: {"flood": True}}
    done, out, _ = ran(stand_in, tmp_path, "audit", most=1000)
    assert done.ended == "over_limit"
    assert len(out) > 1000


def test_one_that_printed_too_much_and_ended_is_over_the_bound(stand_in: StandIn, tmp_path: Path) -> None:
    """Its own end, where it came first, does not make it whole."""
    stand_in.faults = {1: {"out": "x" * 2000, "status": 0}}
    assert ran(stand_in, tmp_path, "audit", most=1000)[0].ended == "over_limit"


def test_a_signal_ends_it(stand_in: StandIn, tmp_path: Path) -> None:
    """Nothing was begun that could be gone on with."""
    stand_in.faults = {1: {"sleep": 60}}
    with pytest.raises(Interrupted, match="no exhibit was begun"):
        ran(stand_in, tmp_path, "audit", stop=15)


def test_one_that_cannot_be_started_is_refused(tmp_path: Path) -> None:
    """With the system's reason."""
    command = GatewayCommand(tmp_path / "none", {}, tmp_path, lambda: None, 5, 5)
    with pytest.raises(UsageFault, match="cannot be run"):
        command.run(("audit",), tmp_path / "out", tmp_path / "err")


def test_the_command_is_found_by_name_or_by_place(stand_in: StandIn) -> None:
    """On the path, or where it was named; else it is refused."""
    stand_in.faults = {1: dead()}
    place = stand_in.write()
    assert find_command(None, stand_in.path()) == place
    assert find_command(place, {}) == place
    with pytest.raises(UsageFault):
        find_command(None, {"PATH": str(stand_in.folder.parent)})
