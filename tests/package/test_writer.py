"""An exhibit that is open."""

import stat
import sys
import threading
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Link
from agentaudit.model.journal import Act, Noted, Opened, WalkEnded
from agentaudit.model.losses import Gap
from agentaudit.package import writer
from agentaudit.package.disk import SystemDisk
from agentaudit.package.rows import read_log
from agentaudit.package.writer import OpenExhibit, create_exhibit, reopen_exhibit
from tests.support.clock import StillClock
from tests.support.disks import FULL, FailingDisk
from tests.support.openings import opened_row


def _exhibit(root: Path, disk: SystemDisk | None = None) -> OpenExhibit:
    root.mkdir()
    return create_exhibit(root, opened_row, disk or SystemDisk(), StillClock().now)


def _ended() -> WalkEnded:
    return WalkEnded(walk="w", reason="exhausted", pages=1, records=2)


def test_the_first_row_is_there_when_the_exhibit_is(tmp_path: Path) -> None:
    """A new exhibit has its `opened` row on disk before anything can be kept."""
    _exhibit(tmp_path / "EX-0001.partial")
    links = list(read_log(tmp_path / "EX-0001.partial" / layout.JOURNAL, JOURNAL_CODEC, Act))
    assert len(links) == 1
    assert isinstance(getattr(links[0], "row", None), Opened)


def test_payload_is_durable_before_its_row_is_written(tmp_path: Path) -> None:
    """The barrier settles the files of a group before the journal is written to."""
    disk = FailingDisk()
    exhibit = _exhibit(tmp_path / "EX-0001.partial", disk)
    begin = len(disk.names)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.stage(_ended())
    exhibit.settle()
    calls = disk.names[begin:]
    assert calls.index("settle_group") < len(calls) - 1 - calls[::-1].index("write")
    assert calls.index("settle_group") > calls.index("create")
    assert calls[-2:] == ["write", "settle"]


def test_the_barrier_is_told_of_errors_since_before_the_group(tmp_path: Path) -> None:
    """It stands on the journal's descriptor, which is older than every file it speaks for."""
    stood: list[int] = []

    class Watching(SystemDisk):
        def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
            stood.append(within)
            super().settle_group(within, files, folders)

    exhibit = _exhibit(tmp_path / "EX-0001.partial", Watching())
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.settle()
    assert stood == [exhibit.journal.descriptor]


class _Held(SystemDisk):
    """A disk whose barrier of a group ends when it is let go, or fails."""

    def __init__(self, fault: OSError | None = None) -> None:
        super().__init__()
        self.go = threading.Event()
        self.fault = fault
        self.over = 0

    def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
        assert self.go.wait(30)
        if self.fault is not None:
            raise self.fault
        super().settle_group(within, files, folders)
        self.over += 1


def _events(root: Path) -> list[str]:
    links = read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act)
    return [type(link.row).__name__ for link in links if isinstance(link, Link)]


def test_rows_wait_for_the_barrier_that_runs_beside(tmp_path: Path) -> None:
    """What is kept meanwhile is written, no row of either group is, and the rows keep their order."""
    root, disk = tmp_path / "EX-0001.partial", _Held()
    exhibit = _exhibit(root, disk)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.stage(_ended())
    exhibit.settle_beside()
    exhibit.keep("data/w/000002.json", b"{}")
    exhibit.stage(Noted(gap=Gap(kind="excluded", code="link", basis="rule")))
    assert (root / "data/w/000002.json").read_bytes() == b"{}"
    assert _events(root) == ["Opened"]
    disk.go.set()
    exhibit.settle_beside()
    assert _events(root) == ["Opened", "WalkEnded"]
    exhibit.settle()
    assert _events(root) == ["Opened", "WalkEnded", "Noted"]
    assert disk.over == 2


def test_a_barrier_beside_that_fails_bars_every_later_act(tmp_path: Path) -> None:
    """Nothing is journalled over it: not its own rows, and none that were staged since."""
    root, disk = tmp_path / "EX-0001.partial", _Held(OSError(FULL, "No space left on device"))
    exhibit = _exhibit(root, disk)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.stage(_ended())
    exhibit.settle_beside()
    exhibit.stage(_ended())
    disk.go.set()
    with pytest.raises(DestinationFault, match="No space"):
        exhibit.settle()
    with pytest.raises(DestinationFault, match="earlier error"):
        exhibit.settle()
    assert _events(root) == ["Opened"]


def test_letting_go_waits_for_the_barrier_and_drops_its_rows(tmp_path: Path) -> None:
    """Its descriptors are closed after it, not under it; the partial can be taken up again."""
    root, disk = tmp_path / "EX-0001.partial", _Held()
    exhibit = _exhibit(root, disk)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.stage(_ended())
    exhibit.settle_beside()
    threading.Timer(0.05, disk.go.set).start()
    exhibit.release()
    assert disk.over == 1
    reopen_exhibit(root, SystemDisk(), StillClock().now).release()
    assert _events(root) == ["Opened"]


