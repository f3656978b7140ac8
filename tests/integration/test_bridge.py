"""Collections from a synthetic bridge, end to end: they conform to the documented contract, faults included."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.acquire.collect import collect, resume_collection
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, Reach, ResumeCollection
from agentaudit.adapters.bridge.reading import BridgeReader
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.wire import WireRequest, WireResponse
from agentaudit.errors import AgentAuditError, SourceRefused, SourceUnreachable
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import BridgeSelection
from agentaudit.model.stream import EventRow, StreamRow
from agentaudit.package.case import new_case_file, open_case
from agentaudit.sources.compliance.keys import Key
from agentaudit.verify import verify_exhibit
from tests.integration.runs import quick
from tests.support.around import ACTORS, hand, surroundings
from tests.support.bridging import CANARY, Bridge, error, job_id, usual
from tests.support.clock import BEGIN

LIMITS = ReadLimits(connect_ms=1_000, read_ms=2_000, answer_ms=10_000, attempts=2)


def _case(folder: Path) -> Path:
    case = folder / "case"
    if not case.exists():
        open_case(case, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
    return case


def _collect(folder: Path, bridge: Bridge, selection: BridgeSelection | None = None, secret: str = "") -> SealedResult:
    with LoopbackServer(bridge) as server:
        reach = Reach(server.url, Key(secret or bridge.secret), 600_000, 2)
        request = Collect(
            _case(folder),
            selection or BridgeSelection(),
            None,
            LIMITS,
            reach,
            Said(),
            ("agentaudit", "collect-bridge-audit"),
        )
        return collect(request, quick(), Silent())


def _events(folder: Path) -> list[EventRow]:
    lines = (folder / "case/EX-0001" / layout.EVENTS).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=EventRow) for line in lines]


def _streams(folder: Path) -> dict[str, StreamRow]:
    lines = (folder / "case/EX-0001" / layout.STREAMS).read_bytes().splitlines()
    return {row.stream: row for row in (msgspec.json.decode(line, type=StreamRow) for line in lines)}


def _gaps(result: SealedResult) -> dict[str, int]:
    return {total.code: total.count for total in result.gaps}


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


def test_a_bridge_is_collected_whole_and_verifies(tmp_path: Path) -> None:
    """Own jobs, attempts, entries and tools are here, and the readings are rebuilt from the bytes."""
    bridge = usual()
    result = _collect(tmp_path, bridge)
    assert result.outcome == "all_given"
    assert result.endpoint_class == "local_service"
    assert len(_events(tmp_path)) == len(bridge.of(job_id(1))) + len(bridge.of(job_id(2)))
    streams = _streams(tmp_path)
    first = streams["job/000001"]
    counts = dict(first.counts)
    assert (counts["tools_reported_success"], counts["tools_reported_failure"], counts["tools_unknown"]) == (2, 1, 1)
    assert dict(first.words)["coverage"] == "native_tools"
    assert first.findings == ()
    assert counts["through"] == bridge.of(job_id(1))[-1]["id"]
    assert streams["job/000001/attempt/000001"].within == "job/000001"
    assert dict(streams["job/000001/tool/000003"].words)["outcome"] == "reported_failure"
    assert verify_exhibit(tmp_path / "case/EX-0001", readers=(BridgeReader(),), threads=1).integrity == "intact"


def test_a_client_report_is_marked_and_has_no_outcome(tmp_path: Path) -> None:
    """What a client claims is no executed act."""
    _collect(tmp_path, usual())
    reports = [event for event in _events(tmp_path) if event.kind == "client.tool_result_reported"]
    assert [event.marks for event in reports] == [("client_report",)]
    tool = _streams(tmp_path)["job/000002/tool/000001"]
    assert tool.form == "client_function"
    assert "outcome" not in dict(tool.words)


def test_no_content_and_no_token_leaves_the_payload(tmp_path: Path) -> None:
    """Content stands below `data/` alone, the token nowhere and in no address."""
    bridge = usual()
    _collect(tmp_path, bridge)
    for path in (tmp_path / "case").rglob("*"):
        if path.is_file():
            octets = path.read_bytes()
            assert bridge.secret.encode() not in octets
            assert CANARY.encode() not in octets or "data" in path.relative_to(tmp_path / "case/EX-0001").parts
    assert all(bridge.secret not in request.target for request in bridge.requests)


def test_payloads_are_asked_for_on_every_page_up_to_the_first_boundary(tmp_path: Path) -> None:
    """What is observed while the audit is read is not part of it."""
    bridge = usual()
    bridge.page_bytes = 600
    audits: list[WireRequest] = []

    def grow(request: WireRequest) -> WireResponse | None:
        if request.path.endswith("audit"):
            audits.append(request)
            bridge.add(job_id(1), "job.message", "bridge", {})
        return None

    bridge.during = grow
    result = _collect(tmp_path, bridge, BridgeSelection(jobs=(job_id(1),)))
    assert result.outcome == "all_given"
    assert len(audits) > 3
    assert all(dict(request.query)["includePayloads"] == "true" for request in audits)
    assert {dict(request.query).get("through") for request in audits[1:]} == {
        str(max(int(str(event.id)) for event in _events(tmp_path)))
    }
    assert _found(_streams(tmp_path)["job/000001"]) == {}


def test_the_asking_stands_in_the_journal(tmp_path: Path) -> None:
    """Without payloads each row says so, and no entry is called incomplete for it."""
    _collect(tmp_path, usual(), BridgeSelection(payloads=False))
    lines = (tmp_path / "case/EX-0001" / layout.JOURNAL).read_text().splitlines()
    rows = [json.loads(line) for line in lines if '"event":"answered"' in line]
    asked = [row["exchange"]["query"] for row in rows if row["walk"].endswith("/audit")]
    assert asked
    assert all(["includePayloads", "false"] in query for query in asked)
    assert dict(_streams(tmp_path)["job/000001"].words)["payloads"] == "not_asked"
    assert _found(_streams(tmp_path)["job/000001"]) == {}
    assert {mark for event in _events(tmp_path) for mark in event.marks} >= {"payload_not_asked"}


def test_payloads_that_were_asked_for_and_removed_are_found(tmp_path: Path) -> None:
    """A bridge that takes them out all the same leaves no mark; the reading does."""
    bridge = usual()
    for entry in bridge.entries:
        data = entry["data"]
        assert isinstance(data, dict)
        data.pop("input", None)
        data.pop("output", None)
    _collect(tmp_path, bridge)
    assert _found(_streams(tmp_path)["job/000001"])["payload_absent"] == 8


@pytest.mark.parametrize(("asked", "subject"), [(job_id(9), "another_clients_or_none"), ("not-a-job", "no_job_id")])
def test_a_job_that_is_not_found_is_a_gap(tmp_path: Path, asked: str, subject: str) -> None:
    """Another client's job and a wrong id answer alike; an id of another form never was one."""
    result = _collect(tmp_path, usual(), BridgeSelection(jobs=(asked, job_id(1))))
    assert _gaps(result) == {"job_not_found": 1}
    assert result.outcome == "all_given_with_losses"
    assert subject in (tmp_path / "case/EX-0001" / layout.GAPS).read_text()


