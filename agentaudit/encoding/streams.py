"""Compressed texts, decompressed within stated bounds: what is wrong with a stream is a value, never a crash.

- A Zstandard window is at most 128 MiB, as the stock tool has it; a gzip window is 32 KiB by its format.
- Decompression goes piece by piece into the room that it is given; it stops when the text is more than 1,000 times
  the bytes read for it and more than 256 MiB.
- Members and frames follow each other without an end; zero bytes after the last gzip member are padding.
"""

import io
import zlib
from collections.abc import Callable, Iterator
from typing import Protocol

from agentaudit.encoding.zstdframes import MAGIC as ZSTD_MAGIC
from agentaudit.encoding.zstdframes import Frames
from agentaudit.model.framing import Compression, StreamFault

WINDOW_MAX = 128 * 1024 * 1024
EXPANSION_MAX = 1_000
EXPANSION_FREE_BYTES = 256 * 1024 * 1024
GZIP_MAGIC = b"\x1f\x8b"

_PIECE = 64 * 1024
_GZIP = 31


class Faulty(Exception):
    """The stream cannot be decompressed on; `fault` says why. What came before was given."""

    def __init__(self, fault: StreamFault) -> None:
        """Name the fault; nothing of the stream is in it."""
        super().__init__(fault)
        self.fault: StreamFault = fault


class Source(Protocol):
    """What gives the bytes of a stream as they lie there."""

    def read(self, octets: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


def compression_of(head: bytes) -> Compression | None:
    """What the first bytes of a file say; JSON begins with none of them."""
    if head.startswith(GZIP_MAGIC):
        return "gzip"
    return "zstd" if head.startswith(ZSTD_MAGIC) else None


def decompressed(source: Source, compression: Compression) -> Iterator[bytes]:
    """The text of a stream in pieces of at most 64 KiB; raises `Faulty` where it cannot go on."""
    counted = _Counted(source)
    text = 0
    for piece in _gzip(counted) if compression == "gzip" else _zstd(counted):
        yield piece
        text += len(piece)
        if text > EXPANSION_FREE_BYTES and text > EXPANSION_MAX * counted.octets:
            raise Faulty("expansion_over_limit")
    if not counted.octets:
        raise Faulty("truncated")


class _Counted(io.RawIOBase):
    """A source whose bytes are counted, and seen by whoever wants to, as they are read."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source
        self.octets = 0
        self.see: Callable[[bytes], None] = lambda _: None

    def read(self, octets: int = _PIECE, /) -> bytes:
        piece = self._source.read(octets)
        self.octets += len(piece)
        self.see(piece)
        return piece


def _gzip(source: _Counted) -> Iterator[bytes]:
    left = source.read()
    while left:
        member = zlib.decompressobj(_GZIP)
        while not member.eof:
            if not left:
                raise Faulty("truncated")
            yield _inflated(member, left)
            left = _behind(member, source)
        left = _after_padding(source, left)


def _behind(member: "zlib._Decompress", source: _Counted) -> bytes:
    """What is to be inflated next, or follows the member that ended."""
    return member.unused_data if member.eof else member.unconsumed_tail or source.read()


def _after_padding(source: _Counted, left: bytes) -> bytes:
    """What follows the zero bytes behind a member; nothing at the end of the source."""
    octets = left or source.read()
    while octets and not octets.strip(b"\0"):
        octets = source.read()
    return octets.lstrip(b"\0")


def _inflated(member: "zlib._Decompress", octets: bytes) -> bytes:
    try:
        return member.decompress(octets, _PIECE)
    except zlib.error:
        raise Faulty("corrupt") from None


def _zstd(source: _Counted) -> Iterator[bytes]:
    # Imported here: texts that are not compressed do not pay for it.
    from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415

    frames = Frames()
    source.see = frames.feed
    reader = ZstdDecompressor(max_window_size=WINDOW_MAX).stream_reader(source, _PIECE, read_across_frames=True)  # type: ignore[arg-type]
    while True:
        try:
            piece = reader.read(_PIECE)
        except ZstdError:
            raise Faulty("window_over_limit" if frames.window_bytes > WINDOW_MAX else "corrupt") from None
        if not piece:
            break
        yield piece
    if not frames.whole:
        raise Faulty("truncated")
