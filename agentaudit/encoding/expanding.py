"""Compressed texts whose bytes come piece by piece: each piece is decompressed at once, within stated bounds.

- It is `streams` the other way round: there the text is asked for, here the stream is pushed. Bounds are the same.
- What a piece expands to is given on in parts of some 64 KiB and never held.
"""

import zlib
from collections.abc import Callable
from typing import Protocol

from agentaudit.encoding.streams import EXPANSION_FREE_BYTES, EXPANSION_MAX, WINDOW_MAX, Faulty
from agentaudit.encoding.zstdframes import Frames
from agentaudit.model.framing import Compression

Sink = Callable[[bytes], None]

_PIECE = 64 * 1024
_GZIP = 31


class _Decoder(Protocol):
    """What decompresses, and knows whether what came so far is whole."""

    def feed(self, octets: bytes) -> None:
        """Take the next bytes; raises `Faulty`."""
        ...

    @property
    def whole(self) -> bool:
        """The bytes so far end where a member or frame ends."""
        ...


class Expanding:
    """One compressed stream; `read` and `given` count its bytes and those of its text."""

    def __init__(self, compression: Compression, sink: Sink) -> None:
        """`sink` is given the text part by part."""
        self.read = 0
        self.given = 0
        self._sink = sink
        self._decoder: _Decoder = _Gzip(self._give) if compression == "gzip" else _Zstd(self._give)

    def feed(self, octets: bytes) -> None:
        """Take the next bytes; raises `Faulty` where the stream cannot be decompressed on."""
        self.read += len(octets)
        self._decoder.feed(octets)

    def finish(self) -> None:
        """The last byte was fed; raises `Faulty` when the stream broke off."""
        if not self.read or not self._decoder.whole:
            raise Faulty("truncated")

    def _give(self, text: bytes) -> None:
        self.given += len(text)
        if self.given > EXPANSION_FREE_BYTES and self.given > EXPANSION_MAX * self.read:
            raise Faulty("expansion_over_limit")
        self._sink(text)


class _Gzip:
    """Members of gzip one after the other; zero bytes between and behind them are padding."""

    def __init__(self, give: Sink) -> None:
        self._give = give
        self._member: zlib._Decompress | None = None

    @property
    def whole(self) -> bool:
        return self._member is None

    def feed(self, octets: bytes) -> None:
        octets = octets if self._member is not None else octets.lstrip(b"\0")
        while octets:
            self._member = self._member or zlib.decompressobj(_GZIP)
            text = self._inflated(self._member, octets)
            if self._member.eof:
                octets = self._member.unused_data.lstrip(b"\0")
                self._member = None
                continue
            octets = self._member.unconsumed_tail
            # A full part may have more behind it although all bytes are taken.
            while not octets and len(text) == _PIECE:
                text = self._inflated(self._member, b"")

    def _inflated(self, member: "zlib._Decompress", octets: bytes) -> bytes:
        try:
            text = member.decompress(octets, _PIECE)
        except zlib.error:
            raise Faulty("corrupt") from None
        self._give(text)
        return text


class _Zstd:
    """Frames of Zstandard one after the other."""

    def __init__(self, give: Sink) -> None:
        # Imported here: texts that are not compressed do not pay for it.
        from zstandard import ZstdDecompressor, ZstdError  # noqa: PLC0415

        self._error = ZstdError
        self._frames = Frames()
        decompressor = ZstdDecompressor(max_window_size=WINDOW_MAX)
        self._writer = decompressor.stream_writer(_Giving(give), write_size=_PIECE, closefd=False)  # type: ignore[arg-type]

    @property
    def whole(self) -> bool:
        return self._frames.whole

    def feed(self, octets: bytes) -> None:
        self._frames.feed(octets)
        try:
            self._writer.write(octets)
        except self._error:
            raise Faulty("window_over_limit" if self._frames.window_bytes > WINDOW_MAX else "corrupt") from None


class _Giving:
    """A file to write to, for a decoder that wants one."""

    def __init__(self, give: Sink) -> None:
        self._give = give

    def write(self, octets: bytes) -> int:
        self._give(bytes(octets))
        return len(octets)
