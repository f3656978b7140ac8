"""What an explanation says: states as they are, decisions without their texts."""

import json

import pytest

from agentaudit.adapters.openclaw.documents import Explained, read_document
from agentaudit.adapters.openclaw.explaining import decision_rows, explained_stream
from agentaudit.model.stream import EventRow, StreamRow
from tests.support.gatewaying import BEGIN_MS, CANARY, explanation, reference


def read(document: dict[str, object]) -> tuple[StreamRow, tuple[EventRow, ...]]:
    """The stream and the decisions of an explanation."""
    found = read_document(json.dumps(document).encode())
    assert isinstance(found, Explained)
    rows = tuple(decision_rows(found.document, "e", "i"))
    return explained_stream(found.document, "e", "file/000001", "i", len(rows)), rows


def test_states_are_carried_as_they_are() -> None:
    """Each field has its own word, and none is made out of another."""
    stream, _ = read(explanation())
    assert stream.name == "execution-1"
    assert dict(stream.words) == {
        "context_coverage_state": "unattributed",
        "coverage_state": "attribution-only",
        "identity_state": "present",
        "invoker": "absent",
        "represented_subject": "unknown",
        "run": "run-1",
        "run_status": "known",
        "sponsor": "unsupported",
        "trust_domain": "present",
    }
    assert dict(stream.counts) == {"assurances": 1, "decisions": 2, "grants": 0}
    (finding,) = stream.findings
    assert (finding.code, finding.subjects) == ("missing_evidence", ("invoker.principal", "policy.evaluation"))


def test_decisions_are_joined_by_all_three_ids() -> None:
    """Context, execution and run; the texts of a decision stay in the payload."""
    stream, (first, second) = read(explanation())
    assert dict(first.keys) == {"context": "context-1", "execution": "execution-1", "run": "run-1"}
    assert (first.id, first.at) == ("approval-decision:1", str(BEGIN_MS + 1))
    assert dict(first.words) == {
        "coverage_state": "enforced",
        "family": "run",
        "operation": "admission",
        "outcome": "allowed",
        "producer": "run-admission",
        "provenance_state": "verified",
        "reason_code": "operator_approval_allowed_once",
    }
    assert dict(second.words)["outcome"] == "unknown"
    assert CANARY not in repr((stream, first, second))
    assert reference("domain") not in repr((stream, first, second))


@pytest.mark.parametrize("state", ["ambiguous", "unknown", "unsupported"])
def test_an_identity_that_is_not_there_is_not_made(state: str) -> None:
    """Without a context nothing is joined, whatever run id is there; candidates are counted."""
    identity = {"state": state, "candidates": [{"executionId": "a"}, {"executionId": "b"}]}
    stream, rows = read(explanation(identity=identity, run={"runId": "run-1", "status": state}))
    assert stream.name is None
    assert dict(stream.words)["identity_state"] == state
    assert dict(stream.counts)["candidates"] == 2
    assert all(one.keys == () for one in rows)


def test_an_explanation_that_goes_on_is_not_at_its_end() -> None:
    """Either cursor says so."""
    stream, _ = read(explanation(nextDecisionCursor="g:1", nextExecutionCursor="2", coverage={}))
    found = {one.code: (one.count, one.subjects) for one in stream.findings}
    assert found["not_to_end"] == (2, ("nextDecisionCursor", "nextExecutionCursor"))


def test_odd_decisions_are_rows() -> None:
    """An entry that is no object, one of nothing, and displays that are no list."""
    _, (odd, bare) = read(explanation(decisionDisplays=[1, {}]))
    assert (odd.kind, odd.marks) == ("", ("unknown_kind",))
    assert (bare.kind, bare.words) == ("decision_display", ())
    stream, rows = read(explanation(decisionDisplays={}, coverage=None))
    assert (rows, "decisions" in dict(stream.counts)) == ((), False)


def test_an_explanation_that_says_nothing_lacks_nothing() -> None:
    """No evidence is called missing that the Gateway does not call so."""
    stream, _ = read(explanation(coverage={"missingEvidence": [1]}, identity={"context": {}}))
    assert stream.findings == ()
