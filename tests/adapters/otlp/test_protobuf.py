"""Export requests in Protocol Buffers: the wire, the messages, and what does not add up."""

import pytest

from agentaudit.adapters.otlp.protobuf import read_document
from agentaudit.adapters.otlp.values import Attribute, Document, LogRecord, Value
from agentaudit.adapters.otlp.wire import BadWire, message_fields, signed, varint
from tests.support.telemetry import Sent, log, part, protobuf, read
from tests.support.telemetry import varint as written


def document(octets: bytes) -> Document:
    """The document that these bytes are."""
    return read_document(memoryview(octets))


def record(octets: bytes) -> LogRecord:
    """The record of a request that holds these bytes as one."""
    scopes = (document(part(1, part(2, part(2, octets)))).resourceLogs or [])[0].scopeLogs or []
    return (scopes[0].logRecords or [])[0]


@pytest.mark.parametrize(
    "octets",
    [b"\x80" * 11, b"\x0a\x05abc", b"\x09\x01\x02", b"\x0d\x01", b"\x00\x01", b"\x0b", b"\x0c", b"\x0a", b"\x0f\x00"],
)
def test_bytes_that_do_not_add_up_are_no_message(octets: bytes) -> None:
    """A number without an end, a field beyond its message, the number 0, groups, unused wire types."""
    with pytest.raises(BadWire):
        list(message_fields(memoryview(octets)))


def test_fields_come_in_their_order_with_their_raw_values() -> None:
    """Varints, fixed widths, bytes."""
    octets = b"\x08\x96\x01" + b"\x11" + (5).to_bytes(8, "little") + b"\x1d" + (6).to_bytes(4, "little") + b"\x22\x01a"
    assert [(number, kind, value if isinstance(value, int) else bytes(value)) for number, kind, value in
            message_fields(memoryview(octets))] == [(1, 0, 150), (2, 1, 5), (3, 5, 6), (4, 2, b"a")]  # fmt: skip
    assert varint(memoryview(written(2**63)), 0) == (2**63, 10)
    assert (signed(2**64 - 1), signed(1)) == (-1, 1)


def test_the_signals_are_told_apart_by_their_first_item() -> None:
    """A record's first field is a time, a span's an id of 16 bytes, a metric's a name."""
    span = part(1, part(2, part(2, part(1, bytes(16)))))
    metric = part(1, part(2, part(2, part(1, b"name"))))
    logs = part(1, part(2, part(2, b"\x11" + bytes(8))))
    empty = part(1, part(2, b""))
    assert len(document(span + empty).resourceSpans or []) == 2
    assert len(document(metric).resourceMetrics or []) == 1
    assert len(document(logs).resourceLogs or []) == 1
    assert len(document(empty).resourceLogs or []) == 1
    assert document(b"").resourceLogs == []
    with pytest.raises(BadWire):
        document(span + metric)
    with pytest.raises(BadWire):
        document(b"\x12\x00")
    found = read(len(span).to_bytes(4, "big") + span)
    assert found.tallies[0].counts["traces_documents"] == 1


def test_of_a_value_the_last_member_counts() -> None:
    """It is one of several; types that are not read make it empty, unknown fields do not."""

    def value(octets: bytes) -> Value:
        return (record(part(6, part(1, b"k") + part(2, octets))).attributes or [])[0].value

    text = part(1, b"x")
    assert value(text) == Value(stringValue="x")
    assert value(text + b"\x10\x01") == Value(boolValue=True)
    assert value(b"\x18" + written(-5)) == Value(intValue=-5)
    assert value(text + b"\x21" + bytes(8)) == Value()
    assert value(text + part(5, b"whatever")) == Value()
    assert value(text + part(9, b"new")) == Value(stringValue="x")
    assert value(b"") == Value()
    assert value(part(1, b"\xff")) == Value(stringValue="\udcff")


def test_fields_of_another_type_or_unknown_ones_are_passed_over() -> None:
    """In a record, and in an attribute."""
    odd = (
        b"\x08\x05" + part(3, b"severity") + b"\x10\x09" + b"\x38\x02" + part(12, b"claude_code.auth") + part(99, b"x")
    )
    found = record(odd + part(6, b"\x08\x01" + b"\x10\x01" + part(3, b"y")))
    assert found == LogRecord(attributes=[Attribute()], droppedAttributesCount=2, eventName="claude_code.auth")
    late = record(b"\x59" + (7).to_bytes(8, "little"))
    assert (late.timeUnixNano, late.observedTimeUnixNano) == (None, 7)


def test_a_request_of_several_events_is_read() -> None:
    """With its resource and its scope."""
    found = read(protobuf(Sent([log("user_prompt", 0), log("api_request", 1)])))
    assert [event.kind for event in found.events] == ["user_prompt", "api_request"]
    assert found.streams["service/000001"].producers == (("claude-code", "2.1.0", 2),)
