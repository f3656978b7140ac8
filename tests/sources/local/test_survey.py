"""The survey: every entry once, in the order of bytes, whatever lies there."""

import os
import socket
import stat
import unicodedata
from pathlib import Path

import pytest
from msgspec.structs import replace

from agentaudit.model.local import EntryKind
from agentaudit.model.survey import Seen
from agentaudit.sources.local.handles import DEPTH_MAX, Handles, Refused
from agentaudit.sources.local.looking import Eyes
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.survey import find_moved, look_again, survey
from tests.sources.local.places import entry, put, surveyed
from tests.sources.local.unprivileged import as_nobody

BY_HANDLE = pytest.mark.parametrize("by_handle", [True, False])


def kinds(root: Path, *, by_handle: bool = True) -> dict[object, EntryKind]:
    """Path and kind of every entry."""
    return {seen.path: seen.kind for seen in surveyed(root, by_handle=by_handle)}


@BY_HANDLE
def test_every_entry_is_seen_once_in_the_order_of_bytes(tmp_path: Path, by_handle: bool) -> None:
    """A folder before what it holds, upper case before lower, and the same order each time."""
    for path in ("b/z", "b/a", "B/x", "a.jsonl", "a/x/y", "a-/x"):
        put(tmp_path, path)
    (tmp_path / "empty").mkdir()
    found = [seen.path for seen in surveyed(tmp_path, by_handle=by_handle)]
    assert found == ["B", "B/x", "a", "a/x", "a/x/y", "a-", "a-/x", "a.jsonl", "b", "b/a", "b/z", "empty"]
    assert found == [seen.path for seen in sorted(surveyed(tmp_path), key=lambda seen: seen.parts)]


def test_an_entry_has_the_state_that_the_system_gives(tmp_path: Path) -> None:
    """Size, times to the nanosecond, mode, owner, device, inode, links, blocks; the birth time where there is one."""
    path = put(tmp_path, "x", b"12345")
    os.utime(path, ns=(1_000_000_001, 2_000_000_003))
    path.chmod(0o640)
    os.link(path, tmp_path / "y")
    state, said = entry(tmp_path, "x").state, path.lstat()
    assert state is not None
    assert (state.size_bytes, state.links, stat.S_IMODE(state.mode)) == (5, 2, 0o640)
    assert (state.accessed_at, state.modified_at) == (
        "1970-01-01T00:00:01.000000001Z",
        "1970-01-01T00:00:02.000000003Z",
    )
    assert (state.device, state.inode) == (str(said.st_dev), str(said.st_ino))
    assert (state.user_id, state.allocated_bytes) == (said.st_uid, said.st_blocks * 512)
    assert state.born_at is None or state.born_at > "2020"


@BY_HANDLE
def test_special_files_are_listed_and_never_opened(tmp_path: Path, by_handle: bool) -> None:
    """Cases E08 and E09: a pipe without a writer, a socket, a folder and a link to itself, all called transcripts."""
    os.mkfifo(tmp_path / "fifo.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "self.jsonl").symlink_to("self.jsonl")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.jsonl"))
        found = kinds(tmp_path, by_handle=by_handle)
    assert found == {"fifo.jsonl": "fifo", "folder.jsonl": "folder", "self.jsonl": "link", "socket.jsonl": "socket"}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may make a device")