def test_a_last_id_unlike_the_boundary_is_a_gap_and_a_finding(tmp_path: Path) -> None:
    """The bridge names an entry that it does not give."""
    bridge = usual()
    bridge.wrong_through = 5
    result = _collect(tmp_path, bridge, BridgeSelection(jobs=(job_id(1),)))
    assert _gaps(result) == {"entries_absent": 1}
    assert _found(_streams(tmp_path)["job/000001"]) == {"last_id_unlike_through": 1}


def test_an_open_request_is_awaited_in_a_live_job_and_missed_in_a_closed_one(tmp_path: Path) -> None:
    """The status before the audit decides."""
    bridge = Bridge()
    live, closed = bridge.add_job(1, "running"), bridge.add_job(2)
    bridge.call(live, "toolu_1", None)
    bridge.call(closed, "toolu_1", None)
    _collect(tmp_path, bridge)
    streams = _streams(tmp_path)
    assert _found(streams["job/000001"]) == {"request_awaiting": 1}
    assert _found(streams["job/000002"]) == {"request_without_terminal": 1}
    assert dict(streams["job/000001/tool/000001"].words)["outcome"] == "awaiting"


def test_a_cursor_that_stands_still_ends_the_walk_as_a_gap(tmp_path: Path) -> None:
    """It would go round for ever."""
    bridge = usual()
    bridge.page_bytes, bridge.stuck_cursor = 600, True
    result = _collect(tmp_path, bridge, BridgeSelection(jobs=(job_id(1),)))
    assert "cursor_repeated" in _gaps(result)
    assert result.outcome == "incomplete"