def test_files_that_a_barrier_needs_open_are_closed_after_it(tmp_path: Path) -> None:
    """Where each file is synchronised by itself, it stays open until the barrier is over."""
    closed: list[int] = []

    class Watching(_Held):
        def close(self, descriptor: int) -> None:
            closed.append(descriptor)
            super().close(descriptor)

    disk = Watching()
    disk._syncfs = None
    disk.go.set()
    exhibit = _exhibit(tmp_path / "EX-0001.partial", disk)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.settle_beside()
    assert closed == []
    exhibit.settle()
    assert len(closed) == 1


def test_a_name_is_kept_once(tmp_path: Path) -> None:
    """The same payload name is refused a second time, and the exhibit takes nothing more."""
    exhibit = _exhibit(tmp_path / "EX-0001.partial")
    exhibit.keep("data/w/000001.json", b"{}")
    with pytest.raises(DestinationFault, match="File exists"):
        exhibit.keep("data/w/000001.json", b"{}")
    with pytest.raises(DestinationFault, match="earlier error"):
        exhibit.settle()


@pytest.mark.parametrize(
    "path", ["data/../x", "data/W/x", "journal.jsonl", "data/w/a b", "/data/x", "data/", "data/con"]
)
def test_only_neutral_names_are_kept(tmp_path: Path, path: str) -> None:
    """A name outside the safe alphabet, or outside `data/`, is a programming error."""
    with pytest.raises(ValueError, match="neutral"):
        _exhibit(tmp_path / "EX-0001.partial").keep(path, b"")


@pytest.mark.parametrize("call", ["create", "write", "settle_group", "close", "make_folder"])
def test_a_full_disk_stops_the_writer(tmp_path: Path, call: str) -> None:
    """ENOSPC at any call is a destination fault, and no later act succeeds."""
    disk = FailingDisk(code=FULL, only=call)
    exhibit = _exhibit(tmp_path / "EX-0001.partial", disk)
    disk.fatal = disk.calls + 1
    with pytest.raises(DestinationFault, match="No space"):  # noqa: PT012 - the call that fails differs by case
        exhibit.keep("data/w/000001.json", b"{}")
        exhibit.stage(_ended())
        exhibit.settle()
    with pytest.raises(DestinationFault, match="earlier error"):
        exhibit.stage(_ended())


def test_a_full_group_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group is full at its bound of files or of bytes, and empty again after the barrier."""
    monkeypatch.setattr(writer, "GROUP_FILES_MAX", 2)
    monkeypatch.setattr(writer, "GROUP_BYTES_MAX", 100)
    exhibit = _exhibit(tmp_path / "EX-0001.partial")
    full = []
    for number, octets in enumerate((b"{}", b"{}", b"x" * 100), 1):
        exhibit.keep(f"data/w/{number:06d}.json", octets)
        full.append(exhibit.is_full)
        if number == 2:
            exhibit.settle()
            full.append(exhibit.is_full)
    assert full == [False, True, False, True]


def test_a_partial_is_locked_by_its_run(tmp_path: Path) -> None:
    """A partial exhibit that a run holds cannot be opened by another."""
    root = tmp_path / "EX-0001.partial"
    exhibit = _exhibit(root)
    with pytest.raises(DestinationFault, match="in use"):
        reopen_exhibit(root, SystemDisk(), StillClock().now)
    exhibit.journal.close()
    reopen_exhibit(root, SystemDisk(), StillClock().now).journal.close()


def test_a_folder_that_became_a_link_is_not_written_through(tmp_path: Path) -> None:
    """A payload folder that somebody replaced by a link is refused."""
    exhibit = _exhibit(tmp_path / "EX-0001.partial")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "EX-0001.partial" / "data" / "w").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DestinationFault, match="File exists"):
        exhibit.keep("data/w/000001.json", b"{}")
    assert list((tmp_path / "elsewhere").iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes are not those of this system")
@pytest.mark.parametrize(("barrier", "mode"), [(True, 0o400), (False, 0o600)])
def test_payload_is_read_only_from_its_beginning(tmp_path: Path, barrier: bool, mode: int) -> None:
    """Unless a barrier has to open it again: then it is made so when the exhibit is sealed."""
    disk = SystemDisk()
    if not barrier:
        disk._syncfs = None
    exhibit = _exhibit(tmp_path / "EX-0001.partial", disk)
    exhibit.keep("data/w/000001.json", b"{}")
    exhibit.settle()
    assert stat.S_IMODE((exhibit.root / "data/w/000001.json").stat().st_mode) == mode
