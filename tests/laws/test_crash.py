"""Killed or full at any write: nothing journalled is lost or asked again, nothing looks sealed that is not."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import SealPartial
from agentaudit.errors import AgentAuditError, DestinationFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Link
from agentaudit.model.actors import Said
from agentaudit.model.custody import ExhibitSealed, SealedFound
from agentaudit.model.journal import Act, Answered, Resumed
from agentaudit.package.begin import resumed_row
from agentaudit.package.case import load_case
from agentaudit.package.rows import read_log
from tests.support.around import hand, surroundings
from tests.support.collecting import Collecting, collecting, comparable, payload, small_world
from tests.support.disks import FULL, FailingDisk, Killed

PARTIAL = "EX-0001.partial"
SEALED = "EX-0001"
SHARES = 6


@dataclass(frozen=True)
class Undisturbed:
    """A served world, and what a collection of it that nothing disturbs gives."""

    job: Collecting
    calls: int
    payload: dict[str, bytes]
    folds: dict[str, list[str]]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Undisturbed]:
    """Collect once, counting the calls to the disk."""
    disk = FailingDisk()
    with collecting(tmp_path_factory.mktemp("undisturbed"), small_world()) as job:
        job.collect(disk=disk)
        exhibit = job.case / SEALED
        yield Undisturbed(job, disk.calls, payload(exhibit), comparable(exhibit))


def _rows(partial: Path) -> list[Act]:
    if not (partial / layout.JOURNAL).is_file():
        return []
    links = read_log(partial / layout.JOURNAL, JOURNAL_CODEC, Act)
    return [link.row for link in links if isinstance(link, Link)]


def _goes_on(job: Collecting, given: Undisturbed) -> None:
    """After a crash: resume what can be resumed; the end is that of the undisturbed run, and nothing is asked twice."""
    partial, sealed = job.case / PARTIAL, job.case / SEALED
    rows = _rows(partial)
    if not rows and not sealed.exists():
        return
    if rows:
        assert not sealed.exists()
        known = sum(isinstance(row, Answered) for row in rows)
        version = f"0.1.0+{job.case}"
        job.resume(version=version)
        assert job.asked_by(version) == len(given.payload) - known
    else:
        load_case(job.case).append(resumed_row(hand(), SEALED, sealing=False), hand())
    found = [row.exhibit for row in load_case(job.case).rows() if isinstance(row, ExhibitSealed | SealedFound)]
    assert found == [SEALED]
    assert payload(sealed) == given.payload
    assert comparable(sealed) == given.folds


def _disturbed(job: Collecting, disk: FailingDisk, end: type[BaseException]) -> None:
    """Collect until the disk's fatal call; which answers share a barrier differs, so the last calls may not come."""
    try:
        job.collect(disk=disk)
    except end:
        disk.release()
    else:
        assert disk.calls < disk.fatal


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_any_call_the_exhibit_goes_on(tmp_path: Path, undisturbed: Undisturbed, share: int) -> None:
    """Each call to the disk is the last in one run; each remainder resumes to the undisturbed payload and folds."""
    for fatal in range(share + 1, undisturbed.calls + 1, SHARES):
        job = undisturbed.job.elsewhere(tmp_path / str(fatal))
        _disturbed(job, FailingDisk(fatal), Killed)
        _goes_on(job, undisturbed)


@pytest.mark.parametrize("share", range(SHARES))
def test_full_at_any_call_the_run_stops_and_goes_on(tmp_path: Path, undisturbed: Undisturbed, share: int) -> None:
    """A full disk at any call is a destination fault; once there is room, the exhibit goes on."""
    for fatal in range(share + 1, undisturbed.calls + 1, SHARES):
        job = undisturbed.job.elsewhere(tmp_path / str(fatal))
        _disturbed(job, FailingDisk(fatal, code=FULL), DestinationFault)
        _goes_on(job, undisturbed)


