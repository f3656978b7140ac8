"""The policy: every outcome of an attempt ends in keeping, waiting, a loss or a refusal."""

import json

import pytest

from agentaudit.adapters.compliance.naming import (
    CODE_WALK,
    ORGANIZATIONS_WALK,
    PROJECTS_WALK,
    list_walk,
    messages_walk,
    project_walk,
    session_walk,
    stored_walk,
)
from agentaudit.demo.errors import Documented, error_body
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, Judgement, Request, Retry, Stop
from agentaudit.sources.compliance.policy import CompliancePolicy

POLICY = CompliancePolicy(ReadLimits(attempts=3))


def ask(walk: str, *, optional: bool = False) -> Ask:
    """A question of a walk."""
    return Ask(walk=walk, page=1, request=Request("/"), optional=optional)


LIST = ask(list_walk("local", 1))
REMOTE_LIST = ask(list_walk("remote", 1))
SESSION = ask(session_walk("local", "s000001"))
MESSAGES = ask(messages_walk("local", "s000001", 1))
REMOTE = ask(messages_walk("remote", "s000001", 1))
CONTEXT = ask(ORGANIZATIONS_WALK, optional=True)


def error(case: Documented, *headers: tuple[str, str]) -> Answer:
    """A documented error as it travels."""
    problem = case.value
    wait = () if problem.retry_after is None else (("retry-after", str(problem.retry_after)),)
    return Answer(problem.status, (*headers, *problem.headers, *wait), error_body(problem, "r", platform=True).encode())


def answer(status: int, *headers: tuple[str, str], kind: str = "some_error", message: str = "m") -> Answer:
    """An error of this status."""
    return Answer(status, headers, json.dumps({"error": {"type": kind, "message": message}}).encode())


def judged(question: Ask, outcome: Answer | Failure, attempt: int = 1) -> Judgement:
    """The judgement."""
    return POLICY.judge(question, attempt, outcome)


def lost(judgement: Judgement) -> tuple[str, bool]:
    """The reason of a loss, and whether its body is kept."""
    assert isinstance(judgement, Decline)
    return judgement.missed.reason, judgement.keep


def waited(judgement: Judgement) -> int:
    """The wait of a retry."""
    assert isinstance(judgement, Retry)
    return judgement.wait_ms


def test_a_200_is_kept_whatever_it_holds() -> None:
    """Bytes come first; whether they are a page is the walk's to say."""
    assert judged(LIST, Answer(200, (), b"<html>")) == Accept()


@pytest.mark.parametrize(
    "outcome", [Answer(302, (("location", "https://elsewhere.test"),), b""), Failure("redirect", 301)]
)
def test_a_redirect_ends_the_run(outcome: Answer | Failure) -> None:
    """The key went nowhere else."""
    judgement = judged(MESSAGES, outcome)
    assert isinstance(judgement, Stop)
    assert judgement.kind == "refused"
    assert "elsewhere" not in judgement.message + judgement.hint


@pytest.mark.parametrize(
    "walk", [CODE_WALK, PROJECTS_WALK, project_walk(1, "attachments"), stored_walk("file", 1, "content")]
)
def test_what_lies_beside_chats_is_refused_alone(walk: str) -> None:
    """A missing scope, a missing endpoint, a bad request and a redirect are its own losses; the key's end the run."""
    question = ask(walk)
    assert lost(judged(question, answer(403, kind="permission_error"))) == ("refused", True)
    assert lost(judged(question, answer(400, kind="invalid_request_error"))) == ("refused", True)
    gone = "refused" if walk in {CODE_WALK, PROJECTS_WALK} else "session_not_found"
    assert lost(judged(question, answer(404, kind="not_found_error"))) == (gone, True)
    for redirect in (Answer(302, (), b""), Failure("redirect", 302)):
        assert lost(judged(question, redirect)) == ("redirected", False)
    for case in (Documented.BAD_KEY, Documented.NOT_FOUND, Documented.NOT_ENABLED):
        assert isinstance(judged(question, error(case)), Stop)
    assert isinstance(judged(question, Answer(403, (), b"<html>")), Stop)


KEY_CASES = [
    Documented.BAD_KEY, Documented.NOT_FOUND, Documented.NOT_ENABLED, Documented.SESSIONS_OFF,
]  # fmt: skip


@pytest.mark.parametrize("case", KEY_CASES)
@pytest.mark.parametrize("question", [LIST, SESSION, MESSAGES])
def test_trap_09_a_refusal_of_the_key_ends_the_run_and_keeps_the_queue(case: Documented, question: Ask) -> None:
    """No session is called lost because of it."""
    judgement = judged(question, error(case))
    assert isinstance(judgement, Stop)
    assert (judgement.kind, bool(judgement.hint)) == ("refused", True)


@pytest.mark.parametrize("case", KEY_CASES)
def test_a_refusal_of_the_context_is_a_loss_of_the_context(case: Documented) -> None:
    """Where the key allows it, and no more."""
    assert lost(judged(CONTEXT, error(case))) == ("refused", True)


