"""The processes that copy beside the one that holds the exhibit."""

import errno
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from agentaudit.acquire import hands
from agentaudit.acquire.copier import Given
from agentaudit.acquire.copiers import Copiers, _method
from agentaudit.acquire.copying import Copied, CopyJob
from agentaudit.errors import DestinationFault, Interrupted
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Unread
from agentaudit.sources.local.survey import survey
from tests.support.storing import storing


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Three files, the last one large."""
    root = tmp_path / "store"
    root.mkdir()
    for name, octets in (("a", b"first"), ("b", b"second"), ("c", b"third " * 500_000)):
        (root / name).write_bytes(octets)
    return root


def jobs(root: Path) -> tuple[CopyJob, ...]:
    """A job for each file."""
    with Handles(os.fsencode(root)) as handles:
        found = list(survey("r1", handles, Owners()))
    return tuple(
        CopyJob(seen, f"data/{number:06d}.bin", lines=False, stem=None) for number, seen in enumerate(found, 1)
    )


@contextmanager
def copiers(
    tmp_path: Path, root: Path, denied: frozenset[tuple[int, int]] = frozenset(), count: int = 1
) -> Iterator[Copiers]:
    """Processes beside this one, and where they put the copies."""
    (tmp_path / "exhibit" / "data").mkdir(parents=True, exist_ok=True)
    given = Given({"r1": os.fsencode(root)}, denied, tmp_path / "exhibit", jobs(root))
    with closing(Copiers(count, given, ())) as found:
        yield found


def all_of(found: Copiers, count: int) -> dict[int, Copied]:
    """What comes, until so many are there."""
    answers: dict[int, Copied] = {}
    while len(answers) < count:
        answers.update(found.collect(10))
    return answers


def test_a_batch_is_answered_with_its_places(tmp_path: Path, store: Path) -> None:
    """Copies, digests and counts of bytes are those of the files."""
    with copiers(tmp_path, store) as found:
        found.give(range(1, 3))
        found.give(range(1))
        answers = all_of(found, 3)
        assert found.octets == sum(path.stat().st_size for path in store.iterdir())
    assert sorted(answers) == [0, 1, 2]
    for place, path in zip((0, 1, 2), sorted(store.iterdir()), strict=True):
        item = answers[place].item
        assert item is not None
        assert item.sha256 == f"sha256:{sha256(path.read_bytes()).hexdigest()}"
        assert (tmp_path / "exhibit" / item.path).read_bytes() == path.read_bytes()
        assert (tmp_path / "exhibit" / item.path).stat().st_mtime_ns == path.stat().st_mtime_ns


def test_what_is_denied_is_read_by_nobody(tmp_path: Path, store: Path) -> None:
    """The other process knows it, and makes no payload file."""
    look = (store / "b").stat()
    with copiers(tmp_path, store, frozenset({(look.st_dev, look.st_ino)})) as found:
        found.give(range(3))
        answers = all_of(found, 3)
    assert isinstance(answers[1].read, Unread)
    assert answers[1].read.problem == "denied"
    assert answers[1].item is None
    assert not (tmp_path / "exhibit/data/000002.bin").exists()


def test_a_fault_of_the_destination_travels_back(tmp_path: Path, store: Path) -> None:
    """A payload name that is taken is the fault that it would be here."""
    with copiers(tmp_path, store) as found:
        (tmp_path / "exhibit/data/000001.bin").write_bytes(b"in the way")
        found.give(range(3))
        with pytest.raises(DestinationFault, match="File exists"):
            all_of(found, 3)


def test_one_that_died_is_a_fault_of_the_run(tmp_path: Path, store: Path) -> None:
    """What it was doing is not known: the run ends, with a word on how to go on."""
    with copiers(tmp_path, store) as found:
        process = found._copiers[0].process
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join(10)
        with pytest.raises(DestinationFault, match="ended from outside"):  # noqa: PT012 - whichever sees it first
            found.give(range(3))
            all_of(found, 3)


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is not sent such signals")
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_the_whole_group_ends_no_copier(tmp_path: Path, store: Path, signum: signal.Signals) -> None:
    """What becomes of the run is said by the first process: one that died would be told as a fault of its own."""
    with copiers(tmp_path, store) as found:
        found.give(range(1))
        all_of(found, 1)  # it has begun
        process = found._copiers[0].process
        assert process.pid is not None
        os.kill(process.pid, signum)
        found.give(range(1, 3))
        assert sorted(all_of(found, 2)) == [1, 2]
    assert process.exitcode == 0


def test_one_that_cannot_be_started_ends_those_that_were(
    tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would wait for a batch for ever."""
    begun: list[BaseProcess] = []
    start = BaseProcess.start

    def started(process: BaseProcess) -> None:
        if begun:
            raise OSError(errno.EAGAIN, "no more processes")
        start(process)
        begun.append(process)

    monkeypatch.setattr(BaseProcess, "start", started)
    with pytest.raises(OSError, match="no more processes"), copiers(tmp_path, store, count=2):
        pass
    assert not begun[0].is_alive()


def test_told_to_stop_it_stops_at_its_next_stretch(tmp_path: Path, store: Path) -> None:
    """Its answer is that it was interrupted; nothing outlives the end of the block."""
    with copiers(tmp_path, store) as found:
        found._board[0] = 1
        found.give(range(3))
        with pytest.raises(Interrupted):
            all_of(found, 3)
        process = found._copiers[0].process
    assert not process.is_alive()


def test_nobody_is_forked_beside_another_thread() -> None:
    """A lock that the other thread holds would be held for ever in the child."""
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert _method() == "spawn"
    finally:
        over.set()
        thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="a fork is for Linux alone")
def test_a_process_of_one_thread_forks_and_the_copies_are_the_same(tmp_path: Path) -> None:
    """As many processes as asked for, and every copy is the one that a single process makes."""
    root = tmp_path / "many"
    (root / "projects" / "-w").mkdir(parents=True)
    for number in range(40):
        name = f"{number:08d}-0000-4000-8000-000000000000.jsonl"
        (root / "projects" / "-w" / name).write_bytes(b'{"type":"user"}\n' * (number + 1))
    found = []
    for workers in (1, 3):
        job = storing(tmp_path / f"by{workers}", root)
        words = [sys.executable, "-m", "tests.support.preserving_child", str(job.case), str(root), str(workers)]
        subprocess.run(words, cwd=Path.cwd(), check=True, timeout=60)
        found.append(sorted((path.name, path.read_bytes()) for path in (job.sealed / "data").rglob("*.jsonl")))
    assert len(found[0]) == 40
    assert found[0] == found[1]


def test_a_small_store_starts_nobody(tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below the bound this process copies alone, whatever the number of cores."""
    monkeypatch.delattr(hands, "Copiers")
    job = storing(tmp_path, store)
    job.preserve(workers=4)
    assert job.sealed.is_dir()
