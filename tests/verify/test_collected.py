"""What the collector really seals, verified with the adapter that it names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import SealPartial
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.format import layout
from agentaudit.format.codes import CATALOGUE
from agentaudit.model.actors import Said
from agentaudit.verify import verify_case, verify_exhibit
from tests.support.around import surroundings
from tests.support.collecting import Collecting, collecting, small_world
from tests.support.disks import FailingDisk, Killed

READERS = (CompliancePageReader(),)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collecting]:
    """A served world."""
    with collecting(tmp_path_factory.mktemp("world"), small_world()) as job:
        yield job


def test_a_collected_exhibit_is_intact_to_its_own_adapter(job: Collecting, tmp_path: Path) -> None:
    """Folds, readings, cursors, counts: all rebuilt, and nothing to say but that it is unsigned."""
    mine = job.elsewhere(tmp_path)
    mine.collect()
    verdict = verify_exhibit(mine.case / "EX-0001", readers=READERS)
    assert (verdict.integrity, verdict.outcome, verdict.codes) == ("intact", "all_given", (("S002", 1),))
    assert verdict.not_checked == ()
    assert verify_case(mine.case, readers=READERS).codes == ()


def test_a_demonstration_is_intact_and_states_its_losses(tmp_path: Path) -> None:
    """The whole synthetic organisation, with every kind of damage: no error, and a note for each kind of loss."""
    with collecting(tmp_path) as job:
        job.collect()
        verdict = verify_exhibit(job.case / "EX-0001", readers=READERS)
    assert verdict.integrity == "intact", verdict.findings
    assert verdict.endpoint_class == "loopback"
    assert verdict.outcome == "incomplete"
    assert {code for code, _ in verdict.codes} >= {"L005", "L006", "L007", "S002"}
    assert not any(code[0] in "PMJWR" for code, _ in verdict.codes)


@pytest.mark.parametrize(("call", "fatal"), [("create", 6), ("write", 9), ("settle_group", 2), ("make_folder", 9)])
def test_what_a_crash_left_is_intact_once_it_is_closed(call: str, fatal: int, job: Collecting, tmp_path: Path) -> None:
    """Closed as it stands: files and folders that lead nowhere are no fault, and the outcome is incomplete."""
    mine = job.elsewhere(tmp_path)
    disk = FailingDisk(fatal, only=call)
    with pytest.raises(Killed):
        mine.collect(disk=disk)
    disk.release()
    partial = mine.case / f"EX-0001{layout.PARTIAL}"
    (partial / "data/compliance/left").mkdir(parents=True, exist_ok=True)
    seal_partial(SealPartial(partial, Said(), ("agentaudit",)), surroundings(), Silent())
    verdict = verify_exhibit(mine.case / "EX-0001", readers=READERS)
    assert verdict.integrity == "intact", verdict.findings
    assert verdict.outcome == "incomplete"
    found = {code for code, _ in verify_case(mine.case, readers=READERS).codes}
    assert not any(CATALOGUE[code].severity == "error" for code in found)
