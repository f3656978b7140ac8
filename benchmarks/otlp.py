"""How fast telemetry becomes facts, held against a bare orjson loop over the same file, and what memory it takes.

One file of 1 GiB in the form of the Collector's file exporter: a document a line, eight records in each, shaped like
those of a released agent (some 20 attributes a record, several sessions in turn, another service in every ninth line),
read from a warm page cache. In turns: the adapter as sealing and verification feed it (pieces of 1 MiB; services,
sessions, processes, calls, gates, counters) without and with the rows of events, and a loop in Python that does
`orjson.loads` on each line and keeps nothing. Limits: facts take at most twice the loop; memory below 128 MiB, and no
more than 24 MiB above that of a file of an eighth of the size (four bytes are held for each number of a counter).

What bounds it: the typed decoding of the envelope makes objects of the attributes and passes over what has no name,
which is faster than making dictionaries; the rest is some microseconds of Python a record. Rows of events cost about as
much again, and their encoding is the sealing's.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure import MIB, Run, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report

NAME = "otlp"
LOOP_TIMES = 2.0
PEAK_MIB = 128.0
GROWTH_MIB = 24.0
DIFFERENT = 512
RECORDS = 8

_LOOP = """
import orjson, sys
with open(sys.argv[1], "rb") as lines:
    for line in lines:
        orjson.loads(line)
