"""Appending to a hash-chained log."""

from hashlib import sha256
from pathlib import Path

import pytest

from agentaudit.errors import DestinationFault, PackageFault
from agentaudit.format.chain import JOURNAL_CODEC, Break
from agentaudit.model.base import digest_of
from agentaudit.model.journal import ZERO, Act, PeerSeen, WalkEnded
from agentaudit.package.disk import SystemDisk
from agentaudit.package.rows import ChainLog, create_log, find_tail, open_log, read_log
from tests.support.clock import StillClock
from tests.support.disks import FULL, FailingDisk


def _log(path: Path, disk: SystemDisk | None = None) -> ChainLog[Act]:
    return create_log(path, disk or SystemDisk(), StillClock().now, Act)


def _row(walk: str = "w") -> WalkEnded:
    return WalkEnded(walk=walk, reason="exhausted", pages=1, records=2)


def test_rows_are_chained_and_numbered(tmp_path: Path) -> None:
    """Each row holds its number and the digest of the line before it; the first holds 64 zeros."""
    log = _log(tmp_path / "log")
    log.stage(_row("a"))
    log.stage(_row("b"))
    log.settle()
    first, second = (tmp_path / "log").read_bytes().splitlines(keepends=True)
    rows = [JOURNAL_CODEC.decode(line[:-1]) for line in (first, second)]
    assert [(row.seq, row.prev) for row in rows if isinstance(row, Act)] == [
        (1, ZERO),
        (2, sha256(first).hexdigest()),
    ]


def test_a_staged_row_is_not_on_disk(tmp_path: Path) -> None:
    """Nothing is written before the rows are settled."""
    log = _log(tmp_path / "log")
    log.stage(_row())
    assert (tmp_path / "log").read_bytes() == b""


def test_settling_nothing_writes_nothing(tmp_path: Path) -> None:
    """A settle without staged rows makes no call."""
    disk = FailingDisk()
    log = _log(tmp_path / "log", disk)
    before = disk.calls
    log.settle()
    assert disk.calls == before


def test_the_first_error_fails_every_later_act(tmp_path: Path) -> None:
    """After a failed write neither staging nor settling is possible."""
    log = _log(tmp_path / "log", FailingDisk(1, code=FULL, only="write"))
    log.stage(_row())
    with pytest.raises(DestinationFault, match="No space"):
        log.settle()
    with pytest.raises(DestinationFault, match="earlier error"):
        log.settle()
    with pytest.raises(DestinationFault, match="earlier error"):
        log.stage(_row())


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    """A log that is open for writing is refused to a second writer, and free again once it is closed."""
    path = tmp_path / "log"
    log = _log(path)
    log.stage(_row())
    log.settle()
    with pytest.raises(DestinationFault, match="in use"):
        open_log(path, SystemDisk(), StillClock().now, JOURNAL_CODEC, Act, wait=False)
    log.close()
    again: ChainLog[Act] = open_log(path, SystemDisk(), StillClock().now, JOURNAL_CODEC, Act, wait=False)
    assert again.head.seq == 1
    again.close()


def test_a_torn_tail_is_measured_and_left_alone(tmp_path: Path) -> None:
    """Bytes behind the last LF are no row: they are counted, not read."""
    path = tmp_path / "log"
    log = _log(path)
    log.stage(_row())
    log.settle()
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"torn')
    tail = find_tail(path, JOURNAL_CODEC, Act)
    assert (tail.rows, tail.length, tail.torn) == (1, len(whole), 6)


@pytest.mark.parametrize("line", [b"{}\n", b"[]\n", b'{"a":1,"a":1}\n', b"\n"])
def test_a_whole_line_that_is_no_row_breaks_the_chain(tmp_path: Path, line: bytes) -> None:
    """A complete line that is no row of ours is refused, never appended to."""
    path = tmp_path / "log"
    path.write_bytes(line)
    with pytest.raises(PackageFault, match="line 1"):
        find_tail(path, JOURNAL_CODEC, Act)


def test_a_swapped_row_breaks_the_chain(tmp_path: Path) -> None:
    """Rows in another order are found at the first that is out of place."""
    path = tmp_path / "log"
    log = _log(path)
    for walk in "abc":
        log.stage(PeerSeen(certificate_sha256=digest_of(walk.encode()), certificate_der_base64=""))
    log.settle()
    one, two, three = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(one + three + two)
    assert [link.rule for link in read_log(path, JOURNAL_CODEC, Act) if isinstance(link, Break)] == ["seq"]
