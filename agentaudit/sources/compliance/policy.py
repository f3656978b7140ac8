"""The pure judgement over one attempt: keep, decline, wait and ask again, or end the run.

- A judgement that keeps a body never depends on the number of the attempt: a resumed run judges the recorded
  answer once more and comes to the same.
- `retry-after` is obeyed to the second; without it the wait doubles from 1 s to 60 s. Nothing is random.
- What concerns one session costs that session; what concerns the key, the endpoint or the network ends the run,
  which can be resumed.
- `x-should-retry: false` is obeyed, and an unreadable page is never asked for again (trap 12).
"""

from typing import assert_never

from agentaudit.adapters.compliance.errors import ApiError, ErrorClass, classify, read_error
from agentaudit.adapters.compliance.naming import place_of
from agentaudit.model.journal import MissReason, WalkKind
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, Judgement, Missed, Retry
from agentaudit.sources.compliance.refusals import (
    BUSY,
    GAVE_UP,
    KEY_ECHOED,
    REDIRECTED,
    REFUSALS,
    UNREACHABLE,
    UNTRUSTED,
)

WAIT_MAX_MS = 300_000
BACK_OFF_MAX_MS = 60_000

_OK = 200
_REDIRECTS = range(300, 400)
_BACK_OFF_MS = 1_000
_DEADLINE_ATTEMPTS = 2
_AT_THE_DOOR = frozenset({401, 403, 407})

_LISTS = frozenset({"local_list", "remote_list", "activities", "chats", "code_artifacts", "projects"})
_BESIDE = frozenset({
    "artifacts", "attachments", "chat_files", "code_artifacts", "collaborators", "documents", "project", "projects",
})  # fmt: skip
"""What is asked for beside chats: where only that is refused, or leads elsewhere, it is a loss of its own."""
_NOT_OF_THE_KEY = frozenset({"scope_missing", "endpoint_missing", "bad_request"})
_REMOTE = frozenset({"remote_list", "remote_messages"})
_OF_THE_KEY = frozenset({"key_unknown", "key_invalid", "scope_missing", "family_off", "not_enabled"})
_LOSSES: dict[ErrorClass, MissReason] = {
    "session_not_found": "session_not_found",
    "remote_not_found": "remote_not_found",
    "cursor_refused": "cursor_refused",
    "cursor_expired": "cursor_expired",
    "page_unreadable": "page_unreadable",
    "retention_overrides": "retention_overrides",
    "server_error_final": "server_error",
}
_WORDS: dict[ErrorClass, str] = {
    "rate_limited": "rate limit",
    "reader_busy": "reader of large transcripts busy",
    "index_down": "session index down",
    "captured_content": "captured content not readable",
    "overloaded": "source overloaded",
    "server_error": "server error",
}


