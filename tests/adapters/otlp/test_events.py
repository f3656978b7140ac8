"""One record as an event: its name, its time, what is told of its attributes, what is shortened."""

import json

import pytest

from agentaudit.adapters.otlp.dialects import CLAUDE_CODE, CODEX, DIALECTS, agent_of
from agentaudit.adapters.otlp.events import event_of
from agentaudit.adapters.otlp.telling import Telling
from agentaudit.adapters.otlp.values import LogRecord, Value, flag_of, integer_of, number_of, octets_of
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, Place
from agentaudit.model.text import source_text
from tests.support.telemetry import BEGIN_MS, MS, Held, Log, Sent, log, own_json, read, stamp


def row(kind: str = "api_request", **attributes: Held) -> EventRow:
    """The row of one event of Claude Code."""
    more = {name.replace("__", "."): value for name, value in attributes.items()}
    return read(own_json(Sent([log(kind, 0, more=more)]))).events[0]


@pytest.mark.parametrize(
    ("body", "named", "kind", "known"),
    [
        ("claude_code.user_prompt", "user_prompt", "user_prompt", True),
        ("", "claude_code.user_prompt", "user_prompt", True),
        ("claude_code.user_prompt", None, "user_prompt", True),
        ("claude_code.of_tomorrow", None, "of_tomorrow", False),
        ("whatever a person wrote", None, "", False),
        ("oneword", None, "", False),
        ("user_prompt", None, "", False),
        ("", "a name with blanks", "", False),
        ("", "x" * 81, "", False),
        ("", None, "", False),
    ],
)
def test_an_event_is_named_by_its_attribute_or_its_body(body: str, named: str | None, kind: str, known: bool) -> None:
    """Bare or with the agent's prefix; what is not spelled like a name is none."""
    attributes = {"session.id": "a"} if named is None else {"session.id": "a", "event.name": named}
    found = read(own_json(Sent([Log(BEGIN_MS * MS, body, attributes)]))).events[0]
    assert found.kind == kind
    assert ("unknown_kind" in found.marks) is not known


def test_the_name_of_the_record_itself_is_taken_too() -> None:
    """OTLP has a member for it of late; Codex writes the place in its source there, which is no name."""
    assert event_of(CODEX, LogRecord(eventName="otel/src/events.rs:12", body=Value(stringValue="x"))).kind == ""
    assert event_of(CLAUDE_CODE, LogRecord(eventName="claude_code.compaction")).kind == "compaction"


def test_a_time_is_the_source_s_own() -> None:
    """Where it gives none the record's nanoseconds stand; where nothing says it there is none."""
    assert row().at == stamp(BEGIN_MS)
    plain = Log(5, "claude_code.auth", {"session.id": "a"})
    assert read(own_json(Sent([plain]))).events[0].at == "5"
    nothing = read(own_json(Sent([Log(0, "claude_code.auth", {"session.id": "a"})])))
    assert nothing.events[0].at is UNSET
    assert nothing.streams["session/000001"].first_at is UNSET
    assert nothing.streams["file/000001"].first_at is UNSET
    assert nothing.streams["file/000001"].last_at is UNSET
    beyond = event_of(CLAUDE_CODE, LogRecord(timeUnixNano=-5, observedTimeUnixNano=7))
    assert (beyond.moment, beyond.at) == (7, "7")
    assert event_of(CLAUDE_CODE, LogRecord(timeUnixNano=0, observedTimeUnixNano=7)).moment == 7


def test_a_time_in_foreign_letters_stands_as_it_is() -> None:
    """And not longer than a word may be."""
    assert row(event__timestamp="zwölf").at == "zwölf"
    long = row(event__timestamp="x" * 5_000).at
    assert isinstance(long, str)
    assert len(long) == 128


def test_ids_words_numbers_and_lengths_are_told_each_sorted_by_its_name() -> None:
    """Numbers come as integers or as text, truths as such or as text; content is told by its length only."""
    found = row(
        "tool_result", tool_use_id="t", request_id="r", success="true", tool_name="Bash", is_plugin=True,
        managed_only=False, duration_ms="93", tool_result_size_bytes=7, tool_input='{"ü":1}', made_up="x",
        attempt="no number", model="", prompt=5,
    )  # fmt: skip
    assert found.keys == (
        ("api_request", "r"), ("session", "00000000-0000-4000-8000-00000000000a"), ("tool_call", "t"),
    )  # fmt: skip
    assert found.words == (
        ("is_plugin", "true"), ("managed_only", "false"), ("success", "true"), ("tool_name", "Bash"),
    )  # fmt: skip
    assert found.numbers == (("duration_ms", 93), ("tool_input_bytes", 8), ("tool_result_size_bytes", 7))
    assert (found.order, found.marks) == (0, ())


def test_what_is_too_long_to_be_an_id_or_a_word_is_left_out_and_marked() -> None:
    """It could be anything."""
    found = row(tool_use_id="t" * 257, model="m" * 129, speed="s" * 128, request_id="r" * 256)
    assert dict(found.keys).keys() == {"session", "api_request"}
    assert dict(found.words).keys() == {"speed"}
    assert found.marks == ("word_over_limit",)


def test_foreign_letters_in_ids_and_words_are_told() -> None:
    """Text that cannot be UTF-8 is told as what it is."""
    octets = own_json(Sent([log("api_request", 0, model="müd", request_id="r@")])).replace(b"@", b"\\ud800")
    found = read(octets).events[0]
    assert dict(found.words)["model"] == "müd"
    assert dict(found.keys)["api_request"] == source_text("r\ud800")


