"""OTLP documents in JSON that the fast reader refuses, read member by member into the same values.

- A member of another type is as if it were not there.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from agentaudit.adapters.otlp.values import (
    MOMENT_MAX,
    Attribute,
    Document,
    LogRecord,
    Resource,
    ResourceLogs,
    ScopeLogs,
    Value,
    integer_of,
)
from agentaudit.encoding.envelope import Raw
from agentaudit.encoding.foreign import Json, entries, mapping

T = TypeVar("T")
Members: TypeAlias = dict[str, Json]


def document_of(members: Members) -> Document:
    """The document that an object is; `is_known` is false for one of no signal."""
    return Document(
        resourceLogs=_each(members, "resourceLogs", _resource_logs),
        resourceMetrics=_each(members, "resourceMetrics", lambda _: Raw(b"{}")),
        resourceSpans=_each(members, "resourceSpans", lambda _: Raw(b"{}")),
    )


def _each(members: Members, key: str, read: Callable[[Members], T]) -> list[T] | None:
    """What is read of each object of an array; None where there is no array."""
    found = entries(members.get(key))
    return None if found is None else [read(one) for each in found if (one := mapping(each)) is not None]


def _resource_logs(members: Members) -> ResourceLogs:
    resource = mapping(members.get("resource"))
    return ResourceLogs(
        resource=None if resource is None else Resource(attributes=_each(resource, "attributes", _attribute)),
        scopeLogs=_each(members, "scopeLogs", _scope_logs),
    )


def _scope_logs(members: Members) -> ScopeLogs:
    return ScopeLogs(logRecords=_each(members, "logRecords", _record))


def _record(members: Members) -> LogRecord:
    body = mapping(members.get("body"))
    return LogRecord(
        timeUnixNano=_integer(members, "timeUnixNano"),
        observedTimeUnixNano=_integer(members, "observedTimeUnixNano"),
        eventName=_text(members, "eventName"),
        body=None if body is None else _value(body),
        attributes=_each(members, "attributes", _attribute),
        droppedAttributesCount=_integer(members, "droppedAttributesCount"),
    )


def _attribute(members: Members) -> Attribute:
    return Attribute(key=_text(members, "key") or "", value=_value(mapping(members.get("value")) or {}))


def _value(members: Members) -> Value:
    flag = members.get("boolValue")
    return Value(
        stringValue=_text(members, "stringValue"),
        intValue=_integer(members, "intValue"),
        boolValue=flag if isinstance(flag, bool) else None,
    )


def _text(members: Members, key: str) -> str | None:
    found = members.get(key)
    return found if isinstance(found, str) else None


def _integer(members: Members, key: str) -> int | None:
    """A number, or a decimal string; none of more than 64 bits."""
    found = members.get(key)
    if isinstance(found, str):
        found = integer_of(found)
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found if -MOMENT_MAX <= found <= MOMENT_MAX else None
