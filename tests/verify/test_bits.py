"""Law 6: any single changed bit, added, removed, renamed or swapped file, folder or line is a finding."""

import itertools
import shutil
from pathlib import Path

import pytest

from agentaudit.format import layout
from agentaudit.verify import verify_exhibit
from tests.forge import rewrite
from tests.golden import ScriptReader, golden_case, golden_exhibit, small_script

READERS = (ScriptReader(),)


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A golden exhibit; every test puts back what it changed."""
    return golden_exhibit(golden_case(tmp_path_factory.mktemp("golden") / "case"), small_script).path


@pytest.fixture(scope="module")
def seal(exhibit: Path) -> str:
    """The seal as it was noted."""
    verdict = verify_exhibit(exhibit, readers=READERS)
    assert verdict.seal is not None
    return verdict.seal


def _is_intact(root: Path, seal: str) -> bool:
    return verify_exhibit(root, readers=READERS, seal=seal, bytes_only=True, threads=1).integrity == "intact"


def _files(root: Path) -> list[str]:
    """Every file that has a byte."""
    files = (path for path in root.rglob("*") if path.is_file() and path.stat().st_size)
    return sorted(path.relative_to(root).as_posix() for path in files)


def test_the_untouched_exhibit_is_intact(exhibit: Path, seal: str) -> None:
    """The check can say yes."""
    assert _is_intact(exhibit, seal)


def test_any_changed_bit_is_found(exhibit: Path, seal: str) -> None:
    """In every file: the first, the last and one middle byte, each with another bit."""
    for name in _files(exhibit):
        octets = (exhibit / name).read_bytes()
        for bit, at in enumerate(sorted({0, len(octets) // 2, len(octets) - 1})):
            changed = bytearray(octets)
            changed[at] ^= 1 << bit
            rewrite(exhibit / name, bytes(changed))
            assert not _is_intact(exhibit, seal), (name, at)
        rewrite(exhibit / name, octets)
    assert _is_intact(exhibit, seal)


def test_any_byte_more_or_less_is_found(exhibit: Path, seal: str) -> None:
    """Every file, a byte shorter, a byte longer, empty, and without its last line."""
    for name in _files(exhibit):
        octets = (exhibit / name).read_bytes()
        last_line = octets[: octets.rstrip(b"\n").rfind(b"\n") + 1]
        for other in {octets[:-1], octets + b"\n", b"", last_line} - {octets}:
            rewrite(exhibit / name, other)
            assert not _is_intact(exhibit, seal), name
        rewrite(exhibit / name, octets)
    assert _is_intact(exhibit, seal)


def test_any_removed_renamed_or_added_file_is_found(exhibit: Path, seal: str) -> None:
    """Every file, gone, under another name, and twice."""
    for name in _files(exhibit):
        path = exhibit / name
        other = path.with_name(f"{path.name}.old")
        path.rename(other)
        assert not _is_intact(exhibit, seal), name
        shutil.copy(other, path)
        assert not _is_intact(exhibit, seal), name
        other.unlink()
    assert _is_intact(exhibit, seal)


def test_any_two_swapped_payload_files_are_found(exhibit: Path, seal: str) -> None:
    """Two payload files that change places keep their bytes, and are found all the same."""
    names = [name for name in _files(exhibit) if name.startswith("data/")]
    for one, two in itertools.combinations(names, 2):
        first, second = (exhibit / one).read_bytes(), (exhibit / two).read_bytes()
        rewrite(exhibit / one, second)
        rewrite(exhibit / two, first)
        assert not _is_intact(exhibit, seal), (one, two)
        rewrite(exhibit / one, first)
        rewrite(exhibit / two, second)
    assert _is_intact(exhibit, seal)


def test_any_dropped_or_doubled_manifest_line_is_found(exhibit: Path, seal: str) -> None:
    """Each line of both manifests, left out and doubled."""
    for name in (layout.MANIFEST, layout.TAG_MANIFEST):
        octets = (exhibit / name).read_bytes()
        lines = octets.splitlines(keepends=True)
        for at in range(len(lines)):
            for other in (lines[:at] + lines[at + 1 :], lines[: at + 1] + lines[at:]):
                rewrite(exhibit / name, b"".join(other))
                assert not _is_intact(exhibit, seal), (name, at)
        rewrite(exhibit / name, octets)
    assert _is_intact(exhibit, seal)


def test_any_folder_more_is_found(exhibit: Path, seal: str) -> None:
    """An empty folder, anywhere."""
    for parent in [exhibit, *(path for path in exhibit.rglob("*") if path.is_dir())]:
        (parent / "more").mkdir()
        assert not _is_intact(exhibit, seal), parent
        (parent / "more").rmdir()
    assert _is_intact(exhibit, seal)