def test_dropped_attributes_are_marked() -> None:
    """The producer says that it left some out."""
    one = log("api_request", 0)
    found = read(own_json(Sent([Log(one.moment, one.body, one.attributes, 2)])))
    assert found.events[0].marks == ("dropped_attributes",)
    assert found.found("session/000001")["events_dropped_attributes"] == 1


def test_shortened_content_is_told_with_its_basis() -> None:
    """By the vendor's suffix at the end, or by a flag; a suffix inside is text."""
    cut = "x" * 50 + "\n\n[TRUNCATED - Content exceeds 60KB limit]"
    found = read(
        own_json(
            Sent([
                log("assistant_response", 0, response=cut),
                log("api_response_body", 1, body=cut, body_truncated="true"),
                log("api_request_body", 2, body_truncated=True),
                log("assistant_response", 3, response=cut + "y" * 200),
                log("api_request_body", 4, body="b", body_truncated="false"),
                log("assistant_response", 5, response=7),
            ])
        )
    )  # fmt: skip
    assert ["cut" in event.marks for event in found.events] == [True, True, True, False, False, False]
    assert [(one.block_type, one.basis, one.kept_bytes, one.pointer[-1]) for one in found.ledger.clipped()] == [
        ("response", ("suffix",), len(cut), "0"), ("body", ("flag",), len(cut), "1"), ("body", ("flag",), 0, "2"),
    ]  # fmt: skip
    assert list(found.ledger.clipped()) == []


def test_shortened_output_of_codex_is_told_by_its_flag() -> None:
    """Output and response of one event are told apart."""
    attributes: dict[str, Held] = {
        "conversation.id": "c", "event.name": "codex.tool_result", "output": "abc", "output_truncated": True,
        "response": "[TRUNCATED",
    }  # fmt: skip
    found = read(own_json(Sent([Log(BEGIN_MS * MS, "", attributes)], {"service.name": "codex_cli_rs"})))
    assert [(one.block_type, one.basis) for one in found.ledger.clipped()] == [
        ("output", ("flag",)), ("response", ("suffix",)),
    ]  # fmt: skip


def test_sets_of_names_beyond_the_bound_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that makes up attributes does not fill the memory, and is told all the same."""
    monkeypatch.setattr("agentaudit.adapters.otlp.telling._SETS_MAX", 2)
    telling = Telling(CLAUDE_CODE)
    place = Place(item="data/1")
    for number in range(9):
        event = event_of(CLAUDE_CODE, LogRecord())
        event.fields = {f"made.up.{number % 4}": Value(stringValue="x"), "model": Value(stringValue="m")}
        assert telling.row(event, "session/000001", place, None, set()).words == (("model", "m"),)


def test_no_two_attributes_of_a_dialect_are_told_under_one_name() -> None:
    """So that what is told of an event has one value for each name."""
    for dialect in DIALECTS:
        names = [name for _, name in dialect.told.values()]
        assert len(names) == len(set(names))
        assert all(dialect.told[name][0] == "key" for name in dialect.keys)


def test_a_service_is_one_of_our_agents_by_how_its_name_begins() -> None:
    """Any other is none."""
    assert agent_of("claude-code-desktop") is CLAUDE_CODE
    assert agent_of("codex_cli_rs") is CODEX
    assert agent_of("claude") is None
    assert agent_of("") is None


def test_numbers_and_truths_are_read_in_either_spelling() -> None:
    """Only digits make a number of a text, and no more of them than 64 bits have."""
    assert [integer_of(text) for text in ("12", "-3", "", "-", "1.5", "+1", "٣", "9" * 21)] == [
        12, -3, None, None, None, None, None, None,
    ]  # fmt: skip
    assert number_of(None) is None
    assert number_of(Value(intValue=2**53)) is None
    assert number_of(Value(stringValue="x")) is None
    assert number_of(Value()) is None
    assert flag_of(None) is None
    assert flag_of(Value(boolValue=False)) is False
    assert flag_of(Value(stringValue="true")) is True
    assert flag_of(Value(stringValue="yes")) is None
    assert octets_of("aü") == 3


def test_the_slower_reader_reads_the_same() -> None:
    """Members of another type are as if they were not there; nothing of the rest is lost."""
    document = json.loads(own_json(Sent([log("tool_result", 3, duration_ms="9", success=True, tool_name="Bash")])))
    record = document["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]
    fast = read(json.dumps(document).encode())
    record["traceId"] = "\ud800"
    document["resourceLogs"].append(7)
    document["resourceLogs"].append({"resource": 5, "scopeLogs": [{"logRecords": "x"}, {}, {"scope": 3}]})
    document["resourceLogs"][0]["resource"]["attributes"].append({"key": 3, "value": 4})
    record["attributes"] += [{}, {"key": "model"}, {"key": "speed", "value": {"stringValue": 7, "boolValue": "no"}}]
    record["attributes"].append({"key": "attempt", "value": {"intValue": "7"}})
    record["attributes"].append({"key": "status_code", "value": {"intValue": 2**64}})
    record["attributes"].append({"key": "total_attempts", "value": {"intValue": True}})
    record["droppedAttributesCount"] = "1"
    slow = read(json.dumps(document).encode())
    (ours,), (theirs,) = slow.events, fast.events
    assert (ours.kind, ours.at, ours.order, ours.words, ours.keys) == (
        theirs.kind, theirs.at, theirs.order, theirs.words, theirs.keys,
    )  # fmt: skip
    assert ours.numbers == (("attempt", 7), *theirs.numbers)
    assert ours.marks == ("dropped_attributes",)
    record["body"], record["attributes"] = 5, None
    nothing = read(json.dumps(document).encode())
    assert nothing.events[0].stream == "service/000001"
