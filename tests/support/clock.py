"""A clock that tests move."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

BEGIN = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)


@dataclass
class StillClock:
    """Stands still until it is moved; `steps_ms` moves it a little at every look."""

    moment: datetime = BEGIN
    steps_ms: int = 0
    millis: int = field(default=1_000)

    def now(self) -> datetime:
        """The aware moment."""
        self.moment += timedelta(milliseconds=self.steps_ms)
        return self.moment

    def monotonic_ms(self) -> int:
        """Milliseconds that never step back; waiting code that looks again sees time pass."""
        self.millis += max(self.steps_ms, 1)
        return self.millis

    def move(self, **amount: float) -> None:
        """Let time pass: keywords of timedelta."""
        step = timedelta(**amount)
        self.moment += step
        self.millis += round(step.total_seconds() * 1000)
