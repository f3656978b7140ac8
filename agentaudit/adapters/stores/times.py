"""The times that records state: the least, the greatest, and how the order of the file goes back in time.

- They are the clock of whoever wrote the record, and say nothing about the times of a file.
- A time without an offset, or at the ends of the calendar, has no place in time and is counted as untimed.
"""

from datetime import datetime
from typing import Final

from agentaudit.model.base import Instant, instant_of

_YEAR_FIRST: Final = 2
_YEAR_LAST: Final = 9998


class Times:
    """The least and greatest time of records, and how often the order of the file goes back in time."""

    __slots__ = ("_first", "_last", "_previous", "reversals", "untimed")

    def __init__(self) -> None:
        self.untimed = 0
        self.reversals = 0
        self._first: datetime | None = None
        self._last: datetime | None = None
        self._previous: datetime | None = None

    def see(self, timestamp: str | None) -> None:
        """One record's timestamp; one without an offset has no place in time."""
        try:
            moment = datetime.fromisoformat(timestamp or "")
        except ValueError:
            self.untimed += 1
            return
        if moment.tzinfo is None or not _YEAR_FIRST <= moment.year <= _YEAR_LAST:
            self.untimed += 1
            return
        if self._first is None or self._last is None or self._previous is None:
            self._first = self._last = moment
        elif moment < self._previous:
            self.reversals += 1
            self._first = min(self._first, moment)
        elif moment > self._last:
            self._last = moment
        self._previous = moment

    @property
    def first(self) -> Instant | None:
        """The least time."""
        return None if self._first is None else instant_of(self._first)

    @property
    def last(self) -> Instant | None:
        """The greatest time."""
        return None if self._last is None else instant_of(self._last)
