"""Who reads and copies: results in the order of the jobs, whoever was faster, and one word that stops them all."""

import errno
import multiprocessing
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentaudit.acquire import hands as hands_module
from agentaudit.acquire.copying import CopyJob
from agentaudit.acquire.hands import Hands
from agentaudit.errors import DestinationFault, Interrupted
from agentaudit.package.disk import SystemDisk
from agentaudit.package.writer import OpenExhibit, create_exhibit
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Reader, Unread
from tests.sources.local.places import put, surveyed
from tests.support.openings import opened_row

SIZES = (1, 0, 2_000_000, 5, 7, 900_000, 3, 11)


@contextmanager
def opened(tmp_path: Path, workers: int) -> Iterator[tuple[Hands, OpenExhibit, tuple[CopyJob, ...]]]:
    """Hands over a store of files of odd sizes, an open exhibit, and a job for each file."""
    root = tmp_path / "store"
    for number, size in enumerate(SIZES):
        put(root, f"{number:02}", bytes([number]) * size)
    folder = tmp_path / "EX-0001.partial"
    folder.mkdir()
    exhibit = create_exhibit(folder, opened_row, SystemDisk(), lambda: datetime.now(UTC))
    jobs = tuple(CopyJob(seen, f"data/{seen.path}.bin", lines=False, stem=None) for seen in surveyed(root))
    with Handles(os.fsencode(root)) as handles:
        yield Hands({"r1": Reader(handles, Owners())}, {"r1": os.fsencode(root)}, workers), exhibit, jobs
    exhibit.release()


@pytest.fixture(params=[1, 2, 3])
def workers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many copy, and no store is too small to be shared out."""
    monkeypatch.setattr(hands_module, "ALONE_BYTES", 0)
    number: int = request.param
    return number


def test_each_file_comes_once_and_in_the_order_of_the_jobs(tmp_path: Path, workers: int) -> None:
    """Empty and large ones among small ones: bytes are those of the files, and all of them are counted."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        found = list(hands.copy(exhibit, jobs, lambda: None))
        assert [one.job for one in found] == list(jobs)
        assert hands.octets == sum(SIZES)
        exhibit.settle()
        for number, size in enumerate(SIZES):
            assert (exhibit.root / f"data/{number:02}.bin").read_bytes() == bytes([number]) * size


def test_a_signal_ends_the_copy_whoever_has_it(tmp_path: Path, workers: int) -> None:
    """What `check` raises goes through, and nobody goes on."""

    def stop() -> None:
        raise Interrupted(15)

    with opened(tmp_path, workers) as (hands, exhibit, jobs), pytest.raises(Interrupted):
        list(hands.copy(exhibit, jobs, stop))


def test_what_is_denied_comes_in_its_turn_unread(tmp_path: Path, workers: int) -> None:
    """Its neighbours are copied, and no payload file is made for it."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        look = jobs[2].seen.look
        assert look is not None
        denied = frozenset({(look.device, look.inode)})
        hands.deny(denied)
        hands._readers["r1"].deny(denied)
        found = list(hands.copy(exhibit, jobs, lambda: None))
        assert [one.job for one in found] == list(jobs)
        assert [isinstance(one.read, Unread) for one in found] == [number == 2 for number in range(len(SIZES))]
        assert not (exhibit.root / jobs[2].path).exists()


def test_a_name_that_is_taken_is_a_fault_whoever_meets_it(tmp_path: Path, workers: int) -> None:
    """Nothing is overwritten: the run ends."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        (exhibit.root / jobs[-1].path).write_bytes(b"in the way")
        with pytest.raises(DestinationFault):
            list(hands.copy(exhibit, jobs, lambda: None))
        assert (exhibit.root / jobs[-1].path).read_bytes() == b"in the way"


def test_nothing_to_copy_is_nothing(tmp_path: Path, workers: int) -> None:
    """No process is started for it, and it ends."""
    with opened(tmp_path, workers) as (hands, exhibit, _):
        assert list(hands.copy(exhibit, (), lambda: None)) == []
        assert hands.octets == 0


