"""A text of any size cut into its lines, chunk by chunk; a line over the bound is passed over and counted."""

from collections.abc import Callable

LINE_MAX_BYTES = 64 * 1024 * 1024


class LineCutter:
    """Cuts chunks into lines without their line feeds; a line over the bound is passed over, not kept in memory."""

    def __init__(self, take: Callable[[bytes], None], lose: Callable[[], None] = lambda: None) -> None:
        """`take` is given each whole line that is not empty, `lose` is called for each that is passed over."""
        self._take = take
        self._lose = lose
        self._rest = bytearray()
        self._lost = False

    def feed(self, chunk: memoryview | bytes) -> None:
        """Take the next bytes."""
        first, *lines = bytes(chunk).split(b"\n")
        if not lines:
            self._keep(first)
            return
        self._line(first)
        take = self._take
        for line in lines[:-1]:
            if line:
                take(line)
        self._keep(lines[-1])

    def finish(self) -> None:
        """The last line may have no line feed."""
        self._line(b"")

    def _line(self, tail: bytes) -> None:
        """The end of a line, whose beginning may lie in the chunks before."""
        lost, rest = self._lost or len(self._rest) + len(tail) > LINE_MAX_BYTES, self._rest
        line = bytes(rest) + tail if rest and not lost else tail
        self._rest, self._lost = bytearray(), False
        if lost:
            self._lose()
        elif line:
            self._take(line)

    def _keep(self, tail: bytes) -> None:
        if len(self._rest) + len(tail) > LINE_MAX_BYTES:
            self._rest, self._lost = bytearray(), True
        elif not self._lost:
            self._rest += tail
