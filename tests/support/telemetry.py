"""Made-up telemetry of coding agents: log records, and the forms in which they reach a disk."""

import json
import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import zstandard

from agentaudit.adapters.otlp.bodies import Names
from agentaudit.adapters.otlp.file import FileFeed
from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.jsontext import DOCUMENT_MAX
from agentaudit.adapters.otlp.ledger import Ledger
from agentaudit.adapters.otlp.rows import file_row, service_row, session_rows
from agentaudit.model.stream import EventRow, StreamRow

Held: TypeAlias = "str | int | bool | float | list[str]"
JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

MS = 1_000_000
BEGIN_MS = 1_767_225_600_000
SESSION = "00000000-0000-4000-8000-00000000000a"


@dataclass(frozen=True)
class Log:
    """One log record: its time in nanoseconds, its body, its attributes in their order."""

    moment: int
    body: str
    attributes: Mapping[str, Held]
    dropped: int = 0


@dataclass(frozen=True)
class Sent:
    """One export request: what a resource says of itself, and its records."""

    logs: Sequence[Log]
    resource: Mapping[str, Held] = field(
        default_factory=lambda: {"service.name": "claude-code", "service.version": "2.1.0"}
    )


def log(
    kind: str,
    order: int | None = None,
    *,
    session: str | None = SESSION,
    ms: int | None = None,
    more: Mapping[str, Held] | None = None,
    **named: Held,
) -> Log:
    """An event of Claude Code; a pair of underscores in a name of `named` stands for a dot."""
    ms = BEGIN_MS + (order or 0) if ms is None else ms
    attributes: dict[str, Held] = {} if session is None else {"session.id": session}
    attributes |= {"event.name": kind, "event.timestamp": stamp(ms)}
    if order is not None:
        attributes["event.sequence"] = order
    attributes |= {name.replace("__", "."): value for name, value in named.items()} | dict(more or {})
    return Log(ms * MS, f"claude_code.{kind}", attributes)


def stamp(ms: int) -> str:
    """A time as an agent writes it."""
    seconds, rest = divmod(ms - BEGIN_MS, 1_000)
    minutes, seconds = divmod(seconds, 60)
    return f"2026-01-01T00:{minutes:02}:{seconds:02}.{rest:03}Z"


def own_json(sent: Sent) -> bytes:
    """As an agent sends it: integers are numbers, zeros are there."""
    return json.dumps(_document(sent, strings=False), separators=(",", ":")).encode()


def collector_json(sent: Sent) -> bytes:
    """As the Collector's file exporter writes it: integers are strings, zeros are left out."""
    return json.dumps(_document(sent, strings=True), separators=(",", ":"), ensure_ascii=False).encode()


def pretty_json(sent: Sent) -> bytes:
    """As a client that prints for people sends it."""
    return json.dumps(_document(sent, strings=False), indent=2).encode()


def _document(sent: Sent, *, strings: bool) -> JsonValue:
    records = [_record(one, strings=strings) for one in sent.logs]
    scope: JsonValue = {"name": "com.example.events", "version": "2.1.0"}
    resource: JsonValue = {"attributes": _attributes(sent.resource, strings=strings)}
    return {"resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": scope, "logRecords": records}]}]}


def _record(one: Log, *, strings: bool) -> JsonValue:
    moment: JsonValue = str(one.moment)
    found: dict[str, JsonValue] = {
        "timeUnixNano": moment, "observedTimeUnixNano": moment, "body": {"stringValue": one.body},
        "attributes": _attributes(one.attributes, strings=strings),
    }  # fmt: skip
    if one.dropped or not strings:
        found["droppedAttributesCount"] = one.dropped
    return found


def _attributes(held: Mapping[str, Held], *, strings: bool) -> JsonValue:
    return [{"key": key, "value": _value(value, strings=strings)} for key, value in held.items()]


