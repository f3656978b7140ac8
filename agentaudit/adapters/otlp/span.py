"""The first and the last time of events, in whatever order they come."""

from agentaudit.adapters.otlp.values import UNSIGNED_MAX


class Span:
    """Compared by nanoseconds, told in the source's own words; empty before the first event that has a time."""

    __slots__ = ("first", "first_at", "last", "last_at")

    def __init__(self) -> None:
        """Nothing was met."""
        self.first, self.last = UNSIGNED_MAX + 1, 0
        self.first_at = self.last_at = ""

    @property
    def met(self) -> bool:
        """True once an event had a time."""
        return self.last > 0

    def meet(self, moment: int, at: str) -> None:
        """Widen the span; a moment of 0 is none."""
        if moment > self.last:
            self.last, self.last_at = moment, at
        if 0 < moment < self.first:
            self.first, self.first_at = moment, at
