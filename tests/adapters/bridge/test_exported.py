"""Exports and databases as they were handed over: what holds is read, what does not is found."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from agentaudit.adapters.bridge import database as adapter
from agentaudit.adapters.bridge.database import DatabaseFeed, is_read_only
from agentaudit.adapters.bridge.exported import ExportFeed, Sniffing
from agentaudit.model.stream import EventRow, StreamRow
from tests.support.bridging import CANARY, Bridge, Item, job_id, usual


def _read(octets: bytes) -> tuple[list[EventRow], dict[str, StreamRow]]:
    feed = Sniffing("data/x", 1)
    for at in range(0, len(octets), 777):
        feed.feed(memoryview(octets[at : at + 777]))
    feed.finish()
    found = feed.found
    assert found is not None
    events = found.made if isinstance(found, ExportFeed) else list(found.events())
    return list(events), {row.stream: row for row in found.rows()}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def _export(**changes: object) -> bytes:
    document: Item = json.loads(usual().export(job_id(1)))
    return json.dumps({key: value for key, value in {**document, **changes}.items() if value != "gone"}).encode()


@pytest.mark.parametrize(
    ("changes", "file", "job"),
    [
        ({}, {}, {}),
        ({"schemaVersion": 2}, {"schema_version_other": 1}, {}),
        ({"schemaVersion": True}, {"schema_version_other": 1}, {}),
        ({"schemaVersion": "gone"}, {"schema_version_absent": 1}, {}),
        ({"jobId": "gone"}, {"job_id_absent": 1}, {"other_job": 10}),
        ({"jobId": job_id(2)}, {}, {"other_job": 10}),
        ({"through": 1}, {}, {"last_id_unlike_through": 1}),
        ({"through": "gone"}, {}, {"through_absent": 1}),
        ({"exportedAt": 7, "more": 1}, {}, {}),
    ],
)
def test_the_head_of_an_export_is_checked(changes: Item, file: dict[str, int], job: dict[str, int]) -> None:
    """Version, job, boundary: each has its finding, and none stops the reading."""
    events, rows = _read(_export(**changes))
    assert len(events) == 10
    assert _found(rows["file/000001"]) == file
    assert _found(rows["job/000001"]) == job


def test_a_head_behind_the_entries_is_a_head_too() -> None:
    """Another order of members is the same export, and a foreign entry in it is found at the end."""
    document: Item = json.loads(usual().export(job_id(1)))
    octets = json.dumps({"entries": document["entries"], **{k: v for k, v in document.items() if k != "entries"}})
    assert _found(_read(octets.encode())[1]["job/000001"]) == {}
    other = octets.replace(f'"jobId": "{job_id(1)}"', f'"jobId": "{job_id(2)}"', 1)
    assert _found(_read(other.encode())[1]["job/000001"]) == {"other_job": 1}


def test_a_cut_tail_is_stated_and_what_came_before_stands() -> None:
    """Entries are read as far as they are whole."""
    octets = usual().export(job_id(1))
    events, rows = _read(octets[: len(octets) * 2 // 3])
    assert 0 < len(events) < 10
    assert _found(rows["file/000001"]) == {"document_cut": 1}


@pytest.mark.parametrize("octets", [b"", b"{}", b"[]", b"text", b'{"a": 1}'])
def test_what_is_no_export_is_kept_and_not_recognised(octets: bytes) -> None:
    """It has no job and no event."""
    events, rows = _read(octets)
    assert events == []
    assert [row.form for row in rows.values()] == ["unrecognised"]


def test_a_repeated_member_is_found() -> None:
    """The last one counts, as it does for everybody."""
    octets = usual().export(job_id(1))[:-1] + b', "through": 1}'
    assert _found(_read(octets)[1]["file/000001"]) == {"member_repeated": 1}


def _one(*entries: object) -> tuple[list[EventRow], dict[str, int], dict[str, StreamRow]]:
    last = [one["id"] for one in entries if isinstance(one, dict) and "id" in one]
    octets = json.dumps({"schemaVersion": 1, "jobId": "j", "through": (last or [0])[-1], "entries": entries}).encode()
    events, rows = _read(octets)
    return events, _found(rows["job/000001"]), rows


def _tool(number: int, kind: str, tool: str = "t", attempt: str | None = "a", **data: object) -> Item:
    told = {"toolId": tool, "name": "Bash", "input": 1, **data}
    return {"id": number, "jobId": "j", "attemptId": attempt, "type": f"tool.{kind}", "source": "claude", "data": told}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ((_tool(2, "requested"), _tool(1, "succeeded")), {"id_not_rising": 1, "last_id_unlike_through": 1}),
        ((_tool(1, "requested"), _tool(1, "succeeded")), {"id_not_rising": 1}),
        ((_tool(1, "succeeded"),), {"terminal_without_request": 1}),
        ((_tool(1, "requested"), _tool(2, "succeeded"), _tool(3, "failed")), {"terminal_repeated": 1}),
        ((_tool(1, "requested"), _tool(2, "requested"), _tool(3, "failed")), {"request_repeated": 1}),
        ((_tool(1, "requested"), _tool(2, "succeeded", attempt="b")),
         {"terminal_without_request": 1, "request_without_terminal": 1}),
        ((_tool(1, "requested", attempt=None), _tool(2, "succeeded", attempt=None)), {}),
        ((7, _tool(1, "requested"), _tool(2, "succeeded")), {"entry_unreadable": 1}),
        ((_tool(1, "requested", tool="not an id"),), {"odd_fields": 1, "tool_id_absent": 1}),
        ((_tool(1, "requested"), _tool(2, "succeeded", output={"sharedMessageResultToolId": "u"})),
         {"shared_result_unresolved": 1}),
        ((_tool(1, "requested"), _tool(2, "succeeded", output={"sharedMessageResult": {}, "toolIds": ["u"]}),
          _tool(3, "requested", tool="v"), _tool(4, "succeeded", tool="v", output={"sharedMessageResultToolId": "t"})),
         {"shared_result_not_named": 1}),
        ((_tool(1, "requested"), _tool(2, "succeeded", output={"sharedMessageResult": 1}),
          _tool(3, "requested", tool="v", attempt="b"),
          _tool(4, "succeeded", tool="v", attempt="b", output={"sharedMessageResultToolId": "t"})),
         {"shared_result_unresolved": 1}),
        (({"jobId": "j", "type": "job.running"},), {"id_absent": 1}),
        (({"id": 1, "jobId": "j", "type": "job.running", "createdAt": "yesterday"},), {"odd_fields": 1}),
    ],
)  # fmt: skip
def test_each_check_of_an_audit_says_no(entries: tuple[object, ...], found: dict[str, int]) -> None:
    """A finding for each thing that the contract rules out, inside job and attempt."""
    assert _one(*entries)[1] == found


def test_an_unknown_type_is_kept_and_marked() -> None:
    """A later release's type is an event of that type; what is no word is an event without one."""
    events, _, _ = _one({"id": 1, "jobId": "j", "type": "codex.thing"}, {"id": 2, "jobId": "j", "type": CANARY})
    assert [(event.kind, event.marks) for event in events] == [
        ("codex.thing", ("unknown_kind",)),
        ("", ("odd_fields", "unknown_kind")),
    ]


