"""A journal that is read back beside the sealing of what it says."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Link
from agentaudit.model.journal import Act
from agentaudit.package import readback, rows
from agentaudit.package.case import Case
from agentaudit.package.disk import SystemDisk
from agentaudit.package.readback import Readback
from agentaudit.package.rows import create_log, find_tail, read_log
from agentaudit.package.seal import seal_exhibit
from agentaudit.verify import verify_exhibit
from tests.golden import Script, ScriptReader, begin_script, clean_script, golden_case
from tests.support.around import hand
from tests.support.clock import StillClock

READERS = (ScriptReader(),)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A new case."""
    return golden_case(tmp_path / "case")


@pytest.fixture
def script(case: Case) -> Script:
    """An acquisition that holds its rows and has only to be sealed."""
    script = begin_script(case, StillClock(steps_ms=1), hold=True)
    clean_script(script)
    script.exhibit.settle()
    return script


@pytest.fixture
def crowd() -> Iterator[None]:
    """A second thread, beside which no process is forked."""
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    yield
    stop.set()
    thread.join()


def test_held_rows_are_those_that_the_journal_gives(script: Script) -> None:
    """Each as a link of the chain: row, place, length and digest."""
    read = list(read_log(script.exhibit.root / layout.JOURNAL, JOURNAL_CODEC, Act))
    assert all(isinstance(link, Link) for link in read)
    assert script.exhibit.journal.held == tuple(read)


def test_what_is_sealed_from_held_rows_is_what_verification_draws_from_the_disk(script: Script, case: Case) -> None:
    """Every fold and every reading is rebuilt from the bytes and found to be the same."""
    assert script.exhibit.journal.held is not None
    sealed = seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"


@pytest.mark.usefixtures("crowd")
def test_beside_another_thread_the_journal_is_read_by_this_process(script: Script, case: Case) -> None:
    """The answer is the same, and so is what is sealed."""
    with Readback(script.exhibit.journal) as beside:
        assert beside.agrees()
    sealed = seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"


@pytest.mark.parametrize("change", ["changed", "cut", "torn", "more"])
def test_rows_that_are_not_what_lies_there_are_not_sealed(script: Script, case: Case, change: str) -> None:
    """A row that was altered under the writer's hands, one that is gone or halved, and one that nobody staged."""
    path = script.exhibit.root / layout.JOURNAL
    octets = path.read_bytes()
    last = octets.rindex(b"\n", 0, -1) + 1
    altered = {
        "changed": octets.replace(b'"limit"', b'"Limit"', 1),
        "cut": octets[:last],
        "torn": octets[:-1],
        "more": octets + b"{}\n",
    }
    path.write_bytes(altered[change])
    with pytest.raises(PackageFault, match="broken journal"):
        seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert not (case.path / "EX-0001").exists()


def test_a_process_that_was_ended_is_replaced_by_this_one(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it would have said is found out here."""
    monkeypatch.setattr(readback, "_serve", lambda *_given: None)
    with Readback(script.exhibit.journal) as beside:
        assert beside.agrees()


def test_an_error_beside_it_ends_the_other_process(script: Script) -> None:
    """Nobody waits for an answer that is not wanted."""

    def fail() -> None:
        with Readback(script.exhibit.journal):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert find_tail(script.exhibit.journal.path, JOURNAL_CODEC, Act) == script.exhibit.journal.tail


def test_a_log_is_held_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the bound nothing is held; a log that has rows is not held from its middle on."""
    monkeypatch.setattr(rows, "HELD_MAX", 2)
    log = create_log(tmp_path / "log", SystemDisk(), StillClock().now, Act)
    held = [log.held]
    log.hold()
    for _ in range(3):
        log.stage(Act())
        held.append(log.held)
    assert [links and len(links) for links in held] == [None, 1, 2, None]
    with pytest.raises(ValueError, match="first row"):
        log.hold()
    log.close()


def test_a_reading_that_nobody_waits_for_ends_in_silence(script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run that asked was killed: there is no pipe to answer, and nothing to tell on its terminal."""
    monkeypatch.setattr(signal, "signal", lambda *_given: None)
    ours, theirs = multiprocessing.Pipe(duplex=False)
    ours.close()
    with theirs:
        readback._serve(theirs, script.exhibit.root / layout.JOURNAL, os.open(os.devnull, os.O_RDONLY))