@pytest.mark.parametrize("share", range(3))
def test_killed_while_resuming_it_still_goes_on(tmp_path: Path, undisturbed: Undisturbed, share: int) -> None:
    """A resumption that is killed at any call leaves a remainder that resumes to the same end."""
    fatal = 1 + share
    while True:
        job = undisturbed.job.elsewhere(tmp_path / str(fatal))
        first = FailingDisk(undisturbed.calls // 3)
        with pytest.raises(Killed):
            job.collect(disk=first)
        first.release()
        (job.case / PARTIAL / layout.DATA / "orphan").write_bytes(b"without a row")
        disk = FailingDisk(fatal)
        try:
            job.resume(disk=disk)
        except Killed:
            disk.release()
            _goes_on(job, undisturbed)
            fatal += 3
        else:
            break
    assert payload(job.case / SEALED) == undisturbed.payload


def test_a_remainder_is_closed_as_it_stands(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """What cannot be resumed is sealed without a request: what was never asked is a gap, the outcome says so."""
    job = undisturbed.job.elsewhere(tmp_path)
    disk = FailingDisk(undisturbed.calls // 3)
    with pytest.raises(Killed):
        job.collect(disk=disk)
    disk.release()
    around = surroundings(version="0.1.0+sealing")
    sealed = seal_partial(SealPartial(job.case / PARTIAL, Said(), ("agentaudit",)), around, Silent())
    assert job.asked_by("0.1.0+sealing") == 0
    assert sealed.outcome == "incomplete"
    assert any(gap.code == "interrupted" and gap.kind == "not_obtained" for gap in sealed.gaps)


def test_an_interruption_stays_visible(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """A torn journal tail and a file without a row are set aside and named, with size and digest."""
    job = undisturbed.job.elsewhere(tmp_path)
    disk = FailingDisk(undisturbed.calls // 2)
    with pytest.raises(Killed):
        job.collect(disk=disk)
    disk.release()
    partial = job.case / PARTIAL
    (partial / layout.DATA / "orphan").write_bytes(b"without a row")
    with (partial / layout.JOURNAL).open("ab") as stream:
        stream.write(b'{"torn')
    job.resume()
    (row,) = [row for row in _rows(job.case / SEALED) if isinstance(row, Resumed)]
    assert row.torn_tail is not None
    assert row.torn_tail.bytes >= len(b'{"torn')
    assert "data/orphan" in [aside.found for aside in row.set_aside]
    for aside in row.set_aside:
        assert (job.case / SEALED / aside.path).stat().st_size == aside.bytes


def test_a_second_run_on_a_partial_is_refused(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """While a run holds an exhibit, another cannot resume it."""
    job = undisturbed.job.elsewhere(tmp_path)
    disk = FailingDisk(undisturbed.calls // 2)
    with pytest.raises(Killed):
        job.collect(disk=disk)
    with pytest.raises(DestinationFault, match="in use"):
        job.resume()
    disk.release()
    job.resume()


def test_kill_9_at_any_moment_leaves_what_resumes(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """A real process that is killed by signal 9 leaves a case whose exhibit resumes to the undisturbed end."""
    for number in range(4):
        job = undisturbed.job.elsewhere(tmp_path / str(number))
        environment = {**os.environ, "AGENTAUDIT_TEST_KEY": job.world.key()}
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.support.child", str(job.case), job.url], env=environment, cwd=Path.cwd()
        )
        deadline = time.monotonic() + 30
        while not (job.case / PARTIAL / layout.DATA).is_dir() and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(0.01 * number)
        child.send_signal(signal.SIGKILL)
        child.wait(30)
        _goes_on(job, undisturbed)


def test_a_damaged_remainder_is_not_built_upon(tmp_path: Path, undisturbed: Undisturbed) -> None:
    """When a journalled page has other bytes than its row says, resuming refuses and names the file."""
    job = undisturbed.job.elsewhere(tmp_path)
    disk = FailingDisk(undisturbed.calls // 3)
    with pytest.raises(Killed):
        job.collect(disk=disk)
    disk.release()
    page = next(iter(sorted((job.case / PARTIAL / "data").rglob("*.json"))))
    page.chmod(0o600)
    page.write_bytes(page.read_bytes()[:-1] + b" ")
    with pytest.raises(AgentAuditError, match="not what the journal says"):
        job.resume()
