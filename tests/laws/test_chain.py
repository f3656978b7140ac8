"""The law of chained logs: what was written is read again, and nothing can be taken out, moved or changed inside."""

import tempfile
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.encoding.canonical import encode_line
from agentaudit.format.chain import CUSTODY_CODEC, JOURNAL_CODEC, Break, Link, links
from agentaudit.model.base import Instant
from agentaudit.model.custody import CustodyEvent, CustodyRow
from agentaudit.model.event import Event
from agentaudit.model.journal import ZERO, Act
from agentaudit.package.disk import SystemDisk
from agentaudit.package.rows import ChainLog, create_log, find_tail, open_log
from tests.laws.generated import values
from tests.support.clock import StillClock

ACTS = st.lists(values(Event), min_size=1, max_size=5)
CUSTODY = st.lists(values(CustodyEvent), min_size=1, max_size=5)

quickly = settings(max_examples=40, deadline=None)


def chained(rows: Sequence[Act] | Sequence[CustodyRow]) -> list[bytes]:
    """The lines of a chain of these rows."""
    lines: list[bytes] = []
    prev = ZERO
    for seq, row in enumerate(rows, 1):
        lines.append(encode_line(msgspec.structs.replace(row, seq=seq, prev=prev)))
        prev = sha256(lines[-1]).hexdigest()
    return lines


def _read(lines: Sequence[bytes]) -> list[Link[Act] | Break]:
    return list(links(lines, JOURNAL_CODEC, Act))


@quickly
@given(ACTS)
def test_a_chain_is_read_as_it_was_written(rows: list[Act]) -> None:
    """Each row, where it lies, how long it is, and the digest that the next one holds."""
    lines = chained(rows)
    offset = 0
    for line, row, link in zip(lines, rows, _read(lines), strict=True):
        assert isinstance(link, Link)
        assert (link.offset, link.length, link.sha256) == (offset, len(line), sha256(line).hexdigest())
        assert msgspec.structs.replace(link.row, seq=row.seq, prev=row.prev) == row
        offset += len(line)


@quickly
@given(CUSTODY)
def test_custody_is_a_chain_of_the_same_rules(rows: list[CustodyRow]) -> None:
    """Read by its own codec; a journal's reader takes none of its rows, and the other way round."""
    lines = chained(rows)
    assert all(isinstance(link, Link) for link in links(lines, CUSTODY_CODEC, CustodyRow))
    assert [link.rule for link in links(lines, CUSTODY_CODEC, Act) if isinstance(link, Break)] == ["canonical"]


@quickly
@given(ACTS, st.data())
def test_nothing_can_be_taken_out_doubled_or_moved(rows: list[Act], data: st.DataObject) -> None:
    """Whatever is done to whole lines but cutting the end off, the chain breaks at the first that is out of place."""
    lines = chained(rows)
    others = data.draw(st.lists(st.sampled_from(lines), max_size=len(lines) + 1))
    whole = 0
    while whole < min(len(others), len(lines)) and others[whole] == lines[whole]:
        whole += 1
    read = _read(others)
    assert sum(isinstance(link, Link) for link in read) == whole
    assert isinstance(read[-1], Break) if whole < len(others) else not any(isinstance(one, Break) for one in read)


@quickly
@given(ACTS, st.data())
def test_no_bit_can_be_changed_inside(rows: list[Act], data: st.DataObject) -> None:
    """A changed bit breaks its own line, or the one after it; in the last line it makes another row or none."""
    lines = chained(rows)
    at = data.draw(st.integers(0, len(lines) - 1))
    changed = bytearray(lines[at])
    changed[data.draw(st.integers(0, len(changed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    octets = b"".join([*lines[:at], bytes(changed), *lines[at + 1 :]])
    read = _read(octets.splitlines(keepends=True)) if b"\n" in octets else _read([octets])
    good = [link for link in read if isinstance(link, Link)]
    if at + 1 < len(lines):
        assert any(isinstance(link, Break) for link in read)
        assert len(good) <= at + 1
    assert [link.sha256 for link in good] != [sha256(line).hexdigest() for line in lines]


@quickly
@given(ACTS, st.data())
def test_a_log_cut_anywhere_goes_on_from_its_last_whole_row(rows: list[Act], data: st.DataObject) -> None:
    """What follows the last LF is measured, never read; the next row is chained to the last whole one."""
    lines = chained(rows)
    octets = b"".join(lines)
    length = data.draw(st.integers(0, len(octets)))
    whole = octets[:length].count(b"\n")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_bytes(octets[:length])
        tail = find_tail(path, JOURNAL_CODEC, Act)
        assert (tail.rows, tail.length) == (whole, sum(map(len, lines[:whole])))
        assert tail.torn == length - tail.length
        SystemDisk().cut(path, tail.length)
        log: ChainLog[Act] = open_log(path, SystemDisk(), StillClock().now, JOURNAL_CODEC, Act, wait=False)
        log.stage(rows[0])
        log.settle()
        log.close()
        assert [isinstance(link, Link) for link in _read(path.read_bytes().splitlines(keepends=True))] == [True] * (
            whole + 1
        )


@quickly
@given(ACTS)
def test_the_writer_writes_such_a_chain(rows: list[Act]) -> None:
    """Number, instant and digest are stamped by the writer, whatever the row brought."""
    clock = StillClock(steps_ms=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        log: ChainLog[Act] = create_log(path, SystemDisk(), clock.now, Act)
        stamped = [log.stage(row) for row in rows]
        log.settle()
        log.close()
        read = [link.row for link in _read(path.read_bytes().splitlines(keepends=True)) if isinstance(link, Link)]
    assert read == stamped
    blank = {"seq": 0, "at": Instant(""), "prev": ""}
    assert [msgspec.structs.replace(row, **blank) for row in read] == [
        msgspec.structs.replace(row, **blank) for row in rows
    ]