def test_a_dead_page_costs_its_walk_alone(tmp_path: Path) -> None:
    """The tools are asked for all the same."""
    bridge = usual()
    bridge.during = lambda request: error(500, "internal") if request.path.endswith("audit") else None
    result = _collect(tmp_path, bridge, BridgeSelection(jobs=(job_id(1),)))
    assert _gaps(result) == {"retries_exhausted": 1}
    assert any(request.path.endswith("tools") for request in bridge.requests)


def test_a_page_that_is_no_page_is_asked_for_twice(tmp_path: Path) -> None:
    """Then the walk ends, and the bytes are kept."""
    bridge = usual()
    broken = WireResponse(200, (), b'{"entries": 1}')
    bridge.during = lambda request: broken if request.path.endswith("audit") else None
    result = _collect(tmp_path, bridge, BridgeSelection(jobs=(job_id(1),)))
    assert _gaps(result) == {"unreadable_answer": 1}


def test_pages_of_four_megabytes_are_followed_however_short(tmp_path: Path) -> None:
    """A page of one entry is not the last one."""
    bridge = Bridge()
    job = bridge.add_job(1)
    for number in range(3):
        bridge.add(job, "tool.requested", "claude", {"toolId": f"toolu_{number}", "input": "x" * 3_000_000})
        bridge.add(job, "tool.succeeded", "claude", {"toolId": f"toolu_{number}", "output": {"content": ""}})
    bridge.finish(job)
    result = _collect(tmp_path, bridge)
    assert result.outcome == "all_given"
    assert dict(_streams(tmp_path)["job/000001"].counts)["pages"] == 3
    assert len(_events(tmp_path)) == 8


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (error(401, "unauthorized"), SourceRefused),
        (error(403, "invalid_host"), SourceRefused),
        (error(403, "forbidden"), SourceRefused),
        (error(404, "not_found"), SourceRefused),
        (WireResponse(302, (("location", "http://127.0.0.1:9/"),), b""), SourceRefused),
        (error(500, "internal"), SourceUnreachable),
    ],
)
def test_what_concerns_the_whole_bridge_ends_the_run(
    tmp_path: Path, answer: WireResponse, expected: type[AgentAuditError]
) -> None:
    """A list that cannot be had is no gap: the run stops and can go on later."""
    bridge = usual()
    bridge.during = lambda request: answer if request.path.endswith("jobs") else None
    with pytest.raises(expected):
        _collect(tmp_path, bridge)


def _limited(times: int) -> Callable[[WireRequest], WireResponse | None]:
    left = [times]

    def during(request: WireRequest) -> WireResponse | None:
        if request.path.endswith("jobs") and left[0]:
            left[0] -= 1
            return error(429, "rate_limited")
        return None

    return during


def test_a_used_up_budget_is_waited_for_three_times_and_the_run_can_go_on(tmp_path: Path) -> None:
    """Sixty seconds each; then the run ends, and its resumption finishes it."""
    bridge = usual()
    bridge.during = _limited(4)
    ticks = iter(range(0, 10**9, 5_000))
    swift = surroundings(monotonic_ms=lambda: next(ticks))
    with LoopbackServer(bridge) as server:
        reach = Reach(server.url, Key(bridge.secret), 600_000, 1)
        request = Collect(_case(tmp_path), BridgeSelection(), None, LIMITS, reach, Said(), ("agentaudit",))
        with pytest.raises(SourceUnreachable):
            collect(request, swift, Silent())
        journal = (tmp_path / "case" / f"EX-0001{layout.PARTIAL}" / layout.JOURNAL).read_text()
        assert journal.count('"wait_ms":60000') == 3
        resumed = ResumeCollection(_case(tmp_path), "EX-0001", reach, Said(), ("agentaudit",))
        assert resume_collection(resumed, quick(), Silent()).outcome == "all_given"


def test_a_vendor_key_is_not_sent_to_a_bridge(tmp_path: Path) -> None:
    """Not one request leaves."""
    bridge = usual()
    with pytest.raises(SourceRefused):
        _collect(tmp_path, bridge, secret="-".join(("sk", "ant", "x")))
    assert bridge.requests == []