def test_content_in_any_field_stays_out_of_the_rows() -> None:
    """A text of another form than documented is content, for all we know."""
    fields = dict.fromkeys(("toolId", "name", "parentToolUseId", "taskId", "status", "trigger", "reason"), CANARY)
    entry = dict.fromkeys(("attemptId", "sessionId", "type", "source", "createdAt", "jobId"), CANARY)
    told = {**fields, "file": {"operation": CANARY, "path": CANARY}, "output": {"sharedMessageResultToolId": CANARY}}
    events, _, rows = _one({"id": 1, **entry, "data": told})
    assert CANARY not in repr(events) + repr(rows)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A bridge's database, in one file."""
    path = tmp_path / "queue.sqlite"
    usual().database(path)
    return path


def test_a_database_gives_the_events_of_its_jobs(database: Path) -> None:
    """Entry for entry, with the way back to the row."""
    events, rows = _read(database.read_bytes())
    assert [event.place.row for event in events] == list(range(1, len(usual().entries) + 1))
    assert _found(rows["file/000001"]) == {}
    assert {row.name for row in rows.values() if row.kind == "job"} == {job_id(1), job_id(2), job_id(9)}


def _altered(path: Path, *statements: str) -> dict[str, int]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return _found(_read(path.read_bytes())[1]["file/000001"])


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("DELETE FROM audit_entries WHERE id IN (1, 4, 5)", {"id_hole_hint": 3}),
        ("DELETE FROM audit_entries WHERE id > 12", {"id_hole_hint": 3}),
        ("DELETE FROM audit_entries", {"id_hole_hint": 15}),
        ("DELETE FROM sqlite_sequence", {}),
        ("UPDATE sqlite_sequence SET seq = 'x'", {}),
        ("UPDATE audit_entries SET id = -1 WHERE id = 15", {"id_hole_hint": 1, "id_odd": 1}),
        ("UPDATE jobs SET id = 'not an id' WHERE mode = 'cli' AND rowid = 1", {"job_unreadable": 1}),
        ("UPDATE attempts SET job_id = NULL WHERE rowid = 1", {"attempt_unreadable": 1}),
        ("UPDATE attempts SET data = '{'", {}),
        ("UPDATE audit_entries SET data = 7 WHERE id = 1", {}),
        ("DROP TABLE audit_tools", {"table_absent": 1}),
        ("DROP TABLE attempts", {"table_absent": 1}),
        ("DROP TABLE jobs", {"table_absent": 1}),
        ("PRAGMA user_version = 3", {"user_version_other": 1}),
        ("PRAGMA journal_mode = WAL", {"write_ahead_log_apart": 1}),
    ],
)
def test_each_oddity_of_a_database_is_a_finding(database: Path, statement: str, found: dict[str, int]) -> None:
    """None of them stops the reading of the rest."""
    assert _altered(database, statement) == found


