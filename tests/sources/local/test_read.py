"""Reading: each byte once, and what became of the file meanwhile."""

import errno
import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from agentaudit.model.local import Change
from agentaudit.model.survey import Look, Parts, Seen
from agentaudit.sources.local import read as reading
from agentaudit.sources.local.handles import Handles, Opened, Refused
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.passing import Passing, SourceFault, stretch
from agentaudit.sources.local.read import BUFFER_BYTES, HOLES_MAX, Read, Reader, Unread
from agentaudit.sources.local.survey import look_again
from tests.sources.local.places import entry, put, read, surveyed
from tests.sources.local.unprivileged import as_nobody

MIB = 1024 * 1024
BY_HANDLE = pytest.mark.parametrize("by_handle", [True, False])


def read_while(root: Path, seen: Seen, act: Callable[[], object], buffer: int = 1000) -> tuple[Read, bytes]:
    """Read in stretches of `buffer` bytes, and do something after the first one."""
    into = bytearray()
    acted: list[object] = []

    def take(view: memoryview) -> None:
        into.extend(view)
        if not acted:
            acted.append(act())

    with Handles(os.fsencode(root)) as handles:
        result = Reader(handles, Owners(), buffer).read(seen, take)
    assert isinstance(result, Read)
    return result, bytes(into)


@BY_HANDLE
@pytest.mark.parametrize("size", [0, 1, BUFFER_BYTES - 1, BUFFER_BYTES, BUFFER_BYTES + 1, 3 * BUFFER_BYTES + 7])
def test_a_still_file_is_read_once_and_whole(tmp_path: Path, size: int, by_handle: bool) -> None:
    """Whatever its size against the buffer; its state before is that of the survey, and after the same."""
    octets = os.urandom(size)
    put(tmp_path, "x", octets)
    seen = entry(tmp_path, "x")
    result, got = read(tmp_path, seen, by_handle=by_handle)
    assert got == octets
    assert isinstance(result, Read)
    assert (result.change, result.taken, result.hole_bytes, result.runs) == ("none", size, 0, None)
    assert result.before == result.after
    if by_handle:
        assert result.before is seen.state


def test_a_file_that_grows_gives_its_exact_prefix(tmp_path: Path) -> None:
    """Case F01: what was there when it was opened, and not a byte more."""
    path = put(tmp_path, "x", b"a" * 5000)

    def grow() -> None:
        with path.open("ab") as stream:
            stream.write(b"b" * 3000)

    result, got = read_while(tmp_path, entry(tmp_path, "x"), grow)
    assert got == b"a" * 5000
    assert (result.change, result.before.size_bytes, result.after.size_bytes) == ("grew", 5000, 8000)


def test_a_tail_that_was_cut_and_written_over_is_a_rewrite(tmp_path: Path) -> None:
    """Case F02: the file is longer afterwards, but what was read last is not there any more."""
    path = put(tmp_path, "x", b"a" * 2500)

    taken = []

    def rewrite(view: memoryview) -> None:
        taken.append(len(view))
        if sum(taken) == 2500:
            with path.open("r+b") as stream:
                stream.seek(2400)
                stream.write(b"b" * 900)

    with Handles(os.fsencode(tmp_path)) as handles:
        result = Reader(handles, Owners(), 1000).read(entry(tmp_path, "x"), rewrite)
    assert isinstance(result, Read)
    assert (result.change, result.after.size_bytes) == ("rewritten", 3300)


def _truncate(path: Path) -> None:
    os.truncate(path, 1200)


