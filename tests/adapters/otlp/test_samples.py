"""Genuine telemetry of released agents, where it is at hand: the facts that its description states."""

from pathlib import Path

import pytest

from agentaudit.adapters.otlp.bodies import Names
from agentaudit.adapters.otlp.file import FileFeed
from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.ledger import Ledger
from agentaudit.adapters.otlp.rows import session_rows
from agentaudit.model.stream import EventRow, OrderRun, StreamRow

_SHARED = [above / "shared" / "samples" for above in Path(__file__).resolve().parents]
SAMPLES = next((path for path in _SHARED if path.is_dir()), Path("samples"))
CLAUDE = SAMPLES / "claude-code-2.1.332"
ENCODINGS = CLAUDE / "otlp-encodings"

pytestmark = pytest.mark.skipif(not CLAUDE.is_dir(), reason="the samples are not here")


def read(*paths: Path, piece: int = 1_000) -> tuple[list[FileTally], list[EventRow], list[StreamRow]]:
    """The files, their events, the rows of sessions and processes."""
    ledger = Ledger()
    tallies: list[FileTally] = []
    events: list[EventRow] = []
    for number, path in enumerate(paths, 1):
        tally = FileTally(f"data/{number}", f"file/{number:06d}", Names(), ("r1", ()))
        tally.unread = None
        feed = FileFeed(ledger, tally)
        octets = path.read_bytes()
        for at in range(0, len(octets), piece):
            feed.feed(memoryview(octets)[at : at + piece])
        feed.finish()
        tallies.append(tally)
        events += ledger.events()
    return tallies, events, list(session_rows(ledger))


def told(events: list[EventRow]) -> list[object]:
    """What events say, without where they lie."""
    return [(one.kind, one.at, one.order, one.keys, one.words, one.numbers, one.marks) for one in events]


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("logs.collector-json-lines.derived.jsonl", "otlp_collector_json"),
        ("logs.fileexporter-framing.derived.bin", "otlp_framed_proto"),
        ("logs.fileexporter-json-zstd.derived.bin", "otlp_framed_json_zstd"),
    ],
)
def test_all_encodings_of_one_stream_are_equal(name: str, form: str) -> None:
    """The stream of 22 records says the same in each encoding."""
    _, bodies, rows = read(*sorted(ENCODINGS.glob("logs-*.pb")))
    (tally,), events, again = read(ENCODINGS / name)
    assert len(bodies) == 22
    assert told(events) == told(bodies)
    assert again == rows
    assert tally.form == form
    assert tally.findings() == ()


def test_the_run_with_default_gates() -> None:
    """33 records from 0 to 32: 7 decisions, 6 results, 1 reject, 1 failed, 9 requests, 2 prompts, gates shut."""
    (tally,), events, (session, process) = read(CLAUDE / "default-gates" / "logs.jsonl")
    assert (tally.form, len(events)) == ("otlp_http_json", 33)
    assert dict(session.counts) == {
        "accepted": 6, "decisions": 7, "failed": 1, "processes": 1, "rejected": 1, "results": 6,
    }  # fmt: skip
    assert dict(session.kinds)["api_request"] == 9
    assert dict(session.kinds)["user_prompt"] == 2
    assert process.runs == (OrderRun(first=0, last=32, events=33),)
    assert dict(session.words)["observed.OTEL_LOG_USER_PROMPTS"] == "shut"


def test_the_run_with_all_gates() -> None:
    """51 records, prompts, details and bodies observed open; 18 bodies are not in the hand-over."""
    (tally,), events, (session, _) = read(CLAUDE / "all-gates" / "logs.jsonl")
    assert len(events) == 51
    assert [(one.code, one.count) for one in tally.findings()] == [("body_absent", 18)]
    assert {state for _, state in session.words[1:]} == {"open", "unseen"}


def test_the_run_of_codex() -> None:
    """One pretty-printed document: 4 decisions, 5 results, one result whose call nobody decided on."""
    (tally,), _, (session, _) = read(SAMPLES / "codex-0.171.0" / "exec" / "logs.pretty.json")
    assert (tally.form, tally.counts["documents"]) == ("otlp_http_json_pretty", 1)
    assert dict(session.counts)["decisions"] == 4
    assert dict(session.counts)["results"] == 5
    assert dict(session.counts).get("duplicates", 0) == 0
    assert "result_without_decision" in {one.code for one in session.findings}


def test_what_is_not_read_is_named() -> None:
    """Console text and metrics are told by their form, and give no event."""
    (console, metrics), events, _ = read(
        CLAUDE / "console-exporter.stdout.txt", CLAUDE / "default-gates" / "metrics.jsonl"
    )
    assert console.form == "console_text"
    assert metrics.counts["metrics_documents"] == 1
    assert events == []
