"""Digests of many files."""

import hashlib
from pathlib import Path

import pytest

from agentaudit.package import hashing
from agentaudit.package.hashing import Hashing
from agentaudit.package.tree import Tree


def _files(root: Path, count: int, size: int) -> dict[str, bytes]:
    files = {f"d{number % 3}/{number:04d}": bytes([number % 251]) * (size + number) for number in range(count)}
    for name, octets in files.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_bytes(octets)
    return files


def _hex(octets: bytes) -> str:
    return hashlib.sha256(octets).hexdigest()


@pytest.mark.parametrize("threads", [0, 1, 4])
def test_every_file_has_its_own_digest(threads: int, tmp_path: Path) -> None:
    """Whatever the number of threads, and whatever the sizes around the buffer's."""
    files = _files(tmp_path, 100, hashing.BUFFER_BYTES - 50)
    sizes = {name: len(octets) for name, octets in files.items()}
    found = Hashing(tmp_path, sizes, files, threads).result()
    assert found == {name: _hex(octets) for name, octets in files.items()}


def test_big_files_are_hashed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file above the mark is a batch of its own."""
    monkeypatch.setattr(hashing, "BIG_BYTES", 5)
    files = _files(tmp_path, 8, 1)
    found = Hashing(tmp_path, {name: len(octets) for name, octets in files.items()}, files, 2).result()
    assert found == {name: _hex(octets) for name, octets in files.items()}


def test_what_cannot_be_opened_has_no_digest(tmp_path: Path) -> None:
    """A missing file, a link, a folder."""
    _files(tmp_path, 1, 1)
    (tmp_path / "link").symlink_to("d0/0000")
    found = Hashing(tmp_path, {}, ["none", "link", "d0", "d0/0000"], 1).result()
    assert found == {"none": None, "link": None, "d0": None, "d0/0000": _hex(b"\0")}


def test_what_is_longer_than_the_limit_has_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the system said it was."""
    monkeypatch.setattr(hashing, "FILE_BYTES_MAX", 2)
    (tmp_path / "two").write_bytes(b"22")
    (tmp_path / "three").write_bytes(b"333")
    assert Hashing(tmp_path, {}, ["two", "three"], 1).result() == {"two": _hex(b"22"), "three": None}


def test_a_read_that_fails_has_no_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the disk in the middle of a file."""

    def fail(descriptor: int, into: tuple[memoryview]) -> int:
        raise OSError(descriptor, len(into))

    monkeypatch.setattr(hashing, "_fill", fail)
    (tmp_path / "file").write_bytes(b"x")
    assert Hashing(tmp_path, {}, ["file"], 1).result() == {"file": None}


def test_the_fallback_reads_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `readv`, as on Windows."""
    monkeypatch.setattr(hashing, "_fill", hashing._fill_by_copy)
    files = _files(tmp_path, 3, hashing.BUFFER_BYTES)
    assert Hashing(tmp_path, {}, files, 1).result() == {name: _hex(octets) for name, octets in files.items()}


def _descriptors() -> int:
    listing = Path("/proc/self/fd")
    return sum(1 for _ in listing.iterdir()) if listing.exists() else 0


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    """After a run as many descriptors are open as before it."""
    files = _files(tmp_path, 40, 1)
    with Tree(tmp_path):
        before = _descriptors()
        Hashing(tmp_path, {}, [*files, "none", "d0/none"], 2).result()
        assert _descriptors() == before