def _rewrite(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.write(b"z" * 100)
    os.utime(path, ns=(1, 1))


def _replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(b"n" * 5000)
    other.rename(path)


def _move(path: Path) -> None:
    path.rename(path.with_suffix(".moved"))


def _touch_back(path: Path) -> None:
    """A rewrite that hides: the time is set back."""
    times = path.stat()
    time.sleep(0.02)
    _rewrite(path)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize(
    ("act", "change", "octets"),
    [
        (_truncate, "shrank", 1200),
        (_rewrite, "rewritten", 5000),
        (_touch_back, "rewritten", 5000),
        (_replace, "replaced", 5000),
        (Path.unlink, "vanished", 5000),
        (_move, "moved", 5000),
    ],
)
def test_each_change_while_reading_is_told_apart(
    tmp_path: Path, act: Callable[[Path], None], change: Change, octets: int
) -> None:
    """Cases F02, F04 and F10; what the handle gave is whole unless the file itself was changed."""
    path = put(tmp_path, "p/x", b"a" * 5000)
    result, got = read_while(tmp_path, entry(tmp_path, "p/x"), lambda: act(path))
    assert (result.change, len(got), result.taken) == (change, octets, octets)
    if change in {"replaced", "vanished", "moved"}:
        assert got == b"a" * 5000


def test_a_file_that_went_away_or_was_replaced_before_is_unread(tmp_path: Path) -> None:
    """Between survey and opening: nothing is handed over."""
    put(tmp_path, "x", b"1")
    put(tmp_path, "y", b"2")
    first, second = entry(tmp_path, "x"), entry(tmp_path, "y")
    _replace(tmp_path / "x")
    (tmp_path / "y").unlink()
    assert read(tmp_path, first) == (Unread(problem="replaced"), b"")
    assert read(tmp_path, second) == (Unread(problem="vanished", error="ENOENT"), b"")


def test_an_entry_without_a_look_is_unread(tmp_path: Path) -> None:
    """The survey's own problem stands."""
    lost = Seen(root="r1", parts=(b"x",), kind="unknown", problem="unreadable", error="EACCES")
    assert read(tmp_path, lost)[0] == Unread(problem="unreadable", error="EACCES")
    assert read(tmp_path, replace(lost, problem=None, error=None))[0] == Unread(problem="failed")


def test_a_file_without_rights_is_unread(tmp_path: Path) -> None:
    """Case F17: listed by the survey, refused by the system."""
    (tmp_path / "root").mkdir()
    put(tmp_path, "root/x")
    (tmp_path / "root/x").chmod(0)
    assert as_nobody(tmp_path / "root", _read_x) == ("unreadable", "EACCES")


def _read_x(root: Path) -> tuple[object, object]:
    result, _ = read(root, entry(root, "x"))
    return getattr(result, "problem", None), getattr(result, "error", None)


@BY_HANDLE
def test_a_tebibyte_of_hole_is_read_as_its_data(tmp_path: Path, by_handle: bool) -> None:
    """No time is spent on holes: the runs are handed over with their map, and nothing is lost."""
    path = put(tmp_path, "x", b"")
    size = 1024**4
    with path.open("r+b") as stream:
        stream.truncate(size)
        for at in (0, 512 * 1024**3, size - 4096):
            stream.seek(at)
            stream.write(b"d" * 4096)
    began = time.monotonic()
    result, got = read(tmp_path, entry(tmp_path, "x"), by_handle=by_handle)
    assert time.monotonic() - began < 5
    assert isinstance(result, Read)
    assert (result.change, result.hole_bytes, result.before.size_bytes) == ("none", 0, size)
    assert result.runs is not None
    assert [start for start, _ in result.runs] == [0, 512 * 1024**3, size - 4096]
    assert sum(length for _, length in result.runs) == len(got) == result.taken
    assert got.strip(b"\0") == b"d" * 3 * 4096


def test_a_tebibyte_of_nothing_is_read_as_no_data(tmp_path: Path) -> None:
    """A file that is one hole has no run; it is no placeholder, because the file system says that it is a hole."""
    path = put(tmp_path, "x", b"")
    os.truncate(path, 1024**4)
    result, got = read(tmp_path, entry(tmp_path, "x"))
    assert isinstance(result, Read)
    assert (result.runs, got, result.change) == ((), b"", "none")


@pytest.fixture
def holed(tmp_path: Path) -> Path:
    """A root with a file of 3 MiB: data, hole, data, hole."""
    path = put(tmp_path, "x", b"a" * 65_536)
    with path.open("r+b") as stream:
        stream.seek(2 * MIB)
        stream.write(b"b" * 65_536)
        stream.truncate(3 * MIB)
    return tmp_path


def test_holes_below_the_bound_are_told(holed: Path) -> None:
    """The caller can keep them as holes; data and holes make up the whole."""
    told: list[tuple[int, int]] = []
    copy = bytearray(3 * MIB)
    at = 0

    def take(view: memoryview) -> None:
        nonlocal at
        copy[at : at + len(view)] = view
        at += len(view)

    def hole(start: int, length: int) -> None:
        nonlocal at
        assert start == at
        told.append((start, length))
        at += length

    with Handles(os.fsencode(holed)) as handles:
        result = Reader(handles, Owners()).read(entry(holed, "x"), take, hole)
    assert isinstance(result, Read)
    assert told == [(65_536, 2 * MIB - 65_536), (2 * MIB + 65_536, MIB - 65_536)]
    assert (result.taken, result.hole_bytes, result.runs) == (131_072, 3 * MIB - 131_072, None)
    assert bytes(copy) == (holed / "x").read_bytes()


def test_without_a_word_for_holes_they_are_zeros(holed: Path) -> None:
    """A digest over what is handed over is that of the file."""
    result, got = read(holed, entry(holed, "x"))
    assert isinstance(result, Read)
    assert (result.taken, result.hole_bytes) == (3 * MIB, 0)
    assert sha256(got).digest() == sha256((holed / "x").read_bytes()).digest()


def test_a_sparse_file_that_is_cut_while_it_is_read_shrank(holed: Path) -> None:
    """The second run is not there any more."""
    result, got = read_while(holed, entry(holed, "x"), lambda: os.truncate(holed / "x", 65_536), MIB)
    assert result.change == "shrank"
    assert got[:65_536] == b"a" * 65_536


def test_too_many_runs_are_refused_or_read_plainly(holed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A map has a bound: within the bound on holes the file is read as it is, beyond it is listed."""
    monkeypatch.setattr(reading, "RUNS_MAX", 1)
    result, got = read(holed, entry(holed, "x"))
    assert isinstance(result, Read)
    assert len(got) == 3 * MIB
    monkeypatch.setattr(reading, "HOLES_MAX", 1000)
    assert read(holed, entry(holed, "x")) == (Unread(problem="sparse_over_limit"), b"")
    assert HOLES_MAX == 1024**3


def test_a_placeholder_is_not_read_unless_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that no block holds and that are no hole lie elsewhere; so does what the system marks as offline."""
    put(tmp_path, "x", b"a" * 5000)
    put(tmp_path, "small", b"a" * 500)
    plain = Handles.open

    def mark(change: dict[str, int | bool]) -> None:
        def opened(self: Handles, parts: Parts, expected: Look | None = None) -> Opened | Refused:
            found = plain(self, parts, expected)
            assert isinstance(found, Opened)
            return Opened(found.descriptor, replace(found.look, **change), found.access_time_kept)

        monkeypatch.setattr(Handles, "open", opened)

    big, small = entry(tmp_path, "x"), entry(tmp_path, "small")
    marks: tuple[dict[str, int | bool], ...] = ({"allocated": 0}, {"offline": True})
    for change in marks:
        mark(change)
        assert read(tmp_path, big) == (Unread(problem="placeholder"), b"")
        with Handles(os.fsencode(tmp_path)) as handles:
            asked = Reader(handles, Owners()).read(big, lambda _view: None, placeholders=True)
        assert isinstance(asked, Read)
        assert isinstance(read(tmp_path, small)[0], Read if "allocated" in change else Unread)


def test_extended_attributes_are_given_with_their_values(tmp_path: Path) -> None:
    """Sorted by name; a file without any has none, which is not the same as not known."""
    path = put(tmp_path, "x")
    try:
        os.setxattr(path, "user.b", b"\x00\xff")
        os.setxattr(path, "user.a", b"1")
    except OSError:
        pytest.skip("this file system keeps no attributes")
    put(tmp_path, "y")
    first, second = (read(tmp_path, entry(tmp_path, name))[0] for name in ("x", "y"))
    assert isinstance(first, Read)
    assert isinstance(second, Read)
    assert (first.attributes, second.attributes) == (((b"user.a", b"1"), (b"user.b", b"\x00\xff")), ())


def test_attributes_that_cannot_be_had_are_unknown() -> None:
    """A descriptor that refuses, or a system without them."""
    assert reading.attributes_of(99_999) is None


def test_an_error_of_the_source_is_a_value_and_one_of_the_caller_goes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails in the middle ends the read with what was handed over; a full destination is not the source."""
    put(tmp_path, "x", b"a" * 3000)
    seen = entry(tmp_path, "x")

    def full(_view: memoryview) -> None:
        raise OSError(28, "no space")

    with Handles(os.fsencode(tmp_path)) as handles, pytest.raises(OSError, match="no space"):
        Reader(handles, Owners()).read(seen, full)
    calls = []
    plain = os.preadv

    def failing(descriptor: int, views: list[memoryview], at: int) -> int:
        calls.append(at)
        if len(calls) > 1:
            raise OSError(5, "input/output error")
        return plain(descriptor, views, at)

    monkeypatch.setattr(os, "preadv", failing)
    with Handles(os.fsencode(tmp_path)) as handles:
        result = Reader(handles, Owners(), 1000).read(seen, lambda _view: None)
    assert result == Unread(problem="failed", error="EIO", taken=1000)


def test_a_descriptor_that_is_gone_is_a_fault_of_the_source() -> None:
    """Looks and runs fail in the same way as reads."""
    with pytest.raises(SourceFault):
        reading.look_through(-1)
    with pytest.raises(SourceFault):
        Passing(-1, memoryview(bytearray(8)), lambda _view: None).run(0, 8)


def test_without_positioned_reads_the_same_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some systems only have seek and read."""
    monkeypatch.setattr("agentaudit.sources.local.passing._HAS_PREADV", False)
    octets = os.urandom(5000)
    path = put(tmp_path, "x", octets)

    def grow() -> None:
        with path.open("ab") as stream:
            stream.write(b"b")

    result, got = read_while(tmp_path, entry(tmp_path, "x"), grow)
    assert (result.change, got) == ("grew", octets)


@pytest.mark.parametrize(("left", "length"), [(0, 0), (5, 5), (10, 10), (11, 6), (19, 10), (20, 10), (25, 10)])
def test_the_last_stretch_is_never_a_scrap(left: int, length: int) -> None:
    """Two halves rather than a whole buffer and a few bytes: the tail that is looked at again is a real one."""
    assert stretch(left, 10) == length


def test_a_file_with_many_names_is_read_under_each(tmp_path: Path) -> None:
    """Hard links are entries of their own, with one inode."""
    path = put(tmp_path, "x", b"1")
    os.link(path, tmp_path / "y")
    found = [read(tmp_path, seen)[1] for seen in surveyed(tmp_path)]
    assert found == [b"1", b"1"]


def test_a_system_without_attributes_gives_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not known is not the same as empty."""
    monkeypatch.setattr(reading, "_HAS_ATTRIBUTES", False)
    put(tmp_path, "x")
    result, _ = read(tmp_path, entry(tmp_path, "x"))
    assert isinstance(result, Read)
    assert result.attributes is None


def test_a_map_of_runs_that_cannot_be_had_is_a_failure(holed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fails before the first byte."""

    def refuse(*_: object) -> tuple[tuple[int, int], ...]:
        raise OSError(5, "input/output error")

    monkeypatch.setattr(reading, "data_runs", refuse)
    assert read(holed, entry(holed, "x")) == (Unread(problem="failed", error="EIO"), b"")


def test_a_denied_file_is_not_read_under_any_name(tmp_path: Path) -> None:
    """A hard link that takes the place of a file between two looks: the second look knows its inode, the reader too."""
    secret = put(tmp_path, ".credentials.json", b"SECRET")
    put(tmp_path, "x", b"public")
    with Handles(os.fsencode(tmp_path)) as handles:
        reader = Reader(handles, Owners())
        reader.deny(frozenset({(secret.stat().st_dev, secret.stat().st_ino)}))
        assert isinstance(reader.read(entry(tmp_path, "x"), lambda _view: None), Read)
        (tmp_path / "x").unlink()
        os.link(secret, tmp_path / "x")
        taken = bytearray()
        seen = look_again(entry(tmp_path, "x"), handles, Owners())
        assert reader.read(seen, taken.extend) == Unread(problem="denied")
    assert taken == b""


def test_the_beginning_of_a_file_is_digested_as_it_is_now(tmp_path: Path) -> None:
    """In several stretches; `check` is asked at each."""
    place = put(tmp_path, "x", b"12345678")
    seen = entry(tmp_path, "x")
    place.write_bytes(b"1234567890")
    asked: list[None] = []
    with Handles(os.fsencode(tmp_path)) as handles:
        reader = Reader(handles, Owners(), buffer_bytes=3)
        assert reader.digest_again(seen, 8, lambda: asked.append(None)) == sha256(b"12345678").hexdigest()
    assert len(asked) > 1


@pytest.mark.parametrize("what", ["shorter", "gone", "another", "denied", "unseen", "failing"])
def test_a_beginning_that_cannot_be_had_has_no_digest(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too few bytes, no file, another file, a secret, an entry without a look, a system that fails."""
    place = put(tmp_path, "x", b"12345678")
    seen = entry(tmp_path, "x")
    assert seen.look is not None

    def failing(*_given: object) -> int:
        raise OSError(errno.EIO, "the device fails")

    with Handles(os.fsencode(tmp_path)) as handles:
        reader = Reader(handles, Owners())
        match what:
            case "shorter":
                os.truncate(place, 3)
            case "gone":
                place.unlink()
            case "another":
                put(tmp_path, "y", b"12345678").replace(place)
            case "denied":
                reader.deny(frozenset({(seen.look.device, seen.look.inode)}))
            case "unseen":
                seen = Seen(root="r1", parts=seen.parts, kind="unknown", problem="unreadable")
            case _:
                monkeypatch.setattr(os, "preadv", failing)
        assert reader.digest_again(seen, 8, lambda: None) is None


@pytest.mark.parametrize("then", ["moved", "vanished", "replaced"])
def test_a_file_that_grew_from_another_tail_was_rewritten_whatever_became_of_its_name(
    tmp_path: Path, then: str
) -> None:
    """What was read may be a mix: that its name is gone as well says less."""
    place = put(tmp_path, "x", b"1" * 5_000)
    seen = entry(tmp_path, "x")
    other = put(tmp_path, "other")

    def act() -> None:
        with place.open("r+b") as stream:
            stream.seek(900)
            stream.write(b"2" * 6_000)
        match then:
            case "moved":
                place.rename(tmp_path / "y")
            case "vanished":
                place.unlink()
            case _:
                other.replace(place)

    result, octets = read_while(tmp_path, seen, act, buffer=5_000)
    assert octets == b"1" * 5_000
    assert result.change == "rewritten"
