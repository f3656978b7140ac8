"""Preserving, going on, closing: what is refused before anything is written, and what a stop leaves."""

import multiprocessing
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentaudit.acquire import hands
from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import PreserveBundle, ResumePreservation
from agentaudit.demo.store import StoreBuilder, Talk, lines, session_id
from agentaudit.errors import AgentAuditError, DestinationFault, Interrupted, NotSealed, SourceRefused, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection, HandedOver
from tests.support.around import surroundings
from tests.support.collecting import collecting
from tests.support.disks import FailingDisk, Killed
from tests.support.storing import (
    Storing,
    comparable,
    gaps,
    is_intact,
    journal,
    once_copying,
    payload,
    rows,
    storing,
    surrounding,
    verdict,
)

S, T = session_id("one"), session_id("two")
LINE = lines(Talk(S, turns=1).records()[:1])


@pytest.fixture
def store(tmp_path: Path) -> StoreBuilder:
    """Two sessions."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    for session in (S, T):
        builder.put(f"projects/-w/{session}.jsonl", LINE * 900)
    return builder


def interrupted(job: Storing) -> Storing:
    """The same, killed in the middle of its copies."""
    disk = FailingDisk(2, only="create")
    with pytest.raises(Killed):
        job.preserve(disk=disk)
    disk.release()
    return job


def test_what_cannot_be_resumed_is_refused_by_its_reason(tmp_path: Path, store: StoreBuilder) -> None:
    """Nothing there; sealed already; no first row; each before a byte is written."""
    job = storing(tmp_path, store.root)
    custody = job.case / layout.CUSTODY
    with pytest.raises(DestinationFault, match="is not there"):
        job.resume("EX-0001")
    job.preserve()
    before = custody.read_bytes()
    for name in ("EX-0001", "EX-0001.partial"):
        with pytest.raises(DestinationFault, match="sealed already"):
            job.resume(name)
    (job.case / "EX-0007.partial").mkdir()
    with pytest.raises(NotSealed):
        job.resume("EX-0007")
    assert custody.read_bytes() == before


def test_a_collection_is_not_resumed_as_a_preservation(tmp_path: Path) -> None:
    """Status 2, with the command that began it as the way out."""
    disk = FailingDisk(6, only="create")
    with collecting(tmp_path) as job:
        with pytest.raises(Killed):
            job.collect(disk=disk)
        disk.release()
    request = ResumePreservation(job.case, "EX-0001", surrounding(), Said(), ("agentaudit",))
    with pytest.raises(UsageFault, match="was not preserved from a store"):
        resume_preservation(request, surroundings(), Silent())
    assert (job.case / "EX-0001.partial").is_dir()


def test_a_folder_that_is_no_case_begins_nothing(tmp_path: Path, store: StoreBuilder) -> None:
    """Status 7: no exhibit comes about beside somebody's files."""
    (tmp_path / "plain").mkdir()
    job = Storing(tmp_path / "plain", (store.root,))
    with pytest.raises(AgentAuditError) as told:
        job.preserve()
    assert told.value.exit_status == 7
    assert list((tmp_path / "plain").iterdir()) == []


def test_a_case_that_lies_inside_the_store_by_now_is_not_gone_on_with(tmp_path: Path, store: StoreBuilder) -> None:
    """Somebody moved it there: nothing is written into the evidence."""
    job = interrupted(storing(tmp_path, store.root))
    job.case.rename(store.root / "case")
    moved = Storing(store.root / "case", job.roots)
    before = (moved.partial / layout.JOURNAL).read_bytes()
    with pytest.raises(UsageFault, match="inside the store"):
        moved.resume()
    assert (moved.partial / layout.JOURNAL).read_bytes() == before


def test_a_file_handed_over_may_lie_beside_the_case(tmp_path: Path) -> None:
    """Its folder is no store: only the file is looked at, and the case may lie there."""
    job = storing(tmp_path)
    (tmp_path / "logs.jsonl").write_bytes(LINE)
    selection = HandedOver(deposit="telemetry", paths=(true_name(os.fsencode(tmp_path / "logs.jsonl")),))
    request = PreserveBundle(job.case, selection, surrounding(), Said(), ("agentaudit",), 1)
    result = preserve_bundle(request, surroundings(), Silent())
    assert result.counts.items == 1


def test_a_root_that_is_gone_keeps_the_partial_as_it_is(tmp_path: Path, store: StoreBuilder) -> None:
    """Status 5; once it is back the run goes on to the same payload, and says that the root was not left alone."""
    whole = storing(tmp_path / "whole", store.root)
    whole.preserve()
    job = interrupted(storing(tmp_path / "cut", store.root))
    store.root.rename(tmp_path / "away")
    with pytest.raises(SourceRefused):
        job.resume()
    assert job.partial.is_dir()
    (tmp_path / "away").rename(store.root)
    job.resume()
    assert payload(job.sealed) == payload(whole.sealed)
    assert gaps(job.sealed) == {"changed_later": 1}
    same = {name: rows for name, rows in comparable(whole.sealed).items() if name != layout.GAPS}
    assert {name: rows for name, rows in comparable(job.sealed).items() if name != layout.GAPS} == same


