"""Sealing: what is derived, then the manifests, then the name, then custody."""

import errno
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from agentaudit.errors import AgentAuditError, DestinationFault, PackageFault
from agentaudit.format import layout
from agentaudit.format.bagit import BAGIT_TEXT
from agentaudit.format.verifytxt import verify_text
from agentaudit.model.custody import ExhibitSealed, SealedFound
from agentaudit.model.journal import Closed
from agentaudit.package.case import Case, seal_of
from agentaudit.package.disk import SystemDisk
from agentaudit.package.recorded import Recorded
from agentaudit.package.seal import seal_exhibit
from agentaudit.package.writer import reopen_exhibit
from agentaudit.verify import verify_case, verify_exhibit
from tests.golden import Script, ScriptReader, begin_script, clean_script, golden_case, golden_exhibit
from tests.support.around import hand
from tests.support.clock import StillClock
from tests.support.disks import FailingDisk, Killed

READERS = (ScriptReader(),)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A new case."""
    return golden_case(tmp_path / "case")


@pytest.fixture
def script(case: Case) -> Script:
    """An acquisition that has only to be sealed."""
    script = begin_script(case, StillClock(steps_ms=1))
    clean_script(script)
    return script


def test_a_sealed_exhibit_is_what_its_seal_says(case: Case) -> None:
    """The folder lost its ending, the seal is the digest of the tag manifest, custody holds both."""
    sealed = golden_exhibit(case, clean_script)
    assert sealed.path == case.path / "EX-0001"
    assert not (case.path / "EX-0001.partial").exists()
    assert sealed.seal == seal_of(sealed.path)
    row = list(case.rows())[-1]
    assert isinstance(row, ExhibitSealed)
    assert (row.exhibit, row.seal, row.outcome) == ("EX-0001", sealed.seal, "all_given")


def test_every_tag_file_is_there_and_every_file_is_read_only(case: Case) -> None:
    """The fixed ones byte for byte; files 0400, folders 0700."""
    root = golden_exhibit(case, clean_script).path
    assert all((root / name).is_file() for name in layout.TAG_FILES)
    assert (root / layout.BAGIT).read_bytes() == BAGIT_TEXT
    assert (root / layout.VERIFY).read_bytes() == verify_text()
    modes = {path.is_dir(): stat.S_IMODE(path.stat().st_mode) for path in root.rglob("*")}
    assert modes == {True: 0o700, False: 0o400}


def test_stock_tools_accept_both_manifests(case: Case) -> None:
    """`sha256sum -c`, strictly."""
    root = golden_exhibit(case, clean_script).path
    for name in (layout.TAG_MANIFEST, layout.MANIFEST):
        assert subprocess.run(["sha256sum", "--strict", "--quiet", "-c", name], cwd=root, check=False).returncode == 0


def test_what_an_earlier_attempt_left_is_made_anew(script: Script, case: Case) -> None:
    """Derived files of a sealing that was cut short are never taken over."""
    for name in (layout.PACKAGE, layout.ITEMS, layout.TAG_MANIFEST):
        (script.exhibit.root / name).write_bytes(b"left over")
    sealed = seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"


def test_a_closed_journal_is_not_closed_twice(script: Script, case: Case) -> None:
    """A sealing that ended after `closed` is finished from the journal, with the row that is there."""
    disk = FailingDisk(1, only="rename")
    script.exhibit.disk = disk
    with pytest.raises(Killed):
        seal_exhibit(script.exhibit, case, hand(script.clock.now, disk), ScriptReader())
    script.exhibit.journal.close()
    recorded = Recorded(script.exhibit.root)
    assert recorded.closed is not None
    again = reopen_exhibit(script.exhibit.root, SystemDisk(), script.clock.now)
    sealed = seal_exhibit(again, case, hand(script.clock.now), ScriptReader(), recorded.closed)
    assert sealed.closed == recorded.closed
    lines = (sealed.path / layout.JOURNAL).read_bytes().count(b'"event":"closed"')
    assert lines == 1
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"


@pytest.mark.parametrize("call", ["create", "write", "settle", "settle_folder", "close", "rename"])
def test_nothing_looks_sealed_that_is_not(script: Script, case: Case, call: str) -> None:
    """A full disk at any call before the rename leaves a partial; what is left can be sealed afterwards."""
    disk = FailingDisk(1, code=errno.ENOSPC, only=call)
    script.exhibit.settle()
    script.exhibit.disk = disk
    with pytest.raises(DestinationFault):
        seal_exhibit(script.exhibit, case, hand(script.clock.now, disk), ScriptReader())
    script.exhibit.release()
    assert not (case.path / "EX-0001").exists()
    recorded = Recorded(script.exhibit.root)
    again = reopen_exhibit(script.exhibit.root, SystemDisk(), script.clock.now)
    sealed = seal_exhibit(again, case, hand(script.clock.now), ScriptReader(), recorded.closed)
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"


def test_an_exhibit_that_lost_its_custody_row_is_found(script: Script, case: Case) -> None:
    """A run that ends between the rename and the row leaves a sealed exhibit; the next one records it."""
    disk = FailingDisk(1, only="protect")
    script.exhibit.disk = disk
    with pytest.raises(Killed):
        seal_exhibit(script.exhibit, case, hand(script.clock.now, disk), ScriptReader())
    script.exhibit.journal.close()
    golden_exhibit(case, clean_script)
    found = [row.exhibit for row in case.rows() if isinstance(row, SealedFound)]
    assert found == ["EX-0001"]
    assert verify_case(case.path, readers=READERS).integrity == "intact"


def test_a_name_that_is_taken_is_never_replaced(script: Script, case: Case) -> None:
    """Whatever lies where the sealed exhibit is to lie stays, and the partial too."""
    (case.path / "EX-0001").mkdir()
    with pytest.raises(DestinationFault, match="File exists"):
        seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert script.exhibit.root.is_dir()
    assert list((case.path / "EX-0001").iterdir()) == []


def test_a_payload_that_is_gone_is_not_sealed_over(script: Script, case: Case) -> None:
    """A page that the journal names and the disk lost is an error, not an empty success."""
    script.exhibit.settle()
    shutil.rmtree(script.exhibit.root / "data/script/s000001")
    with pytest.raises((AgentAuditError, OSError)):
        seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())
    assert not (case.path / "EX-0001").exists()


def test_a_broken_journal_is_not_sealed(script: Script, case: Case) -> None:
    """A row that was changed under the writer's hands breaks the chain, and sealing refuses."""
    script.exhibit.settle()
    path = script.exhibit.root / layout.JOURNAL
    path.write_bytes(path.read_bytes().replace(b'"limit"', b'"Limit"', 1))
    with pytest.raises(PackageFault, match="broken journal"):
        seal_exhibit(script.exhibit, case, hand(script.clock.now), ScriptReader())


