"""The pacing of requests to the bridge: pure, in our own monotonic milliseconds.

- The bridge counts 240 requests in a fixed window of 60 seconds for each client, and says nothing of what remains.
- One request follows the other at an even distance, without a burst: so no window can hold more than was set.
"""

from typing import Final

MINUTE_MS: Final = 60_000


class EvenBudget:
    """At most `requests_per_minute`, evenly."""

    __slots__ = ("_due_ms", "_interval_ms")

    def __init__(self, requests_per_minute: int) -> None:
        """`requests_per_minute` is at least 1."""
        self._interval_ms = MINUTE_MS / requests_per_minute
        self._due_ms: float | None = None

    def wait_ms(self, now_ms: int) -> int:
        """How long the next request must wait; 0 when it may go."""
        missing = 0.0 if self._due_ms is None else self._due_ms - now_ms
        return int(missing) + 1 if missing > 0 else 0

    def spent(self, now_ms: int) -> None:
        """A request goes."""
        self._due_ms = now_ms + self._interval_ms

    def learn(self, headers: tuple[tuple[str, str], ...], now_ms: int) -> None:
        """An answer of the bridge says nothing of its budget."""
        del headers, now_ms
