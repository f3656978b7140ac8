"""Roots: named, from the environment, or the default; left-overs are reported and not read."""

import os
from pathlib import Path

import pytest

from agentaudit.model.local import true_name
from agentaudit.sources.local.roots import Roots, Surrounding, find_roots
from tests.sources.local.places import put


def find(home: Path, *named: Path, config: Path | None = None, table: bytes | None = None) -> Roots:
    """The roots that are found from that home."""
    around = Surrounding(
        config_dir=None if config is None else os.fsencode(config),
        home=os.fsencode(home),
        user_id=os.geteuid(),
        mounts=lambda: table,
    )
    return find_roots([os.fsencode(path) for path in named], around)


def names(roots: Roots) -> list[tuple[str, str, object]]:
    """Number, finding and path of the chosen ones."""
    return [(found.facts.root, found.facts.found, found.facts.path) for found in roots.chosen]


def test_what_is_named_comes_before_the_environment_and_the_default(tmp_path: Path) -> None:
    """One way of finding is used; the others' places are reported where they exist."""
    for name in (".claude", "env", "one", "two"):
        (tmp_path / name).mkdir()
    home, env = tmp_path, tmp_path / "env"
    assert names(find(home)) == [("r1", "default", str(home / ".claude"))]
    assert names(find(home, config=env)) == [("r1", "environment", str(env))]
    found = find(home, home / "two", home / "one", config=env)
    assert names(found) == [("r1", "named", str(home / "two")), ("r2", "named", str(home / "one"))]
    assert [(one.facts.root, one.facts.found, one.path) for one in found.reported] == [
        ("r3", "reported", os.fsencode(home / ".claude"))
    ]


def test_left_overs_of_other_layouts_are_reported(tmp_path: Path) -> None:
    """Case E13: the XDG period, the desktop application, other accounts' roots and old copies; files are none."""
    for name in (".claude", ".claude-work", ".claude.bak", ".config/claude", ".config/Claude/claude-code-sessions"):
        (tmp_path / name).mkdir(parents=True)
    put(tmp_path, ".claude.json")
    found = find(tmp_path)
    assert [one.facts.path for one in found.reported] == [
        str(tmp_path / name)
        for name in (".claude-work", ".claude.bak", ".config/claude", ".config/Claude/claude-code-sessions")
    ]


def test_a_root_that_is_no_folder_or_cannot_be_entered_is_absent(tmp_path: Path) -> None:
    """The place and the system's word for it."""
    put(tmp_path, "file")
    found = find(tmp_path, tmp_path / "none", tmp_path / "file")
    assert found.chosen == ()
    assert [(path.rpartition(b"/")[2], error) for path, error in found.absent] == [
        (b"none", "ENOENT"),
        (b"file", "ENOTDIR"),
    ]


def test_a_home_that_is_nowhere_has_no_root() -> None:
    """Neither named, nor told, nor at home."""
    around = Surrounding(config_dir=None, home=None, user_id=None, mounts=lambda: None)
    assert find_roots([], around) == Roots((), (), (), (), ())
    gone = Surrounding(config_dir=None, home=b"/nowhere/at/all", user_id=None, mounts=lambda: None)
    assert find_roots([], gone).absent == ((b"/nowhere/at/all/.claude", "ENOENT"),)


def test_a_link_to_a_root_is_resolved_and_counts_once(tmp_path: Path) -> None:
    """The user may name a link; the same folder twice is one root."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    found = find(tmp_path, tmp_path / "link", tmp_path / "real")
    (only,) = found.chosen
    assert (only.facts.path, only.facts.resolved) == (str(tmp_path / "link"), str(tmp_path / "real"))
    assert found.twice == (os.fsencode(tmp_path / "real"),)


@pytest.mark.parametrize(
    ("options", "read_only", "kept"),
    [(b"rw,relatime", False, True), (b"ro,relatime", True, True), (b"rw,noatime", False, True)],
)
def test_the_mount_is_said(tmp_path: Path, options: bytes, read_only: bool, kept: bool) -> None:
    """Type, options, and whether reading leaves access times alone."""
    (tmp_path / ".claude").mkdir()
    (only,) = find(tmp_path, table=b"1 0 8:1 / / " + options + b" - ext4 /dev/x rw\n").chosen
    assert (only.facts.file_system, only.facts.read_only, only.facts.access_times_kept) == ("ext4", read_only, kept)
    assert only.facts.mount_options is not None
    assert only.facts.device == str(tmp_path.stat().st_dev)


def test_of_somebody_elses_folder_access_times_are_not_kept(tmp_path: Path) -> None:
    """Only the owner may ask the system to leave them alone."""
    (tmp_path / ".claude").mkdir()
    around = Surrounding(None, os.fsencode(tmp_path), 4_000_000, lambda: b"1 0 8:1 / / rw - ext4 /dev/x rw")
    assert find_roots([], around).chosen[0].facts.access_times_kept is False


def test_where_the_system_tells_no_mounts_nothing_is_claimed(tmp_path: Path) -> None:
    """Unknown is written as unknown."""
    (tmp_path / ".claude").mkdir()
    (only,) = find(tmp_path).chosen
    facts = only.facts
    assert (facts.file_system, facts.mount_options, facts.read_only, facts.access_times_kept) == (
        None,
        None,
        None,
        None,
    )


def test_account_files_beside_a_root_are_looked_at_for_their_inodes(tmp_path: Path) -> None:
    """A hard link in the root to the account file in the home folder is a secret too; folders are none."""
    (tmp_path / ".claude").mkdir()
    put(tmp_path, ".claude.json")
    put(tmp_path, ".claude.json.backup")
    (tmp_path / ".claude.json.d").mkdir()
    found = find(tmp_path)
    assert [look.inode for look in found.beside] == [
        (tmp_path / name).stat().st_ino for name in (".claude.json", ".claude.json.backup")
    ]


def test_a_root_may_have_any_name(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are kept beside a display form."""
    odd = os.fsencode(tmp_path) + b"/\xff"
    Path(os.fsdecode(odd)).mkdir()
    (only,) = find(tmp_path, Path(os.fsdecode(odd))).chosen
    assert only.path == odd
    assert only.facts.path == true_name(odd)
