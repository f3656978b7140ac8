"""The real world around a run."""

import ctypes
import io
import os
import re
import signal
import sys
import threading
from datetime import UTC
from pathlib import Path

import pytest

from agentaudit import __version__
from agentaudit.acquire.request import Surroundings
from agentaudit.cli import surroundings as real
from agentaudit.cli.console import Console
from agentaudit.cli.surroundings import host, monotonic_ms, now, surroundings, tool


@pytest.fixture
def err() -> io.StringIO:
    """Standard error."""
    return io.StringIO()


@pytest.fixture
def console(err: io.StringIO) -> Console:
    """A console without a terminal."""
    return Console(io.StringIO(), err, io.BytesIO(), {})


def test_clocks_are_aware_and_never_step_back() -> None:
    """Instants are UTC; durations come from a monotonic clock."""
    assert now().tzinfo is UTC
    assert monotonic_ms() <= monotonic_ms()


def test_the_tool_is_this_program_and_its_libraries() -> None:
    """Version, digest of its own code, interpreter, and what it stands on."""
    made = tool()
    assert (made.name, made.version) == ("agentaudit", __version__)
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", made.code_digest)
    assert made.code_digest == tool().code_digest
    assert {"httpx", "msgspec", "orjson"} <= {name for name, _ in made.dependencies}


def test_the_code_digest_changes_with_any_line_or_name(tmp_path: Path) -> None:
    """A changed program states another digest."""
    (tmp_path / "a.py").write_text("x = 1\n")
    digests = {real._code_digest(tmp_path)}
    (tmp_path / "a.py").write_text("x = 2\n")
    digests.add(real._code_digest(tmp_path))
    (tmp_path / "a.py").rename(tmp_path / "b.py")
    digests.add(real._code_digest(tmp_path))
    (tmp_path / "notes.txt").write_text("no code")
    digests.add(real._code_digest(tmp_path))
    assert len(digests) == 3


def test_a_library_that_is_not_installed_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not there has no version."""
    monkeypatch.setattr(real, "DEPENDENCIES", ("no-such-library", "click"))
    assert [name for name, _ in tool().dependencies] == ["click"]


@pytest.mark.skipif(sys.platform == "win32", reason="accounts by number are POSIX")
def test_the_user_is_the_account_of_the_process_whatever_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A variable names nobody; an account without a name is its number."""
    assert host(tmp_path, {"USER": "mallory", "LOGNAME": "mallory"}).user != "mallory"
    monkeypatch.setattr(os, "getuid", lambda: 2_000_000_123)
    assert host(tmp_path, {}).user == "2000000123"


def test_the_zone_is_what_is_configured(tmp_path: Path) -> None:
    """The variable TZ goes before the system's zone; the offset stands beside it."""
    assert host(tmp_path, {"TZ": ":Europe/Berlin"}).time_zone.startswith("Europe/Berlin ")
    assert re.search(r"[+-]\d{4}$", host(tmp_path, {}).time_zone)


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_a_case_folder_that_others_can_read_is_noticed(tmp_path: Path) -> None:
    """Known, known not to be, and not known."""
    tmp_path.chmod(0o750)
    assert host(tmp_path, {}).case_folder_open_to_others is True
    tmp_path.chmod(0o700)
    assert host(tmp_path, {}).case_folder_open_to_others is False
    assert host(tmp_path / "none", {}).case_folder_open_to_others is None


@pytest.mark.parametrize(("state", "said"), [(0, True), (5, False), (-1, None)])
def test_the_clock_is_synchronised_as_far_as_the_kernel_says(
    monkeypatch: pytest.MonkeyPatch, state: int, said: bool | None
) -> None:
    """adjtimex(2) answers, or is not known."""

    class Library:
        """A C library whose clock call answers with the state."""

        def __init__(self, _name: None) -> None:
            self.adjtimex = self.ntp_adjtime = lambda _buffer: state

    monkeypatch.setattr(ctypes, "CDLL", Library)
    monkeypatch.setattr(sys, "platform", "linux")
    assert real._clock_synchronised() is said


def test_a_system_that_cannot_be_asked_about_its_clock_is_not_guessed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call, or a call that is missing: not known."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: object())
    monkeypatch.setattr(sys, "platform", "linux")
    assert real._clock_synchronised() is None
    monkeypatch.setattr(sys, "platform", "plan9")
    assert real._clock_synchronised() is None


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_the_run_to_stop_and_is_said_once(
    console: Console, err: io.StringIO, tmp_path: Path, signum: signal.Signals
) -> None:
    """The handler only notes it; the run sees it at its next look."""
    before = signal.getsignal(signum)
    with surroundings(console, tmp_path) as around:
        assert around.stop() is None
        os.kill(os.getpid(), signum)
        assert (around.stop(), around.stop()) == (signum, signum)
    assert err.getvalue().count("stopping") == 1
    assert signal.getsignal(signum) is before


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_second_interrupt_leaves_at_once(console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is always ahead, so nothing is lost; a second SIGTERM changes nothing."""
    left: list[int] = []
    monkeypatch.setattr(os, "_exit", left.append)
    with surroundings(console, tmp_path):
        for signum in (signal.SIGTERM, signal.SIGTERM, signal.SIGINT):
            os.kill(os.getpid(), signum)
    assert left == [130]


def test_a_run_in_another_thread_has_no_signals(console: Console, tmp_path: Path) -> None:
    """Only the main thread may take them."""
    seen: list[Surroundings] = []

    def run() -> None:
        with surroundings(console, tmp_path) as around:
            seen.append(around)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen[0].stop() is None
