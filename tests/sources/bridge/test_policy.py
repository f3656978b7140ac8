"""What follows from one attempt at the bridge."""

import json
from typing import get_args

import pytest

from agentaudit.adapters.bridge.naming import JOBS_WALK, STATUS_WALK, job_walk
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, FailureCode, Request, Retry, Stop
from agentaudit.sources.bridge.policy import KEY_ECHOED, BridgePolicy, read_error

POLICY = BridgePolicy(ReadLimits(attempts=2))
LIST = Ask(JOBS_WALK, 1, Request("/v1/bridge/jobs"))
STATUS = Ask(STATUS_WALK, 1, Request("/v1/bridge/status"), optional=True)
AUDIT = Ask(job_walk(1, "audit"), 1, Request("/v1/bridge/jobs/x/audit"))


def _answer(status: int, code: str = "some_code") -> Answer:
    return Answer(status, (), json.dumps({"error": {"code": code, "type": "t", "message": "words"}}).encode())


def test_a_page_is_kept() -> None:
    """A 200 and nothing else."""
    assert POLICY.judge(AUDIT, 1, Answer(200, (), b"{}")) == Accept()


@pytest.mark.parametrize(("attempt", "waits"), [(1, True), (3, True), (4, False)])
def test_a_used_up_window_is_waited_for_three_times(attempt: int, *, waits: bool) -> None:
    """A whole window each time, for there is no `Retry-After`."""
    judged = POLICY.judge(AUDIT, attempt, _answer(429, "rate_limited"))
    assert isinstance(judged, Retry if waits else Stop)
    assert not isinstance(judged, Retry) or judged.wait_ms == 60_000


@pytest.mark.parametrize(
    ("ask", "status", "code", "expected"),
    [
        (AUDIT, 404, "not_found", "job_not_found"),
        (AUDIT, 403, "forbidden", "refused"),
        (AUDIT, 409, "conflict", "refused"),
        (STATUS, 403, "forbidden", "refused"),
        (AUDIT, 401, "unauthorized", None),
        (AUDIT, 403, "invalid_host", None),
        (AUDIT, 400, "invalid_auth", None),
        (AUDIT, 307, "", None),
        (LIST, 403, "forbidden", None),
        (LIST, 404, "not_found", None),
    ],
)
def test_a_job_costs_itself_and_the_bridge_costs_the_run(
    ask: Ask, status: int, code: str, expected: str | None
) -> None:
    """None stands for the end of the run."""
    judged = POLICY.judge(ask, 1, _answer(status, code))
    if expected is None:
        assert isinstance(judged, Stop)
        assert judged.kind == "refused"
    else:
        assert isinstance(judged, Decline)
        assert (judged.missed.reason, judged.missed.error_code, judged.keep) == (expected, code, True)


def test_an_error_of_the_bridge_is_tried_again_within_a_bound() -> None:
    """Then it is a gap of the walk, or the end where the list cannot be had."""
    assert isinstance(POLICY.judge(AUDIT, 1, _answer(503)), Retry)
    assert isinstance(POLICY.judge(AUDIT, 2, _answer(503)), Decline)
    assert isinstance(POLICY.judge(LIST, 2, _answer(503)), Stop)


@pytest.mark.parametrize("code", get_args(FailureCode))
def test_every_failure_of_the_network_has_a_judgement(code: FailureCode) -> None:
    """On the last attempt nothing is asked again."""
    job, listed = POLICY.judge(AUDIT, 2, Failure(code)), POLICY.judge(LIST, 2, Failure(code))
    ends = code in ("redirect", "address_refused", "tls", "connect")
    assert isinstance(job, Stop if ends else Decline)
    assert isinstance(listed, Stop if ends or code != "body_over_limit" else Decline)
    again = code in ("connect", "timeout", "reset", "short_body", "protocol", "deadline")
    assert isinstance(POLICY.judge(AUDIT, 1, Failure(code)), Retry) is again


def test_a_token_in_an_answer_of_a_job_costs_that_answer() -> None:
    """A command may have printed it; in a list it ends the run."""
    assert isinstance(POLICY.judge(AUDIT, 1, Failure("key_echoed", 200)), Decline)
    assert POLICY.judge(LIST, 1, Failure("key_echoed", 200)) is KEY_ECHOED


@pytest.mark.parametrize("body", [b"", b"[]", b'{"error": 1}', b'{"error": {"code": "a sentence of content"}}'])
def test_what_is_no_word_of_an_error_is_not_taken(body: bytes) -> None:
    """An error's text may hold evidence."""
    error = read_error((), body)
    assert (error.code, error.type) == (None, None)
