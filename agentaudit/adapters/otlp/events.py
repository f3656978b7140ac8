"""One log record of an agent as an event: its kind, its time, its attributes, and what of them is shortened.

- A name is a name: an event's kind that is not spelled like one is left out.
- A time is the source's own; where it gives none the record's time in nanoseconds stands, as a decimal number.
"""

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from agentaudit.adapters.otlp.dialects import Dialect
from agentaudit.adapters.otlp.values import UNSIGNED_MAX, Fields, LogRecord, fields_of, octets_of, text_of

_NAME: Final = re.compile(r"[A-Za-z0-9_.:/-]{1,80}\Z", re.ASCII)
_CUT: Final = "[TRUNCATED"
_CUT_WITHIN: Final = 128
_CUTTABLE: Final = ("response", "body")
_FLAGS: Final = {"body_truncated": "body", "output_truncated": "output"}


class Event(msgspec.Struct, gc=False):
    """A record as its session sees it.

    `moment` is nanoseconds since 1970, 0 where nothing says it; `at` is empty there. `kind` is empty where the record
    has no name that is one.
    """

    kind: str
    known: bool
    at: str
    moment: int
    fields: Fields
    dropped: int


def event_of(dialect: Dialect, record: LogRecord) -> Event:
    """The event that a record of an agent is."""
    fields = fields_of(record.attributes)
    named = fields.get("event.name")
    kind = (None if named is None else named.stringValue) or _prefixed(dialect, record)
    known = kind in dialect.kinds
    if not known:
        kind = _spelled(dialect, kind)
        known = kind in dialect.kinds
    moment = record.timeUnixNano or 0
    # Nearly every record has one that is one: a call for each costs a twentieth of the reading.
    if not 0 < moment <= UNSIGNED_MAX:
        moment = _within(record.observedTimeUnixNano)
    stamped = fields.get("event.timestamp")
    at = (None if stamped is None else stamped.stringValue) or (str(moment) if moment else "")
    dropped = record.droppedAttributesCount
    return Event(kind, known, at, moment, fields, _within(dropped) if dropped else 0)


def _within(number: int | None) -> int:
    """An unsigned number of 64 bits; 0 where there is none, or another."""
    return number if number is not None and 0 < number <= UNSIGNED_MAX else 0


def _prefixed(dialect: Dialect, record: LogRecord) -> str:
    """The name in the record or its body, where it has the agent's prefix: without one either could be anything."""
    for name in (record.eventName, text_of(record.body)):
        if name is not None and name.startswith(dialect.prefix):
            return name
    return ""


def _spelled(dialect: Dialect, name: str) -> str:
    """The bare name; empty for what is not spelled like one."""
    kind = name.removeprefix(dialect.prefix)
    return kind if _NAME.match(kind) else ""


def clippings(fields: Fields) -> Iterator[tuple[str, str, int]]:
    """Each attribute that is shortened: its name, how that is known (`suffix`, `flag`), the bytes that are here."""
    flagged = set()
    for flag, name in _FLAGS.items():
        value = fields.get(flag)
        if value is not None and (value.boolValue or value.stringValue == "true"):
            flagged.add(name)
            yield name, "flag", octets_of(text_of(fields.get(name)) or "")
    for name in _CUTTABLE:
        text = text_of(fields.get(name))
        if text and name not in flagged and _CUT in text[-_CUT_WITHIN:]:
            yield name, "suffix", octets_of(text)


def may_be_clipped(fields: Fields) -> bool:
    """True when an attribute is here that can be shortened, or that says so."""
    return "response" in fields or "body" in fields or "body_truncated" in fields or "output_truncated" in fields
