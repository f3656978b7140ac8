"""The messages of OTLP logs, as far as they are read: one set of values, whatever the encoding was.

- Every member has a default; what is not named here is passed over (OTLP 1.x; the JSON mapping of proto3).
- Of values only texts, integers and truths are read: nothing that is told of an event is of another type.
- An integer is a number, also where JSON has it as a decimal string. One of more than 64 bits is as if it were not
  there: not every reader gets it whole.
- Traces and metrics are only counted: their parts stay bytes.
"""

from typing import Final, TypeAlias

import msgspec

from agentaudit.encoding.envelope import Raw

EXACT_MAX: Final = 2**53 - 1
UNSIGNED_MAX: Final = 2**64 - 1
SIGNED_MIN: Final = -(2**63)


class Value(msgspec.Struct, gc=False):
    """AnyValue: at most one member is set, none for a type that is not read."""

    stringValue: str | None = None  # noqa: N815 - the names of the JSON mapping
    intValue: int | None = None  # noqa: N815
    boolValue: bool | None = None  # noqa: N815


class Attribute(msgspec.Struct, gc=False):
    """KeyValue; one without a value has one of no type that is read."""

    key: str = ""
    value: Value = msgspec.field(default_factory=Value)


class Resource(msgspec.Struct, gc=False):
    """Who sent it."""

    attributes: list[Attribute] | None = None


class LogRecord(msgspec.Struct, gc=False):
    """LogRecord; times in nanoseconds since 1970, zero where unknown."""

    timeUnixNano: int | None = None  # noqa: N815
    observedTimeUnixNano: int | None = None  # noqa: N815
    eventName: str | None = None  # noqa: N815
    body: Value | None = None
    attributes: list[Attribute] | None = None
    droppedAttributesCount: int | None = None  # noqa: N815


class ScopeLogs(msgspec.Struct, gc=False):
    """The records of one scope."""

    logRecords: list[LogRecord] | None = None  # noqa: N815


class ResourceLogs(msgspec.Struct, gc=False):
    """The scopes of one resource."""

    resource: Resource | None = None
    scopeLogs: list[ScopeLogs] | None = None  # noqa: N815


class Document(msgspec.Struct, gc=False):
    """One export request, or one line of a file exporter: logs, or something else that is only counted."""

    resourceLogs: list[ResourceLogs] | None = None  # noqa: N815
    resourceMetrics: list[Raw] | None = None  # noqa: N815
    resourceSpans: list[Raw] | None = None  # noqa: N815

    @property
    def is_known(self) -> bool:
        """True when it is of one of the three signals."""
        return not (self.resourceLogs is None and self.resourceMetrics is None and self.resourceSpans is None)


Fields: TypeAlias = dict[str, Value]


def fields_of(attributes: list[Attribute] | None) -> Fields:
    """The attributes by key; of a key that stands twice the last counts."""
    return {one.key: one.value for one in attributes} if attributes else {}


def text_of(value: Value | None) -> str | None:
    """The text of a string value; None for any other."""
    return None if value is None else value.stringValue


def integer_of(text: str) -> int | None:
    """The integer that a text of ASCII digits is; None for any other, and for more digits than 64 bits have."""
    digits = text.removeprefix("-")
    return int(text) if len(digits) <= _DIGITS_MAX and digits.isascii() and digits.isdecimal() else None


def number_of(value: Value | None) -> int | None:
    """A whole number, whether it was sent as an integer or as text; None beyond 2^53-1, or for anything else."""
    if value is None:
        return None
    found = value.intValue
    if found is None or not SIGNED_MIN <= found <= UNSIGNED_MAX:
        found = integer_of(value.stringValue or "")
        if found is None:
            return None
    return found if -EXACT_MAX <= found <= EXACT_MAX else None


def flag_of(value: Value | None) -> bool | None:
    """A truth, whether it was sent as one or as the word; None for anything else."""
    if value is None:
        return None
    if value.boolValue is not None:
        return value.boolValue
    return _FLAGS.get(value.stringValue or "")


def octets_of(text: str) -> int:
    """The length in bytes of a text in UTF-8, lone surrogates counted as they would be written."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


_DIGITS_MAX: Final = 20
_FLAGS: Final = {"true": True, "false": False}
