"""The form of a file is told by its bytes: what is not OTLP is named, kept and not read."""

import json

import pytest

from agentaudit.adapters.otlp.forms import json_form, named_form, shape_of
from tests.support.telemetry import Sent, collector_json, log, own_json, pretty_json, read

CONSOLE = b"""{
  resource: {
    attributes: {
      'service.name': 'claude-code',
    },
  },
  timestamp: 1795993258505000,
  body: 'claude_code.user_prompt',
  severityNumber: undefined,
}
"""

OTHERS: list[tuple[str, bytes]] = [
    ("console_text", CONSOLE),
    ("console_text", b"a line before it\n" + CONSOLE),
    ("elasticsearch", b'{"@timestamp":"2026-01-01T00:00:00Z","body":{"text":"x"},"attributes":{}}\n'),
    ("elasticsearch", b'{"_index":"logs","_source":{"@timestamp":"x"}}\n'),
    ("loki", b'{"status":"success","data":{"resultType":"streams","result":[]}}\n'),
    ("loki", b'{"streams":[{"stream":{},"values":[["1","x"]]}]}'),
    ("loki", b'{"stream":{"a":"b"},"values":[["1","x"]]}\n'),
    ("splunk_hec", b'{"time":1,"event":"claude_code.user_prompt","fields":{"session.id":"a"}}'),
    ("splunk_hec", b'{"event":"x","sourcetype":"otel"}{"event":"y","sourcetype":"otel"}'),
    ("better_stack", b'{"dt":"2026-01-01T00:00:00Z","message":"claude_code.user_prompt"}\n'),
    ("raw_body", b'{"model":"m","messages":[],"system":[]}'),
    ("raw_body", b'{"role":"assistant","type":"message","content":[]}'),
    ("json", b'{"data":[],"other":1}\n'),
    ("unknown", b"plain text of a person\n"),
    ("unknown", b""),
    ("unknown", bytes(300)),
    ("unknown", b"[1,2]\n"),
]


@pytest.mark.parametrize(("form", "octets"), OTHERS)
def test_what_is_not_otlp_is_named_and_gives_no_event(form: str, octets: bytes) -> None:
    """Nothing of it is looked at but the names of its members, and nothing of it is damage."""
    found = read(octets, piece=7)
    assert found.tallies[0].form == form
    assert found.faults == []
    assert found.events == []
    assert found.streams.keys() == {"file/000001"}


def test_documents_of_another_form_are_counted() -> None:
    """The first document names the form of the file."""
    octets = own_json(Sent([log("api_request", 0)])) + b'\n{"dt":"x","message":"y"}\n' + pretty_json(Sent([log("a")]))
    found = read(octets)
    assert found.tallies[0].form == "otlp_http_json"
    assert found.tallies[0].counts["documents_of_other_forms"] == 2
    assert found.tallies[0].counts["documents"] == 3


def test_a_large_file_of_no_known_form_is_not_held() -> None:
    """It is called unknown, however long it is."""
    found = read(b"text of no form\n" * 100_000, piece=100_000)
    assert (found.tallies[0].form, found.faults) == ("unknown", [])


def test_spelling_tells_who_wrote_a_document() -> None:
    """Integers as strings are the Collector's; numbers, or a zero that is written out, the agent's own."""
    assert json_form(b'{"intValue":"1"}', pretty=False) == "otlp_collector_json"
    assert json_form(b'{"intValue":1}', pretty=False) == "otlp_http_json"
    assert json_form(b'{"droppedAttributesCount":0}', pretty=False) == "otlp_http_json"
    assert json_form(b"{}", pretty=False) == "otlp_collector_json"
    assert json_form(b'{"droppedAttributesCount":1}', pretty=False) == "otlp_json"
    assert json_form(b'{"intValue":"1"}', pretty=True) == "otlp_http_json_pretty"


@pytest.mark.parametrize(
    ("head", "shape"),
    [
        (b' \n\t{"a"', "json_text"), (b"\xef\xbb\xbf{", "json_text"), (b"\0\0\1\0" + b'{"resourceLogs"', "framed"),
        (b"\x80\0\0\0\x28\xb5\x2f\xfd", "framed"), (b"\0\0\0\x09\x0a\x07\x0a\x05", "framed"),
        (b"\0\0\0\x09\x0a\x82\x01\x12\x05", "framed"), (b"\x0a\x07\x0a\x05", "protobuf"),
        (b"\x0a\x07\x1a\x05", "other"), (b"\x0a", "other"), (b'\0\0\1\0{"a"', "other"), (b"", "other"),
    ],
)  # fmt: skip
def test_the_first_bytes_tell_how_documents_are_found(head: bytes, shape: str) -> None:
    """A length in front may say anything: what stands behind it decides."""
    assert shape_of(head) == shape


def test_an_object_of_no_known_names_has_no_form() -> None:
    """Neither has one whose data is not that of a query."""
    assert named_form({}) is None
    assert named_form({"data": 7}) is None
    assert named_form({"data": {"a": 1}}) is None


def test_metrics_and_traces_are_counted_only() -> None:
    """Each document of another signal, whatever its spelling; a document may hold several."""
    documents = [
        {"resourceMetrics": [{}]}, {"resourceSpans": [{}]}, {"resourceMetrics": [], "resourceSpans": []},
        {"resourceMetrics": [{"x": "\ud800"}]},
    ]  # fmt: skip
    found = read(b"".join(json.dumps(one).encode() + b"\n" for one in documents))
    counts = found.tallies[0].counts
    assert (counts["documents"], counts["metrics_documents"], counts["traces_documents"]) == (4, 3, 2)
    assert found.events == []


def test_settings_beside_telemetry_are_told_by_their_switches() -> None:
    """What Claude Code's and Codex's settings configure stands at their files; nothing else of them is told."""
    claude = b'{\n  "env": {"OTEL_LOG_USER_PROMPTS": "1", "CLAUDE_CODE_ENABLE_TELEMETRY": "0", "SECRET": "s3"}\n}\n'
    codex = b'model = "m"\n[otel]\nlog_user_prompt = true\nenvironment = "secret"\n'
    found = read(claude, codex, b'{"env": {}}')
    first, second, third = (found.streams[f"file/{number:06d}"] for number in (1, 2, 3))
    assert (first.form, second.form, third.form) == ("claude_settings", "codex_settings", "json")
    assert ("configured.OTEL_LOG_USER_PROMPTS", "true") in first.words
    assert all("SECRET" not in name and value != "s3" for name, value in first.words)
    assert ("configured.otel.log_user_prompt", "true") in second.words
    assert "secret" not in str(second)


def test_the_collector_form_needs_no_number() -> None:
    """A document without integers is the Collector's unless a zero is written out."""
    sent = Sent([log("made_up")])
    assert read(collector_json(sent)).tallies[0].form == "otlp_collector_json"
    assert read(own_json(sent)).tallies[0].form == "otlp_http_json"