class CompliancePolicy:
    """The policy of this source; `limits.attempts` bounds how often one question is asked.

    A budget that is used up is not a failure of the question: it is waited for twice as often.
    """

    def __init__(self, limits: ReadLimits) -> None:
        """Take how often a question may be asked."""
        self._attempts = limits.attempts

    def judge(self, ask: Ask, attempt: int, outcome: Answer | Failure) -> Judgement:
        """What follows from this outcome of the attempt (from 1)."""
        if isinstance(outcome, Failure):
            return self._broken(ask, attempt, outcome)
        if outcome.status == _OK:
            return Accept()
        if outcome.status in _REDIRECTS:
            return _redirected(ask, outcome.status)
        error = read_error(outcome.status, outcome.headers, outcome.body)
        case = classify(error, _kind(ask))
        if case in _LOSSES:
            return Decline(_missed(_LOSSES[case], error), keep=True)
        if case in REFUSALS:
            return _refusal(ask, error, case)
        return self._again(ask, attempt, error, case)

    def _again(self, ask: Ask, attempt: int, error: ApiError, case: ErrorClass) -> Judgement:
        patient = case in ("rate_limited", "reader_busy")
        wait_ms = _wait_ms(ask, attempt, error, case)
        tries = self._attempts * (2 if patient else 1)
        if attempt >= tries or wait_ms > WAIT_MAX_MS or error.should_retry is False:
            return _given_up(ask, error, case)
        missed = _missed("retries_exhausted", error)
        return Retry(wait_ms, _WORDS[case], missed.error_type, missed.error_code)

    def _broken(self, ask: Ask, attempt: int, failure: Failure) -> Judgement:
        match failure.code:
            case "redirect" | "address_refused":
                return _redirected(ask, failure.status)
            case "tls":
                return UNTRUSTED
            case "key_echoed":
                door = _is_list(ask) or failure.status in _AT_THE_DOOR
                return KEY_ECHOED if door else Decline(Missed("refused", failure.status), keep=False)
            case "body_over_limit":
                return Decline(Missed("body_over_limit", failure.status), keep=False)
            case "connect":
                return self._once_more(attempt, failure) or UNREACHABLE
            case "timeout" | "reset" | "short_body" | "protocol" | "deadline":
                lost = GAVE_UP if _is_list(ask) else Decline(Missed("retries_exhausted", failure.status), keep=False)
                return self._once_more(attempt, failure) or lost
            case _:
                assert_never(failure.code)

    def _once_more(self, attempt: int, failure: Failure) -> Retry | None:
        tries = _DEADLINE_ATTEMPTS if failure.code == "deadline" else self._attempts
        return None if attempt >= tries else Retry(_back_off_ms(attempt), failure.code.replace("_", " "))


def _redirected(ask: Ask, status: int | None) -> Judgement:
    """A redirect ends the run; that of a file, whose bytes may lie elsewhere, does not. Neither is followed."""
    return Decline(Missed("redirected", status), keep=False) if _kind(ask) in _BESIDE else REDIRECTED


def _refusal(ask: Ask, error: ApiError, case: ErrorClass) -> Judgement:
    """A refusal of the key or the endpoint ends the run; one of a single question, or of the context, does not."""
    everything = case in _OF_THE_KEY or error.status in _AT_THE_DOOR or _is_list(ask)
    spared = ask.optional or (_kind(ask) in _BESIDE and case in _NOT_OF_THE_KEY)
    if everything and not spared:
        return REFUSALS[case]
    return Decline(_missed("refused", error), keep=True)


def _given_up(ask: Ask, error: ApiError, case: ErrorClass) -> Judgement:
    if case == "captured_content":
        return Decline(_missed("captured_content", error), keep=False)
    if case == "rate_limited" and not ask.optional:
        # The budget is the organisation's: the next session would fare no better.
        return BUSY
    return GAVE_UP if _is_list(ask) else Decline(_missed("retries_exhausted", error), keep=False)


def _wait_ms(ask: Ask, attempt: int, error: ApiError, case: ErrorClass) -> int:
    if not error.retry_after_s:
        return _back_off_ms(attempt)
    stated = error.retry_after_s * 1_000
    # A 429 of the remote budget always says one second: a floor, not the real reset (section 1.2).
    floor = case == "rate_limited" and error.retry_after_s == 1 and _kind(ask) in _REMOTE
    return max(stated, _back_off_ms(attempt)) if floor else stated


def _back_off_ms(attempt: int) -> int:
    return min(BACK_OFF_MAX_MS, _BACK_OFF_MS << min(attempt - 1, 16))


def _missed(reason: MissReason, error: ApiError) -> Missed:
    return Missed(reason, error.status, _writable(error.type), _writable(error.code))


def _writable(word: str | None) -> str | None:
    """A foreign word as it can be journalled: the same before and after a resumption."""
    return None if word is None else word.encode("utf-8", "replace").decode()


def _kind(ask: Ask) -> WalkKind:
    place = place_of(ask.walk)
    return "organizations" if place is None else place.kind


def _is_list(ask: Ask) -> bool:
    return _kind(ask) in _LISTS
