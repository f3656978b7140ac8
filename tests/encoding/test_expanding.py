"""Compressed texts pushed piece by piece: the same text, the same faults and the same bounds as read ones."""

import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.encoding import expanding
from agentaudit.encoding.expanding import Expanding
from agentaudit.encoding.streams import Faulty, decompressed
from agentaudit.model.framing import Compression, StreamFault
from tests.encoding.compressing import SKIPPABLE, gzipped, zstd

TEXT = b"".join(b'{"n":%d}\n' % number for number in range(20_000))


def pushed(octets: bytes, compression: Compression, piece: int = 4_096) -> tuple[bytes, StreamFault | None]:
    """The text as far as it goes, and the fault that ended it."""
    text = bytearray()
    stream = Expanding(compression, text.extend)
    try:
        for at in range(0, len(octets), piece):
            stream.feed(octets[at : at + piece])
        stream.finish()
    except Faulty as error:
        return bytes(text), error.fault
    assert (stream.read, stream.given) == (len(octets), len(text))
    return bytes(text), None


def pulled(octets: bytes, compression: Compression) -> tuple[bytes, StreamFault | None]:
    """The same by the reader that is asked for its text."""
    text = bytearray()
    try:
        for piece in decompressed(io.BytesIO(octets), compression):
            text += piece
    except Faulty as error:
        return bytes(text), error.fault
    return bytes(text), None


WHOLE: list[tuple[Compression, bytes, bytes]] = [
    ("gzip", gzipped(TEXT), TEXT),
    ("gzip", gzipped(TEXT) + gzipped(b"") + gzipped(b"more"), TEXT + b"more"),
    ("gzip", gzipped(b"a") + bytes(1_000) + gzipped(b"b") + bytes(9), b"ab"),
    ("gzip", gzipped(bytes(500_000)), bytes(500_000)),
    ("gzip", gzipped(bytes(65_536)), bytes(65_536)),
    ("zstd", zstd(TEXT), TEXT),
    ("zstd", zstd(TEXT, checksum=False, sized=False), TEXT),
    ("zstd", zstd(b"") + SKIPPABLE + zstd(TEXT) + zstd(b"more", sized=False), TEXT + b"more"),
    ("zstd", zstd(bytes(500_000), sized=False), bytes(500_000)),
]


@pytest.mark.parametrize(("compression", "octets", "text"), WHOLE)
@pytest.mark.parametrize("piece", [1, 777, 1 << 20])
def test_a_whole_stream_gives_its_text(compression: Compression, octets: bytes, text: bytes, piece: int) -> None:
    """However it is cut into pieces."""
    assert pushed(octets, compression, 13 if piece == 1 and len(octets) > 20_000 else piece) == (text, None)


@pytest.mark.parametrize(
    ("compression", "octets", "fault"),
    [
        ("gzip", gzipped(TEXT)[:-8] + bytes(8), "corrupt"),
        ("gzip", gzipped(TEXT) + b"rubbish", "corrupt"),
        ("gzip", gzipped(TEXT)[:-1], "truncated"),
        ("gzip", b"", "truncated"),
        ("zstd", zstd(TEXT)[:-4] + bytes(4), "corrupt"),
        ("zstd", zstd(TEXT) + b"rubbish", "corrupt"),
        ("zstd", zstd(TEXT)[:-1], "truncated"),
        ("zstd", b"", "truncated"),
        ("zstd", zstd(TEXT, window_log=28, sized=False), "window_over_limit"),
    ],
)
def test_what_is_wrong_with_a_stream_is_told(compression: Compression, octets: bytes, fault: StreamFault) -> None:
    """Truncated, corrupt, or beyond the bound on windows; the other reader says the same."""
    assert pushed(octets, compression)[1] == fault
    assert pulled(octets, compression)[1] == fault


@given(st.sampled_from([("gzip", gzipped(TEXT)), ("zstd", zstd(TEXT))]), st.data())
def test_a_stream_that_breaks_off_gives_a_begin_of_its_text(
    stream: tuple[Compression, bytes], data: st.DataObject
) -> None:
    """And says that it broke off."""
    compression, octets = stream
    text, fault = pushed(octets[: data.draw(st.integers(0, len(octets) - 1))], compression)
    assert TEXT.startswith(text)
    assert fault == "truncated"


@pytest.mark.parametrize(
    ("compression", "octets"), [("gzip", gzipped(bytes(50_000_000))), ("zstd", zstd(bytes(50_000_000)))]
)
def test_a_bomb_is_not_unpacked(compression: Compression, octets: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of bytes the text must not be more than so many times what was fed for it."""
    monkeypatch.setattr(expanding, "EXPANSION_FREE_BYTES", 1_000_000)
    monkeypatch.setattr(expanding, "EXPANSION_MAX", 100)
    text, fault = pushed(octets, compression, 256)
    assert fault == "expansion_over_limit"
    assert len(text) < 2_000_000
    assert pushed(gzipped(TEXT * 3), "gzip", 256)[1] is None


def test_what_a_cut_stream_holds_is_given_to_the_last_byte() -> None:
    """Also where all bytes are taken and a full part of text has more behind it."""
    octets = gzipped(bytes(500_000))
    for cut in range(1, len(octets)):
        assert pushed(octets[:cut], "gzip")[0] == zlib.decompressobj(31).decompress(octets[:cut])
