"""Where the frames of a Zstandard stream end: the decoder does not say that its input broke off.

- It reads headers and skips over blocks (RFC 8878, section 3); nothing is decoded or kept.
- What is no frame ends the walk: the decoder says what is wrong with it.
"""

from collections.abc import Generator

MAGIC = b"\x28\xb5\x2f\xfd"

_SKIPPABLE = b"\x2a\x4d\x18"
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_BYTES = (0, 2, 4, 8)
_RLE = 1
# A content size of two bytes counts from 256 (section 3.1.1.1.4).
_SHORT, _SHORT_BASE = 2, 256


class Frames:
    """Walks over the frames of a stream as its bytes come; `window_bytes` is the largest window asked for so far."""

    def __init__(self) -> None:
        """Begin before the first frame."""
        self.frames = 0
        self.window_bytes = 0
        self._inside = False
        self._held = b""
        self._steps = self._walk()
        self._want = next(self._steps)
        self._over = False

    @property
    def whole(self) -> bool:
        """True when the bytes so far end where a frame ends."""
        return self._over or (not self._inside and not self._held)

    def feed(self, octets: bytes) -> None:
        """Walk on."""
        octets = self._held + octets
        at = 0
        while not self._over and len(octets) - at >= abs(self._want):
            # A negative number of bytes is passed over without being looked at.
            taken = octets[at : at + self._want] if self._want > 0 else b""
            at += abs(self._want)
            self._step(taken)
        self._held = b"" if self._over else octets[at:]
        if self._want < 0 and not self._over:
            self._want += len(self._held)
            self._held = b""

    def _step(self, taken: bytes) -> None:
        try:
            self._want = self._steps.send(taken)
        except StopIteration:
            self._over = True

    def _walk(self) -> Generator[int, bytes, None]:
        """Yields how many bytes come next, negative to pass over them; is sent those that it wants to see."""
        while True:
            self._inside = False
            magic = yield 4
            self._inside = True
            if magic == MAGIC:
                yield from self._frame()
            elif magic[1:] == _SKIPPABLE and magic[0] >> 4 == 5:  # noqa: PLR2004 - 0x50 to 0x5F (section 3.1.2)
                size = yield 4
                yield from _pass(int.from_bytes(size, "little"))
            else:
                return
            self.frames += 1

    def _frame(self) -> Generator[int, bytes, None]:
        """Header, blocks, checksum (sections 3.1.1 to 3.1.1.2)."""
        descriptor = (yield 1)[0]
        single = bool(descriptor & 0x20)
        window = 0 if single else _window((yield 1)[0])
        yield from _pass(_DICTIONARY_BYTES[descriptor & 3])
        size = _CONTENT_BYTES[descriptor >> 6] or int(single)
        if size:
            content = int.from_bytes((yield size), "little")
            window = content + _SHORT_BASE * (size == _SHORT) if single else window
        self.window_bytes = max(self.window_bytes, window)
        last = False
        while not last:
            block = int.from_bytes((yield 3), "little")
            last = bool(block & 1)
            yield from _pass(1 if block >> 1 & 3 == _RLE else block >> 3)
        yield from _pass(4 if descriptor & 4 else 0)


def _pass(octets: int) -> Generator[int, bytes, None]:
    if octets:
        yield -octets


def _window(descriptor: int) -> int:
    """The window of that descriptor in bytes (section 3.1.1.1.2)."""
    base = 1 << (10 + (descriptor >> 3))
    return base + base // 8 * (descriptor & 7)
