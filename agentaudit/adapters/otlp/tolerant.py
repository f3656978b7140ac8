"""OTLP documents in JSON that the fast reader refuses, read member by member into the same values.

- A member of another type is as if it were not there; what the fast reader takes, this one takes for the same value.
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from agentaudit.adapters.otlp.values import (
    Attribute,
    Document,
    LogRecord,
    Resource,
    ResourceLogs,
    ScopeLogs,
    Value,
)
from agentaudit.encoding.envelope import Raw, laxly
from agentaudit.encoding.foreign import Json, entries, mapping

T = TypeVar("T")
Members: TypeAlias = dict[str, Json]


def document_of(members: Members) -> Document:
    """The document that an object is; `is_known` is false for one of no signal."""
    return Document(
        resourceLogs=_each(members, "resourceLogs", _resource_logs),
        resourceMetrics=_counted(members, "resourceMetrics"),
        resourceSpans=_counted(members, "resourceSpans"),
    )


def _counted(members: Members, key: str) -> list[Raw] | None:
    """So many items as an array has, whatever they are; None where there is no array."""
    found = entries(members.get(key))
    return None if found is None else [Raw(b"{}") for _ in found]


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
    return Value(
        stringValue=_text(members, "stringValue"),
        intValue=_integer(members, "intValue"),
        boolValue=laxly(bool, members.get("boolValue")),
    )


def _text(members: Members, key: str) -> str | None:
    found = members.get(key)
    return found if isinstance(found, str) else None


def _integer(members: Members, key: str) -> int | None:
    """A whole number, or the text of one."""
    found = members.get(key)
    return None if isinstance(found, bool) else laxly(int, found)
