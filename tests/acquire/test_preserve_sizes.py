"""Field cases C, preserved: memory does not grow with a file, small unless `AGENTAUDIT_TEST_MIB` says how large."""

import os
from pathlib import Path

import pytest

from agentaudit.acquire.progress import State
from agentaudit.demo.store import StoreBuilder, session_id
from tests.encoding.jsonl.records import record
from tests.support.peaks import peak_of
from tests.support.storing import copy_of, storing

MIB = 1024 * 1024
SIZE = int(os.environ.get("AGENTAUDIT_TEST_MIB", "24")) * MIB
NAME = f"projects/-w/{session_id('one')}.jsonl"


def peak(folder: Path, line: bytes, octets: int) -> int:
    """The peak of preserving a store with one transcript of that line, again and again."""
    place = folder / "store" / NAME
    place.parent.mkdir(parents=True)
    with place.open("wb") as out:
        for _ in range(octets // (len(line) + 1) + 1):
            out.write(line + b"\n")
    job = storing(folder)
    status, found = peak_of("preserve-local-bundle", str(job.case), "--root", str(folder / "store"), "--all", "--quiet")
    assert status == 0
    assert (job.sealed / "data/claude-code/r1/s000001/transcript.jsonl").stat().st_size == place.stat().st_size
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> int:
    """What the command needs for a transcript of one line."""
    return peak(tmp_path_factory.mktemp("small"), b"{}", 1)


@pytest.mark.parametrize("line", [1_100, 30_000, 3_000_000])
def test_c01_to_c03_memory_does_not_grow_with_a_transcript(line: int, program: int, tmp_path: Path) -> None:
    """Copied, hashed, framed and counted in one pass: buffers, and a few of the lines."""
    assert peak(tmp_path, record(1, "x" * line), SIZE) - program < 24 * MIB + 5 * line


def test_c02_a_large_log_is_copied_and_its_progress_is_told_by_bytes(tmp_path: Path) -> None:
    """Transcript and debug log are copied whole, and the states grow from nothing to every byte."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    octets = (record(1, "x" * 1_100) + b"\n") * (SIZE // 2 // 1_200)
    log = f"debug/{session_id('one')}.txt"
    for name in (NAME, log):
        store.put(name, octets)
    job, states = storing(tmp_path, store.root), list[State]()
    job.preserve(act=states.append)
    copying = [state for state in states if state.phase == "copying"]
    assert [state.octets for state in copying] == sorted(state.octets for state in copying)
    assert len({state.octets for state in copying}) > 10
    assert {state.octets_total for state in copying} == {2 * len(octets)}
    assert states[-1].octets == 2 * len(octets)
    assert [copy_of(job.sealed, name) == octets for name in (NAME, log)] == [True, True]


def test_c04_one_long_line_is_held_a_few_times_at_most(program: int, tmp_path: Path) -> None:
    """An image in base64 in one record."""
    line = record(1, "QUJD" * 4_000_000)
    assert peak(tmp_path, line, 1) - program < 16 * MIB + 5 * len(line)
