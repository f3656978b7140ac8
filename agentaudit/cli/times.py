"""Instants as an investigator types them; what was understood is always UTC.

- Three forms: RFC 3339 with an offset, a UTC date, a duration back from now (`7d`, `36h`, `90m`).
- A date is its start, or its end (the start of the next day) where it closes a window.
- A time without an offset is refused: it has no place in time.
"""

import re
from datetime import UTC, datetime, timedelta

from agentaudit.errors import UsageFault

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
_BACK = re.compile(r"([1-9]\d{0,5})([dhm])\Z", re.ASCII)
_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,6})?([Zz]|[+-]\d{2}:\d{2})?\Z", re.ASCII)
_UNITS = {"d": "days", "h": "hours", "m": "minutes"}
_FORMS = "give RFC 3339 with an offset (2026-03-01T09:00:00+01:00), a UTC date (2026-03-01), or 7d, 36h, 90m"


def understood(option: str, text: str, now: datetime, *, closes: bool) -> datetime:
    """The aware moment in UTC that `text` means; `closes` when it ends a window.

    Raises `UsageFault` that names the option, never guesses.
    """
    try:
        moment = _moment(text, now, closes=closes)
        if moment.tzinfo is not None:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageFault(f"{option}: {text!r} is no time that this program reads", _FORMS) from None
    raise UsageFault(f"{option}: {text!r} has no offset, so it has no place in time", _FORMS)


def _moment(text: str, now: datetime, *, closes: bool) -> datetime:
    if back := _BACK.match(text):
        return now - timedelta(**{_UNITS[back.group(2)]: int(back.group(1))})
    if _DATE.match(text):
        start = datetime.fromisoformat(text).replace(tzinfo=UTC)
        return start + timedelta(days=1) if closes else start
    if _STAMP.match(text):
        return datetime.fromisoformat(text.upper())
    raise ValueError("no form of time")
