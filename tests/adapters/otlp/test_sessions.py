"""What sessions and their processes tell: order, gaps, duplicates, calls, gates, sweeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.otlp.calls import verdict_of
from agentaudit.adapters.otlp.dialects import CLAUDE_CODE
from agentaudit.adapters.otlp.events import event_of
from agentaudit.adapters.otlp.ledger import Ledger
from agentaudit.adapters.otlp.processes import Processes, print_of
from agentaudit.adapters.otlp.rows import RUNS_MAX, session_rows
from agentaudit.adapters.otlp.sessions import KINDS_MAX, RECENT, Session
from agentaudit.adapters.otlp.span import Span
from agentaudit.adapters.otlp.values import LogRecord, Value
from agentaudit.model.stream import OrderRun
from tests.support.telemetry import BEGIN_MS, MS, Log, Read, Sent, log, own_json, read, stamp

HERE = ("data/1", 0, 0, 0, 0)


def reading(*logs: Log, service: str = "claude-code") -> Read:
    """What came of a file with these records, a document each."""
    return read(b"".join(own_json(Sent([one], {"service.name": service})) + b"\n" for one in logs))


def runs(found: Read, process: str = "process/000001") -> list[tuple[int, int]]:
    """The unbroken rises of a process."""
    return [(run.first, run.last) for run in found.streams[process].runs]


def test_a_whole_session_has_one_run_and_no_finding() -> None:
    """From 0 upwards, with the settings event that begins a session."""
    found = reading(log("managed_settings_resolved", 0), *(log("api_request", order) for order in range(1, 70)))
    session, process = found.streams["session/000001"], found.streams["process/000001"]
    assert (session.kind, session.events, session.findings) == ("session", 70, ())
    assert (process.within, process.events, process.runs) == (
        "session/000001", 70, (OrderRun(first=0, last=69, events=70),),
    )  # fmt: skip
    assert process.findings == ()
    assert (session.first_at, session.last_at) == (stamp(BEGIN_MS), stamp(BEGIN_MS + 69))


def test_a_gap_is_told_by_its_size() -> None:
    """What is missing between two numbers of one process was lost, or filtered on its way."""
    found = reading(*(log("api_request", order) for order in (0, 1, 5, 6, 9)))
    assert runs(found) == [(0, 1), (5, 6), (9, 9)]
    assert found.found("process/000001") == {"sequence_gap": 5}
    assert dict(found.streams["process/000001"].counts) == {"missing": 5, "runs": 3}


def test_a_cut_head_is_told() -> None:
    """A process that begins beyond its first number, a session without its settings event."""
    found = reading(log("api_request", 4))
    assert found.found("process/000001") == {"sequence_begins_late": 4}
    assert found.found("session/000001") == {"no_settings_event": 1}


def test_a_counter_that_falls_back_is_another_process() -> None:
    """A resumed session goes on in a new process; each has its own runs."""
    found = reading(*(log("api_request", order, ms=BEGIN_MS + at) for at, order in enumerate((0, 1, 2, 0, 1))))
    assert runs(found) == [(0, 2)]
    assert runs(found, "process/000002") == [(0, 1)]
    assert found.found("session/000001")["sequence_reset"] == 1
    assert [event.stream[-1] for event in found.events] == ["1", "1", "1", "2", "2"]


def test_processes_that_take_turns_are_told_apart() -> None:
    """Two processes of one session, by turns: each number goes to the process that it follows."""
    orders = [(0, 0), (0, 1), (1, 2), (1, 3), (2, 4), (2, 5)]
    found = reading(*(log("api_request", order, ms=BEGIN_MS + at) for order, at in orders))
    assert runs(found) == [(0, 2)]
    assert runs(found, "process/000002") == [(0, 2)]


def test_a_duplicate_counts_once() -> None:
    """The same number, time and name in one session is the same event; its call is not taken twice."""
    one = log("tool_decision", 1, tool_use_id="t", decision="accept")
    found = reading(log("api_request", 0), one, one, log("tool_result", 2, tool_use_id="t"), one)
    session = found.streams["session/000001"]
    assert [event.marks for event in found.events] == [(), (), ("duplicate",), (), ("duplicate",)]
    assert dict(session.counts) == {"accepted": 1, "decisions": 1, "duplicates": 2, "processes": 1, "results": 1}
    assert found.found("session/000001")["events_duplicate"] == 2
    assert dict(found.streams["process/000001"].counts)["duplicates"] == 2


def test_the_same_number_at_another_time_is_no_duplicate() -> None:
    """It is of another process."""
    found = reading(log("api_request", 0), log("api_request", 0, ms=BEGIN_MS + 50))
    assert [event.stream for event in found.events] == ["process/000001", "process/000002"]
    found = reading(log("api_request", 0), log("api_error", 0))
    assert [event.stream for event in found.events] == ["process/000001", "process/000002"]


def test_an_event_that_comes_late_fills_its_gap() -> None:
    """Its number and its time lie inside a gap, or before the first event."""
    found = reading(*(log("api_request", order) for order in (1, 4, 2, 3, 0)))
    assert runs(found) == [(0, 4)]
    assert found.found("process/000001") == {"sequence_late": 3}
    assert [event.marks for event in found.events] == [(), (), ("late",), ("late",), ("late",)]
    other = reading(log("api_request", 1), log("api_request", 4), log("api_request", 2, ms=BEGIN_MS + 900))
    assert [event.stream for event in other.events] == ["process/000001", "process/000001", "process/000002"]


def test_late_events_far_apart_are_taken_too() -> None:
    """A gap may be wider than what is held in one piece."""
    found = reading(*(log("api_request", order) for order in (0, 1_000, 500)))
    assert runs(found) == [(0, 0), (500, 500), (1_000, 1_000)]


def test_a_number_that_rises_while_time_falls_is_told() -> None:
    """The clock was set back; the order is that of the numbers."""
    found = reading(log("api_request", 0, ms=BEGIN_MS + 10), log("api_request", 1, ms=BEGIN_MS))
    assert found.found("process/000001") == {"sequence_backwards_in_time": 1}
    jump = reading(log("api_request", 0, ms=BEGIN_MS + 10), log("api_request", 9, ms=BEGIN_MS))
    assert [event.stream for event in jump.events] == ["process/000001", "process/000002"]


@given(st.lists(st.integers(0, 300), min_size=1, max_size=60, unique=True))
def test_whatever_the_order_no_number_is_lost(orders: list[int]) -> None:
    """The runs of all processes together hold each number once."""
    processes = Processes()
    for order in orders:
        processes.take(order, BEGIN_MS * MS + order, "", print_of("", str(order)))
    held = [at for one in processes.all for run in one.runs() for at in range(run.first, run.last + 1)]
    assert sorted(held) == sorted(orders)
    assert sum(one.events for one in processes.all) == len(orders)


def test_more_processes_than_are_looked_at_are_new_ones() -> None:
    """Only those that were met last are asked whether an event is theirs."""
    processes = Processes()
    for number in range(70):
        processes.take(5, number, str(number), number + 1)
    assert len(processes.all) == 70
    assert processes.take(5, 0, "0", 1)[0].number == 71


def test_a_check_number_takes_any_text() -> None:
    """A lone surrogate ends nothing."""
    assert print_of("a", "\ud800") != print_of("a", "b")
    assert print_of("", "") == 1


def test_runs_beyond_the_bound_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row names the first ones, and says how many there are."""
    assert RUNS_MAX == 1_000
    monkeypatch.setattr("agentaudit.adapters.otlp.rows.RUNS_MAX", 2)
    process = reading(*(log("api_request", 2 * at) for at in range(5))).streams["process/000001"]
    assert len(process.runs) == 2
    assert dict(process.counts) == {"missing": 4, "runs": 5}


