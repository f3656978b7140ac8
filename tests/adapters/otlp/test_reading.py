"""The reading of a hand-over: files, superseded copies, rotated sets, and what is never in what it gives."""

import msgspec

from agentaudit.adapters.otlp import ADAPTER
from agentaudit.adapters.otlp.coverage import coverage_limits
from agentaudit.adapters.otlp.reading import TelemetryReader, TelemetryReading
from agentaudit.format.readings import EventReading, StoreReading
from agentaudit.model.base import digest_of
from agentaudit.model.journal import PayloadFile
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import StreamRow
from tests.support.openings import entry_row, kept_row, opened_row
from tests.support.telemetry import BEGIN_MS, MS, Log, Sent, log, own_json, stamp

CANARY = "canary-7f3b"


def kept(number: int, **more: object) -> Kept:
    """The copy of that entry."""
    return msgspec.structs.replace(kept_row(number), **more)


def take(reading: TelemetryReading, number: int, octets: bytes) -> None:
    """Tell a reading of a copy and feed it with its bytes."""
    row = kept(number)
    reading.kept(row)
    feed = reading.payload(row)
    assert feed is not None
    feed.feed(memoryview(octets))
    feed.finish()


def over(names: dict[str, bytes]) -> tuple[TelemetryReading, dict[str, StreamRow]]:
    """A reading of these files, and its streams."""
    reading = TelemetryReading()
    for number, name in enumerate(names, 1):
        reading.entry(entry_row(number, name))
    for number, octets in enumerate(names.values(), 1):
        take(reading, number, octets)
    return reading, {row.stream: row for row in reading.streams()}


def at(*orders: int, ms: int = BEGIN_MS) -> bytes:
    """A document with these numbers, at that time."""
    return own_json(Sent([log("api_request", order, ms=ms + order) for order in orders])) + b"\n"


def test_the_reader_is_found_by_its_name() -> None:
    """Its readings are those of kept files and of events."""
    reader = TelemetryReader()
    assert reader.name == ADAPTER == "otlp/1"
    reading = reader.open(opened_row(), ())
    assert isinstance(reading, EventReading)
    assert isinstance(reading, StoreReading)
    assert list(reading.sessions((), ())) == []
    assert [*reading.events(), *reading.clipped(), *reading.streams()] == []


def test_files_are_read_with_their_names_beside_them() -> None:
    """Streams come by their keys: files, processes, services, sessions."""
    reading, streams = over({"logs.jsonl": at(0, 1), "below/more.jsonl": at(2)})
    assert list(streams) == ["file/000001", "file/000002", "process/000001", "service/000001", "session/000001"]
    assert [(streams[key].name, streams[key].events) for key in list(streams)[:2]] == [
        ("logs.jsonl", 2),
        ("more.jsonl", 1),
    ]
    assert [event.place.item for event in reading.events()] == [
        "data/telemetry/r1/shared/files/000001.bin", "data/telemetry/r1/shared/files/000001.bin",
        "data/telemetry/r1/shared/files/000002.bin",
    ]  # fmt: skip
    assert list(reading.events()) == []


def test_a_copy_that_a_later_one_supersedes_is_not_read_and_says_so() -> None:
    """Nobody asks for its feed; the last copy of a file that changed while it was read counts."""
    reading = TelemetryReading()
    reading.entry(entry_row(1, "logs-2026-01-01T00-00-00.000.jsonl"))
    reading.kept(kept(1, item=PayloadFile(path="data/1-2.jsonl", bytes=1, sha256=digest_of(b"a"))))
    take(reading, 1, at(0))
    first, second = (row for row in reading.streams() if row.kind == "file")
    assert [(one.code, one.count) for one in first.findings] == [("superseded_not_read", 1)]
    assert (first.events, second.events, second.findings) == (0, 1, ())
    assert [row.counts for row in reading.streams() if row.kind == "folder"] == [(("files", 1),)]


def test_a_copy_of_data_runs_is_kept_and_not_read() -> None:
    """Its offsets are not those of the file."""
    reading = TelemetryReading()
    row = kept(1, runs=((0, 1),))
    reading.kept(row)
    assert reading.payload(row) is None
    (stream,) = reading.streams()
    assert [one.code for one in stream.findings] == ["sparse_not_read"]
    assert stream.name is None


