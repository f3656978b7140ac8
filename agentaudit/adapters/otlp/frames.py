"""Frames with a length in front, and bodies that are a file of their own: the binary forms of OTLP on a disk.

- A frame is four bytes of length, big-endian, and so many bytes (the Collector's file exporter); with compression
  each frame is one Zstandard frame of its own.
- A frame that cannot be expanded or read is a fault with its offset; the next one is found by the length.
- A length beyond `DOCUMENT_MAX` ends the reading of the file: nothing says where the next frame begins.
"""

import io
from collections.abc import Callable
from typing import Final

from agentaudit.adapters.otlp.jsontext import DOCUMENT_MAX, Fault
from agentaudit.encoding.streams import Faulty, decompressed
from agentaudit.encoding.zstdframes import MAGIC

TakeFrame = Callable[[int, bytes, bool], None]
"""Takes the offset of a frame, its bytes, and whether they were compressed."""

_LENGTH_BYTES: Final = 4


class Framed:
    """The frames of one file, given to `take`; faults to `fault`. `unread` counts bytes behind a broken length."""

    def __init__(self, take: TakeFrame, fault: Fault, document_max: int = DOCUMENT_MAX) -> None:
        """Begin at offset 0."""
        self.take = take
        self.fault = fault
        self.max = document_max
        self.unread = 0
        self._at = 0
        self._held = bytearray()
        self._lost = False

    def feed(self, octets: bytes) -> None:
        """Take the next bytes."""
        if self._lost:
            self.unread += len(octets)
            return
        self._held += octets
        begin = 0
        while (end := self._end(begin)) is not None:
            self._frame(self._at + begin, bytes(memoryview(self._held)[begin + _LENGTH_BYTES : end]))
            begin = end
        self._at += begin
        del self._held[:begin]
        self._give_up()

    def _give_up(self) -> None:
        """Behind a broken length nothing is held."""
        if self._lost:
            self.unread += len(self._held)
            self._held.clear()

    def finish(self) -> None:
        """The last byte was fed."""
        if self._held:
            self.fault("last_frame_cut", self._at)

    def _end(self, begin: int) -> int | None:
        """Where the frame that begins there ends; None while it is not whole."""
        if len(self._held) - begin < _LENGTH_BYTES:
            return None
        length = int.from_bytes(self._held[begin : begin + _LENGTH_BYTES], "big")
        if length > self.max:
            self.fault("length_over_limit", self._at + begin)
            self._lost = True
            return None
        end = begin + _LENGTH_BYTES + length
        return end if end <= len(self._held) else None

    def _frame(self, at: int, octets: bytes) -> None:
        if not octets.startswith(MAGIC):
            self.take(at, octets, False)  # noqa: FBT003 - the protocol of a callback has no names
            return
        try:
            text = self._expanded(octets)
        except Faulty as faulty:
            self.fault(f"frame_{faulty.fault}", at)
        else:
            if text is None:
                self.fault("document_over_limit", at)
            else:
                self.take(at, text, True)  # noqa: FBT003 - the same

    def _expanded(self, octets: bytes) -> bytes | None:
        """The text of one frame; None where it is longer than a document may be."""
        text = bytearray()
        for piece in decompressed(io.BytesIO(octets), "zstd"):
            text += piece
            if len(text) > self.max:
                return None
        return bytes(text)


class Whole:
    """A file that is one document; nothing of it is held once it is too long."""

    def __init__(self, take: TakeFrame, fault: Fault, document_max: int = DOCUMENT_MAX) -> None:
        """Begin at offset 0."""
        self.take = take
        self.fault = fault
        self.max = document_max
        self._held = bytearray()
        self._over = False

    def feed(self, octets: bytes) -> None:
        """Take the next bytes."""
        self._held += b"" if self._over else octets
        if len(self._held) > self.max:
            self._over = True
            self._held.clear()

    def finish(self) -> None:
        """The last byte was fed."""
        if self._over:
            self.fault("document_over_limit", 0)
        else:
            self.take(0, bytes(self._held), False)  # noqa: FBT003 - as above