def test_a_session_that_goes_on_in_another_is_a_candidate() -> None:
    """`/clear` changes the session and not the process: the counter goes on, on the same installation."""
    user = {"user.id": "u"}
    first = [
        Log(one.moment, one.body, {**one.attributes, **user}) for one in (log("api_request", 0), log("api_request", 1))
    ]
    second = log("api_request", 2, session="b")
    found = reading(*first, Log(second.moment, second.body, {**second.attributes, **user}))
    assert found.streams["process/000002"].words == (("may_continue", "process/000001"),)
    assert found.streams["process/000001"].words == ()
    other = reading(*first, Log(second.moment, second.body, {**second.attributes, "user.id": "v"}))
    assert other.streams["process/000002"].words == ()
    early = Log(BEGIN_MS * MS - MS, second.body, {**second.attributes, **user})
    assert reading(*first, early).streams["process/000002"].words == ()


def test_decisions_and_results_are_matched_by_the_id_of_the_call() -> None:
    """An accepted call without a result, a rejected one with a result, a result nobody decided on: each is told."""
    found = reading(
        log("tool_decision", 0, tool_use_id="a", decision="accept"),
        log("tool_decision", 1, tool_use_id="b", decision="reject"),
        log("tool_decision", 2, tool_use_id="c", decision="accept"),
        log("tool_result", 3, tool_use_id="c", success="false"),
        log("tool_result", 4, tool_use_id="b", success="true"),
        log("tool_result", 5, tool_use_id="d", success=True),
        log("tool_result", 6, tool_use_id="e", success=False),
        log("tool_decision", 7, tool_use_id="e", decision="reject"),
        log("tool_result", 8, tool_use_id="f"),
        log("tool_decision", 9, tool_use_id="f", decision="accept"),
        log("tool_decision", 10, decision="accept"),
        log("tool_result", 11),
        log("tool_decision", 12, tool_use_id="g", decision="ask"),
    )
    assert dict(found.streams["session/000001"].counts) == {
        "accepted": 4, "decisions": 7, "decisions_without_call": 1, "failed": 2, "processes": 1, "rejected": 2,
        "results": 6, "results_without_call": 1, "undecided": 1,
    }  # fmt: skip
    findings = {one.code: one for one in found.streams["session/000001"].findings}
    assert findings.keys() == {
        "accepted_without_result", "no_settings_event", "rejected_with_result", "result_without_decision",
    }  # fmt: skip
    assert findings["accepted_without_result"].count == 1
    assert findings["rejected_with_result"].count == 2
    offsets = [event.place.offset for event in found.events]
    assert [place.offset for place in findings["accepted_without_result"].places] == [offsets[0]]
    assert [place.offset for place in findings["rejected_with_result"].places] == [offsets[4], offsets[6]]
    assert [place.offset for place in findings["result_without_decision"].places] == [offsets[5]]


