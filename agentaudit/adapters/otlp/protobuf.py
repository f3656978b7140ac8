"""OTLP export requests in Protocol Buffers, read into the same values as their JSON (opentelemetry-proto, 1.x).

- Field numbers are those of logs/v1, common/v1 and resource/v1; unknown fields are passed over.
- All three signals begin alike (resources, scopes, items): the first item tells which one it is.
- A message that does not add up is `BadWire`; what nests in a value that is not read is not looked at.
"""

from typing import Final, Literal, TypeAlias

from agentaudit.adapters.otlp.values import (
    Attribute,
    Document,
    LogRecord,
    Resource,
    ResourceLogs,
    ScopeLogs,
    Value,
)
from agentaudit.adapters.otlp.wire import FIXED64, LENGTH, BadWire, message_fields, signed
from agentaudit.encoding.envelope import Raw

Signal: TypeAlias = Literal["logs", "metrics", "traces"]

_TRACE_ID_BYTES: Final = 16


def read_document(octets: memoryview) -> Document:
    """One export request; metrics and traces as so many resources; raises `BadWire`."""
    resources = _parts(octets, 1)
    if octets and not resources:
        raise BadWire("a request holds no resource and is not empty")
    signals = {found for one in resources if (found := _signal(one)) is not None}
    if len(signals) > 1:
        raise BadWire("a message holds several signals")
    for signal in signals - {"logs"}:
        raws = [Raw(b"{}") for _ in resources]
        return Document(resourceMetrics=raws) if signal == "metrics" else Document(resourceSpans=raws)
    return Document(resourceLogs=[_resource_logs(one) for one in resources])


def _parts(octets: memoryview, wanted: int) -> list[memoryview]:
    return [value for number, _, value in message_fields(octets) if number == wanted and isinstance(value, memoryview)]


def _signal(resource: memoryview) -> Signal | None:
    """What the first item of a resource is; None where there is no item."""
    for scope in _parts(resource, 2):
        for item in _parts(scope, 2):
            return _signal_of_item(item)
    return None


def _signal_of_item(item: memoryview) -> Signal:
    """A log record's field 1 is a time, a span's an id of 16 bytes, a metric's a name."""
    for number, kind, value in message_fields(item):
        if number == 1 and kind == LENGTH and isinstance(value, memoryview):
            return "traces" if len(value) == _TRACE_ID_BYTES else "metrics"
    return "logs"


def _resource_logs(octets: memoryview) -> ResourceLogs:
    found = ResourceLogs(scopeLogs=[_scope_logs(one) for one in _parts(octets, 2)])
    for one in _parts(octets, 1):
        found.resource = Resource(attributes=[_attribute(part) for part in _parts(one, 1)])
    return found


def _scope_logs(octets: memoryview) -> ScopeLogs:
    return ScopeLogs(logRecords=[_record(one) for one in _parts(octets, 2)])


def _record(octets: memoryview) -> LogRecord:
    found = LogRecord()
    attributes: list[Attribute] = []
    for number, kind, value in message_fields(octets):
        if isinstance(value, int):
            _set_number(found, number, kind, value)
        elif number == 6:  # noqa: PLR2004 - attributes
            attributes.append(_attribute(value))
        elif number == 5:  # noqa: PLR2004 - body
            found.body = _value(value)
        elif number == 12:  # noqa: PLR2004 - event_name
            found.eventName = _text(value)
    found.attributes = attributes
    return found


def _set_number(record: LogRecord, number: int, kind: int, value: int) -> None:
    if kind == FIXED64 and number == 1:
        record.timeUnixNano = value
    elif kind == FIXED64 and number == 11:  # noqa: PLR2004 - observed_time_unix_nano
        record.observedTimeUnixNano = value
    elif number == 7:  # noqa: PLR2004 - dropped_attributes_count
        record.droppedAttributesCount = value


def _attribute(octets: memoryview) -> Attribute:
    found = Attribute()
    for number, _, value in message_fields(octets):
        if number == 1 and isinstance(value, memoryview):
            found.key = _text(value)
        elif number == 2 and isinstance(value, memoryview):  # noqa: PLR2004 - value
            found.value = _value(value)
    return found


def _value(octets: memoryview) -> Value:
    """AnyValue, a oneof: the last member counts."""
    found = Value()
    for number, _, value in message_fields(octets):
        match number, value:
            case 1, memoryview():
                found = Value(stringValue=_text(value))
            case 2, int():
                found = Value(boolValue=bool(value))
            case 3, int():
                found = Value(intValue=signed(value))
            case 4 | 5 | 6 | 7, _:
                found = Value()
            case _:
                pass
    return found


def _text(octets: memoryview) -> str:
    """A string; bytes that are no UTF-8 are kept as lone surrogates."""
    return str(octets, "utf-8", "surrogateescape")