def _value(value: Held, *, strings: bool) -> JsonValue:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value) if strings else value}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case list():
            return {"arrayValue": {"values": [{"stringValue": one} for one in value]}}


def varint(number: int) -> bytes:
    """A number as Protocol Buffers write it."""
    number &= 2**64 - 1
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def part(number: int, octets: bytes) -> bytes:
    """A length-delimited field."""
    return varint(number << 3 | 2) + varint(len(octets)) + octets


def protobuf(sent: Sent) -> bytes:
    """As an export request in Protocol Buffers."""
    scope = part(1, part(1, b"com.example.events") + part(2, b"2.1.0"))
    records = b"".join(part(2, _message(one)) for one in sent.logs)
    return part(1, part(1, _pairs(sent.resource, 1)) + part(2, scope + records))


def _message(one: Log) -> bytes:
    moment = struct.pack("<Q", one.moment)
    dropped = varint(7 << 3) + varint(one.dropped) if one.dropped else b""
    body = part(5, part(1, one.body.encode()))
    return varint(1 << 3 | 1) + moment + varint(11 << 3 | 1) + moment + body + _pairs(one.attributes, 6) + dropped


def _pairs(held: Mapping[str, Held], number: int) -> bytes:
    return b"".join(part(number, part(1, key.encode()) + part(2, _any(value))) for key, value in held.items())


def _any(value: Held) -> bytes:
    match value:
        case bool():
            return varint(2 << 3) + varint(int(value))
        case int():
            return varint(3 << 3) + varint(value)
        case float():
            return varint(4 << 3 | 1) + struct.pack("<d", value)
        case str():
            return part(1, value.encode())
        case list():
            return part(5, b"".join(part(1, part(1, one.encode())) for one in value))


def framed(documents: Iterable[bytes], *, packed: bool = False) -> bytes:
    """As the Collector's file exporter frames binary documents; compressed ones are each a Zstandard frame."""
    frames = [zstandard.compress(one) if packed else one for one in documents]
    return b"".join(len(one).to_bytes(4, "big") + one for one in frames)


@dataclass(frozen=True)
class Read:
    """What came of files."""

    tallies: Sequence[FileTally]
    events: Sequence[EventRow]
    ledger: Ledger

    @property
    def streams(self) -> dict[str, StreamRow]:
        """The rows of services, sessions and processes, and those of the files, by key."""
        rows = [*session_rows(self.ledger), *map(service_row, self.ledger.services.values())]
        rows += [file_row(one, None, None, None) for one in self.tallies]
        return {row.stream: row for row in rows}

    @property
    def faults(self) -> list[tuple[str, int]]:
        """The faults of the first file, and how many there are of each."""
        return [(one.code, one.count) for one in self.tallies[0].findings()]

    def found(self, stream: str) -> dict[str, int]:
        """The findings of a stream."""
        return {one.code: one.count for one in self.streams[stream].findings}


def read(
    *files: bytes,
    piece: int = 1_000,
    document_max: int = DOCUMENT_MAX,
    names: Names | None = None,
    ledger: Ledger | None = None,
) -> Read:
    """Feed files to one ledger, in pieces of that many bytes."""
    ledger = ledger or Ledger()
    tallies: list[FileTally] = []
    events: list[EventRow] = []
    for number, octets in enumerate(files, 1):
        tally = FileTally(f"data/{number}", f"file/{number:06d}", names or Names(), ("r1", ()))
        tally.unread = None
        feed = FileFeed(ledger, tally, document_max)
        for at in range(0, len(octets), piece):
            feed.feed(memoryview(octets)[at : at + piece])
        feed.finish()
        tallies.append(tally)
        events += ledger.events()
    return Read(tallies, events, ledger)


def told(events: Iterable[EventRow]) -> list[object]:
    """What events say, without where they lie."""
    return [(one.stream, one.kind, one.at, one.order, one.keys, one.words, one.numbers, one.marks) for one in events]