@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        ("accept", "accepted"), ("reject", "rejected"), ("approved_for_session", "accepted"),
        ("ApprovedExecpolicyAmendment", "accepted"), ("denied", "rejected"), ("abort", "rejected"),
        ("", "undecided"), ("timed_out", "undecided"),
    ],
)  # fmt: skip
def test_a_decision_is_said_in_several_spellings(word: str, verdict: str) -> None:
    """Claude Code's two words, Codex's with a scope behind them; any other word decides nothing."""
    assert verdict_of({"decision": Value(stringValue=word)}) == verdict
    assert verdict_of({}) == "undecided"


def test_gates_are_observed_and_never_guessed() -> None:
    """Content came through, a placeholder stood there, both, or nothing tells."""
    found = reading(
        log("user_prompt", 0, prompt="<REDACTED>"),
        log("assistant_response", 1, response="text"),
        log("assistant_response", 2, response="<REDACTED>"),
        log("tool_result", 3, tool_input="{}"),
        log("tool_decision", 4),
    )
    assert dict(found.streams["session/000001"].words) == {
        "agent": "claude-code", "observed.OTEL_LOG_ASSISTANT_RESPONSES": "both",
        "observed.OTEL_LOG_MANAGED_SETTINGS": "unseen", "observed.OTEL_LOG_RAW_API_BODIES": "unseen",
        "observed.OTEL_LOG_TOOL_DETAILS": "open", "observed.OTEL_LOG_USER_PROMPTS": "shut",
    }  # fmt: skip
    assert found.found("session/000001")["events_redacted"] == 2
    assert [event.marks for event in found.events] == [("redacted",), (), ("redacted",), (), ()]


def test_the_placeholder_of_one_agent_is_text_for_the_other() -> None:
    """Codex writes its own."""
    attributes: dict[str, str | int | bool | float | list[str]] = {
        "conversation.id": "c",
        "event.name": "codex.user_prompt",
    }
    one = Log(BEGIN_MS * MS, "", {**attributes, "prompt": "[REDACTED]"})
    found = reading(one, service="codex_cli_rs")
    session = found.streams["session/000001"]
    assert (session.kind, found.events[0].kind) == ("conversation", "user_prompt")
    assert dict(session.words)["observed.otel.log_user_prompt"] == "shut"
    assert "no_settings_event" not in found.found("session/000001")
    other = reading(Log(one.moment, "", {**attributes, "prompt": "<REDACTED>"}), service="codex_exec")
    assert dict(other.streams["session/000001"].words)["observed.otel.log_user_prompt"] == "open"


