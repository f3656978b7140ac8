"""Handles: only the very file that was seen is opened, never through a link, without waiting."""

import errno
import os
import threading
from pathlib import Path

import pytest

from agentaudit.sources.local.handles import Handles, Opened, Refused, refusal
from tests.sources.local.places import entry, put, read, surveyed
from tests.sources.local.unprivileged import as_nobody

BY_HANDLE = pytest.mark.parametrize("by_handle", [True, False])
ROUNDS = 3000


def open_files() -> int:
    """How many descriptors this process has."""
    return len(list(Path("/proc/self/fd").iterdir()))


@BY_HANDLE
def test_a_regular_file_is_opened_and_its_guarantee_is_said(tmp_path: Path, by_handle: bool) -> None:
    """By handles nothing can be swapped on the way; by looks alone it can, and that is said."""
    put(tmp_path, "a/b/x", b"123")
    with Handles(os.fsencode(tmp_path), by_handle=by_handle) as handles:
        assert handles.guarantee == ("handles" if by_handle else "looks")
        opened = handles.open((b"a", b"b", b"x"))
        assert isinstance(opened, Opened)
        assert os.read(opened.descriptor, 9) == b"123"
        os.close(opened.descriptor)


@BY_HANDLE
@pytest.mark.parametrize("name", ["link", "fifo", "folder", "through/x", "dangling"])
def test_anything_but_a_regular_file_is_refused_at_once(tmp_path: Path, name: str, by_handle: bool) -> None:
    """A link to a file, a pipe without a writer, a folder, and a file behind a linked folder."""
    put(tmp_path, "real/x")
    (tmp_path / "link").symlink_to("real/x")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "through").symlink_to("real")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with Handles(os.fsencode(tmp_path), by_handle=by_handle) as handles:
        refused = handles.open(tuple(name.encode().split(b"/")))
    assert isinstance(refused, Refused)
    assert refused.problem == "replaced"


@BY_HANDLE
def test_another_file_than_the_one_that_was_seen_is_refused(tmp_path: Path, by_handle: bool) -> None:
    """The same name, another inode: it may be a hard link to a secret."""
    put(tmp_path, "x")
    put(tmp_path, "secret")
    seen = entry(tmp_path, "x")
    (tmp_path / "x").unlink()
    os.link(tmp_path / "secret", tmp_path / "x")
    before = open_files()
    with Handles(os.fsencode(tmp_path), by_handle=by_handle) as handles:
        assert handles.open(seen.parts, seen.look) == Refused("replaced")
    assert open_files() == before


@BY_HANDLE
def test_what_is_gone_is_gone(tmp_path: Path, by_handle: bool) -> None:
    """Case F04: no name, and no folder on the way to it."""
    put(tmp_path, "a/x")
    with Handles(os.fsencode(tmp_path), by_handle=by_handle) as handles:
        for parts in ((b"a", b"y"), (b"b", b"x")):
            assert handles.open(parts) == Refused("vanished", "ENOENT")
            assert handles.look(parts) == Refused("vanished", "ENOENT")
            assert handles.names(parts) == Refused("vanished", "ENOENT")
            assert handles.target(parts) == Refused("vanished", "ENOENT")


def test_a_closed_set_of_handles_leaks_nothing(tmp_path: Path) -> None:
    """Every descriptor of a walk through many folders is closed, also after refusals; closing twice is no fault."""
    for path in ("a/b/c/x", "a/b/d/x", "e/f/x"):
        put(tmp_path, path)
    before = open_files()
    handles = Handles(os.fsencode(tmp_path))
    for way in (b"a/b/c/x", b"a/b/d/x", b"e/f/x", b"a/b/none/x", b"a/b/c/x/y"):
        handles.look(tuple(way.split(b"/")))
    handles.close()
    handles.close()
    assert open_files() == before


@pytest.mark.parametrize(
    ("code", "problem", "name"),
    [
        (errno.ENOENT, "vanished", "ENOENT"),
        (errno.EACCES, "unreadable", "EACCES"),
        (errno.EBUSY, "unreadable", "EBUSY"),
        (errno.ELOOP, "replaced", "ELOOP"),
        (errno.EIO, "failed", "EIO"),
        (99_999, "failed", "OSError"),
    ],
)
def test_an_error_has_a_problem_and_a_name(code: int, problem: str, name: str) -> None:
    """The system's number is turned into our word and its own name; the text of the error is not kept."""
    found = refusal(OSError(code, "text", "/secret/path"))
    assert (found.problem, found.error) == (problem, name)