def test_the_closing_row_states_what_the_rows_give(case: Case) -> None:
    """Outcome and counts of the last row are those of the result."""
    sealed = golden_exhibit(case)
    assert isinstance(sealed.closed, Closed)
    assert sealed.closed.outcome == sealed.derived.outcome
    assert sealed.closed.counts == sealed.derived.counts
    assert sealed.closed.counts.items == sum(path.is_file() for path in (sealed.path / "data").rglob("*"))


class WindowsDisk(SystemDisk):
    """A system on which a folder that holds an open file cannot be renamed."""

    def __init__(self) -> None:
        """Begin with nothing open."""
        super().__init__()
        self.open: dict[int, Path] = {}

    @property
    def renames_around_open_files(self) -> bool:
        """It does not."""
        return False

    def append_to(self, path: Path) -> int:
        """Act, and keep track."""
        descriptor = super().append_to(path)
        self.open[descriptor] = path
        return descriptor

    def close(self, descriptor: int) -> None:
        """Act, and keep track."""
        super().close(descriptor)
        self.open.pop(descriptor, None)

    def rename(self, old: Path, new: Path) -> None:
        """Refuse what that system refuses."""
        if any(path.is_relative_to(old) for path in self.open.values()):
            raise DestinationFault(f"{old} holds an open file")
        super().rename(old, new)


def test_where_open_files_hold_a_folder_the_journal_is_closed_before_the_rename(script: Script, case: Case) -> None:
    """Elsewhere it stays open, and locked, until the name is final."""
    script.exhibit.settle()
    script.exhibit.journal.close()
    disk = WindowsDisk()
    exhibit = reopen_exhibit(script.exhibit.root, disk, script.clock.now)
    sealed = seal_exhibit(exhibit, case, hand(script.clock.now, disk), ScriptReader())
    assert verify_exhibit(sealed.path, readers=READERS).integrity == "intact"
    assert SystemDisk().renames_around_open_files
