"""The beginning of an exhibit: number, custody row, folder, first journal row."""

import multiprocessing
from collections import Counter
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.custody import ExhibitBegun, ExhibitResumed
from agentaudit.model.journal import CustodyHead, Opened
from agentaudit.model.selection import SessionSelection
from agentaudit.package.begin import begin_exhibit, resumed_row
from agentaudit.package.case import Case, load_case
from agentaudit.package.recorded import Recorded
from agentaudit.package.writer import reopen_exhibit
from tests.golden import golden_case
from tests.support.around import hand
from tests.support.disks import FULL, FailingDisk, Killed
from tests.support.openings import opened_row

ALL = SessionSelection(families=("local",))


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A new case."""
    return golden_case(tmp_path / "case")


def test_the_first_row_knows_the_custody_row_that_began_it(case: Case) -> None:
    """Number and head of the chain are handed to whoever makes the row; both logs agree."""
    given: list[tuple[str, CustodyHead]] = []

    def opened(exhibit: str, head: CustodyHead) -> Opened:
        given.append((exhibit, head))
        return opened_row(exhibit, head)

    exhibit = begin_exhibit(case, hand(), "compliance", ALL, opened)
    begun = list(case.rows())[-1]
    line = (case.path / layout.CUSTODY).read_bytes().splitlines(keepends=True)[-1]
    assert isinstance(begun, ExhibitBegun)
    assert (begun.exhibit, begun.source, begun.selection) == ("EX-0001", "compliance", ALL)
    assert given == [("EX-0001", CustodyHead(seq=begun.seq, digest=digest_of(line)))]
    assert Recorded(exhibit.root).opened.custody_head == given[0][1]


def test_a_run_that_ends_before_its_first_row_has_not_disappeared(case: Case) -> None:
    """The custody row is durable before the journal exists; the number is not used again."""
    for fatal in (1, 2):
        disk = FailingDisk(fatal, only="make_folder")
        with pytest.raises(Killed):
            begin_exhibit(case, hand(disk=disk), "compliance", ALL, opened_row)
        disk.release()
    begun = [row.exhibit for row in case.rows() if isinstance(row, ExhibitBegun)]
    assert begun == ["EX-0001"]
    assert begin_exhibit(case, hand(), "compliance", ALL, opened_row).root.name == "EX-0002.partial"


def test_a_beginning_that_fails_lets_go_of_its_journal(case: Case) -> None:
    """A full disk at the first row leaves a partial that nobody holds."""
    disk = FailingDisk(2, code=FULL, only="write")
    with pytest.raises(DestinationFault):
        begin_exhibit(case, hand(disk=disk), "compliance", ALL, opened_row)
    reopen_exhibit(case.path / "EX-0001.partial", hand().disk, hand().now).release()


def _begin_many(path: str, count: int) -> None:
    for _ in range(count):
        begin_exhibit(load_case(Path(path)), hand(), "compliance", ALL, opened_row).release()


def test_runs_at_once_never_take_one_number(case: Case) -> None:
    """Three processes begin exhibits in one case at the same time: each gets numbers of its own."""
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_begin_many, args=(str(case.path), 4)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    begun = Counter(row.exhibit for row in case.rows() if isinstance(row, ExhibitBegun))
    assert begun == Counter(layout.exhibit_name(number) for number in range(1, 13))


@pytest.mark.parametrize(("sealing", "purpose"), [(True, "seal"), (False, "resume")])
def test_the_row_of_a_resumption_says_what_it_is_for(*, sealing: bool, purpose: str) -> None:
    """To go on, or to close as it stands."""
    row = resumed_row(hand(), "EX-0003", sealing=sealing)
    assert isinstance(row, ExhibitResumed)
    assert (row.exhibit, row.purpose, row.tool) == ("EX-0003", purpose, "agentaudit 0.1.0")
