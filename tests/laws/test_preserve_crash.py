"""A preservation that is killed at any write, or whose store changes meanwhile: it goes on to the same end."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentaudit.acquire import hands
from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import SealPartial
from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from agentaudit.errors import AgentAuditError, SourceRefused
from agentaudit.format import layout
from agentaudit.model.actors import Said
from tests.support.around import surroundings
from tests.support.disks import FailingDisk, Killed
from tests.support.storing import (
    Storing,
    comparable,
    copy_of,
    dict_of,
    entry,
    gaps,
    is_intact,
    is_kept,
    kept,
    payload,
    rows,
    storing,
)

SHARES = 6
S, T = session_id("one"), session_id("two")


@pytest.fixture(scope="module")
def place() -> Iterator[Path]:
    """A folder in memory where there is one: a barrier costs nothing there."""
    memory = Path("/dev/shm")  # noqa: S108 - a fresh folder of ours below it
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def small_store(root: Path) -> Path:
    """Two sessions with all that belongs to them, something that stays out, and something that is lacking."""
    store = StoreBuilder(root, marked=False)
    store.transcript("-w", Talk(S, spilled="b1f3.txt", subagent="a1"))
    store.subagent("-w", Talk(S, agent="a1", turns=1))
    noted = store.put(f"projects/-w/{S}/tool-results/b1f3.txt", b"42 lines\n" * 2_000)
    os.setxattr(noted, "user.note", b"value")
    store.transcript("-x", Talk(T, spilled="gone.txt", turns=1))
    for name in ("history.jsonl", "settings.json", ".credentials.json"):
        store.put(name, b"{}\n")
    return store.root


@dataclass(frozen=True)
class Undisturbed:
    """A store, and what a preservation of it that nothing disturbs gives."""

    job: Storing
    calls: int
    payload: dict[str, bytes]
    folds: dict[str, list[str]]


@pytest.fixture(scope="module")
def undisturbed(place: Path) -> Undisturbed:
    """Preserve once, counting the calls to the disk."""
    disk = FailingDisk()
    job = storing(place / "undisturbed", small_store(place / "store"))
    job.preserve(disk=disk)
    assert is_intact(job.sealed)
    return Undisturbed(job, disk.calls, payload(job.sealed), comparable(job.sealed))


def killed(job: Storing, call: int) -> None:
    """A preservation that ended at that call."""
    disk = FailingDisk(call)
    with pytest.raises(Killed):
        job.preserve(disk=disk)
    disk.release()


def goes_on(job: Storing, undisturbed: Undisturbed) -> bool:
    """Resume what is there; True when there was something to go on with."""
    if job.sealed.exists() or not (job.partial / layout.JOURNAL).is_file():
        return False
    try:
        job.resume()
    except AgentAuditError as error:
        assert "no journal that begins" in error.message  # noqa: PT017 - only this one is right
        return False
    assert payload(job.sealed) == undisturbed.payload
    assert comparable(job.sealed) == undisturbed.folds
    return True


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_any_call_it_resumes_to_the_same_payload_and_folds(
    place: Path, undisturbed: Undisturbed, share: int
) -> None:
    """Every write, barrier, rename and close: what was journalled stands, and the rest is done."""
    resumed = 0
    for call in range(share + 1, undisturbed.calls + 1, SHARES):
        folder = place / f"at{call}"
        job = undisturbed.job.elsewhere(folder)
        killed(job, call)
        if not job.sealed.exists():
            resumed += goes_on(job, undisturbed)
        shutil.rmtree(folder)
    assert resumed > undisturbed.calls // SHARES // 2


@pytest.mark.parametrize("share", range(SHARES))
def test_killed_at_any_call_while_barriers_run_beside_it_resumes_to_the_same(
    place: Path, undisturbed: Undisturbed, share: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With groups of one file a barrier runs beside most copies: no row is there whose file is not."""
    monkeypatch.setattr("agentaudit.package.writer.GROUP_FILES_MAX", 1)
    disk = FailingDisk()
    undisturbed.job.elsewhere(place / f"groups{share}").preserve(disk=disk)
    assert disk.names.count("settle_group") > 3
    for call in range(share + 1, disk.calls + 1, SHARES):
        folder = place / f"beside{call}"
        job = undisturbed.job.elsewhere(folder)
        killed(job, call)
        for line in journal_kept(job.partial) if (job.partial / layout.JOURNAL).is_file() else ():
            item = dict_of(json.loads(line)["item"])
            assert (job.partial / str(item["path"])).stat().st_size == item["bytes"]
        if not job.sealed.exists():
            goes_on(job, undisturbed)
        shutil.rmtree(folder)


