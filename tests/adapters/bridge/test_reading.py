"""Answers of the API, read page by page: what is odd in them is found, and nothing stops the reading."""

import json

import msgspec

from agentaudit.adapters.bridge.exported import BridgeFilesReading
from agentaudit.adapters.bridge.naming import JOBS_WALK, STATUS_WALK, JobPart, job_walk
from agentaudit.adapters.bridge.reading import ADAPTER, BridgeReader, BridgeReading
from agentaudit.model.base import digest_of
from agentaudit.model.journal import Answered, PayloadFile
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import BridgeSelection, HandedOver
from agentaudit.model.stream import StreamRow
from agentaudit.model.walk import Answer, Ask, Request
from tests.support.openings import kept_row, opened_row
from tests.support.wires import exchange

AT = "http://127.0.0.1:8766/v1/bridge/jobs/j/"


def _answer(walk: str, status: int = 200, url: str = AT) -> Answered:
    told = exchange(Ask(walk, 1, Request("/x", (("includePayloads", "true"),))), 1, Answer(status, (), b""))
    return Answered(
        walk=walk,
        page=1,
        ask=1,
        limits=None,
        exchange=msgspec.structs.replace(told, url=url, status=status),
        content_encoding=None,
        media_type=None,
        item=PayloadFile(path=f"data/{walk}/000001.json", bytes=0, sha256=digest_of(b"")),
    )


def _feed(reading: BridgeReading, part: JobPart, document: object) -> None:
    assert reading.feed(_answer(job_walk(1, part)), json.dumps(document).encode()) == ((), ())


def _rows(reading: BridgeReading) -> dict[str, StreamRow]:
    return {row.stream: row for row in reading.streams()}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def _call(number: int, kind: str, tool: str, attempt: str = "a") -> dict[str, object]:
    told = {"toolId": tool, "input": 1}
    return {"id": number, "jobId": "j", "attemptId": attempt, "type": f"tool.{kind}", "data": told}


def test_the_live_list_of_tools_is_held_against_the_entries() -> None:
    """What one of both has alone, and what they tell apart, is found in a closed job."""
    reading = BridgeReading()
    entries = [
        _call(1, "requested", "t"), _call(2, "succeeded", "t"), _call(3, "requested", "u"), _call(4, "failed", "u"),
    ]  # fmt: skip
    _feed(reading, "attempts", {"attempts": [{"id": "other", "status": "failed"}, 7]})
    _feed(reading, "audit", {"entries": entries, "through": 4, "summary": {"coverage": 7, "tools": True}})
    _feed(reading, "job", {"id": "k", "status": "succeeded", "mode": 7})
    tools = [
        {"attemptId": "a", "toolId": "t", "status": "failed"},
        {"toolId": "v", "status": "requested"},
        {"toolId": "a b"},
    ]
    _feed(reading, "tools", {"tools": tools})
    assert _found(_rows(reading)["job/000001"]) == {
        "attempt_not_listed": 1, "attempt_unreadable": 1, "other_job_answered": 1, "projected_tool_unreadable": 1,
        "projected_tool_without_entries": 1, "projection_differs": 1, "tool_not_projected": 1,
    }  # fmt: skip


def test_a_live_list_may_know_more() -> None:
    """It is read after the audit of a live job."""
    reading = BridgeReading()
    _feed(reading, "audit", {"entries": [], "through": 0})
    _feed(reading, "job", {"id": "j"})
    _feed(reading, "tools", {"tools": [{"toolId": "v", "status": "requested"}]})
    assert _found(_rows(reading)["job/000001"]) == {}


def test_another_boundary_on_a_later_page_is_found() -> None:
    """The boundary is that of the first page."""
    reading = BridgeReading()
    _feed(reading, "audit", {"entries": [{"id": 1, "jobId": "j", "type": "job.queued"}], "through": 1, "nextCursor": 1})
    assert reading.next_cursor() == "1"
    _feed(reading, "audit", {"entries": [], "through": 2})
    assert _found(_rows(reading)["job/000001"]) == {"through_changed": 1}
    assert "status" in dict(_rows(reading)["job/000001"].words)


def test_what_the_bridge_says_of_itself_stands_with_it() -> None:
    """Version, protocol, mode of permission; what has no form of a word is left out."""
    reading = BridgeReading()
    told = {"version": "0.1.0", "protocolVersion": 2, "permissionMode": "bypassPermissions"}
    reading.feed(_answer(STATUS_WALK), json.dumps(told).encode())
    reading.feed(_answer(JOBS_WALK), b'{"jobs": [{}, {}]}')
    row = _rows(reading)["service/000001"]
    assert row.words == (("permissionMode", "bypassPermissions"), ("protocolVersion", "2"))
    assert row.producers == (("signature-agent-bridge", "0.1.0", 0),)
    odd = BridgeReading()
    odd.feed(_answer(STATUS_WALK), b'{"version": 1, "protocolVersion": [], "permissionMode": "a b"}')
    assert _rows(odd)["service/000001"].words == ()


def test_what_is_no_page_of_ours_gives_nothing() -> None:
    """A refusal, a broken body, a walk of another source."""
    reading = BridgeReading()
    for row, body in (
        (_answer(job_walk(1, "audit"), 404), b"{}"),
        (_answer(job_walk(1, "audit")), b"{"),
        (_answer("compliance/local/lists/l01"), b"{}"),
    ):
        reading.feed(row, body)
        assert reading.next_cursor() is UNREAD
    reading.feed(_answer(job_walk(2, "audit"), url="http://127.0.0.1/elsewhere"), b'{"entries": []}')
    assert list(reading.events()) == []
    assert _rows(reading)["job/000002"].name is None
    assert list(reading.sessions((), ())) == []
    assert list(reading.clipped()) == []
    assert reading.payload(kept_row()) is None


def test_the_selection_says_which_reading_it_is() -> None:
    """One adapter reads what the API gave and what was handed over."""
    reader = BridgeReader()
    assert reader.name == ADAPTER
    opened = opened_row()
    assert isinstance(reader.open(msgspec.structs.replace(opened, selection=BridgeSelection()), ()), BridgeReading)
    handed = HandedOver(deposit="bridge", paths=())
    files = reader.open(msgspec.structs.replace(opened, selection=handed), ())
    assert isinstance(files, BridgeFilesReading)
    assert list(files.events()) == []
    assert list(files.streams()) == []