def test_each_refusal_of_the_key_has_its_own_next_step() -> None:
    """Five causes, five messages."""
    missing = answer(403, kind="permission_error", message="Missing required scopes")
    judgements = [judged(LIST, outcome) for outcome in [*map(error, KEY_CASES), missing]]
    assert len({judgement.message for judgement in judgements if isinstance(judgement, Stop)}) == 5


@pytest.mark.parametrize(
    ("question", "case", "reason"),
    [
        (SESSION, Documented.LOCAL_NOT_FOUND, "session_not_found"),
        (MESSAGES, Documented.LOCAL_NOT_FOUND, "session_not_found"),
        (REMOTE, Documented.REMOTE_NOT_FOUND, "remote_not_found"),
        (MESSAGES, Documented.BAD_CURSOR, "cursor_refused"),
        (MESSAGES, Documented.EXPIRED_CURSOR, "cursor_expired"),
        (MESSAGES, Documented.UNREADABLE_PAGE, "page_unreadable"),
        (MESSAGES, Documented.RETENTION_UNKNOWN, "retention_overrides"),
        (LIST, Documented.RETENTION_UNKNOWN, "retention_overrides"),
        (MESSAGES, Documented.FINAL_ERROR, "server_error"),
        (LIST, Documented.FINAL_ERROR, "server_error"),
        (CONTEXT, Documented.SETTINGS_NOT_FOUND, "refused"),
    ],
)
@pytest.mark.parametrize("attempt", [1, 3])
def test_trap_12_what_no_retry_can_change_is_a_loss_at_once(
    question: Ask, case: Documented, reason: str, attempt: int
) -> None:
    """And the judgement is the same at every attempt, so that a resumed run comes to the same."""
    assert lost(judged(question, error(case), attempt)) == (reason, True)


def test_a_bad_request_ends_a_list_and_loses_one_session() -> None:
    """A list that is refused would be a silent part of everything."""
    assert isinstance(judged(LIST, answer(400)), Stop)
    assert lost(judged(MESSAGES, answer(400))) == ("refused", True)
    assert lost(judged(MESSAGES, answer(418))) == ("refused", True)
    assert lost(judged(MESSAGES, answer(204))) == ("refused", True)


@pytest.mark.parametrize("status", [401, 403, 407])
def test_a_proxy_that_refuses_at_the_door_ends_the_run(status: int) -> None:
    """Nothing will come through it."""
    judgement = judged(MESSAGES, Answer(status, (), b"<html>"))
    assert isinstance(judgement, Stop)
    assert lost(judged(MESSAGES, Answer(404, (), b"<html>"))) == ("refused", True)


def test_retry_after_is_obeyed_to_the_second() -> None:
    """Whatever the attempt."""
    assert [waited(judged(MESSAGES, answer(429, ("retry-after", "7")), attempt)) for attempt in (1, 2)] == [
        7_000,
        7_000,
    ]


def test_without_it_the_wait_doubles_from_one_second_to_sixty() -> None:
    """The same on every run: nothing is random."""
    policy = CompliancePolicy(ReadLimits(attempts=50))
    waits = [waited(policy.judge(MESSAGES, attempt, answer(502))) for attempt in range(1, 9)]
    assert waits == [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]
    assert waited(policy.judge(MESSAGES, 40, answer(502, ("retry-after", "0")))) == 60_000


def test_trap_11_one_second_of_the_remote_budget_is_a_floor() -> None:
    """On repeats the wait grows; a local one says what it means."""
    remote = error(Documented.REMOTE_BUDGET)
    assert [waited(judged(REMOTE, remote, attempt)) for attempt in (1, 2, 3)] == [1_000, 2_000, 4_000]
    assert [waited(judged(REMOTE_LIST, remote, attempt)) for attempt in (1, 2, 3)] == [1_000, 2_000, 4_000]
    assert [waited(judged(MESSAGES, error(Documented.SHARED_BUDGET), attempt)) for attempt in (1, 2, 3)] == [1_000] * 3
    assert waited(judged(REMOTE, answer(429, ("retry-after", "9")), 5)) == 9_000


def test_trap_11_a_busy_reader_is_asked_the_same_again() -> None:
    """It is not our limit, and in the end it is one session's loss."""
    busy = error(Documented.READER_BUSY)
    judgement = judged(MESSAGES, busy)
    assert judgement == Retry(
        2_000, "reader of large transcripts busy", "rate_limit_error", "transcript_read_server_busy"
    )
    assert lost(judged(MESSAGES, busy, 6)) == ("retries_exhausted", False)


def test_a_budget_that_stays_used_up_ends_the_run() -> None:
    """The next session would fare no better; the context is optional."""
    spent = error(Documented.SHARED_BUDGET)
    assert isinstance(judged(MESSAGES, spent, 5), Retry)
    judgement = judged(MESSAGES, spent, 6)
    assert isinstance(judgement, Stop)
    assert judgement.kind == "unreachable"
    assert lost(judged(CONTEXT, spent, 6)) == ("retries_exhausted", False)


