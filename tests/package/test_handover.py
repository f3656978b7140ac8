"""An exhibit that travels alone."""

import shutil
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault, PackageFault
from agentaudit.format import layout
from agentaudit.model.custody import Handled, Subject
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import sealed_folder
from agentaudit.package.case import seal_of
from agentaudit.package.handover import hand_over, read_travelling
from tests.forge import edit, rewrite
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.mutations import changed_bit, extra_file, payload_file_removed
from tests.support.around import WHO, hand
from tests.support.disks import FULL, FailingDisk


@pytest.fixture
def exhibit(tmp_path: Path) -> Path:
    """A sealed exhibit in its case, with something that attests its seal."""
    path = golden_exhibit(golden_case(tmp_path / "case"), clean_script).path
    rewrite(path / "tagmanifest-sha256.txt.1.sig", b"x")
    return path


def handed(exhibit: Path, to: Path, disk: FailingDisk | None = None) -> CustodyHead:
    """Hand it over."""
    sealed = sealed_folder(exhibit)
    row = Handled(
        **WHO,
        act="transferred",
        subjects=(Subject(exhibit=sealed.name, seal=sealed.seal),),
        receiver="Bob",
    )
    return hand_over(sealed, to, row, hand(disk=disk))


def _files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_copy_holds_every_byte_and_the_files_beside_it(exhibit: Path, tmp_path: Path) -> None:
    """Also what attests it; read-only; and the folder around it is no case."""
    head = handed(exhibit, tmp_path / "out")
    assert _files(tmp_path / "out/EX-0001") == _files(exhibit)
    assert (tmp_path / "out/EX-0001" / layout.JOURNAL).stat().st_mode & 0o777 == 0o400
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "EX-0001", "EX-0001.case.json", "EX-0001.custody.jsonl",
    ]  # fmt: skip
    came = read_travelling(tmp_path / "out/EX-0001")
    assert came is not None
    assert (came.faults, came.head, came.seal) == ((), head, seal_of(exhibit))
    assert isinstance(came.rows[-1], Handled)
    assert came.case is not None
    assert came.case.number == "N-1"


def test_a_folder_that_is_there_is_used_and_a_taken_name_is_refused(exhibit: Path, tmp_path: Path) -> None:
    """Nothing is overwritten."""
    (tmp_path / "out").mkdir()
    handed(exhibit, tmp_path / "out")
    with pytest.raises(DestinationFault):
        handed(exhibit, tmp_path / "out")


@pytest.mark.parametrize("mutation", [changed_bit, extra_file, payload_file_removed])
def test_what_is_not_as_it_was_sealed_is_not_handed_over(exhibit: Path, tmp_path: Path, mutation: object) -> None:
    """No copy under its name, and no row."""
    assert callable(mutation)
    mutation(exhibit)
    with pytest.raises(PackageFault, match="not as it was sealed"):
        handed(exhibit, tmp_path / "out")
    assert not (tmp_path / "out/EX-0001").exists()
    assert not any(isinstance(row, Handled) for row in sealed_folder(exhibit).case.rows())


def test_a_full_disk_leaves_no_row(exhibit: Path, tmp_path: Path) -> None:
    """What did not arrive was not transferred."""
    with pytest.raises(DestinationFault):
        handed(exhibit, tmp_path / "out", FailingDisk(9, code=FULL))
    assert not any(isinstance(row, Handled) for row in sealed_folder(exhibit).case.rows())


def test_without_copies_there_is_nothing_to_read(exhibit: Path, tmp_path: Path) -> None:
    """Inside its case an exhibit does not travel."""
    assert read_travelling(exhibit) is None
    assert read_travelling(tmp_path / "none") is None


def test_copies_that_do_not_fit_are_told(exhibit: Path, tmp_path: Path) -> None:
    """A copy gone, a changed row, another case file, another seal: each in words of ours."""
    handed(exhibit, tmp_path / "out")

    def faults(change: str) -> tuple[str, ...]:
        root = Path(shutil.copytree(tmp_path / "out", tmp_path / "changed" / change))
        case, log = root / "EX-0001.case.json", root / "EX-0001.custody.jsonl"
        match change:
            case "no case":
                case.unlink()
            case "no log":
                log.unlink()
            case "row":
                edit(log, b"E. Examiner", b"F. Examiner")
            case "last row":
                edit(log, b"Bob", b"Eve")
            case "case":
                edit(case, b"A matter", b"B matter")
            case "seal":
                edit(root / "EX-0001" / layout.TAG_MANIFEST, b"  ", b" ")
        came = read_travelling(root / "EX-0001")
        assert came is not None
        return came.faults

    assert faults("no case") == ("EX-0001.case.json is missing", "C003 in case.json")
    assert faults("no log") == (
        "EX-0001.custody.jsonl is missing", "C004 in custody.jsonl", "the log does not hold this seal for this exhibit",
    )  # fmt: skip
    assert faults("row") == ("C002 in custody.jsonl:2", "the log does not hold this seal for this exhibit")
    assert faults("last row") == ()  # only its digest, noted elsewhere, shows that
    assert faults("case") == ("C003 in case.json",)
    assert faults("seal") == ("the log does not hold this seal for this exhibit",)
