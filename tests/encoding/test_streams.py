"""Decompression within bounds: whole streams, and streams that are cut, corrupt or bombs."""

import io
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentaudit.encoding import streams
from agentaudit.encoding.streams import Faulty, compression_of, decompressed
from agentaudit.encoding.zstdframes import Frames
from agentaudit.model.framing import Compression, StreamFault
from tests.encoding.compressing import SKIPPABLE, gzipped, zstd

TEXT = b"".join(b'{"n":%d}\n' % number for number in range(20_000))


class Slow(io.BytesIO):
    """A source that gives at most so many bytes at once."""

    def __init__(self, octets: bytes, most: int) -> None:
        super().__init__(octets)
        self.most = most

    def read(self, size: int | None = -1, /) -> bytes:
        """As many as it gives at once."""
        return super().read(self.most if size is None or size < 0 else min(size, self.most))


def unpacked(octets: bytes, compression: Compression, most: int = 1 << 20) -> tuple[bytes, StreamFault | None]:
    """The text as far as it goes, and the fault that ended it."""
    text = bytearray()
    try:
        for piece in decompressed(Slow(octets, most), compression):
            assert len(piece) <= 65_536
            text += piece
    except Faulty as error:
        return bytes(text), error.fault
    return bytes(text), None


WHOLE: list[tuple[Compression, bytes, bytes]] = [
    ("gzip", gzipped(TEXT), TEXT),
    ("gzip", gzipped(TEXT) + gzipped(b"") + gzipped(b"more"), TEXT + b"more"),
    ("gzip", gzipped(TEXT) + bytes(1_000), TEXT),
    ("gzip", gzipped(b"a") + bytes(3) + gzipped(b"b"), b"ab"),
    ("zstd", zstd(TEXT), TEXT),
    ("zstd", zstd(TEXT, checksum=False, sized=False), TEXT),
    ("zstd", zstd(b"") + zstd(TEXT) + zstd(b"more", sized=False), TEXT + b"more"),
    ("zstd", SKIPPABLE + zstd(TEXT) + SKIPPABLE, TEXT),
    ("zstd", zstd(bytes(500_000), sized=False), bytes(500_000)),
]


@pytest.mark.parametrize(("compression", "octets", "text"), WHOLE)
@pytest.mark.parametrize("most", [1, 777, 1 << 20])
def test_a_whole_stream_gives_its_text(compression: Compression, octets: bytes, text: bytes, most: int) -> None:
    """Members and frames follow each other; padding and skippable frames are no text; chunks do not matter."""
    if most == 1 and len(octets) > 20_000:
        most = 13
    assert unpacked(octets, compression, most) == (text, None)


@pytest.mark.parametrize(("compression", "octets", "text"), WHOLE)
@given(data=st.data())
@settings(max_examples=30)
def test_a_stream_that_breaks_off_says_so(
    compression: Compression, octets: bytes, text: bytes, data: st.DataObject
) -> None:
    """Wherever it is cut, what was given is a begin of the text, and the end is a fault unless a member ends there."""
    cut = data.draw(st.integers(0, len(octets) - 1))
    given_text, fault = unpacked(octets[:cut], compression)
    assert text.startswith(given_text)
    if len(given_text) < len(text):
        borders = {len(gzipped(b"a")), len(gzipped(TEXT)), len(zstd(b"")), len(SKIPPABLE)}
        assert fault == "truncated" or any(abs(cut - border) < 40 for border in borders), cut


@pytest.mark.parametrize(
    ("compression", "octets", "fault"),
    [
        ("gzip", gzipped(TEXT)[:-8] + bytes(8), "corrupt"),
        ("gzip", gzipped(TEXT) + b"rubbish", "corrupt"),
        ("gzip", b"\x1f\x8b\x09rubbish", "corrupt"),
        ("gzip", b"", "truncated"),
        ("gzip", b"plain text", "corrupt"),
        ("zstd", zstd(TEXT)[:-4] + bytes(4), "corrupt"),
        ("zstd", zstd(TEXT) + b"rubbish", "corrupt"),
        ("zstd", b"plain text", "corrupt"),
        ("zstd", b"", "truncated"),
        ("zstd", zstd(TEXT)[:-1], "truncated"),
        ("zstd", zstd(TEXT, checksum=False)[:-1], "truncated"),
        ("zstd", zstd(TEXT, window_log=28, sized=False), "window_over_limit"),
    ],
)
def test_what_is_wrong_with_a_stream_is_told(compression: Compression, octets: bytes, fault: StreamFault) -> None:
    """Truncated, corrupt, or beyond the bound on windows; never an error of a library."""
    assert unpacked(octets, compression)[1] == fault


@pytest.mark.parametrize(("compression", "pack"), [("gzip", gzipped), ("zstd", zstd)])
def test_a_bomb_is_not_unpacked(compression: Compression, pack: "type", monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of bytes the text must not be more than so many times what was read for it."""
    monkeypatch.setattr(streams, "EXPANSION_FREE_BYTES", 1_000_000)
    monkeypatch.setattr(streams, "EXPANSION_MAX", 100)
    text, fault = unpacked(pack(bytes(50_000_000)), compression, 256)
    assert fault == "expansion_over_limit"
    assert len(text) < 2_000_000
    assert unpacked(pack(TEXT * 3), compression)[1] is None


def test_the_first_bytes_tell_the_compression() -> None:
    """JSON begins with none of them."""
    assert compression_of(gzipped(b"")) == "gzip"
    assert compression_of(zstd(b"")) == "zstd"
    assert compression_of(b'{"a"') is None
    assert compression_of(b"") is None


@given(st.binary(max_size=300), st.booleans(), st.booleans(), st.integers(1, 40))
def test_the_walk_over_frames_ends_where_they_end(text: bytes, checksum: bool, sized: bool, most: int) -> None:
    """Whatever the chunks, it is whole after each frame and at no other place."""
    frame = zstd(text, checksum=checksum, sized=sized)
    octets = frame + SKIPPABLE + frame
    ends = {0, len(frame), len(frame) + len(SKIPPABLE), len(octets)}
    frames, at = Frames(), 0
    while at < len(octets):
        assert frames.whole is (at in ends)
        frames.feed(octets[at : at + most])
        at = min(len(octets), at + most)
    assert (frames.whole, frames.frames) == (True, 3)


def test_the_walk_leaves_what_is_no_frame_to_the_decoder() -> None:
    """It ends there and is fed in vain."""
    frames = Frames()
    frames.feed(b"\x50\x2a\x4d\x19 no frame at all")
    frames.feed(b"more")
    assert (frames.whole, frames.frames, frames.window_bytes) == (True, 0, 0)


def test_the_window_of_a_frame_is_read_from_its_header() -> None:
    """A frame of one segment needs its content as the window."""
    frames = Frames()
    frames.feed(zstd(TEXT, window_log=20, sized=False))
    assert frames.window_bytes == 1 << 20
    frames = Frames()
    frames.feed(zstd(b"x" * 1_000))
    assert frames.window_bytes == 1_000


def test_a_gzip_stream_is_what_zlib_says_it_is() -> None:
    """The reference inflates the same bytes to the same text."""
    octets = gzipped(TEXT)
    assert unpacked(octets, "gzip")[0] == zlib.decompress(octets, 31)