def test_a_wait_beyond_the_bound_is_not_waited_for() -> None:
    """Five minutes at most."""
    assert waited(judged(MESSAGES, answer(503, ("retry-after", "300")))) == 300_000
    assert lost(judged(MESSAGES, answer(503, ("retry-after", "301")))) == ("retries_exhausted", False)
    assert isinstance(judged(LIST, answer(503, ("retry-after", "301"))), Stop)


def test_trap_10_three_kinds_of_503() -> None:
    """Plain: back off. Captured content: back off, then the organisation's loss. Retention: not in this run."""
    assert waited(judged(MESSAGES, error(Documented.INDEX_DOWN))) == 1_000
    assert waited(judged(MESSAGES, error(Documented.CONTENT_LOCKED))) == 1_000
    assert lost(judged(MESSAGES, error(Documented.CONTENT_LOCKED), 3)) == ("captured_content", False)
    assert lost(judged(MESSAGES, error(Documented.INDEX_DOWN), 3)) == ("retries_exhausted", False)


@pytest.mark.parametrize(
    "case", [Documented.INTERNAL, Documented.BAD_GATEWAY, Documented.TIMEOUT, Documented.OVERLOADED]
)
def test_transient_errors_are_retried_and_then_cost_what_they_concern(case: Documented) -> None:
    """A session, or, for a list, the run."""
    assert isinstance(judged(LIST, error(case), 2), Retry)
    assert lost(judged(MESSAGES, error(case), 3)) == ("retries_exhausted", False)
    assert isinstance(judged(LIST, error(case), 3), Stop)
    assert lost(judged(CONTEXT, error(case), 3)) == ("retries_exhausted", False)


def test_a_server_that_says_do_not_retry_is_obeyed() -> None:
    """Also where it gives no reason that we know."""
    final = ("x-should-retry", "false")
    assert lost(judged(MESSAGES, error(Documented.CONTENT_LOCKED, final))) == ("captured_content", False)
    assert lost(judged(MESSAGES, error(Documented.READER_BUSY, final))) == ("retries_exhausted", False)


@pytest.mark.parametrize("code", ["timeout", "reset", "short_body", "protocol"])
def test_a_broken_answer_is_retried_and_then_lost(code: str) -> None:
    """A short body is never an empty success."""
    broken = Failure(code, 200, 5)  # type: ignore[arg-type]
    assert judged(MESSAGES, broken, 2) == Retry(2_000, code.replace("_", " "))
    assert lost(judged(MESSAGES, broken, 3)) == ("retries_exhausted", False)
    assert isinstance(judged(LIST, broken, 3), Stop)


def test_an_answer_that_drips_is_retried_once() -> None:
    """Half an hour each."""
    assert isinstance(judged(MESSAGES, Failure("deadline"), 1), Retry)
    assert lost(judged(MESSAGES, Failure("deadline"), 2)) == ("retries_exhausted", False)


def test_a_source_that_cannot_be_reached_ends_the_run() -> None:
    """Also for the context: the next question would go nowhere."""
    assert isinstance(judged(CONTEXT, Failure("connect"), 2), Retry)
    judgement = judged(CONTEXT, Failure("connect"), 3)
    assert isinstance(judgement, Stop)
    assert judgement.kind == "unreachable"


def test_a_certificate_that_is_not_trusted_is_not_tried_again() -> None:
    """Once is enough to know."""
    judgement = judged(MESSAGES, Failure("tls"))
    assert isinstance(judgement, Stop)
    assert judgement.kind == "unreachable"


@pytest.mark.parametrize("question", [LIST, MESSAGES])
def test_an_oversized_body_is_never_retried(question: Ask) -> None:
    """It would be as large again."""
    assert lost(judged(question, Failure("body_over_limit", 200))) == ("body_over_limit", False)


def test_a_key_in_an_answer_costs_a_session_and_ends_a_list() -> None:
    """A transcript may quote the key; an endpoint that echoes it is not to be trusted."""
    assert lost(judged(MESSAGES, Failure("key_echoed", 200))) == ("refused", False)
    assert isinstance(judged(LIST, Failure("key_echoed", 200)), Stop)
    assert isinstance(judged(MESSAGES, Failure("key_echoed", 401)), Stop)


def test_the_words_of_an_error_can_be_written() -> None:
    """A lone surrogate in them is replaced, the same on every run."""
    judgement = judged(MESSAGES, Answer(400, (), b'{"error": {"type": "a\\ud800"}}'))
    assert isinstance(judgement, Decline)
    assert judgement.missed.error_type == "a?"


def test_a_walk_of_an_unknown_name_is_nobody_s_session() -> None:
    """Its 404 is one of an endpoint."""
    assert lost(judged(ask("elsewhere"), answer(404, kind="not_found_error"))) == ("refused", True)
