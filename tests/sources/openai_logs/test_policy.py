"""What follows from one attempt at the Compliance Logs Platform."""

from typing import get_args

import pytest

from agentaudit.adapters.openai_logs.naming import file_walk, list_walk
from agentaudit.errors import SourceRefused
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, FailureCode, Request, Retry, Stop
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.openai_logs.keys import refuse_foreign
from agentaudit.sources.openai_logs.policy import BUSY, KEY_ECHOED, OpenAiLogPolicy, read_error
from tests.support.openai_logs import error, made_key

POLICY = OpenAiLogPolicy(ReadLimits(attempts=2))
LIST = Ask(list_walk(1), 1, Request("/logs"))
FILE = Ask(file_walk(1), 1, Request("/logs/eclf_1"), sent_on=True)


def _answer(status: int, *headers: tuple[str, str]) -> Answer:
    answer = error(status, "some_code", *headers)
    return Answer(status, answer.headers, answer.body)


def test_a_page_and_a_file_are_kept() -> None:
    """A 200 and nothing else."""
    assert POLICY.judge(LIST, 1, Answer(200, (), b"{}")) == Accept()
    assert POLICY.judge(FILE, 1, Answer(200, (), b"{}")) == Accept()


@pytest.mark.parametrize(
    ("ask", "status", "expected"),
    [
        (FILE, 404, "log_file_not_found"),
        (FILE, 410, "log_file_not_found"),
        (FILE, 403, "refused"),
        (FILE, 400, "refused"),
        (FILE, 302, "redirected"),
        (FILE, 401, None),
        (LIST, 401, None),
        (LIST, 403, None),
        (LIST, 404, None),
        (LIST, 422, None),
        (LIST, 307, None),
    ],
)
def test_a_file_costs_itself_and_the_rest_costs_the_run(ask: Ask, status: int, expected: str | None) -> None:
    """None stands for the end of the run."""
    judged = POLICY.judge(ask, 1, _answer(status))
    if expected is None:
        assert isinstance(judged, Stop)
        assert judged.kind == "refused"
    else:
        assert isinstance(judged, Decline)
        assert (judged.missed.reason, judged.keep) == (expected, status != 302)


def test_the_ends_of_a_list_are_told_apart() -> None:
    """Key, scope, owner and question each have their words."""
    ends = [POLICY.judge(LIST, 1, _answer(status)) for status in (401, 403, 404, 422)]
    assert len({end.message for end in ends if isinstance(end, Stop)}) == 4


@pytest.mark.parametrize(
    ("headers", "attempt", "wait_ms"),
    [
        ((), 1, 1_000),
        ((), 3, 4_000),
        ((("retry-after", "7"),), 1, 7_000),
        ((("retry-after", "86400"),), 1, 300_000),
        ((("retry-after", "0"),), 1, 1_000),
        ((("retry-after", "Mon, 30 Nov 2026 09:00:00 GMT"),), 1, 1_000),
        ((("retry-after", "9999999"),), 1, 1_000),
    ],
)
def test_a_used_up_budget_is_waited_for(headers: tuple[tuple[str, str], ...], attempt: int, wait_ms: int) -> None:
    """As long as the source states, within a bound; else the wait doubles."""
    judged = POLICY.judge(LIST, attempt, _answer(429, *headers))
    assert isinstance(judged, Retry)
    assert (judged.wait_ms, judged.error_code) == (wait_ms, "some_code")


def test_a_budget_that_stays_used_up_ends_the_run() -> None:
    """The next file would fare no better."""
    assert POLICY.judge(FILE, 4, _answer(429)) is BUSY


def test_a_failing_source_is_tried_again_within_a_bound() -> None:
    """Then it is a gap of the file, or the end where the list cannot be had."""
    assert isinstance(POLICY.judge(FILE, 1, _answer(503)), Retry)
    assert isinstance(POLICY.judge(FILE, 2, _answer(503)), Decline)
    assert isinstance(POLICY.judge(LIST, 2, _answer(500)), Stop)


@pytest.mark.parametrize("code", get_args(FailureCode))
def test_every_failure_has_a_judgement(code: FailureCode) -> None:
    """On the last attempt nothing is asked again; a new address is asked for where one was refused."""
    file, listed = POLICY.judge(FILE, 2, Failure(code)), POLICY.judge(LIST, 2, Failure(code))
    ends = code in ("tls", "connect")
    assert isinstance(file, Stop if ends else Decline)
    assert isinstance(listed, Decline if code == "body_over_limit" else Stop)
    again = code in ("connect", "timeout", "reset", "short_body", "protocol", "deadline", "address_refused")
    assert isinstance(POLICY.judge(FILE, 1, Failure(code)), Retry) is again


def test_a_key_in_a_file_costs_the_file() -> None:
    """Somebody may have pasted it; in a list it ends the run."""
    assert isinstance(POLICY.judge(FILE, 1, Failure("key_echoed", 200)), Decline)
    assert POLICY.judge(LIST, 1, Failure("key_echoed", 200)) is KEY_ECHOED


@pytest.mark.parametrize("body", [b"", b"[]", b'{"error": 1}', b'{"error": {"code": "a sentence of content"}}'])
def test_what_is_no_word_of_an_error_is_not_taken(body: bytes) -> None:
    """An error's text may hold evidence."""
    found = read_error((), body)
    assert (found.code, found.type) == (None, None)


def test_a_key_of_another_vendor_is_told_before_it_is_sent() -> None:
    """Any other key is sent: forms are the vendor's to change."""
    with pytest.raises(SourceRefused):
        refuse_foreign(Key("-".join(("sk", "ant", "x"))))
    refuse_foreign(Key(made_key()))
