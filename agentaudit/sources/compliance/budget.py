"""The pacing of requests: pure, in our own monotonic milliseconds.

- At most `requests_per_minute` over any longer stretch; after a pause at most one second's worth at once.
- The budget is the whole organisation's, its SIEM included: when less than a fifth remains, nothing is sent
  until the stated reset (compliance reference, section 1.2 and trap 21).
- The stated reset is the server's time; it is measured from the server's own Date, never from our clock.
"""

import re
from datetime import datetime
from email.utils import parsedate_to_datetime

from agentaudit.model.base import moment_of

RESERVE_PARTS = 5
HOLD_MAX_MS = 120_000
HOLD_UNDATED_MS = 15_000

_MINUTE_MS = 60_000
_PREFIX = "anthropic-ratelimit-requests-"
_COUNT = re.compile(r"[0-9]{1,9}\Z")


class Budget:
    """A bucket of tokens that fills with time, and a hold while the organisation's budget is nearly spent."""

    __slots__ = ("_burst", "_filled_ms", "_hold_until_ms", "_interval_ms", "_tokens")

    def __init__(self, requests_per_minute: int) -> None:
        """`requests_per_minute` is at least 1."""
        self._interval_ms = _MINUTE_MS / requests_per_minute
        self._burst = max(1.0, requests_per_minute / 60)
        self._tokens = self._burst
        self._filled_ms: int | None = None
        self._hold_until_ms: int | None = None

    def wait_ms(self, now_ms: int) -> int:
        """How long the next request must wait; 0 when it may go."""
        self._fill(now_ms)
        missing = 1.0 - self._tokens
        pace = 0 if missing <= 0 else int(missing * self._interval_ms) + 1
        hold = 0 if self._hold_until_ms is None else max(0, self._hold_until_ms - now_ms)
        return max(pace, hold)

    def spent(self, now_ms: int) -> None:
        """A request goes."""
        self._fill(now_ms)
        self._tokens -= 1.0

    def learn(self, headers: tuple[tuple[str, str], ...], now_ms: int) -> None:
        """Take what an answer says of the organisation's budget; what cannot be read changes nothing."""
        words = {name.lower(): text.strip() for name, text in headers}
        limit, remaining = words.get(f"{_PREFIX}limit", ""), words.get(f"{_PREFIX}remaining", "")
        if not _COUNT.match(limit) or not _COUNT.match(remaining):
            return
        if int(remaining) * RESERVE_PARTS >= int(limit):
            return
        hold_ms = _until_reset_ms(words.get(f"{_PREFIX}reset"), words.get("date"))
        self._hold_until_ms = max(self._hold_until_ms or 0, now_ms + hold_ms)

    def _fill(self, now_ms: int) -> None:
        if self._filled_ms is not None:
            gained = (now_ms - self._filled_ms) / self._interval_ms
            self._tokens = min(self._burst, self._tokens + max(0.0, gained))
        self._filled_ms = now_ms


def _until_reset_ms(reset: str | None, date: str | None) -> int:
    resets, dated = _moment(reset), _date(date)
    if resets is None or dated is None:
        return HOLD_UNDATED_MS
    return max(0, min(HOLD_MAX_MS, round((resets - dated).total_seconds() * 1_000)))


def _moment(text: str | None) -> datetime | None:
    try:
        return None if text is None else moment_of(text)
    except ValueError:
        return None


def _date(text: str | None) -> datetime | None:
    """The moment of an HTTP date; one without a zone is no moment (RFC 9110, section 5.6.7)."""
    try:
        dated = None if text is None else parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return None if dated is None or dated.tzinfo is None else dated
