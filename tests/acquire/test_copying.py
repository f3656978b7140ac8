"""One read of one file: what is handed over is what is written, whatever becomes of the read."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from agentaudit.acquire.copying import Copied, CopyJob, copy_file
from agentaudit.errors import DestinationFault
from agentaudit.model.survey import Seen
from agentaudit.package.disk import SystemDisk
from agentaudit.package.item import Item, free_item
from agentaudit.sources.local.handles import Handles
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.read import Read, Reader, Unread
from tests.sources.local.places import entry, put

LINES = b'{"a":1}\n' * 3
LARGE = 3 * 1024 * 1024
PAYLOAD = "data/000001.bin"


def job(seen: Seen, *, lines: bool = False) -> CopyJob:
    """A job for that file."""
    return CopyJob(seen, PAYLOAD, lines=lines, stem=None, role="transcript")


def copied(
    tmp_path: Path, one: CopyJob, tell: Callable[[int], None] = lambda _octets: None, denied: bool = False
) -> Copied:
    """The copy of a file of the store, below `out`."""
    out = tmp_path / "out"
    (out / "data").mkdir(parents=True, exist_ok=True)

    def begin(path: str) -> Item:
        return free_item(out, path, SystemDisk())

    with Handles(os.fsencode(tmp_path / "store")) as handles:
        reader = Reader(handles, Owners())
        look = one.seen.look
        assert look is not None
        reader.deny(frozenset({(look.device, look.inode)}) if denied else frozenset())
        return copy_file(one, reader, begin, tell)


def written(tmp_path: Path) -> bytes:
    """The bytes of the payload file."""
    return (tmp_path / "out" / PAYLOAD).read_bytes()


@pytest.mark.parametrize("octets", [b"", b"x", LINES, b"y" * LARGE])
def test_bytes_digest_size_and_times_are_those_of_the_file(tmp_path: Path, octets: bytes) -> None:
    """An empty file is an item too; progress adds up to the bytes."""
    place, told = put(tmp_path / "store", "a", octets), list[int]()
    os.utime(place, ns=(1_700_000_000_000_000_001, 1_700_000_000_000_000_002))
    found = copied(tmp_path, job(entry(tmp_path / "store", "a")), told.append)
    look = (tmp_path / "out" / PAYLOAD).stat()  # before the copy is read: that would change its time of access
    assert found.item is not None
    assert (written(tmp_path), found.item.bytes, sum(told)) == (octets, len(octets), len(octets))
    assert found.item.sha256 == f"sha256:{sha256(octets).hexdigest()}"
    assert (look.st_atime_ns, look.st_mtime_ns) == (1_700_000_000_000_000_001, 1_700_000_000_000_000_002)
    assert found.framing is None


def test_what_is_framed_is_what_is_written(tmp_path: Path) -> None:
    """The facts are of the same pass; a file that is no text of lines has none."""
    put(tmp_path / "store", "a", LINES + b'{"cut')
    found = copied(tmp_path, job(entry(tmp_path / "store", "a"), lines=True))
    assert found.framing is not None
    assert (found.framing.bytes, found.framing.ok_lines) == (len(LINES) + 5, 3)
    assert found.framing.findings_by_class == (("incomplete_tail", 1),)


def test_a_hole_is_framed_as_the_zeros_that_it_is(tmp_path: Path) -> None:
    """A transcript with a hole in it keeps its size, and the run of NUL bytes is found with its length."""
    place = put(tmp_path / "store", "a", LINES)
    os.truncate(place, LARGE)
    found = copied(tmp_path, job(entry(tmp_path / "store", "a"), lines=True))
    assert found.item is not None
    assert found.item.bytes == LARGE
    assert written(tmp_path) == LINES + bytes(LARGE - len(LINES))
    assert found.framing is not None
    assert found.framing.findings[0].nul_bytes == LARGE - len(LINES)


def test_of_a_file_that_cannot_be_read_nothing_is_begun(tmp_path: Path) -> None:
    """Denied, gone, another one: no payload file, and the reason."""
    place = put(tmp_path / "store", "a", LINES)
    seen = entry(tmp_path / "store", "a")
    found = copied(tmp_path, job(seen), denied=True)
    assert isinstance(found.read, Unread)
    assert (found.read.problem, found.item) == ("denied", None)
    place.unlink()
    gone = copied(tmp_path, job(seen))
    place.mkdir()
    other = copied(tmp_path, job(seen))
    assert [one.read.problem for one in (gone, other) if isinstance(one.read, Unread)] == ["vanished", "replaced"]
    assert not (tmp_path / "out" / PAYLOAD).exists()


def test_what_progress_raises_ends_the_copy(tmp_path: Path) -> None:
    """A signal is raised there: it goes through, and what was begun is an orphan without an item."""
    put(tmp_path / "store", "a", b"y" * LARGE)

    def stop(_octets: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copied(tmp_path, job(entry(tmp_path / "store", "a")), stop)
    assert 0 < len(written(tmp_path)) < LARGE


def test_a_fault_of_the_destination_names_the_path_alone(tmp_path: Path) -> None:
    """Nothing is overwritten, and no byte of the evidence is in the words."""
    put(tmp_path / "store", "a", b"the secret is in the attic")
    (tmp_path / "out" / "data").mkdir(parents=True)
    (tmp_path / "out" / PAYLOAD).write_bytes(b"in the way")
    with pytest.raises(DestinationFault) as told:
        copied(tmp_path, job(entry(tmp_path / "store", "a")))
    assert "attic" not in str(told.value)
    assert written(tmp_path) == b"in the way"


def test_of_a_file_that_shrinks_the_beginning_is_an_item(tmp_path: Path) -> None:
    """What came before the cut is kept, and that it shrank is said."""
    place = put(tmp_path / "store", "a", b"y" * LARGE)
    done = list[int]()

    def cut(octets: int) -> None:
        if not done:
            os.truncate(place, octets)
        done.append(octets)

    found = copied(tmp_path, job(entry(tmp_path / "store", "a")), cut)
    assert isinstance(found.read, Read)
    assert found.read.change == "shrank"
    assert found.item is not None
    assert found.item.bytes == len(written(tmp_path)) < LARGE