def test_a_closed_journal_is_only_sealed_again(tmp_path: Path, store: StoreBuilder) -> None:
    """Killed between its last row and the rename: nothing of the store is read again, and nothing is added."""
    probe = storing(tmp_path / "probe", store.root)
    count = FailingDisk(only="rename")
    probe.preserve(disk=count)
    job = storing(tmp_path / "cut", store.root)
    disk = FailingDisk(count.calls, only="rename")
    with pytest.raises(Killed):
        job.preserve(disk=disk)
    disk.release()
    journal = (job.partial / layout.JOURNAL).read_bytes()
    (store.root / f"projects/-w/{S}.jsonl").write_bytes(b"rewritten since")
    job.resume()
    assert (job.sealed / layout.JOURNAL).read_bytes() == journal
    assert payload(job.sealed) == payload(probe.sealed)
    assert is_intact(job.sealed)


def test_a_signal_before_the_first_copy_begins_nothing(tmp_path: Path, store: StoreBuilder) -> None:
    """During the survey: no exhibit, no row in the custody log."""
    job = storing(tmp_path, store.root)
    before = (job.case / layout.CUSTODY).read_bytes()
    with pytest.raises(Interrupted) as told:
        job.preserve(around=surroundings(stop=lambda: 2))
    assert told.value.exit_status == 130
    assert not job.partial.exists()
    assert (job.case / layout.CUSTODY).read_bytes() == before


def test_a_signal_while_a_survey_is_written_leaves_copies_that_no_row_speaks_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others copy by then: going on surveys anew, sets aside what they left, and ends as a run that nothing stopped."""
    monkeypatch.setattr(hands, "ALONE_BYTES", 0)
    builder = StoreBuilder(tmp_path / "store", marked=False)
    builder.put(f"projects/-w/{S}.jsonl", LINE)
    for number in range(150):
        builder.put(f"projects/-w/{S}/tool-results/{number:03}.txt", b"%d" % number)
    whole = storing(tmp_path / "whole", builder.root)
    whole.preserve(workers=2)
    job = storing(tmp_path, builder.root)

    def stop() -> int | None:
        limit = time.monotonic() + 30
        while job.partial.is_dir():
            if any((job.partial / layout.DATA).rglob("*.txt")):
                return 15
            assert time.monotonic() < limit
        return None

    with pytest.raises(Interrupted):
        job.preserve(workers=2, around=surroundings(stop=stop))
    assert multiprocessing.active_children() == []
    assert journal(job.partial, "kept") == []
    job.resume(workers=2)
    assert is_intact(job.sealed)
    (resumed,) = journal(job.sealed, "resumed")
    assert resumed["set_aside"]
    assert payload(job.sealed) == payload(whole.sealed)


def test_a_selection_that_names_nothing_that_is_there_is_sealed_as_incomplete(
    tmp_path: Path, store: StoreBuilder
) -> None:
    """Asked for and not found: a gap, an exhibit without payload, and never an empty success."""
    job = storing(tmp_path, store.root)
    selection = BundleSelection(agent="claude-code", roots=(str(store.root),), sessions=("nobody",))
    result = job.preserve(selection)
    assert (result.outcome, result.counts.items) == ("incomplete", 0)
    assert gaps(job.sealed) == {"session_absent": 1, "not_selected": 2}
    assert is_intact(job.sealed)


def test_an_empty_store_is_all_that_it_gives(tmp_path: Path) -> None:
    """And is told apart from one that was not found: it has a root, and no entry."""
    builder = StoreBuilder(tmp_path / "store", marked=False)
    job = storing(tmp_path, builder.root)
    result = job.preserve()
    assert (result.outcome, result.counts.items) == ("all_given", 0)
    assert rows(job.sealed, layout.ENTRIES) == []
    assert is_intact(job.sealed)


def test_two_runs_of_one_partial_do_not_write_at_once(tmp_path: Path, store: StoreBuilder) -> None:
    """The second is refused while the first holds the lock, and the first ends as if it had been alone."""
    job, told = storing(tmp_path, store.root), list[str]()

    def another() -> None:
        try:
            job.resume()
        except DestinationFault as fault:
            told.append(str(fault))

    job.preserve(act=once_copying(another))
    assert len(told) == 1
    assert "in use by another run" in told[0]
    assert is_intact(job.sealed)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process are POSIX")
def test_f16_a_real_limit_of_the_system_leaves_a_partial_that_goes_on(tmp_path: Path, store: StoreBuilder) -> None:
    """No file may grow beyond a bound (RLIMIT_FSIZE): status 7 and two lines; without it the run goes on."""
    job = storing(tmp_path, store.root)
    code = "from agentaudit.cli.main import entry; entry()"
    argv = [sys.executable, "-c", code, "preserve-local-bundle", str(job.case), "--root", str(store.root), "--all"]
    bound = len(LINE) * 500

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bound, bound))

    said = subprocess.run([*argv, "--quiet"], capture_output=True, text=True, check=False, preexec_fn=limit)
    assert said.returncode == 7, said.stderr
    assert "File too large" in said.stderr
    assert "--resume" in said.stderr
    assert "Traceback" not in said.stderr
    assert said.stdout == ""
    with pytest.raises(NotSealed):
        verdict(job.partial)
    assert not job.sealed.exists()
    job.resume()
    assert is_intact(job.sealed)
    assert {len(octets) for octets in payload(job.sealed).values()} == {len(LINE) * 900}
