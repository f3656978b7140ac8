"""What lies beside telemetry: settings, told by name and bytes together."""

import json
import time

import pytest

from agentaudit.adapters.otlp.beside import is_settings, is_settings_name, switches_in
from tests.adapters.otlp.test_forms import CONSOLE, OTHERS
from tests.support.telemetry import Sent, collector_json, framed, log, own_json, pretty_json, protobuf

SENT = Sent([log("tool_decision", 0, tool_use_id="t", decision="accept")])
COLLECTOR = b"exporters:\n  otlp:\n    headers:\n      Authorization: ${env:WORD}\n"


@pytest.mark.parametrize(
    "name",
    [
        b"config.yaml", b"Collector.YML", b"otel-collector-config.yaml.bak", b"config.toml", b"fluent-bit.conf",
        b"agent.ini", b"log4j.properties", b".envrc", b"envrc~", b"settings.json", b"settings.local.json",
        b"managed-settings.json", b".mcp.json", b"claude_desktop_config.json", b"otel-config.json5", b"secrets.jsonc",
        b"appsettings.Production.json", b"config (1).json", "\uff43onfig.yaml".encode(),
    ],
)  # fmt: skip
def test_settings_go_by_such_names(name: bytes) -> None:
    """Whatever their case, with their copies and back-ups."""
    assert is_settings_name(name)


@pytest.mark.parametrize(
    "name",
    [
        b"logs.jsonl", b"data.json", b"config.jsonl", b"reconfig.json", b"mysettings.json", b"configs.json",
        b"config.yaml.gz", b"0001.request.json", b"index.jsonl", b"yaml", b"config", b"\xff\xfe", b"otel.json",
    ],
)  # fmt: skip
def test_other_names_are_none_of_settings(name: bytes) -> None:
    """Lines of JSON, packed files and bodies are never candidates."""
    assert not is_settings_name(name)


def test_no_name_takes_long() -> None:
    """Names of the longest kind that nearly match are judged at once."""
    began = time.monotonic()
    for name in (b"config" + b"-config" * 34 + b".jsonx", b"a.yaml" + b"~bak(1)" * 34 + b"x", b".conf" * 50 + b"x"):
        assert not is_settings_name(name)
    assert time.monotonic() - began < 1


@pytest.mark.parametrize(
    "octets",
    [
        COLLECTOR, b"\xef\xbb\xbf" + COLLECTOR, COLLECTOR.decode().encode("utf-16"), b"\n\n\n" + COLLECTOR,
        b'[otel]\nexporter = "none"\n', b"[]\nname=x\n", b'{"env": {"OTEL_LOG_USER_PROMPTS": "1"}}',
        b'{"logs": {"configs": []}, "service": {}}',
        json.dumps({"mcpServers": {"a": {"env": {"K": "v"}}}}, indent=2).encode(), "na\u00efve: ja\n".encode(),
    ],
)  # fmt: skip
def test_texts_and_single_documents_of_such_a_name_are_settings(octets: bytes) -> None:
    """YAML, TOML, a document of JSON; in another encoding, behind empty lines."""
    assert is_settings(octets)


EVIDENCE = [
    b"", b" \n", own_json(SENT), pretty_json(SENT), collector_json(SENT), own_json(SENT) + b"\n" + own_json(SENT),
    protobuf(SENT), framed([protobuf(SENT)]), framed([collector_json(SENT)]), framed([protobuf(SENT)], packed=True),
    b'{"resourceMetrics":[]}', b'{"resourceSpans":[{}]}', b'{"a":1}\n{"a":2}\n', b"[1,2]\n", b"{ not json: 1 }",
    b'{"took":1,"hits":{"hits":[]}}', b'{"data":[],"has_more":false}', b'{"events":[{}]}', b'{"a":1}]',
    CONSOLE, b"a line before it\n" + CONSOLE, b"\x1f\x8b\x08\0", b"\0\0\0\1",
    *(octets for form, octets in OTHERS if form not in {"json", "unknown"}),
]  # fmt: skip


@pytest.mark.parametrize("octets", EVIDENCE)
def test_telemetry_under_such_a_name_is_never_settings(octets: bytes) -> None:
    """OTLP in every form, bodies, answers of other systems, lines of JSON, what is no text, nothing at all."""
    assert not is_settings(octets)


def test_switches_are_read_of_either_agent() -> None:
    """The value of a known switch, and nothing of what is no settings of an agent."""
    assert [(one.name, one.value) for one in switches_in(b'\xef\xbb\xbf{"env":{"OTEL_LOG_USER_PROMPTS":"1"}}')] == [
        ("OTEL_LOG_USER_PROMPTS", True)
    ]
    assert [(one.name, one.value) for one in switches_in(b"[otel]\nlog_user_prompt = true\n")] == [
        ("otel.log_user_prompt", True)
    ]
    assert switches_in(COLLECTOR) == ()
