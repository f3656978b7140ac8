"""What a copier does with what comes through its pipe, in this process: answers, errors, the word to stop, the end."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_uint64
from multiprocessing.sharedctypes import RawArray
from pathlib import Path

import pytest

from agentaudit.acquire.copier import STOP, Board, Given, HolderEnd, Unwanted, serve
from agentaudit.acquire.copying import CopyJob
from agentaudit.acquire.outcomes import Full, Plain
from agentaudit.errors import DestinationFault, Interrupted
from agentaudit.sources.local.read import Unread
from tests.sources.local.places import put, surveyed

WAIT_S = 10.0
BOTH = range(2)


@pytest.fixture(autouse=True)
def no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copier of this process changes none of its signals."""
    monkeypatch.setattr(signal, "signal", lambda *_given: None)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Two files, and where their copies go."""
    for name in ("a", "b"):
        put(tmp_path / "store", name, name.encode() * 300_000)
    (tmp_path / "exhibit" / "data").mkdir(parents=True)
    return tmp_path / "store"


def jobs(root: Path) -> tuple[CopyJob, ...]:
    """A job for each file."""
    return tuple(CopyJob(seen, f"data/{seen.path}.bin", lines=False, stem=None) for seen in surveyed(root))


@contextmanager
def serving(root: Path, board: "Board | None" = None, descriptors: tuple[int, ...] = ()) -> "Iterator[HolderEnd]":
    """A copier that serves until the pipe is closed; it has ended when the block is left."""
    ours, theirs = multiprocessing.Pipe()
    spare, _ = multiprocessing.Pipe()
    given = Given({"r1": os.fsencode(root)}, frozenset(), root.parent / "exhibit", jobs(root))
    words = RawArray(c_uint64, 2) if board is None else board
    thread = threading.Thread(target=serve, args=(theirs, words, 1, given, Unwanted((spare,), descriptors)))
    thread.start()
    yield ours
    ours.close()
    thread.join(WAIT_S)
    assert not thread.is_alive()
    assert spare.closed


def answered(pipe: "HolderEnd", batch: range) -> object:
    """The answer to a batch: the places of its jobs."""
    pipe.send(batch)
    assert pipe.poll(WAIT_S)
    return pipe.recv()


def test_a_batch_is_answered_job_by_job(root: Path) -> None:
    """Without the jobs themselves, which the other side has; bytes are counted on the board."""
    board = RawArray(c_uint64, 2)
    with serving(root, board) as pipe:
        answer = answered(pipe, BOTH)
        assert answered(pipe, range(0)) == ()
    assert isinstance(answer, tuple)
    assert all(isinstance(outcome, Plain) and outcome.octets == 300_000 for outcome in answer)
    assert len(answer) == 2
    assert board[1] == 600_000
    assert (root.parent / "exhibit/data/b.bin").read_bytes() == b"b" * 300_000


def test_one_that_cannot_be_read_does_not_end_the_others(root: Path) -> None:
    """It is an outcome in its turn."""
    with serving(root) as pipe:
        (root / "a").unlink()
        answer = answered(pipe, BOTH)
    assert isinstance(answer, tuple)
    first, second = answer
    assert isinstance(first, Full)
    assert isinstance(first.read, Unread)
    assert first.item is None
    assert isinstance(second, Plain)
    assert second.octets == 300_000


def test_a_fault_is_the_answer_and_the_copier_goes_on(root: Path) -> None:
    """It is raised where the exhibit is held; whether the run goes on is decided there."""
    (root.parent / "exhibit/data/a.bin").write_bytes(b"in the way")
    with serving(root) as pipe:
        assert isinstance(answered(pipe, range(1)), DestinationFault)
        assert isinstance(answered(pipe, range(1, 2)), tuple)
    assert (root.parent / "exhibit/data/a.bin").read_bytes() == b"in the way"


def test_the_word_to_stop_ends_a_copy_at_its_next_stretch(root: Path) -> None:
    """What was begun is an orphan: the answer holds no item."""
    board = RawArray(c_uint64, 2)
    board[STOP] = 1
    with serving(root, board) as pipe:
        answer = answered(pipe, BOTH)
    assert isinstance(answer, Interrupted)
    assert not (root.parent / "exhibit/data/b.bin").exists()
    assert (root.parent / "exhibit/data/a.bin").stat().st_size <= 300_000


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="the system shows no open files")
def test_what_a_forked_child_must_not_keep_is_closed(root: Path) -> None:
    """The lock of the journal is not held by who never writes it."""
    descriptor = os.open(root / "a", os.O_RDONLY)
    with serving(root, descriptors=(descriptor,)) as pipe:
        assert answered(pipe, range(0)) == ()
        # Its number may stand for another file by now, such as the folder that was opened.
        found = os.fstat(descriptor) if Path(f"/proc/self/fd/{descriptor}").exists() else None
        assert found is None or found.st_ino != (root / "a").stat().st_ino
