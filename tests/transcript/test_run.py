"""Making a copy: a new folder, then the custody row."""

import shutil
from pathlib import Path

import pytest

from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.errors import DestinationFault, PackageFault
from agentaudit.export.checked import Checked
from agentaudit.model.custody import Transcribed
from agentaudit.package.case import load_case
from agentaudit.package.disk import SystemDisk
from agentaudit.transcript.run import MakeTranscript, make_transcript
from tests.support.around import hand
from tests.transcript.odd import checked


@pytest.fixture
def own(odd: tuple[Path, str], tmp_path: Path) -> Path:
    """A copy of the case, of which a test may make reports."""
    case = tmp_path / "case"
    shutil.copytree(odd[0], case)
    return case


def asked(case: Path, *, out: Path | None = None, alone: bool = False) -> MakeTranscript:
    """A copy of the odd session in all three forms."""
    return MakeTranscript(
        None if alone else load_case(case),
        checked(case / "EX-0001"),
        "s000001",
        ("md", "html", "jsonl"),
        out,
        (ComplianceCopyReader(),),
    )


def test_a_copy_lies_in_the_next_report_with_its_row(own: Path) -> None:
    """The first is R-0001, the second R-0002; each has its row, and both hold the same copies."""
    first = make_transcript(asked(own), hand(), SystemDisk())
    second = make_transcript(asked(own), hand(), SystemDisk())
    rows = [row for row in load_case(own).rows() if isinstance(row, Transcribed)]
    assert [Path(one.path).name for one in (first, second)] == ["R-0001", "R-0002"]
    assert [(row.report, row.session, row.listing) for row in rows] == [
        ("R-0001", "s000001", first.listing),
        ("R-0002", "s000001", second.listing),
    ]
    assert (rows[0].seq, rows[0].head.seq) == (first.custody_row, (first.custody_row or 0) - 1)
    copies = [{one.name: one.sha256 for one in result.files if "transcript" in one.name} for result in (first, second)]
    assert copies[0] == copies[1]
    assert len(copies[0]) == 3


def test_files_are_for_their_owner_alone(own: Path) -> None:
    """Files 0600, folders 0700: they hold content."""
    folder = Path(make_transcript(asked(own), hand(), SystemDisk()).path)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}


def test_a_named_folder_is_no_report(own: Path, tmp_path: Path) -> None:
    """It is written where it was asked for, and the row says that it lies elsewhere."""
    result = make_transcript(asked(own, out=tmp_path / "out"), hand(), SystemDisk())
    (row,) = [row for row in load_case(own).rows() if isinstance(row, Transcribed)]
    assert (result.path, row.report) == (str(tmp_path / "out"), None)


def test_without_a_case_a_place_must_be_named(own: Path, tmp_path: Path) -> None:
    """An exhibit that travels alone has no reports; with a place it is copied, and recorded nowhere."""
    with pytest.raises(DestinationFault):
        make_transcript(asked(own, alone=True), None, SystemDisk())
    result = make_transcript(asked(own, out=tmp_path / "out", alone=True), None, SystemDisk())
    assert result.custody_row is None
    assert not (tmp_path / "out" / "custody-head.json").exists()


def test_nothing_is_overwritten(own: Path, tmp_path: Path) -> None:
    """A folder that exists is refused, and stays as it is."""
    (tmp_path / "out").mkdir()
    with pytest.raises(DestinationFault):
        make_transcript(asked(own, out=tmp_path / "out"), hand(), SystemDisk())
    assert not list((tmp_path / "out").iterdir())


def test_a_copy_that_fails_has_no_row(own: Path) -> None:
    """A page that changes after the check ends the run; nothing is recorded."""
    given = asked(own)
    page = own / "EX-0001/data/compliance/local/s000001/messages/000001.json"
    page.chmod(0o600)
    page.write_bytes(b"{}")
    with pytest.raises(PackageFault):
        make_transcript(given, hand(), SystemDisk())
    assert not [row for row in load_case(own).rows() if isinstance(row, Transcribed)]
    assert isinstance(given.exhibit, Checked)