def test_a_rotated_set_is_ordered_by_the_times_in_its_names() -> None:
    """The live file is the last; the silence between files is told, and each file leads to its set."""
    _, streams = over(
        {
            "data.json": at(4, 5, ms=BEGIN_MS + 9_000), "data-2026-01-01T00-00-05.000.json": at(2, 3),
            "data-2026-01-01T00-00-01.000.json": at(0, 1), "other.json": at(9),
            "elsewhere/data-2026-01-01T00-00-01.000.json": b"",
        }
    )  # fmt: skip
    folders = [row for row in streams.values() if row.kind == "folder"]
    assert [(row.form, row.events, dict(row.counts)) for row in folders] == [
        ("rotated_set", 6, {"files": 3}), ("rotated_set", 0, {"files": 1}),
    ]  # fmt: skip
    files = [streams[f"file/{number:06d}"] for number in (1, 2, 3, 4)]
    assert [row.within for row in files] == ["folder/000001"] * 3 + [None]
    assert [dict(row.words).get("rotated_at") for row in files] == [
        None, "2026-01-01T00-00-05.000", "2026-01-01T00-00-01.000", None,
    ]  # fmt: skip
    assert dict(files[0].counts)["silence_before_ms"] == 9_001
    assert all(row.findings == () for row in files)


def test_a_swapped_rotation_is_told() -> None:
    """The events of a file begin before those of the file before it end."""
    _, streams = over(
        {"d-2026-01-01T00-00-01.000.json": at(5), "d-2026-01-01T00-00-02.000.json": at(0), "d.json": at(6)}
    )
    found = [[one.code for one in streams[f"file/{number:06d}"].findings] for number in (1, 2, 3)]
    assert found == [[], ["rotation_out_of_order"], []]


def test_only_the_last_survey_says_which_bodies_are_here() -> None:
    """A survey that began again forgets the names of the one before; what is not preserved is not here."""
    reading = TelemetryReading()
    reading.entry(entry_row(1, "b.json"))
    reading.entry(entry_row(1, "logs.jsonl"))
    reading.entry(msgspec.structs.replace(entry_row(2, "c.json"), decision="exclude"))
    body = [log("api_request_body", order, body_ref=f"/x/{name}.json") for order, name in enumerate("bc")]
    take(reading, 1, own_json(Sent(body)))
    assert [event.marks for event in reading.events()] == [("body_absent",), ("body_absent",)]
    again = TelemetryReading()
    again.entry(entry_row(1, "logs.jsonl"))
    again.entry(entry_row(2, "b.json"))
    take(again, 1, own_json(Sent(body[:1])))
    assert [event.marks for event in again.events()] == [()]


def test_nothing_of_content_is_in_what_a_reading_gives() -> None:
    """Texts, commands, paths, e-mail addresses, unknown attributes, other services: only their lengths, or nothing."""
    attributes = {
        name.replace("__", "."): f"{CANARY} {name}"
        for name in (
            "prompt", "prompt_text", "response", "tool_parameters", "tool_input", "error", "body", "hook_definitions",
            "managed_settings__settings", "user__email", "made_up", "workspace__host_paths", "body_ref", "arguments",
            "output", "server_name", "hook_matcher", "command_name", "plugin__name",
        )
    }  # fmt: skip
    bare = Log(BEGIN_MS * MS, CANARY, {"session.id": "a", "event.timestamp": stamp(BEGIN_MS)})
    octets = own_json(Sent([log("tool_result", 0, more=attributes), log(f"{CANARY} is no name", 1), bare]))
    octets += own_json(Sent([log(f"{CANARY}", 0)], {"service.name": "checkout", "note": CANARY}))
    octets += (
        b'{"dt":"' + CANARY.encode() + b'"}\n{"request_file":"' + CANARY.encode() + b'"}\n{"x": ' + CANARY.encode()
    )
    reading, streams = over({"logs.jsonl": octets})
    given = [*reading.events(), *streams.values(), *reading.clipped(), *reading.coverage()]
    assert len(given) > 10
    assert CANARY not in str(given)
    assert dict(streams["session/000001"].kinds) == {"": 1, "tool_result": 1}
    assert dict(streams["session/000002"].kinds) == {"": 1}


def test_the_limits_are_stated_by_code() -> None:
    """What holds of every hand-over is among them."""
    limits = coverage_limits()
    assert [one.code for one in limits] == sorted(one.code for one in limits)
    assert TelemetryReading().coverage() == limits
    assert "handed_over" in {one.code for one in limits}
    assert all(one.statement.endswith(".") for one in limits)
