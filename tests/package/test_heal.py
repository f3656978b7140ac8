"""What a crash left is set aside, named, and never lost."""

from pathlib import Path

import pytest

from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.chain import JOURNAL_CODEC, Link
from agentaudit.model.base import digest_of
from agentaudit.model.journal import Act, SetAside, TornTail
from agentaudit.package.disk import SystemDisk
from agentaudit.package.heal import remove_derived, set_aside
from agentaudit.package.recorded import Recorded
from agentaudit.package.rows import read_log
from agentaudit.package.writer import OpenExhibit, create_exhibit, reopen_exhibit
from tests.support.clock import StillClock
from tests.support.openings import opened_row


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A partial exhibit whose run ended after its first row."""
    root = tmp_path / "EX-0001.partial"
    root.mkdir()
    create_exhibit(root, opened_row, SystemDisk(), StillClock().now).journal.close()
    return root


def _reopened(root: Path) -> tuple[OpenExhibit, Recorded]:
    return reopen_exhibit(root, SystemDisk(), StillClock().now), Recorded(root)


def _orphan(root: Path, path: str, octets: bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(octets)


def test_a_whole_exhibit_has_nothing_to_set_aside(root: Path) -> None:
    """No folder is made for nothing."""
    exhibit, recorded = _reopened(root)
    assert set_aside(exhibit, recorded) == ((), None)
    assert not (root / layout.SET_ASIDE).exists()


def test_files_without_a_row_are_moved_and_named(root: Path) -> None:
    """Each with where it lay, where it lies, size and digest, in the order of the paths; bytes are not touched."""
    _orphan(root, "data/w/000002.json", b"two")
    _orphan(root, "data/w/000001.json", b"one")
    exhibit, recorded = _reopened(root)
    moved, torn = set_aside(exhibit, recorded)
    assert torn is None
    assert moved == (
        SetAside(found="data/w/000001.json", path="data/set-aside/000001", bytes=3, sha256=digest_of(b"one")),
        SetAside(found="data/w/000002.json", path="data/set-aside/000002", bytes=3, sha256=digest_of(b"two")),
    )
    assert [(root / one.path).read_bytes() for one in moved] == [b"one", b"two"]
    assert not list((root / "data/w").iterdir())


def test_what_was_moved_before_its_row_was_written_is_named_where_it_lies(root: Path) -> None:
    """A resumption that ended between move and row does not move it again; its number is not used twice."""
    _orphan(root, "data/set-aside/000001", b"moved")
    _orphan(root, "data/w/000001.json", b"new")
    exhibit, recorded = _reopened(root)
    moved, _ = set_aside(exhibit, recorded)
    assert [(one.found, one.path) for one in moved] == [
        ("data/set-aside/000001", "data/set-aside/000001"),
        ("data/w/000001.json", "data/set-aside/000002"),
    ]


def test_a_torn_tail_is_copied_before_it_is_cut(root: Path) -> None:
    """The copy holds the bytes; the journal ends with its last whole row and goes on from there."""
    whole = (root / layout.JOURNAL).read_bytes()
    (root / layout.JOURNAL).write_bytes(whole + b'{"half')
    exhibit, recorded = _reopened(root)
    moved, torn = set_aside(exhibit, recorded)
    assert moved == ()
    assert torn == TornTail(bytes=6, sha256=digest_of(b'{"half'), path="data/set-aside/tail-000001")
    assert (root / torn.path).read_bytes() == b'{"half'
    assert (root / layout.JOURNAL).read_bytes() == whole
    exhibit.stage(opened_row())
    exhibit.settle()
    links = list(read_log(root / layout.JOURNAL, JOURNAL_CODEC, Act))
    assert [isinstance(link, Link) for link in links] == [True, True]


def test_what_is_no_regular_file_is_not_moved(root: Path) -> None:
    """A link in the payload stops the resumption."""
    (root / "data" / "link").symlink_to(root / layout.JOURNAL)
    exhibit, recorded = _reopened(root)
    with pytest.raises(PackageFault):
        set_aside(exhibit, recorded)


def test_derived_files_are_removed_and_evidence_is_not(root: Path) -> None:
    """Every tag file but the journal, the tag manifest, and payload folders without a file in them."""
    for name in (*layout.TAG_FILES, layout.TAG_MANIFEST):
        if name != layout.JOURNAL:
            (root / name).write_bytes(b"derived")
    _orphan(root, "data/w/000001.json", b"one")
    (root / "data/empty/deep").mkdir(parents=True)
    exhibit, _ = _reopened(root)
    remove_derived(exhibit)
    left = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    assert left == [layout.JOURNAL, "data/w/000001.json"]
    assert not (root / "data/empty").exists()
    assert (root / "data").is_dir()