def test_a_device_is_listed(tmp_path: Path) -> None:
    """A device that is called a transcript."""
    os.mknod(tmp_path / "null.jsonl", 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    assert kinds(tmp_path) == {"null.jsonl": "device"}


@BY_HANDLE
def test_links_are_listed_with_their_text_and_never_followed(tmp_path: Path, by_handle: bool) -> None:
    """Case E07: `projects` itself, a folder in it, a loop and a link out of the root."""
    put(tmp_path, "outside/secret.jsonl")
    root = tmp_path / "root"
    put(root, "projects/-y/s.jsonl")
    for name, target in (("projects/-x", "../projects/-y"), ("loop", "."), ("out", str(tmp_path / "outside"))):
        (root / name).symlink_to(target)
    found = {seen.path: seen.target for seen in surveyed(root, by_handle=by_handle) if seen.kind == "link"}
    assert found == {"projects/-x": "../projects/-y", "loop": ".", "out": str(tmp_path / "outside")}
    assert not any(str(seen.path).startswith(("projects/-x/", "loop/", "out/")) for seen in surveyed(root))


NAMES = (
    b"-rf", b"a\nb", b"\x1b[31m", b"\xff.jsonl", b"dot.", b"space ", b" ", b"n" * 255, b"C--proj", b"c--proj",
    unicodedata.normalize("NFC", "\u00e9").encode(), unicodedata.normalize("NFD", "\u00e9").encode(),
    "\u202ecod.txt".encode(),
)  # fmt: skip


def test_names_are_bytes(tmp_path: Path) -> None:
    """Cases E05 and E12: every name is given back exactly, twins are two, and none is decoded into another."""
    for name in NAMES:
        put(tmp_path, b"projects/" + name + b"/t.jsonl")
    found = surveyed(tmp_path)
    assert [seen.parts[1] for seen in found if len(seen.parts) == 3] == sorted(NAMES)
    assert all(seen.problem is None for seen in found)
    odd = next(seen for seen in found if seen.parts[1:] == (b"\xff.jsonl",))
    assert getattr(odd.path, "hex", None) == b"projects/\xff.jsonl".hex()


def test_a_folder_of_thousands_is_sorted(tmp_path: Path) -> None:
    """Case C09: 2,500 agents in one folder."""
    for number in range(2500):
        (tmp_path / f"agent-{number * 7919 % 2500}.jsonl").touch()
    found = [seen.parts for seen in surveyed(tmp_path)]
    assert found == sorted(found)
    assert len(found) == 2500


def test_a_depth_beyond_the_bound_is_listed_and_not_entered(tmp_path: Path) -> None:
    """Handles are few: a tower of folders ends in an entry that says so."""
    deep = tmp_path
    for _ in range(DEPTH_MAX + 2):
        deep /= "d"
    deep.mkdir(parents=True)
    last = surveyed(tmp_path)[-1]
    assert (len(last.parts), last.problem, last.kind) == (DEPTH_MAX + 1, "too_deep", "folder")


def test_a_wall_of_permissions_ends_nothing(tmp_path: Path) -> None:
    """Case F17: a folder without rights, one without search, a file without rights; the rest is seen."""
    root = tmp_path / "root"
    for path in ("a/x", "locked/x", "listed/x", "z/closed"):
        put(root, path)
    (root / "z/closed").chmod(0)
    (root / "locked").chmod(0)
    (root / "listed").chmod(0o444)
    found = as_nobody(root, _wall)
    assert found == ["a", "a/x", "listed", "listed/x unreadable EACCES", "locked unreadable EACCES", "z", "z/closed"]


def _wall(root: Path) -> list[str]:
    return [" ".join(filter(None, (str(seen.path), seen.problem, seen.error))) for seen in surveyed(root)]


@BY_HANDLE
def test_a_root_that_cannot_be_listed_is_one_entry(tmp_path: Path, by_handle: bool) -> None:
    """The root went away, or is no folder any more."""
    root = tmp_path / "root"
    root.mkdir()
    with Handles(os.fsencode(root), by_handle=by_handle) as handles:
        root.rmdir()
        (only,) = survey("r1", handles, Owners())
    assert (only.parts, only.problem, only.error) == ((), "vanished", "ENOENT")


def test_a_root_that_was_opened_and_may_not_be_listed_is_one_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look is there, the names are not."""
    monkeypatch.setattr(Handles, "names", lambda *_: Refused("unreadable", "EACCES"))
    (only,) = surveyed(tmp_path)
    assert (only.parts, only.kind, only.problem) == ((), "folder", "unreadable")
    assert only.state is not None


def test_a_link_that_goes_away_after_the_look_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a link; where it led is not known."""
    (tmp_path / "link").symlink_to("x")
    monkeypatch.setattr(Handles, "target", lambda *_: Refused("vanished", "ENOENT"))
    (only,) = surveyed(tmp_path)
    assert (only.kind, only.target, only.problem) == ("link", None, "vanished")


def test_an_entry_that_vanishes_between_listing_and_look_is_one(tmp_path: Path) -> None:
    """Case F19: half of a folder is swept during the walk; the rest goes on, and each loss is an entry."""
    for number in range(6):
        put(tmp_path, f"p/{number}")
    seen: list[Seen] = []
    with Handles(os.fsencode(tmp_path)) as handles:
        for one in survey("r1", handles, Owners()):
            seen.append(one)
            if one.path == "p/1":
                for gone in ("3", "4"):
                    (tmp_path / "p" / gone).unlink()
    lost = [(one.path, one.kind, one.problem, one.error) for one in seen if one.look is None]
    assert lost == [("p/3", "unknown", "vanished", "ENOENT"), ("p/4", "unknown", "vanished", "ENOENT")]
    assert len(seen) == 7


def test_a_folder_that_is_swapped_after_the_look_is_not_entered(tmp_path: Path) -> None:
    """Another folder, or a link, where the look saw a folder."""
    put(tmp_path, "a/x")
    put(tmp_path, "other/secret")
    with Handles(os.fsencode(tmp_path)) as handles:
        first = handles.look((b"a",))
        assert not isinstance(first, Refused)
        (tmp_path / "a").rename(tmp_path / "b")
        (tmp_path / "other").rename(tmp_path / "a")
        assert handles.names((b"a",), first[0]) == Refused("replaced")
        (tmp_path / "a").rename(tmp_path / "other")
        (tmp_path / "a").symlink_to("other")
        assert handles.names((b"a",), first[0]) == Refused("replaced", "ENOTDIR")
    with Handles(os.fsencode(tmp_path), by_handle=False) as looks:
        assert looks.names((b"a",), first[0]) == Refused("replaced")
        assert looks.look((b"a", b"x")) == Refused("replaced", "ELOOP")


def test_mounts_are_said(tmp_path: Path) -> None:
    """Another device than the root's; an ordinary folder crosses nothing."""
    put(tmp_path, "a/x")
    assert not any(seen.crosses for seen in surveyed(tmp_path))
    if Path("/proc").is_mount():
        look, crosses = Eyes().look_twice(b"/proc")
        assert crosses or look.device != Path("/").stat().st_dev


def test_a_path_is_looked_at_again(tmp_path: Path) -> None:
    """What lies there now, without its former state; a folder is not entered, and what is gone is gone."""
    put(tmp_path, "x", b"1")
    seen = entry(tmp_path, "x")
    put(tmp_path, "new", b"22")
    (tmp_path / "new").rename(tmp_path / "x")
    with Handles(os.fsencode(tmp_path)) as handles:
        now = look_again(seen, handles, Owners())
        assert now.look is not None
        assert (now.look.size, now.parts) == (2, seen.parts)
        (tmp_path / "x").unlink()
        assert look_again(seen, handles, Owners()).problem == "vanished"
        (tmp_path / "x").mkdir()
        assert look_again(seen, handles, Owners()).kind == "folder"


def test_a_transcript_that_moved_is_found_in_its_new_folder(tmp_path: Path) -> None:
    """Trap 17: the same file under the same name in a sibling folder; a copy is not the file."""
    put(tmp_path, "projects/-a/s.jsonl", b"1")
    put(tmp_path, "projects/-b/s.jsonl", b"1")
    (tmp_path / "projects/-c").mkdir()
    seen = entry(tmp_path, "projects/-a/s.jsonl")
    with Handles(os.fsencode(tmp_path)) as handles:
        assert find_moved(seen, handles, Owners()) is None
        (tmp_path / "projects/-a/s.jsonl").rename(tmp_path / "projects/-c/s.jsonl")
        found = find_moved(seen, handles, Owners())
        assert found is not None
        assert found.path == "projects/-c/s.jsonl"
        assert find_moved(entry(tmp_path, "projects/-b"), handles, Owners()) is None
        (tmp_path / "projects").rename(tmp_path / "gone")
        assert find_moved(seen, handles, Owners()) is None


def test_without_statx_the_same_is_seen(tmp_path: Path) -> None:
    """The portable call gives the same numbers; only the birth time may be missing."""
    put(tmp_path, "a/x", b"123")
    with Handles(os.fsencode(tmp_path), eyes=Eyes(use_statx=False)) as handles:
        plain = [(seen.path, seen.look) for seen in survey("r1", handles, Owners())]
    rich = [(seen.path, seen.look) for seen in surveyed(tmp_path)]
    for (path, look), (other_path, other) in zip(plain, rich, strict=True):
        assert look is not None
        assert other is not None
        assert path == other_path
        assert (look.size, look.inode, look.device, look.modified_ns) == (
            other.size,
            other.inode,
            other.device,
            other.modified_ns,
        )


def test_an_unknown_owner_has_no_name(tmp_path: Path) -> None:
    """A number without a name is a number; names may be left out altogether."""
    look = Eyes().look(os.fsencode(put(tmp_path, "x")))
    strange = replace(look, user_id=3_999_999_999)
    assert Owners().state(strange).owner is None
    assert Owners(ask=False).state(look).group is None
    known = Owners().state(look)
    assert known.owner is None or isinstance(known.owner, str)
