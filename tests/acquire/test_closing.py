"""Closing an interrupted exhibit as it stands: its source is gone and is not asked."""

import shutil
from pathlib import Path

import pytest

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import SealPartial
from agentaudit.demo.store import StoreBuilder, Talk, session_id
from agentaudit.errors import AgentAuditError, DestinationFault, NotSealed, UsageFault
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.results import SealedResult
from tests.support.around import surroundings
from tests.support.collecting import collecting
from tests.support.disks import FailingDisk, Killed
from tests.support.storing import Storing, gaps, is_intact, journal, rows, storing


def close(partial: Path) -> SealedResult:
    """Close as it stands."""
    return seal_partial(SealPartial(partial, Said(), ("agentaudit", "seal")), surroundings(), Silent())


@pytest.fixture
def interrupted(tmp_path: Path) -> Storing:
    """A preservation of three transcripts that was killed at its second file, whose store is gone since."""
    store = StoreBuilder(tmp_path / "store", marked=False)
    for name in ("one", "two", "three"):
        store.transcript("-w", Talk(session_id(name), turns=1))
    job = storing(tmp_path, store.root)
    disk = FailingDisk(3, only="create")
    with pytest.raises(Killed):
        job.preserve(disk=disk)
    disk.release()
    shutil.rmtree(store.root)
    return job


def test_a_folder_that_is_no_partial_is_refused(interrupted: Storing) -> None:
    """A case, a sealed exhibit, anything: the arguments make no sense, and nothing is written."""
    before = (interrupted.case / layout.CUSTODY).read_bytes()
    for folder in (interrupted.case, interrupted.case / "EX-0001", interrupted.partial / "data"):
        with pytest.raises(UsageFault, match="is not a partial exhibit") as told:
            close(folder)
        assert told.value.exit_status == 2
    assert (interrupted.case / layout.CUSTODY).read_bytes() == before


def test_what_cannot_be_closed_is_refused(interrupted: Storing, tmp_path: Path) -> None:
    """One that is not there, one without a first row, and one that lies in no case."""
    with pytest.raises(DestinationFault, match="is not there"):
        close(interrupted.case / "EX-0009.partial")
    (interrupted.case / "EX-0008.partial").mkdir()
    with pytest.raises(NotSealed, match="no journal"):
        close(interrupted.case / "EX-0008.partial")
    shutil.copytree(interrupted.partial, tmp_path / "away" / "EX-0001.partial")
    with pytest.raises(AgentAuditError) as told:
        close(tmp_path / "away" / "EX-0001.partial")
    assert told.value.exit_status == 7


def test_the_rest_of_a_store_that_is_gone_is_a_gap(interrupted: Storing) -> None:
    """What has a row is kept, what has none is set aside or a gap, and nothing of the store was asked for."""
    result = close(interrupted.partial)
    assert result.outcome == "incomplete"
    assert result.preserved is not None
    assert result.preserved.files + gaps(interrupted.sealed)["interrupted"] == 3
    aside = [row for row in rows(interrupted.sealed, layout.ITEMS) if row["role"] == "set_aside"]
    assert result.counts.items == result.preserved.files + len(aside)
    assert is_intact(interrupted.sealed)
    assert [row["purpose"] for row in journal(interrupted.sealed, "resumed")] == ["seal"]


def test_closing_twice_finds_it_sealed(interrupted: Storing) -> None:
    """The folder has lost its name; what is left is said."""
    close(interrupted.partial)
    with pytest.raises(DestinationFault, match="sealed already"):
        close(interrupted.partial)


def test_a_collection_is_closed_without_its_source(tmp_path: Path) -> None:
    """The server is gone: no connection is made, and the walks that did not end are gaps."""
    disk = FailingDisk(6, only="create")
    with collecting(tmp_path) as job:
        with pytest.raises(Killed):
            job.collect(disk=disk)
        disk.release()
    # Counted when the server is gone: what was on its way when the run was killed has arrived by then.
    asked = len(job.world.requests)
    result = close(job.case / "EX-0001.partial")
    assert result.outcome == "incomplete"
    assert len(job.world.requests) == asked
    assert is_intact(job.case / "EX-0001")
