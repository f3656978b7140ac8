"""A file's text out of the bytes that it is fed with: as they are, or inflated within bounds.

- The first bytes decide. A gzip text is inflated piece by piece; other packings and other encodings of text are named
  and not read.
- A stream that cannot go on keeps what it gave: `fault` says why. A text of more than 1,000 times its bytes and more
  than 256 MiB ends as a fault, before more of it is held.
"""

import zlib
from collections.abc import Iterator
from typing import Final, Literal

from agentaudit.adapters.openai_logs.lines import Measured
from agentaudit.encoding.streams import EXPANSION_FREE_BYTES, EXPANSION_MAX, GZIP_MAGIC
from agentaudit.encoding.zstdframes import MAGIC as ZSTD_MAGIC
from agentaudit.model.framing import StreamFault

Packing = Literal["plain", "gzip", "zstd", "utf-16"]

_HEAD: Final = 4
_PIECE: Final = 64 * 1024
_GZIP: Final = 31
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")


class Inflater:
    """Inflates gzip members that follow each other; zero bytes between and behind them are padding."""

    def __init__(self) -> None:
        """Nothing came yet."""
        self.fault: StreamFault | None = None
        self._member: zlib._Decompress | None = zlib.decompressobj(_GZIP)
        self._read = 0
        self._text = 0

    def feed(self, octets: bytes) -> Iterator[bytes]:
        """The pieces of text in these bytes, at most 64 KiB each; none after a fault."""
        self._read += len(octets)
        left = octets
        while self.fault is None:
            if self._member is None:
                left = left.lstrip(b"\0")
                if not left:
                    return
                self._member = zlib.decompressobj(_GZIP)
            try:
                piece = self._member.decompress(left, _PIECE)
            except zlib.error:
                self.fault = "corrupt"
                return
            if piece:
                yield piece
                self._count(len(piece))
            if self._member.eof:
                left, self._member = self._member.unused_data, None
                continue
            left = self._member.unconsumed_tail
            if not left and len(piece) < _PIECE:
                return

    def finish(self) -> None:
        """The last byte came: a member that did not end is cut."""
        if self.fault is None and self._member is not None:
            self.fault = "truncated"

    def _count(self, octets: int) -> None:
        self._text += octets
        if self._text > EXPANSION_FREE_BYTES and self._text > EXPANSION_MAX * self._read:
            self.fault = "expansion_over_limit"


class Unpacking:
    """The bytes of one file on their way to its text, both measured."""

    def __init__(self) -> None:
        """Nothing came yet."""
        self.raw = Measured()
        self.text = Measured()
        self.packing: Packing | None = None
        self._head = b""
        self._inflater: Inflater | None = None

    @property
    def fault(self) -> StreamFault | None:
        """Why the text ended early; None where it did not."""
        return None if self._inflater is None else self._inflater.fault

    def feed(self, octets: bytes) -> Iterator[bytes]:
        """The pieces of text that these bytes bring."""
        self.raw.take(octets)
        if self.packing is None:
            self._head += octets
            if len(self._head) < _HEAD:
                return
            octets = self._decide()
        yield from self._unpacked(octets)

    def finish(self) -> Iterator[bytes]:
        """What is left, once the last byte came."""
        if self.packing is None:
            yield from self._unpacked(self._decide())
        if self._inflater is not None:
            self._inflater.finish()

    def _decide(self) -> bytes:
        head, self._head = self._head, b""
        if head.startswith(GZIP_MAGIC):
            self.packing, self._inflater = "gzip", Inflater()
        elif head.startswith(ZSTD_MAGIC):
            self.packing = "zstd"
        else:
            self.packing = "utf-16" if head.startswith(_UTF16) else "plain"
        return head

    def _unpacked(self, octets: bytes) -> Iterator[bytes]:
        if self._inflater is not None:
            for piece in self._inflater.feed(octets):
                self.text.take(piece)
                yield piece
        elif self.packing == "plain":
            yield octets
