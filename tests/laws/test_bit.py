"""Law 6: any single changed bit, added, removed, renamed or swapped file or folder of a sealed exhibit is a finding.

The exhibit is one that was collected, so every kind of payload name and every tag file is there.
"""

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.format import layout
from agentaudit.format.bagit import Fault, Listed, read_manifest
from agentaudit.package.check import Bag, check_closed_world, check_digests, check_manifests
from agentaudit.package.reader import Manifest, observe, read_listing
from agentaudit.package.tree import Tree
from agentaudit.verify import verify_exhibit
from tests.forge import rewrite
from tests.integration.runs import run, served, town

READERS = (CompliancePageReader(),)
MANIFESTS = ((layout.MANIFEST, False), (layout.TAG_MANIFEST, True))
MESSAGES = "data/compliance/local/s000001/messages/000001.json"


@pytest.fixture(scope="module")
def exhibit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A collected exhibit; every test puts back what it changed."""
    with served(tmp_path_factory.mktemp("bit"), town()) as job:
        ended = run(job)
    assert ended.integrity == "intact"
    return ended.root


def _codes(root: Path) -> list[str]:
    """The codes of what touches integrity."""
    verdict = verify_exhibit(root, readers=READERS, bytes_only=True, threads=1)
    return [finding.code for finding in verdict.findings if finding.severity == "error"]


def _names(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def _flipped(octets: bytes, bit: int) -> bytes:
    changed = bytearray(octets)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_the_untouched_exhibit_is_intact(exhibit: Path) -> None:
    """The check can say yes, and it looks at every file."""
    assert _codes(exhibit) == []
    assert len(_names(exhibit)) > len(layout.TAG_FILES)


def _changes(octets: bytes) -> Iterator[bytes]:
    """A bit in the first, a middle and the last byte; half; a byte less; a byte more, seen and unseen; nothing."""
    last = len(octets) - 1
    for place, at in enumerate(sorted({0, last // 2, last}) if octets else ()):
        yield _flipped(octets, 8 * at + 2 * place)
    yield from {octets[: len(octets) // 2], octets[:-1], octets + b"\n", octets + b" ", octets + b"\0", b""} - {octets}


def test_any_change_of_any_file_is_found(exhibit: Path) -> None:
    """A flipped bit, a cut, an addition, in each file of the exhibit."""
    for name in _names(exhibit):
        octets = (exhibit / name).read_bytes()
        for changed in _changes(octets):
            rewrite(exhibit / name, changed)
            assert _codes(exhibit), name
        rewrite(exhibit / name, octets)
    assert _codes(exhibit) == []


def test_any_file_that_goes_comes_or_is_called_otherwise_is_found(exhibit: Path) -> None:
    """Each file deleted, renamed within its folder and out of it, copied beside itself."""
    for name in _names(exhibit):
        path = exhibit / name
        octets = path.read_bytes()
        for other in (
            path.with_name(f"a{path.name}"),
            path.with_name(path.name.swapcase()),
            exhibit / "data" / "moved",
        ):
            path.rename(other)
            assert _codes(exhibit), (name, other)
            other.rename(path)
        beside = path.with_name(f"{path.name}.1")
        beside.write_bytes(octets)
        assert _codes(exhibit), name
        path.unlink()
        assert _codes(exhibit), name
        beside.rename(path)
    assert _codes(exhibit) == []


def test_any_two_files_that_change_places_are_found(exhibit: Path) -> None:
    """Each file with the next that has other bytes."""
    names = _names(exhibit)
    for one, two in zip(names, [*names[1:], names[0]], strict=True):
        first, second = (exhibit / one).read_bytes(), (exhibit / two).read_bytes()
        if first == second:
            continue
        rewrite(exhibit / one, second)
        rewrite(exhibit / two, first)
        assert _codes(exhibit), (one, two)
        rewrite(exhibit / one, first)
        rewrite(exhibit / two, second)
    assert _codes(exhibit) == []


def test_any_folder_more_is_found(exhibit: Path) -> None:
    """An empty folder in each folder, and in place of a file."""
    for folder in [exhibit, *(path for path in exhibit.rglob("*") if path.is_dir())]:
        (folder / "more").mkdir()
        assert _codes(exhibit) == ["P004"], folder
        (folder / "more").rmdir()
    path = exhibit / MESSAGES
    octets = path.read_bytes()
    path.unlink()
    path.mkdir()
    assert _codes(exhibit)
    path.rmdir()
    path.write_bytes(octets)
    assert _codes(exhibit) == []


@pytest.mark.parametrize("name", [layout.TAG_MANIFEST, layout.PACKAGE, MESSAGES])
def test_a_bit_anywhere_is_found_by_the_whole_check(exhibit: Path, name: str) -> None:
    """From the beginning of the file to its end, at every third byte another bit."""
    octets = (exhibit / name).read_bytes()
    for at in range(0, len(octets), 3):
        rewrite(exhibit / name, _flipped(octets, 8 * at + at % 8))
        assert _codes(exhibit), (name, at)
    rewrite(exhibit / name, octets)
    assert _codes(exhibit) == []


# Every single bit would be tens of thousands of whole checks: below, what does not change is read once.


def _bag(exhibit: Path) -> Bag:
    with Tree(exhibit) as tree:
        manifests = (read_listing(tree, name, tags=tags) for name, tags in MANIFESTS)
        return Bag(observe(exhibit), *manifests)


def _digests(exhibit: Path) -> dict[str, str | None]:
    return {name: sha256((exhibit / name).read_bytes()).hexdigest() for name in _names(exhibit)}


def _judged(bag: Bag, found: dict[str, str | None]) -> list[str]:
    rows = (*check_manifests(bag), *check_closed_world(bag), *check_digests(bag.digested(), found))
    return [code for code, _, _ in rows]


def test_every_bit_of_the_tag_manifest_is_found(exhibit: Path) -> None:
    """Though no other file holds its digest: each bit is part of a digest, of a name, or of the form of a line."""
    bag, found = _bag(exhibit), _digests(exhibit)
    assert _judged(bag, found) == []
    octets = (exhibit / layout.TAG_MANIFEST).read_bytes()
    for bit in range(8 * len(octets)):
        assert _judged(replace(bag, tags=_manifest(_flipped(octets, bit))), found), bit


def _manifest(octets: bytes) -> Manifest:
    rows = list(read_manifest(BytesIO(octets), tags=True))
    listed = {row.path: row.hex for row in rows if isinstance(row, Listed)}
    return Manifest(present=True, listed=listed, faults=[row for row in rows if isinstance(row, Fault)])


@pytest.mark.parametrize("name", [layout.PACKAGE, MESSAGES])
def test_every_bit_of_a_listed_file_is_found(exhibit: Path, name: str) -> None:
    """Each flipped bit gives a digest that the manifest does not hold."""
    octets, expected, found = (exhibit / name).read_bytes(), _bag(exhibit).digested(), _digests(exhibit)
    assert list(check_digests(expected, found)) == []
    for bit in range(8 * len(octets)):
        changed = {**found, name: sha256(_flipped(octets, bit)).hexdigest()}
        assert [code for code, _, _ in check_digests(expected, changed)] == ["M005"], bit
