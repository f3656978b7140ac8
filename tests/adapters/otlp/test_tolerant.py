"""The two readers of OTLP in JSON: what the fast one takes, the tolerant one takes for the same."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.otlp.dialects import CLAUDE_CODE
from agentaudit.adapters.otlp.events import event_of
from agentaudit.adapters.otlp.tolerant import document_of
from agentaudit.adapters.otlp.values import SIGNED_MIN, UNSIGNED_MAX, Document, LogRecord, Value, number_of
from agentaudit.encoding.envelope import Envelopes
from agentaudit.encoding.foreign import decode, mapping
from tests.support.interpreters import DEEP_STACK, SHALLOW_STACK, stack_of
from tests.support.telemetry import Sent, log, own_json, read

FAST = Envelopes(Document, lax=True)
WORDS = (
    '"x"', '""', '"true"', '"TRUE"', '"1"', '"0"', '"on"', '"null"', "1", "0", "2", "-1", "1.0", "1.5", "1e2", "true",
    "false", "null", '"12"', '"-12"', '"012"', '"+1"', '" 12"', '"1.0"', '"1e3"', '"99999999999999999999"', "{}", "[]",
    "18446744073709551615", "18446744073709551616", "-9223372036854775809", '"18446744073709551616"', '"\\ud83d"',
    '"naïve"', "1E400", "-0", '"-0"', "9.3e18", "9" * 300, "9" * 5_000, '"' + "9" * 5_000 + '"', "[1]", '[{"key":1}]',
    '{"stringValue":"x"}', '[{"key":"a"}]', '[{"key":"a","value":null}]', "[null]", '[{"value":{"intValue":"7"}}]',
)  # fmt: skip
PLACES = (
    '{"resourceLogs":%s}', '{"resourceMetrics":%s}', '{"resourceSpans":%s}', '{"resourceLogs":[%s]}',
    '{"resourceLogs":[{"resource":%s}]}', '{"resourceLogs":[{"resource":{"attributes":%s}}]}',
    '{"resourceLogs":[{"scopeLogs":%s}]}', '{"resourceLogs":[{"scopeLogs":[{"logRecords":%s}]}]}',
    *(
        '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"' + name + '":%s}]}]}]}'
        for name in (
            "timeUnixNano", "observedTimeUnixNano", "eventName", "body", "attributes", "droppedAttributesCount",
            "other",
        )
    ),
    *(
        '{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"' + name + '":%s}}]}]}]}'
        for name in ("stringValue", "intValue", "boolValue", "arrayValue")
    ),
)  # fmt: skip


def plain(item: object) -> object:
    """What a document says: no numbers beyond 64 bits, and of what is only counted no bytes."""
    if isinstance(item, list):
        return [plain(one) for one in item]
    if isinstance(item, int) and not isinstance(item, bool) and not SIGNED_MIN <= item <= UNSIGNED_MAX:
        return None
    if hasattr(item, "__struct_fields__"):
        return [plain(getattr(item, name)) for name in item.__struct_fields__]
    return item if isinstance(item, str | int | None) else "counted"


@given(st.sampled_from(PLACES), st.sampled_from(WORDS))
def test_what_the_fast_reader_takes_the_tolerant_one_takes_for_the_same(place: str, word: str) -> None:
    """Which of them read a document is never seen in what it says."""
    text = (place % word).encode()
    fast = FAST.read(text)
    if fast is not None:
        assert plain(fast) == plain(document_of(mapping(decode(text)) or {}))


@pytest.mark.parametrize("depth", [40, 200, 300, 900, 1_100, 2_000])
def test_what_nests_deep_is_read_the_same_by_every_interpreter(depth: int) -> None:
    """An attribute that one stack has room for and another has not changes neither events nor counts."""
    text = own_json(Sent([log("api_request", 0, more={"deep": "@"})]))
    nested = b'{"arrayValue":{"values":[' * depth + b'{"stringValue":"x"}' + b"]}}" * depth
    text = text.replace(b'{"stringValue":"@"}', nested)
    assert nested in text
    found = []
    for room in (SHALLOW_STACK, DEEP_STACK):
        with stack_of(room):
            one = read(text)
        found.append((one.events, sorted(one.streams.items()), one.faults, one.tallies[0].counts))
    assert all(one == other for one, other in pairwise(found))
    assert len(found[0][0]) == 1


@pytest.mark.parametrize("number", [UNSIGNED_MAX + 1, 10**30, -1, 0, None])
def test_a_number_of_more_than_64_bits_is_as_if_it_were_not_there(number: int | None) -> None:
    """Not every reader gets it whole: a time gives way to the other one, a count says nothing, a value is its text."""
    event = event_of(CLAUDE_CODE, LogRecord(timeUnixNano=number, observedTimeUnixNano=7, droppedAttributesCount=number))
    assert (event.moment, event.dropped) == (7, 0)
    assert event_of(CLAUDE_CODE, LogRecord(timeUnixNano=number)).moment == 0
    assert event_of(CLAUDE_CODE, LogRecord(timeUnixNano=UNSIGNED_MAX)).moment == UNSIGNED_MAX
    if number is not None and number > 0:
        assert number_of(Value(intValue=number, stringValue="12")) == number_of(Value(stringValue="12")) == 12
