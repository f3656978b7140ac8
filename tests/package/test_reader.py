"""What lies in a package, and what it declares."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from agentaudit.format.bagit import Fault
from agentaudit.package import reader as module
from agentaudit.package.reader import observe, read_listing
from agentaudit.package.tree import Tree

pytestmark = pytest.mark.timeout(10)


@pytest.fixture(params=[True, False], ids=["handles", "paths"])
def has_handles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """With handles and, as on Windows, without."""
    given = request.param is True
    monkeypatch.setattr(module, "HAS_HANDLES", given)
    return given


@pytest.fixture
def root(has_handles: bool, tmp_path: Path) -> Path:
    """An empty folder."""
    del has_handles
    return tmp_path


def test_files_and_folders_are_noted_with_their_sizes(root: Path) -> None:
    """Paths are relative with slashes; an empty folder is a folder."""
    (root / "a/b").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "a/b/two").write_bytes(b"22")
    (root / "one").write_bytes(b"1")
    seen = observe(root)
    assert seen.files == {"a/b/two": 2, "one": 1}
    assert seen.folders == {"a", "a/b", "empty"}
    assert seen.oddities == []


def test_whatever_is_odd_has_its_code(root: Path) -> None:
    """Links, special files and unsafe folders are noted and not entered."""
    (root / "outside").mkdir()
    (root / "outside/file").write_bytes(b"")
    (root / "link").symlink_to("outside")
    (root / "dangling").symlink_to("nowhere")
    os.mkfifo(root / "pipe")
    (root / "a b").mkdir()
    (root / "a b/file").write_bytes(b"")
    seen = observe(root)
    assert sorted(seen.oddities) == [("P005", "dangling"), ("P005", "link"), ("P006", "pipe"), ("P007", "a b")]
    assert seen.files == {"outside/file": 0}


def test_the_survey_goes_no_deeper_than_its_limit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder at the limit is noted, and what lies in it is not."""
    monkeypatch.setattr(module, "DEPTH_MAX", 2)
    (root / "1/2/3").mkdir(parents=True)
    seen = observe(root)
    assert seen.oddities == [("P012", "1/2")]
    assert "1/2/3" not in seen.folders


def test_the_survey_goes_no_wider_than_its_limit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the limit no entry is noted."""
    monkeypatch.setattr(module, "ENTRIES_MAX", 3)
    for number in range(6):
        (root / f"{number}").write_bytes(b"")
    seen = observe(root)
    assert len(seen.files) == 3
    assert seen.oddities == [("P012", "")]


@pytest.mark.parametrize("call", ["open", "scandir"])
def test_a_folder_that_cannot_be_entered_is_p009(
    root: Path, has_handles: bool, call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The survey goes on beside it."""
    (root / "closed").mkdir()
    (root / "open").mkdir()
    (root / "open/file").write_bytes(b"")
    real_open, real_scan = os.open, os.scandir
    inode = (root / "closed").stat().st_ino

    def fail_open(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "closed":
            raise PermissionError(path)
        return real_open(path, flags, mode, dir_fd=dir_fd)

    def fail_scan(path: int | Path) -> AbstractContextManager[Iterator[os.DirEntry[str]]]:
        if os.stat(path).st_ino == inode:  # noqa: PTH116 - a descriptor has no Path
            raise PermissionError
        return real_scan(path)

    if call == "open" and has_handles:
        monkeypatch.setattr(os, "open", fail_open)
    else:
        monkeypatch.setattr(os, "scandir", fail_scan)
    seen = observe(root)
    assert [(code, path.rstrip("/")) for code, path in seen.oddities] == [("P009", "closed")]
    assert seen.files == {"open/file": 0}


def test_a_missing_manifest_is_not_present(root: Path) -> None:
    """A manifest that is a folder, or not there, declares nothing."""
    (root / "folder").mkdir()
    with Tree(root) as tree:
        for name in ("none", "folder"):
            listing = read_listing(tree, name, tags=False)
            assert (listing.present, listing.listed, listing.faults) == (False, {}, [])


def test_a_manifest_declares_its_lines(root: Path) -> None:
    """Good lines and faults, each in its place."""
    (root / "m").write_bytes(b"0" * 64 + b"  data/a\nnothing\n")
    with Tree(root) as tree:
        listing = read_listing(tree, "m", tags=False)
    assert listing.listed == {"data/a": "0" * 64}
    assert listing.faults == [Fault(2, "form")]
    assert not listing.over_limit


def test_a_manifest_over_its_limits_is_left(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Too many faults, or too many entries, end the reading."""
    monkeypatch.setattr(module, "FAULTS_MAX", 3)
    (root / "m").write_bytes(b"\n" * 50)
    with Tree(root) as tree:
        listing = read_listing(tree, "m", tags=False)
    assert (len(listing.faults), listing.over_limit) == (4, True)
