"""A time axis: where a moment lies, and which moments get a tick.

- Steps are ones that people count in: minutes, hours, days, weeks, months of thirty days, years.
- Ticks stand at whole steps in UTC.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

TICKS_MAX = 5

_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_STEPS = (
    _MINUTE, 5 * _MINUTE, 15 * _MINUTE, _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR, _DAY, 2 * _DAY, 7 * _DAY, 14 * _DAY,
    30 * _DAY, 91 * _DAY, 182 * _DAY, 365 * _DAY, 1826 * _DAY,
)  # fmt: skip
_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Axis:
    """A span of time between two places on paper."""

    begins: datetime
    ends: datetime
    left: float
    right: float

    def at(self, moment: datetime) -> float:
        """Where a moment lies; one outside lies at the nearer end."""
        share = (moment - self.begins) / (self.ends - self.begins)
        return self.left + (self.right - self.left) * min(1.0, max(0.0, share))

    def holds(self, moment: datetime) -> bool:
        """True for a moment on the axis."""
        return self.begins <= moment <= self.ends

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Places and labels, at most `TICKS_MAX` and one."""
        span = self.ends - self.begins
        step = next((one for one in _STEPS if span / one <= TICKS_MAX), span / TICKS_MAX)
        form = "%Y-%m-%d" if step >= _DAY else "%m-%d %H:%M"
        moment = _EPOCH + step * (-((_EPOCH - self.begins) // step))
        while moment <= self.ends:
            yield self.at(moment), moment.strftime(form)
            moment += step


def spanning(begins: datetime | None, ends: datetime | None, collected: datetime, left: float, right: float) -> Axis:
    """The axis over these times, and over the moment of collection where that does not squeeze the rest."""
    first, last = begins or collected, ends or collected
    if first <= collected <= last + (last - first) / 2:
        last = max(last, collected)
    margin = max((last - first) / 40, timedelta(minutes=1))
    return Axis(first - margin, last + margin, left, right)