def test_an_error_without_a_number_has_the_name_of_its_kind() -> None:
    """Nothing but a class name is left."""
    assert refusal(OSError("text")) == Refused("failed", "OSError")


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_swap_for_a_link_never_leads_to_the_secret(tmp_path: Path, what: str) -> None:
    """A thread swaps folder or file for a link to a secret, thousands of times; the secret is never read."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    put(outside, "x", b"SECRET")
    put(root, "p/x", b"public")
    swapped = root / "p" if what == "folder" else root / "p/x"
    target = outside if what == "folder" else outside / "x"
    seen = entry(root, "p/x")
    done = threading.Event()

    def swap() -> None:
        aside = swapped.with_name("aside")
        link = swapped.with_name("link")
        while not done.is_set():
            link.symlink_to(target)
            swapped.rename(aside)
            link.rename(swapped)
            swapped.unlink()
            aside.rename(swapped)

    thread = threading.Thread(target=swap)
    thread.start()
    problems = set()
    try:
        for _ in range(ROUNDS):
            result, octets = read(root, seen)
            assert octets in {b"", b"public"}
            problems.add(getattr(result, "problem", None))
            assert all(
                one.parts[:1] != (b"p",) or one.kind != "file" or one.look.size == 6
                for one in surveyed(root)
                if one.look
            )
    finally:
        done.set()
        thread.join()
    assert problems <= {None, "replaced", "vanished"}
    assert problems != {None}


def test_access_times_are_left_alone_where_the_system_allows(tmp_path: Path) -> None:
    """The owner may ask for it: a survey and a read leave file and folder as they were."""
    path = put(tmp_path, "a/x", b"123")
    for name in (path, path.parent):
        os.utime(name, ns=(10**9, 2 * 10**9))
    result, octets = read(tmp_path, entry(tmp_path, "a/x"))
    assert octets == b"123"
    assert getattr(result, "access_time_kept", None) is True
    assert path.stat().st_atime_ns == path.parent.stat().st_atime_ns == 10**9


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a file of somebody else")
def test_of_somebody_elses_file_it_is_said_that_the_access_time_may_change(tmp_path: Path) -> None:
    """The system refuses; the file is read all the same, and the fact is kept."""
    put(tmp_path, "x", b"123")
    found = as_nobody(tmp_path, _read_of_another, own=False)
    assert found == (b"123", False)


def _read_of_another(root: Path) -> tuple[bytes, object]:
    result, octets = read(root, entry(root, "x"))
    return octets, getattr(result, "access_time_kept", None)


def test_a_refusal_for_want_of_rights_is_not_asked_again_without_the_wish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only a refusal of the wish itself (EPERM) is followed by a second try."""
    put(tmp_path, "x")
    tries = []
    plain = os.open

    def closed(name: bytes, flags: int, *, dir_fd: int | None = None) -> int:
        if name != b"x":
            return plain(name, flags, dir_fd=dir_fd)
        tries.append(flags)
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(os, "open", closed)
    with Handles(os.fsencode(tmp_path)) as handles:
        assert handles.open((b"x",)) == Refused("unreadable", "EACCES")
    assert len(tries) == 1


def test_a_system_without_the_wish_is_not_asked_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without O_NOATIME the access time may change, and the opening says so."""
    monkeypatch.setattr("agentaudit.sources.local.handles._NOATIME", 0)
    put(tmp_path, "x")
    result, _ = read(tmp_path, entry(tmp_path, "x"))
    assert getattr(result, "access_time_kept", None) is False


def test_a_file_that_was_looked_at_is_still_the_same_until_it_changes_or_goes(tmp_path: Path) -> None:
    """By its name alone; a file that took its place, another size and no file at all are each a no."""
    place = put(tmp_path, "a/x", b"123")
    seen = entry(tmp_path, "a/x")
    assert seen.look is not None
    with Handles(os.fsencode(tmp_path)) as handles:
        assert handles.is_still(seen.parts, seen.look)
        place.write_bytes(b"1234")
        assert not handles.is_still(seen.parts, seen.look)
        place.unlink()
        assert not handles.is_still(seen.parts, seen.look)


def test_without_handles_nobody_says_that_a_file_is_still_the_same(tmp_path: Path) -> None:
    """Each component is looked at there, which is the slow way."""
    put(tmp_path, "a/x")
    seen = entry(tmp_path, "a/x")
    assert seen.look is not None
    with Handles(os.fsencode(tmp_path), by_handle=False) as handles:
        assert not handles.is_still(seen.parts, seen.look)


def test_the_look_that_was_expected_is_the_one_of_a_file_that_held_still(tmp_path: Path) -> None:
    """It has the birth time too; of a file that changed there is a new look."""
    place = put(tmp_path, "x", b"123")
    seen = entry(tmp_path, "x")
    with Handles(os.fsencode(tmp_path)) as handles:
        opened = handles.open(seen.parts, seen.look)
        assert isinstance(opened, Opened)
        assert opened.look is seen.look
        os.close(opened.descriptor)
        place.write_bytes(b"1234")
        opened = handles.open(seen.parts, seen.look)
        assert isinstance(opened, Opened)
        assert opened.look.size == 4
        os.close(opened.descriptor)
