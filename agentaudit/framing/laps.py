"""How the laps of a child come to the holder: pickled, several at once, through a pipe that tells its end too.

- A child sends its laps in order, and says with the last that it was the last.
- The holder takes what is there, and waits for more only at the end, and not longer than the patience.
"""

import os
import pickle
import struct
from collections.abc import Iterator

from agentaudit.framing.runner import Lap
from agentaudit.framing.turns import Lost, Wait

_LENGTH = struct.Struct("=Q")
_TOGETHER = 8
_TAKEN_BYTES = 1024 * 1024


class Outbox:
    """A child's end: laps are gathered and sent; blocks while the holder does not take them."""

    def __init__(self, pipe: int) -> None:
        """Take the writing end."""
        self._pipe = pipe
        self._laps: list[Lap] = []

    def give(self, lap: Lap) -> None:
        """Send it, sooner or later."""
        self._laps.append(lap)
        if len(self._laps) == _TOGETHER:
            self._send(last=False)

    def end(self) -> None:
        """Send what is left, as the last."""
        self._send(last=True)

    def _send(self, *, last: bool) -> None:
        octets = pickle.dumps((self._laps, last))
        self._laps = []
        left = memoryview(_LENGTH.pack(len(octets)) + octets)
        while left:
            left = left[os.write(self._pipe, left) :]


class Inbox:
    """The holder's end of a child's pipe."""

    def __init__(self, pipe: int, patience_s: float) -> None:
        """Take the reading end, which blocks nobody from now on."""
        os.set_blocking(pipe, False)
        self._pipe = pipe
        self._wait = Wait(pipe, (), patience_s)
        self._octets = bytearray()
        self._ended = False

    def waiting(self) -> Iterator[Lap]:
        """What is there by now; raises `Lost` when the child is gone before its last lap."""
        while not self._ended:
            try:
                octets = os.read(self._pipe, _TAKEN_BYTES)
            except BlockingIOError:
                return
            if not octets:
                raise Lost
            self._octets += octets
            yield from self._whole()

    def rest(self) -> Iterator[Lap]:
        """Everything up to the last lap; raises `Lost`, also when nothing comes for too long."""
        yield from self.waiting()
        while not self._ended:
            self._wait.ready()
            yield from self.waiting()

    def _whole(self) -> Iterator[Lap]:
        """The laps of each message that is there as a whole."""
        while len(self._octets) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._octets)
            end = _LENGTH.size + length
            if len(self._octets) < end:
                return
            # From a child of our own, through a pipe that nobody else writes to.
            laps, self._ended = pickle.loads(self._octets[_LENGTH.size : end])  # noqa: S301
            del self._octets[:end]
            yield from laps