"""
_KINDS = ("user_prompt", "api_request", "tool_decision", "tool_result", "assistant_response")


def measure(folder: Path, *, quick: bool) -> Report:
    """The comparison, and the growth."""
    size, rounds = (128 * MIB, 2) if quick else (1024 * MIB, 3)
    path, small = folder / "logs.json", folder / "small.json"
    write_documents(path, size)
    write_documents(small, size // 8)
    contestants = {
        "loop": partial(run, (sys.executable, "-c", _LOOP, path)),
        "facts": partial(run, (sys.executable, "-m", "benchmarks.otlp", path)),
        "rows": partial(run, (sys.executable, "-m", "benchmarks.otlp", path, "rows")),
        "small": partial(run, (sys.executable, "-m", "benchmarks.otlp", small)),
    }
    return Report(NAME, tuple(_compared(path, take_turns(contestants, rounds))))


def _compared(path: Path, taken: Mapping[str, Sequence[Run]]) -> Iterator[Line]:
    walls = {name: tuple(one.wall_s for one in several) for name, several in taken.items()}
    peaks = {name: tuple(one.peak_bytes / MIB for one in several) for name, several in taken.items()}
    size = path.stat().st_size
    yield Line("telemetry", (size / MIB,), "MiB")
    yield Line("bare orjson loop", walls["loop"], "s")
    yield Line("facts", walls["facts"], "s")
    yield Line("facts over the loop", ratios(walls["facts"], walls["loop"]), limit=Limit("<=", LOOP_TIMES))
    yield Line("facts and rows of events", walls["rows"], "s")
    yield Line("facts and rows over the loop", ratios(walls["rows"], walls["loop"]))
    yield Line("peak", peaks["facts"], "MiB", Limit("<", PEAK_MIB))
    yield Line("peak with rows", peaks["rows"], "MiB", Limit("<", PEAK_MIB))
    growth = tuple(big - small for big, small in zip(peaks["facts"], peaks["small"], strict=True))
    yield Line("peak above that of an eighth", growth, "MiB", Limit("<", GROWTH_MIB))


def write_documents(path: Path, octets: int) -> None:
    """At least so many bytes of documents, the last one whole; counters go on, so that no record is a duplicate."""
    written = number = 0
    forms = [_document(at).encode() for at in range(DIFFERENT)]
    with path.open("wb") as out:
        while written < octets:
            line = forms[number % DIFFERENT]
            for at in range(RECORDS):
                line = line.replace(b'"@%d"' % at, b'"%d"' % (number // DIFFERENT * RECORDS + at), 1)
            written += out.write(line)
            number += 1


def _document(number: int) -> str:
    other = number % 9 == 8
    resource = {
        "host.arch": "amd64",
        "service.name": "checkout" if other else "claude-code",
        "service.version": "2.1.0",
    }
    records = [_record(number, at) for at in range(RECORDS)]
    scope = {"scope": {"name": "com.example.events", "version": "2.1.0"}, "logRecords": records}
    document = {"resourceLogs": [{"resource": {"attributes": _attributes(resource)}, "scopeLogs": [scope]}]}
    return json.dumps(document, separators=(",", ":")) + "\n"


def _record(number: int, at: int) -> dict[str, object]:
    kind = _KINDS[at % len(_KINDS)]
    call = f"toolu_{number:012}{at // len(_KINDS):012}"
    own: dict[str, object] = {
        "user_prompt": {"prompt_length": "70", "prompt": "<REDACTED>"},
        "api_request": {
            "model": "made-up-model-1", "input_tokens": 1200, "output_tokens": number, "cache_read_tokens": 9000,
            "cache_creation_tokens": 12, "cost_usd": 0.0123, "duration_ms": 812, "speed": "normal", "effort": "medium",
        },
        "tool_decision": {
            "tool_name": "Bash", "tool_use_id": call, "decision": "accept", "source": "config",
            "tool_source": "builtin", "permission_mode": "default",
        },
        "tool_result": {
            "tool_name": "Bash", "tool_use_id": call, "success": "true", "duration_ms": "93",
            "tool_input_size_bytes": "41", "tool_result_size_bytes": "2223",
        },
        "assistant_response": {"response_length": 37, "response": "<REDACTED>", "model": "made-up-model-1"},
    }[kind]  # type: ignore[assignment]  # fmt: skip
    moment = f"{1_795_993_258_505 + number * 100 + at}000000"
    attributes = {
        "user.id": f"{7:064x}", "session.id": f"{number:08x}-0000-4000-8000-000000000000", "app.version": "2.1.0",
        "organization.id": f"{9:08x}-0000-4000-8000-000000000000", "terminal.type": "xterm", "event.name": kind,
        "event.timestamp": f"2026-11-29T23:{number % 60:02}:{at:02}.505Z", "event.sequence": f"@{at}",
        "app.entrypoint": "cli", "anthropic.provider": "firstParty",
        "user.account_uuid": f"{11:08x}-2222-4000-8000-{5:012}",
        "prompt.id": f"{number:08x}-1111-4000-8000-000000000000", "request_id": f"req_{number:022}", **own,
    }  # fmt: skip
    return {
        "timeUnixNano": moment, "observedTimeUnixNano": moment, "body": {"stringValue": f"claude_code.{kind}"},
        "attributes": _attributes(attributes),
    }  # fmt: skip


def _attributes(members: Mapping[str, object]) -> list[dict[str, object]]:
    return [{"key": key, "value": _value(value)} for key, value in members.items()]


def _value(value: object) -> dict[str, object]:
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, int) or (isinstance(value, str) and value.startswith("@")):
        return {"intValue": str(value)}
    return {"stringValue": value}


def main(path: Path, *, rows: bool) -> None:
    """Feed one file as sealing does, and drop what comes of it."""
    # Imported here: the parent has to stay small, because a child is measured with it until its exec.
    from agentaudit.adapters.otlp.bodies import Names  # noqa: PLC0415
    from agentaudit.adapters.otlp.file import FileFeed  # noqa: PLC0415
    from agentaudit.adapters.otlp.filetally import FileTally  # noqa: PLC0415
    from agentaudit.adapters.otlp.ledger import Ledger  # noqa: PLC0415
    from agentaudit.adapters.otlp.rows import session_rows  # noqa: PLC0415

    ledger = Ledger(rows=rows)
    tally = FileTally("data/telemetry/000001.json", "file/000001", Names(), ("r1", ()))
    tally.unread = None
    feed = FileFeed(ledger, tally)
    events = 0
    with path.open("rb") as stream:
        while octets := stream.read(MIB):
            feed.feed(memoryview(octets))
            events += sum(1 for _ in ledger.events())
    feed.finish()
    events += sum(1 for _ in ledger.events())
    sessions = sum(1 for _ in session_rows(ledger))
    print(tally.counts["records"], tally.counts["events"], events, sessions, tally.findings())


if __name__ == "__main__":
    main(Path(sys.argv[1]), rows="rows" in sys.argv[2:])
