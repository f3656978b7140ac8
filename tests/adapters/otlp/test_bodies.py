"""Raw bodies in files and their index: looked up by base name inside what was handed over, never followed."""

import json
from collections.abc import Mapping

import pytest

from agentaudit.adapters.otlp.bodies import Names, base_name
from tests.support.telemetry import Sent, log, own_json, read

INDEX = {
    "timestamp": "2026-01-01T00:00:00.000Z", "session_id": "a", "query_source": "main", "model": "m",
    "request_id": "req_1", "message_id": "msg_1", "message_uuid": "u", "request_file": "b1.request.json",
    "response_file": "req_1.response.json",
}  # fmt: skip


def names(*files: str, folder: tuple[bytes, ...] = ()) -> Names:
    """What was handed over, in one folder."""
    found = Names()
    for name in files:
        found.add("r1", (*folder, name.encode()))
    return found


def index(*lines: Mapping[str, object]) -> bytes:
    """The lines of an index."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


@pytest.mark.parametrize("path", ["/home/x/bodies/b.json", "C:\\bodies\\b.json", "b.json", "../../b.json"])
def test_of_a_reference_only_the_last_name_counts(path: str) -> None:
    """Whatever system wrote it, and wherever it points."""
    assert base_name(path) == "b.json"


def test_a_line_of_an_index_is_an_event_without_names_of_files() -> None:
    """Its ids join it to the transcript and the telemetry; a name of a file is content of the case."""
    found = read(index(INDEX), names=names("b1.request.json", "req_1.response.json"))
    assert found.tallies[0].form == "raw_body_index"
    (event,) = found.events
    assert (event.stream, event.kind, event.at, event.marks) == (
        "file/000001",
        "raw_body_index",
        INDEX["timestamp"],
        (),
    )
    assert event.keys == (("api_message", "msg_1"), ("message", "u"), ("api_request", "req_1"), ("session", "a"))
    assert event.words == (("model", "m"), ("query_source", "main"))
    assert "request.json" not in str(event)
    assert found.tallies[0].counts["bodies_resolved"] == 2
    assert found.faults == []


def test_an_index_that_names_what_is_missing_or_outside_says_so() -> None:
    """A path that leads out of the folder is looked up by its last name in it, and nowhere else."""
    outside = {"request_file": "../../etc/passwd", "response_file": "/etc/shadow"}
    elsewhere = names("passwd", "shadow", folder=(b"other",))
    found = read(index(outside, INDEX), names=elsewhere)
    assert found.faults == [("body_absent", 4)]
    assert [event.marks for event in found.events] == [("body_absent",), ("body_absent",)]
    assert "passwd" not in str(found.streams) + str(found.events)


def test_a_request_without_a_response_is_an_attempt_that_failed() -> None:
    """It is told, and so is a line that names nothing of the kind."""
    found = read(
        index({**INDEX, "response_file": None}, {"request_file": 7, "timestamp": 5, "model": "m" * 200}),
        names=names("b1.request.json"),
    )
    assert found.faults == [("request_without_response", 2)]
    assert [event.marks for event in found.events] == [("request_without_response",), ("request_without_response",)]
    assert found.events[1].words == ()


def test_an_event_refers_to_a_body_by_its_name_wherever_it_lies() -> None:
    """Once: found. Nowhere, or in several folders: told at the file, and at the event."""
    held = names("one.json", "two.json")
    held.add("r1", (b"below", b"two.json"))
    logs = [log("api_request_body", at, body_ref=f"/x/{name}.json") for at, name in enumerate(("one", "two", "three"))]
    found = read(own_json(Sent([*logs, log("api_request_body", 3, body_ref=7)])), names=held)
    assert [event.marks for event in found.events] == [(), ("body_ambiguous",), ("body_absent",), ("body_absent",)]
    assert found.faults == [("body_absent", 2), ("body_ambiguous", 1)]
    places = [place.pointer[-1] for one in found.tallies[0].findings() for place in one.places]
    assert places == ["2", "3", "1"]
    held.clear()
    assert held.resolve("one.json") == "absent"


def test_a_name_that_no_file_system_has_is_absent() -> None:
    """A lone surrogate that stands for a byte is that byte; any other is none."""
    held = Names()
    held.add("r1", (b"\xff.json",))
    assert held.resolve("\udcff.json") == "resolved"
    assert held.resolve("\ud800.json") == "absent"
    assert held.resolve("\udcff.json", ("r1", ())) == "resolved"
    assert held.resolve("\udcff.json", ("r2", ())) == "absent"


def test_places_of_a_fault_are_bounded_and_its_count_is_not() -> None:
    """A file with many faults has a row of bounded length."""
    found = read(index(*[{"request_file": "x", "response_file": "y"}] * 100))
    (finding,) = found.tallies[0].findings()
    assert (finding.count, len(finding.places)) == (200, 64)