def test_killed_twice_it_still_resumes(place: Path, undisturbed: Undisturbed) -> None:
    """A run that goes on can be killed as well."""
    for call in range(5, undisturbed.calls // 2, 11):
        folder = place / f"twice{call}"
        job = undisturbed.job.elsewhere(folder)
        killed(job, undisturbed.calls // 2)
        disk = FailingDisk(call)
        with pytest.raises(Killed):
            job.resume(disk=disk)
        disk.release()
        assert goes_on(job, undisturbed) or job.sealed.exists()
        shutil.rmtree(folder)


def test_a_survey_that_was_cut_short_is_made_anew(place: Path, undisturbed: Undisturbed) -> None:
    """Its walks end as superseded, its entries stay visible, and it costs nothing of the outcome."""
    call = _torn_survey(undisturbed, place / "probe")
    job = undisturbed.job.elsewhere(place / "anew")
    killed(job, call)
    job.resume()
    walks = {str(row["walk"]): row["ended"] for row in rows(job.sealed, layout.WALKS)}
    assert walks == {"claude-code/r1/survey01": "superseded", "claude-code/r1/survey02": "exhausted"}
    assert {row["survey"] for row in rows(job.sealed, layout.ENTRIES)} == {1, 2}
    assert payload(job.sealed) == undisturbed.payload
    assert comparable(job.sealed) == undisturbed.folds
    assert is_intact(job.sealed)


def _torn_survey(undisturbed: Undisturbed, folder: Path) -> int:
    """A call at which half of the survey is written."""
    disk = FailingDisk()
    undisturbed.job.elsewhere(folder / "count").preserve(disk=disk)
    for number in (number for number, name in enumerate(disk.names, 1) if name == "write"):
        probe = undisturbed.job.elsewhere(folder / str(number))
        killed(probe, number)
        path = probe.partial / layout.JOURNAL
        octets = path.read_bytes() if path.is_file() else b""
        if b'"event":"entry_seen"' in octets and b'"event":"store_facts"' not in octets:
            return number
    raise AssertionError("the survey is written in one piece somewhere")


def test_a_partial_is_closed_as_it_stands(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the store is opened: it may be gone. What was not copied is a gap each, and the outcome says so."""
    monkeypatch.setattr("agentaudit.package.writer.GROUP_FILES_MAX", 2)
    store = small_store(place / "gone")
    job = storing(place / "closed", store)
    with pytest.raises(Killed):
        job.preserve(disk=(disk := FailingDisk(6, only="create")))
    disk.release()
    here = len(journal_kept(job.partial))
    shutil.rmtree(store)
    result = seal_partial(SealPartial(job.partial, Said(), ("agentaudit",)), surroundings(), Silent())
    assert result.outcome == "incomplete"
    wanted = sum(row["decision"] == "preserve" for row in rows(job.sealed, layout.ENTRIES))
    assert 0 < here < wanted
    assert gaps(job.sealed)["interrupted"] == wanted - here
    assert is_intact(job.sealed)


def journal_kept(exhibit: Path) -> list[bytes]:
    """The whole lines of a journal that tell of a copy."""
    lines_of = (exhibit / layout.JOURNAL).read_bytes().splitlines(keepends=True)
    return [line for line in lines_of if b'"event":"kept"' in line and line.endswith(b"\n")]


def test_a_partial_of_an_unfinished_survey_is_closed_too(place: Path, undisturbed: Undisturbed) -> None:
    """That the survey was cut short is a gap beside its entries."""
    job = undisturbed.job.elsewhere(place / "closed-early")
    killed(job, _torn_survey(undisturbed, place / "probe-early"))
    result = seal_partial(SealPartial(job.partial, Said(), ("agentaudit",)), surroundings(), Silent())
    assert result.outcome == "incomplete"
    assert gaps(job.sealed)["interrupted"] > 1


def many(root: Path) -> Path:
    """A store of thirty sessions, by name."""
    store = StoreBuilder(root, marked=False)
    for number in range(30):
        store.put(f"projects/-w/{session_id(str(number))}.jsonl", lines(Talk(S, turns=1).records()) * (number + 1))
    store.put(".credentials.json", b"a secret of the store")
    return store.root


def test_what_changed_between_interruption_and_resume_is_a_row(place: Path) -> None:
    """Grown, gone, replaced by a link, and new: names stay those of the survey, and each change can be seen."""
    root = many(place / "living")
    job = storing(place / "changed", root)
    with pytest.raises(Killed):
        job.preserve(disk=(disk := FailingDisk(10, only="create")))
    disk.release()
    names = sorted(path.name for path in (root / "projects" / "-w").iterdir())
    projects = root / "projects" / "-w"
    grown, gone, linked, first = (f"projects/-w/{name}" for name in (names[-1], names[-2], names[-3], names[0]))
    with (root / grown).open("ab") as stream:
        stream.write(b'{"type":"user"}\n')
    (root / gone).unlink()
    (root / linked).unlink()
    (root / linked).hardlink_to(root / ".credentials.json")
    (root / first).unlink()
    (projects / "00000000-0000-4000-8000-000000000000.jsonl").write_bytes(b"{}\n")
    result = job.resume()
    assert result.outcome == "incomplete"
    # What is new, and the credentials that got one more name, are told by the second look at the end.
    later = {"appeared_later": 1, "changed_later": 1}
    assert gaps(job.sealed) == {"credentials": 2, "vanished": 1 if is_kept(job.sealed, first) else 2, **later}
    (row,) = kept(job.sealed, grown)
    before, seen = dict_of(row["before"]), dict_of(entry(job.sealed, grown)["state"])
    assert int(str(before["size_bytes"])) == int(str(seen["size_bytes"])) + 16
    assert copy_of(job.sealed, grown) == (root / grown).read_bytes()
    assert not is_kept(job.sealed, linked)
    assert not any("00000000-0000-4000" in str(one["name"]) for one in rows(job.sealed, layout.ENTRIES))
    assert not [path for path, octets in payload(job.sealed).items() if b"a secret" in octets]
    assert is_intact(job.sealed)


def test_a_root_that_is_gone_is_refused_and_nothing_is_lost(place: Path, undisturbed: Undisturbed) -> None:
    """Status 5; the partial stays, and goes on once the root is back."""
    store = small_store(place / "away")
    job = storing(place / "refused", store)
    killed(job, undisturbed.calls // 2)
    store.rename(place / "hidden")
    with pytest.raises(SourceRefused):
        job.resume()
    (place / "hidden").rename(store)
    job.resume()
    assert is_intact(job.sealed)


def test_kill_9_leaves_no_worker_and_what_resumes(place: Path) -> None:
    """Real processes that copy, the first and another: killed at any moment, both end, and the rest is done."""
    root = many(place / "killed-store")
    whole = storing(place / "whole", root)
    whole.preserve()
    for number in range(5):
        job = storing(place / f"kill{number}", root)
        command = [sys.executable, "-m", "tests.support.preserving_child", str(job.case), str(root), "2"]
        child = subprocess.Popen(command, cwd=Path.cwd())
        deadline = time.monotonic() + 30
        while not list((job.partial / "data").rglob("*.jsonl")) and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(0.004 * number)
        workers = _children(child.pid)
        child.send_signal(signal.SIGKILL)
        child.wait(30)
        _await_end(workers)
        if job.sealed.exists():
            continue
        job.resume()
        assert payload(job.sealed) == payload(whole.sealed)
        assert comparable(job.sealed) == comparable(whole.sealed)


def _children(pid: int) -> list[int]:
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(word) for word in found.split()]


def _await_end(pids: list[int]) -> None:
    deadline = time.monotonic() + 10
    while any(_lives(pid) for pid in pids):
        assert time.monotonic() < deadline, "a worker outlived the process that started it"
        time.sleep(0.01)


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_same_payload_and_folds_whoever_copies(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One process or several: nothing of the payload, the folds or the readings differs."""
    monkeypatch.setattr(hands, "ALONE_BYTES", 0)
    monkeypatch.setattr(hands, "BATCH_BYTES", 2 * hands.FILE_BYTES)
    monkeypatch.setattr(hands, "AHEAD_BYTES", 8 * hands.FILE_BYTES)
    root = many(place / "shared")
    found = []
    for workers in (1, 2, 3):
        job = storing(place / f"workers{workers}", root)
        job.preserve(workers=workers)
        found.append((payload(job.sealed), comparable(job.sealed)))
        assert is_intact(job.sealed)
    assert found[0] == found[1] == found[2]
