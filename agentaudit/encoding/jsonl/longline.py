"""A line that does not fit a slot: gathered once, without a second copy; beyond the limit only its length is kept."""

_WINDOW = 4_096


class LongLine:
    """The bytes of one line so far; `over` once there are more than the limit."""

    def __init__(self, limit: int) -> None:
        """Begin an empty line."""
        self.octets = bytearray()
        self.length = 0
        self._limit = limit

    @property
    def over(self) -> bool:
        """True when the line is beyond the limit, and its bytes are gone."""
        return self.length > self._limit

    def add(self, octets: bytes) -> None:
        """Add the bytes that follow."""
        self.length += len(octets)
        if self.over:
            self.octets = bytearray()
        else:
            self.octets += octets


def last_line_feed(slot: memoryview, begin: int, end: int) -> int:
    """Where the last line between the two places ends, its line feed included; `begin` when none does."""
    while end > begin:
        window = max(begin, end - _WINDOW)
        found = bytes(slot[window:end]).rfind(b"\n")
        if found >= 0:
            return window + found + 1
        end = window
    return begin