def test_a_retention_sweep_is_evidence_that_transcripts_were_deleted() -> None:
    """How many sweeps, where, and what they deleted; a sum stays within what can be written."""
    most = 2**53 - 1
    found = reading(
        log("retention_sweep", 0, transcripts_deleted=3, session_files_deleted="2", artifacts_deleted=most),
        log("retention_sweep", 1, transcripts_deleted=4, artifacts_deleted=most, session_files_deleted=-5),
    )
    counts = dict(found.streams["session/000001"].counts)
    assert counts["retention_sweeps"] == 2
    assert (counts["transcripts_deleted"], counts["session_files_deleted"], counts["artifacts_deleted"]) == (7, 2, most)
    sweep = next(one for one in found.streams["session/000001"].findings if one.code == "retention_sweep")
    assert (sweep.count, len(sweep.places)) == (2, 2)


def test_kinds_beyond_the_bound_are_counted_together() -> None:
    """A stream that makes up names does not fill the memory."""
    session = Session(CLAUDE_CODE, 1, "a")
    for number in range(KINDS_MAX + 5):
        event = event_of(CLAUDE_CODE, LogRecord())
        event.kind = f"k{number}"
        session.see(event, HERE, set())
    assert len(session.kinds) == KINDS_MAX + 1
    assert session.kinds[""] == 5


def test_events_without_a_number_are_compared_with_recent_ones() -> None:
    """The same time, name and call is a duplicate; a number below zero, or none at all, is no number."""
    found = reading(log("api_request"), log("api_request"), log("api_request", session="b"), log("api_error", -1))
    assert [event.marks for event in found.events] == [(), ("duplicate",), (), ()]
    assert [event.stream for event in found.events] == ["session/000001"] * 2 + ["session/000002", "session/000001"]
    session = Session(CLAUDE_CODE, 1, "a")
    for number in (*range(RECENT + 1), 0):
        event = event_of(CLAUDE_CODE, LogRecord(timeUnixNano=number + 1))
        marks: set[str] = set()
        session.see(event, HERE, marks)
        assert marks == set()


def test_a_span_ignores_what_has_no_time() -> None:
    """It is empty before the first time, and no event without one widens it."""
    span = Span()
    span.meet(0, "nothing")
    assert not span.met
    for moment in (5, 3, 9, 4):
        span.meet(moment, str(moment))
    assert (span.met, span.first_at, span.last_at) == (True, "3", "9")


def test_a_session_beyond_the_bound_is_told_of_its_service() -> None:
    """The state of so many sessions is held, and no more."""
    ledger = Ledger(sessions_max=1)
    sent = Sent([log("api_request", 0), log("api_request", 0, session="b"), log("api_request", 1)])
    found = read(own_json(sent), ledger=ledger)
    assert [event.stream for event in found.events] == ["process/000001", "service/000001", "process/000001"]
    assert found.found("service/000001") == {"events_sessions_over_limit": 1}
    assert len(list(session_rows(ledger))) == 2


def test_an_event_without_a_session_is_told_of_its_service() -> None:
    """So is one whose session is named by what is too long to be an id."""
    found = reading(log("api_request", session=None), log("made_up", session="x" * 257), log("api_error", session=""))
    assert {event.stream for event in found.events} == {"service/000001"}
    assert found.streams["service/000001"].kinds == (("", 1), ("api_error", 1), ("api_request", 1))
    assert found.found("service/000001") == {
        "events_no_session": 2, "events_session_over_limit": 1, "events_unknown_kind": 1,
    }  # fmt: skip


def test_other_services_are_counted_only() -> None:
    """Nothing of their records is looked at; a service without a name has none."""
    sents = [
        Sent([log("api_request", 0)], {"service.name": "checkout", "service.version": "3"}),
        Sent([log("api_request", 0)], {"service.name": "checkout"}),
        Sent([log("api_request", 0)], {}),
        Sent([], {"service.name": "claude-code"}),
    ]
    found = read(b"\n".join(map(own_json, sents)))
    assert found.events == []
    rows = [found.streams[f"service/{number:06d}"] for number in (1, 2, 3)]
    assert [(row.name, row.events) for row in rows] == [("checkout", 2), (None, 1), ("claude-code", 0)]
    assert rows[0].producers == (("checkout", None, 1), ("checkout", "3", 1))
    assert rows[2].producers == ()
    assert found.tallies[0].counts["other_records"] == 3


def test_facts_are_the_same_without_the_rows_of_events() -> None:
    """A ledger can leave the rows out; streams are what they are."""
    octets = own_json(Sent([log("tool_decision", 0, tool_use_id="t", decision="accept"), log("api_request", 2)]))
    octets += b'\n{"request_file":"x","response_file":"y"}'
    ledger = Ledger(rows=False)
    bare, full = read(octets, ledger=ledger), read(octets)
    assert bare.events == []
    assert len(full.events) == 3
    assert bare.streams == full.streams
