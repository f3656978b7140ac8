"""A file's text out of its bytes: plain, packed, damaged, or of another kind."""

import gzip
import zlib

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.openai_logs import unpacking
from agentaudit.adapters.openai_logs.unpacking import Inflater, Unpacking

TEXT = b'{"event_id": "a"}\n' * 400


def _unpacked(octets: bytes, size: int = 13) -> tuple[bytes, Unpacking]:
    one = Unpacking()
    pieces = [piece for at in range(0, len(octets), size) for piece in one.feed(octets[at : at + size])]
    return b"".join([*pieces, *one.finish()]), one


@given(st.binary(max_size=300), st.integers(1, 50))
def test_a_plain_text_is_its_bytes(octets: bytes, size: int) -> None:
    """Whatever is not packed comes out as it went in."""
    text = b"{" + octets
    found, one = _unpacked(text, size)
    assert (found, one.packing, one.fault) == (text, "plain", None)
    assert one.raw.bytes == len(text)


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=3), st.integers(1, 50))
def test_members_of_gzip_are_one_text(texts: list[bytes], size: int) -> None:
    """They follow each other, with zero bytes between them or behind them."""
    octets = b"\0\0".join(map(gzip.compress, texts)) + b"\0" * 9
    found, one = _unpacked(octets, size)
    assert (found, one.packing, one.fault) == (b"".join(texts), "gzip", None)
    assert one.text.bytes == len(found)


def test_a_large_text_comes_in_pieces_whatever_the_buffers_hold() -> None:
    """A piece that fills its room exactly is not the last one."""
    text = bytes(300_000)
    found, one = _unpacked(gzip.compress(text), 1_000_000)
    assert found == text
    assert one.fault is None


@pytest.mark.parametrize("cut", [1, 8, 20])
def test_a_cut_stream_gives_what_it_has_and_says_so(cut: int) -> None:
    """What came before the cut is read."""
    found, one = _unpacked(gzip.compress(TEXT)[:-cut])
    assert TEXT.startswith(found)
    assert one.fault == "truncated"


def test_a_flipped_byte_is_found() -> None:
    """The check of the member fails, and nothing behind it is read."""
    octets = bytearray(gzip.compress(TEXT))
    octets[-6] ^= 1
    found, one = _unpacked(bytes(octets) + gzip.compress(b"more"))
    assert TEXT.startswith(found)
    assert one.fault == "corrupt"


def test_what_follows_a_member_and_is_none_is_a_fault() -> None:
    """The text before it stands."""
    found, one = _unpacked(gzip.compress(TEXT) + b"not a member at all")
    assert found == TEXT
    assert one.fault == "corrupt"


def test_a_bomb_ends_as_a_fault_before_it_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bound is on how much a byte may become, once the text is large."""
    monkeypatch.setattr(unpacking, "EXPANSION_FREE_BYTES", 100_000)
    monkeypatch.setattr(unpacking, "EXPANSION_MAX", 10)
    inflater = Inflater()
    most = max(map(len, inflater.feed(zlib.compress(bytes(10_000_000), wbits=31))))
    assert most <= 64 * 1024
    assert inflater.fault == "expansion_over_limit"
    assert list(inflater.feed(b"more")) == []
    inflater.finish()
    assert inflater.fault == "expansion_over_limit"


@pytest.mark.parametrize(
    ("octets", "packing"),
    [
        (zstandard.compress(TEXT), "zstd"),
        (TEXT.decode().encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + TEXT.decode().encode("utf-16-be"), "utf-16"),
    ],
)
def test_other_packings_are_named_and_not_read(octets: bytes, packing: str) -> None:
    """Their bytes are measured all the same."""
    found, one = _unpacked(octets)
    assert (found, one.packing, one.raw.bytes) == (b"", packing, len(octets))


@pytest.mark.parametrize("octets", [b"", b"{", b"{}\n"])
def test_a_file_shorter_than_a_head_is_plain(octets: bytes) -> None:
    """It is decided at its end."""
    assert _unpacked(octets)[0] == octets