def test_a_table_without_autoincrement_has_no_counter(tmp_path: Path) -> None:
    """Then only holes between rows can be told, and a database without the table has no events."""
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE audit_entries (id INTEGER PRIMARY KEY, job_id TEXT, data TEXT)")
        connection.execute("INSERT INTO audit_entries VALUES (1, NULL, '{}')")
    assert _found(_read(path.read_bytes())[1]["file/000001"]) == {"table_absent": 3, "user_version_other": 1}
    assert _altered(path, "DROP TABLE audit_entries") == {"table_absent": 4, "user_version_other": 1}


def test_many_runs_are_told_as_one_with_holes(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of runs is bounded; the count of holes is not."""
    monkeypatch.setattr(adapter, "RUNS_MAX", 2)
    assert _altered(database, "DELETE FROM audit_entries WHERE id % 2 = 0") == {"id_hole_hint": 7}
    table = _read(database.read_bytes())[1]["table/000001"]
    assert [(run.first, run.last, run.events) for run in table.runs] == [(1, 1, 1), (3, 15, 7)]


def test_a_damaged_or_too_large_database_is_stated(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is raised, and nothing of its content is told."""
    octets = database.read_bytes()
    assert _found(_read(octets[:200] + bytes(len(octets) - 200))[1]["file/000001"]) == {"database_unreadable": 1}
    monkeypatch.setattr(adapter, "DATABASE_MAX", 100)
    events, rows = _read(octets)
    assert (events, _found(rows["file/000001"])) == ([], {"database_over_limit": 1})


def test_a_database_is_read_once() -> None:
    """Its events are given once, and before the last byte there are none."""
    feed = DatabaseFeed("data/x", "file/000001", 1)
    assert list(feed.events()) == []
    assert is_read_only(sqlite3.SQLITE_INSERT, "jobs") == sqlite3.SQLITE_DENY


def test_an_empty_bridge_exports_an_empty_audit() -> None:
    """A job without entries has the boundary 0."""
    bridge = Bridge()
    bridge.jobs["j"] = {}
    octets = bridge.export("j")
    assert _found(_read(octets)[1]["job/000001"]) == {}