def test_a_small_store_is_copied_by_this_process_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process is not worth its start: none is asked for."""

    def refuse(*_given: object, **_named: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(hands_module, "Copiers", refuse)
    with opened(tmp_path, 4) as (hands, exhibit, jobs):
        assert len(list(hands.copy(exhibit, jobs, lambda: None))) == len(SIZES)
        monkeypatch.setattr(hands_module, "ALONE_BYTES", 0)
        with pytest.raises(AssertionError, match="a process was started"):
            list(hands.copy(exhibit, jobs, lambda: None))


def test_others_begin_before_the_results_are_asked_for(tmp_path: Path, workers: int) -> None:
    """What they did waits for its turn and is taken into the exhibit then; where nobody else copies, nothing begins."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        hands.begin(exhibit, jobs)
        limit = time.monotonic() + 20
        while workers > 1 and not (exhibit.root / jobs[0].path).exists():
            assert time.monotonic() < limit
            hands.go_on()
        found = list(hands.copy(exhibit, jobs, lambda: None))
        assert [one.job for one in found] == list(jobs)
        assert hands.octets == sum(SIZES)
        exhibit.settle()
        assert [(exhibit.root / job.path).stat().st_size for job in jobs] == list(SIZES)


def test_what_was_begun_and_is_not_wanted_any_more_is_ended(tmp_path: Path, workers: int) -> None:
    """Nobody copies on, and what was copied is counted still; ending twice, or before a beginning, is no fault."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        hands.end()
        hands.begin(exhibit, jobs)
        hands.end()
        copied = hands.octets
        hands.end()
        hands.go_on()
        assert hands.octets == copied <= sum(SIZES)
        assert multiprocessing.active_children() == []


@pytest.mark.parametrize("there", ["nothing", "another", "a copy"])
def test_a_root_that_moved_is_read_through_the_handle_whoever_was_asked(
    tmp_path: Path, workers: int, there: str
) -> None:
    """Others enter a root by its path, where nothing lies now, or another folder, or other files of these names."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        (tmp_path / "store").rename(tmp_path / "moved")
        if there == "another":
            (tmp_path / "store").mkdir()
        elif there == "a copy":
            shutil.copytree(tmp_path / "moved", tmp_path / "store")
        found = list(hands.copy(exhibit, jobs, lambda: None))
        assert [one.job for one in found] == list(jobs)
        exhibit.settle()
        assert [(exhibit.root / job.path).stat().st_size for job in jobs] == list(SIZES)


def test_where_no_other_process_can_be_started_this_one_copies(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound on processes makes a run slower and nothing else."""

    def refuse(*_given: object, **_named: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "no more processes")

    monkeypatch.setattr(hands_module, "Copiers", refuse)
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        hands.begin(exhibit, jobs)
        assert [one.job for one in hands.copy(exhibit, jobs, lambda: None)] == list(jobs)
        assert hands.octets == sum(SIZES)


def test_a_fault_of_what_was_begun_waits_for_the_results(tmp_path: Path, workers: int) -> None:
    """Whoever has something else to do is not torn from it: what it writes meanwhile can be made durable."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        (exhibit.root / jobs[0].path).write_bytes(b"in the way")
        hands.begin(exhibit, jobs)
        limit = time.monotonic() + 20
        while workers > 1 and hands._sharing is not None and hands._sharing._fault is None:
            assert time.monotonic() < limit
            hands.go_on()
        with pytest.raises(DestinationFault):
            list(hands.copy(exhibit, jobs, lambda: None))


def test_other_jobs_than_those_that_were_begun_are_refused(tmp_path: Path, workers: int) -> None:
    """Their results would be those of others."""
    with opened(tmp_path, workers) as (hands, exhibit, jobs):
        hands.begin(exhibit, jobs)
        if workers > 1:
            with pytest.raises(ValueError, match="other jobs"):
                list(hands.copy(exhibit, jobs[1:], lambda: None))
        else:
            assert len(list(hands.copy(exhibit, jobs[1:], lambda: None))) == len(jobs) - 1
