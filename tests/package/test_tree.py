"""Reading below one folder."""

import os
from pathlib import Path

import pytest

from agentaudit.package import tree as module
from agentaudit.package.tree import Tree

pytestmark = pytest.mark.timeout(10)


@pytest.fixture(params=[True, False], ids=["handles", "paths"])
def root(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files at two depths, read with handles and, as on Windows, without."""
    monkeypatch.setattr(module, "HAS_HANDLES", request.param)
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "top").write_bytes(b"top")
    (tmp_path / "a/one").write_bytes(b"1\n22\n333")
    (tmp_path / "a/b/two").write_bytes(b"two")
    return tmp_path


def test_files_are_read_in_any_order(root: Path) -> None:
    """Going down, up and across gives each its own bytes."""
    with Tree(root) as tree:
        for name, octets in (("a/b/two", b"two"), ("top", b"top"), ("a/one", b"1\n22\n333"), ("a/b/two", b"two")):
            assert tree.read(name, 100) == octets


def test_an_oversize_shows_by_one_byte(root: Path) -> None:
    """At most one byte more than the bound is read."""
    with Tree(root) as tree:
        assert tree.read("top", 1) == b"to"
        assert tree.read("top", 3) == b"top"


def test_lines_are_bounded(root: Path) -> None:
    """A line over the bound comes as a beginning without its LF, and the next line is whole again."""
    with Tree(root) as tree:
        assert list(tree.lines("a/one", 10)) == [b"1\n", b"22\n", b"333"]
        assert list(tree.lines("a/one", 1)) == [b"1\n", b"22", b"33"]
    (root / "long").write_bytes(b"x" * 1000 + b"\nshort\n")
    with Tree(root) as tree:
        assert list(tree.lines("long", 7)) == [b"x" * 8, b"short\n"]


@pytest.mark.parametrize("name", ["none", "a/none", "none/x", "a", "a/b", "top/x", "link", "folder/one", "pipe"])
def test_what_is_no_regular_file_is_refused(root: Path, name: str) -> None:
    """Missing, a folder, below a file, a link, below a linked folder, a pipe: an OSError, and nothing blocks."""
    (root / "link").symlink_to("top")
    (root / "folder").symlink_to("a")
    os.mkfifo(root / "pipe")
    with Tree(root) as tree, pytest.raises(OSError, match=r".+"):
        tree.open(name)


def test_a_failure_on_the_way_leaves_the_tree_at_its_top(root: Path) -> None:
    """After a missing folder deep down, names are still those of the root."""
    (root / "a/top").write_bytes(b"another")
    with Tree(root) as tree:
        for path in ("a/none/x", "a/b/none/y"):
            with pytest.raises(OSError, match=r".+"):
                tree.open(path)
            assert tree.read("top", 10) == b"top"


def test_the_root_itself_may_be_a_link(root: Path) -> None:
    """What the user names is followed; what lies below is not."""
    (root / "again").symlink_to(root / "a")
    with Tree(root / "again") as tree:
        assert tree.read("b/two", 10) == b"two"
    with Tree(root) as tree, pytest.raises(OSError, match=r".+"):
        tree.open("again/one")
