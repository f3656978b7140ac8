"""A case on disk."""

import multiprocessing
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault, NotAPackage, PackageFault
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.custody import (
    CaseOpened,
    CustodyRow,
    ExhibitBegun,
    ExhibitResumed,
    SealedFound,
    TornFound,
)
from agentaudit.model.selection import SessionSelection
from agentaudit.package.begin import begin_exhibit, resumed_row
from agentaudit.package.case import Case, load_case, new_case_file, open_case, seal_of
from tests.support.around import ACTORS, hand
from tests.support.clock import BEGIN, StillClock
from tests.support.openings import opened_row


def new_case(path: Path) -> Case:
    """A case opened at BEGIN."""
    return open_case(path, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())


def _row() -> ExhibitResumed:
    return resumed_row(hand(), "EX-0001", sealing=False)


def test_row_one_holds_the_digest_of_the_case_file(tmp_path: Path) -> None:
    """The custody log begins with `opened`, which commits to case.json."""
    case = new_case(tmp_path / "case")
    (row,) = case.rows()
    assert isinstance(row, CaseOpened)
    assert row.case_digest == digest_of((tmp_path / "case" / layout.CASE).read_bytes())


def test_a_case_is_opened_in_a_new_folder_only(tmp_path: Path) -> None:
    """A folder that exists is refused, whatever it holds."""
    (tmp_path / "case").mkdir()
    with pytest.raises(DestinationFault, match="File exists"):
        new_case(tmp_path / "case")


def test_what_was_opened_is_loaded_again(tmp_path: Path) -> None:
    """A case on disk says what it was opened with."""
    case = new_case(tmp_path / "case")
    assert load_case(tmp_path / "case") == case
    assert case.file.title == "Title"


@pytest.mark.parametrize("content", [b"{}\n", b"not json", b'{"format":"agentaudit-case/2"}\n'])
def test_a_case_file_of_another_format_is_refused(tmp_path: Path, content: bytes) -> None:
    """What is no case file of format 1 is not acted on."""
    (tmp_path / layout.CASE).write_bytes(content)
    with pytest.raises(NotAPackage):
        load_case(tmp_path)


def test_a_folder_that_is_no_case_is_refused(tmp_path: Path) -> None:
    """A slip of the keyboard does not start a second case."""
    with pytest.raises(DestinationFault, match="not a case"):
        load_case(tmp_path)


def test_the_people_fall_back_to_the_case(tmp_path: Path) -> None:
    """Examiner and authority default to the case's, and can be said anew."""
    case = new_case(tmp_path / "case")
    assert case.actors(None, None, "", "").examiner == "E. Examiner"
    assert case.actors("Other", None, "n", "c").examiner == "Other"


def _append_many(path: str, count: int) -> None:
    case = load_case(Path(path))
    for _ in range(count):
        case.append(_row(), hand())


def test_concurrent_appends_serialise(tmp_path: Path) -> None:
    """Rows appended by several processes at once form one chain without loss."""
    case = new_case(tmp_path / "case")
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=_append_many, args=(str(tmp_path / "case"), 10)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [row.seq for row in case.rows()] == list(range(1, 32))


def test_exhibit_numbers_are_never_reused(tmp_path: Path) -> None:
    """The next number is above every number that the log or a folder has, also when the folder is gone."""
    case = new_case(tmp_path / "case")
    first = begin_exhibit(case, hand(), "compliance", SessionSelection(families=("local",)), opened_row)
    first.journal.close()
    assert first.root.name == "EX-0001.partial"
    first.root.rename(tmp_path / "gone")
    (tmp_path / "case" / "EX-0007.partial").mkdir()
    second = begin_exhibit(case, hand(), "compliance", SessionSelection(families=("local",)), opened_row)
    assert second.root.name == "EX-0008.partial"
    begun = [row.exhibit for row in case.rows() if isinstance(row, ExhibitBegun)]
    assert begun == ["EX-0001", "EX-0008"]


def test_a_torn_custody_tail_is_named_and_cut(tmp_path: Path) -> None:
    """Half a row that a crash left is never part of the chain; the next writer says how long it was."""
    case = new_case(tmp_path / "case")
    with (tmp_path / "case" / layout.CUSTODY).open("ab") as stream:
        stream.write(b'{"half')
    case.append(_row(), hand())
    rows = list(case.rows())
    assert [type(row) for row in rows] == [CaseOpened, TornFound, ExhibitResumed]
    torn = rows[1]
    assert isinstance(torn, TornFound)
    assert (torn.bytes, torn.sha256) == (6, digest_of(b'{"half'))


def test_a_sealed_exhibit_without_its_row_is_found(tmp_path: Path) -> None:
    """A run that ended between rename and row leaves a sealed exhibit, which the next writer records once."""
    case = new_case(tmp_path / "case")
    folder = tmp_path / "case" / "EX-0001"
    folder.mkdir()
    (folder / layout.TAG_MANIFEST).write_bytes(b"x")
    (tmp_path / "case" / "EX-0002").mkdir()
    case.append(_row(), hand())
    case.append(_row(), hand())
    found = [row for row in case.rows() if isinstance(row, SealedFound)]
    assert [(row.exhibit, row.seal) for row in found] == [("EX-0001", digest_of(b"x"))]


def test_a_folder_without_tag_manifest_has_no_seal(tmp_path: Path) -> None:
    """There is no seal where there is no tag manifest."""
    assert seal_of(tmp_path) is None


def test_a_broken_custody_chain_is_not_appended_to(tmp_path: Path) -> None:
    """A changed row stops every later act on the case, and reading stops at it."""
    case = new_case(tmp_path / "case")
    case.append(_row(), hand())
    path = tmp_path / "case" / layout.CUSTODY
    path.write_bytes(path.read_bytes().replace(b"EX-0001", b"EX-0002"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[1] + lines[0])
    with pytest.raises(PackageFault, match="breaks its chain"):
        case.append(_row(), hand())
    assert list(case.rows()) == []


def test_rows_carry_who_acted(tmp_path: Path) -> None:
    """Each row names examiner, authority, host, user and program."""
    case = new_case(tmp_path / "case")
    case.append(_row(), hand(StillClock().now))
    row = list(case.rows())[-1]
    assert isinstance(row, CustodyRow)
    assert (row.actors, row.host, row.user, row.tool) == (ACTORS, "station", "examiner", "agentaudit 0.1.0")
