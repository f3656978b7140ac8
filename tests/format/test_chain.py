"""Hash-chained lines."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding.canonical import encode_line
from agentaudit.format.chain import CUSTODY_CODEC, JOURNAL_CODEC, Break, Link, links
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.custody import CustodyRow, TornFound
from agentaudit.model.journal import Act, WalkEnded
from tests.forge import chained
from tests.support.around import WHO

AT = Instant("2026-03-02T09:00:00.000000Z")


def _rows(count: int) -> list[Act]:
    return [WalkEnded(at=AT, walk=f"w{number}", reason="exhausted", pages=1, records=0) for number in range(count)]


def _read(octets: bytes) -> list[Link[Act] | Break]:
    return list(links(octets.splitlines(keepends=True), JOURNAL_CODEC, Act))


@given(st.integers(min_value=0, max_value=6))
def test_a_whole_chain_is_read_row_by_row(count: int) -> None:
    """Each link says where its line lies, and what its digest is."""
    octets = chained(_rows(count))
    found = _read(octets)
    assert len(found) == count
    for link in found:
        assert isinstance(link, Link)
        line = octets[link.offset : link.offset + link.length]
        assert f"sha256:{link.sha256}" == digest_of(line)
        assert encode_line(link.row) == line


@given(st.integers(min_value=0, max_value=3), st.integers(min_value=0, max_value=200), st.integers(1, 255))
def test_a_changed_byte_breaks_the_chain(line: int, at: int, change: int) -> None:
    """In any line but the last the change shows; nothing after a break is read."""
    lines = chained(_rows(5)).splitlines(keepends=True)
    changed = bytearray(lines[line])
    changed[at % len(changed)] ^= change
    found = _read(b"".join([*lines[:line], bytes(changed), *lines[line + 1 :]]))
    assert isinstance(found[-1], Break)
    assert all(isinstance(link, Link) for link in found[:-1])


def test_each_rule_has_its_name() -> None:
    """Torn, not canonical, misnumbered, misdirected."""
    first, second = chained(_rows(2)).splitlines(keepends=True)
    assert _read(first + second[:-1])[-1] == Break(2, len(first), "torn")
    assert _read(first + second.replace(b",", b", ", 1))[-1] == Break(2, len(first), "canonical")
    assert _read(second)[-1] == Break(1, 0, "seq")
    alone = encode_line(msgspec.structs.replace(_rows(1)[0], seq=1, prev="1" * 64))
    assert _read(alone) == [Break(1, 0, "prev")]


def test_a_row_of_another_log_is_none() -> None:
    """A custody row has no place in a journal, nor the other way round."""
    row = TornFound(**WHO, bytes=1, sha256=digest_of(b""))
    octets = chained([row])
    assert _read(octets) == [Break(1, 0, "canonical")]
    assert isinstance(next(links([octets], CUSTODY_CODEC, CustodyRow)), Link)
    assert list(links([octets], CUSTODY_CODEC, Act)) == [Break(1, 0, "canonical")]


def test_an_empty_log_has_no_rows() -> None:
    """And no break."""
    assert _read(b"") == []


@pytest.mark.parametrize("junk", [b"\n", b"{}\n", b"null\n", b"\xff\n"])
def test_junk_is_not_canonical(junk: bytes) -> None:
    """Whatever is no row of the union."""
    assert _read(junk) == [Break(1, 0, "canonical")]
