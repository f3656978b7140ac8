"""The calls that make bytes durable."""

import importlib.util
import os
import stat
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault
from agentaudit.package.disk import SystemDisk, destination


def test_files_and_folders_are_private(tmp_path: Path) -> None:
    """Files are made 0600 and folders 0700, whatever the process's mask allows."""
    disk = SystemDisk()
    disk.make_folder(tmp_path / "folder")
    disk.close(disk.create(tmp_path / "folder" / "file"))
    assert stat.S_IMODE((tmp_path / "folder").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "folder" / "file").stat().st_mode) == 0o600


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    """A name that is taken is refused, also by a dangling link."""
    disk = SystemDisk()
    (tmp_path / "taken").write_bytes(b"first")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("taken", "link"):
        with pytest.raises(DestinationFault, match="File exists"):
            disk.create(tmp_path / name)
        with pytest.raises(DestinationFault, match="File exists"):
            disk.rename(tmp_path / "taken", tmp_path / name)
    assert (tmp_path / "taken").read_bytes() == b"first"


def test_appending_never_follows_a_link(tmp_path: Path) -> None:
    """A log that was replaced by a link is not written through."""
    (tmp_path / "real").write_bytes(b"")
    (tmp_path / "log").symlink_to(tmp_path / "real")
    with pytest.raises(DestinationFault):
        SystemDisk().append_to(tmp_path / "log")


@pytest.mark.parametrize("with_syncfs", [True, False])
def test_a_group_is_settled_with_either_barrier(tmp_path: Path, *, with_syncfs: bool) -> None:
    """The barrier works with one syncfs and with an fsync for each file and folder."""
    disk = SystemDisk()
    if not with_syncfs:
        disk._syncfs = None
    descriptor = disk.create(tmp_path / "a")
    disk.write(descriptor, b"x" * 100_000)
    disk.settle_group(descriptor, (descriptor,), (tmp_path,))
    disk.close(descriptor)
    assert (tmp_path / "a").stat().st_size == 100_000


def test_a_barrier_that_fails_says_so(tmp_path: Path) -> None:
    """A syncfs that reports an error is an error."""
    disk = SystemDisk()
    disk._syncfs = lambda _descriptor: -1
    with pytest.raises(DestinationFault, match=str(tmp_path)), destination(tmp_path):
        disk.settle_group(1, (1,), ())


def test_a_full_device_is_a_destination_fault_with_a_hint(tmp_path: Path) -> None:
    """ENOSPC at write names the path and says what to do next."""
    descriptor = os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(DestinationFault) as caught, destination(tmp_path / "x"):
        SystemDisk().write(descriptor, b"x")
    os.close(descriptor)
    assert "No space left" in caught.value.message
    assert "--resume" in caught.value.hint


def test_an_error_without_a_number_is_named_by_its_kind(tmp_path: Path) -> None:
    """An error of the system that has no number still names the path."""
    with pytest.raises(DestinationFault, match="OSError"), destination(tmp_path):
        raise OSError


def test_protect_cut_and_remove_do_what_they_say(tmp_path: Path) -> None:
    """A protected file is 0400; a journal is cut to a length; a derived file is removed."""
    disk = SystemDisk()
    (tmp_path / "f").write_bytes(b"abcdef")
    disk.cut(tmp_path / "f", 3)
    assert (tmp_path / "f").read_bytes() == b"abc"
    disk.protect(tmp_path / "f")
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == 0o400
    disk.remove(tmp_path / "f")
    assert not (tmp_path / "f").exists()


def test_where_there_is_a_text_mode_nothing_is_written_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows would turn each LF of the evidence into CR LF."""
    binary = 0x8000
    monkeypatch.setattr(os, "O_BINARY", binary, raising=False)
    there = importlib.util.find_spec("agentaudit.package.disk")
    assert there is not None
    assert there.loader is not None
    anew = importlib.util.module_from_spec(there)
    there.loader.exec_module(anew)
    flags: list[int] = []

    def note(_path: Path, flag: int, _mode: int = 0) -> int:
        flags.append(flag)
        return 0

    monkeypatch.setattr(os, "open", note)
    anew.SystemDisk().create(Path("a"))
    anew.SystemDisk().append_to(Path("a"))
    assert [bool(flag & binary) for flag in flags] == [True, True]
