"""The pure judgement over one attempt at the Compliance Logs Platform: keep, decline, wait, ask again, or end the run.

- What concerns the key, the owner of the logs or the network ends the run; what concerns one file costs that file.
- A signed address that is refused may have ended: the source is asked for a new one, within the bound of attempts.
- A 429 is waited for as long as the source states, else doubling to a minute, twice as often as a failure.
- Nothing from an answer but the words of its error object is written, and its message is not one of them.
"""

from dataclasses import dataclass
from typing import Final, assert_never

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.openai_logs.naming import place_of
from agentaudit.adapters.wording import word
from agentaudit.encoding.foreign import mapping
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import MissReason
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, Judgement, Missed, Retry, Stop

BACK_OFF_MAX_MS: Final = 60_000
WAIT_MAX_S: Final = 300

_OK: Final = 200
_REDIRECTS: Final = range(300, 400)
_RATE: Final = 429
_SERVER: Final = 500
_GONE: Final = frozenset({404, 410})
_RESUME: Final = "go on later with --resume; what was answered is kept"
_DIGITS_MAX: Final = 6


@dataclass(frozen=True, slots=True)
class LogError:
    """The words of an error object; None for what is no word."""

    type: str | None = None
    code: str | None = None


REDIRECTED: Final = Stop(
    "refused", "the source answered a list with a redirect, which is never followed: the key went nowhere else",
    "give the API's own address with --api-root",
)  # fmt: skip
KEY_ECHOED: Final = Stop(
    "refused", "an answer holds the key itself; it was not kept", "check --api-root and --proxy, and replace the key"
)
UNTRUSTED: Final = Stop(
    "unreachable", "the TLS certificate of the source, or of where its files lie, could not be verified",
    "give the authority of a proxy that inspects TLS with --ca-file",
)  # fmt: skip
UNREACHABLE: Final = Stop(
    "unreachable", "the source, or the place where its files lie, could not be reached",
    f"check network and --proxy: files lie at another host than the API; {_RESUME}",
)  # fmt: skip
GAVE_UP: Final = Stop("unreachable", "a list of log files could not be read: every attempt failed", _RESUME)
BUSY: Final = Stop("unreachable", "the source's budget of requests stayed used up", f"lower the rate; {_RESUME}")
NO_KEY: Final = Stop(
    "refused", "the source does not take this key (401)",
    "OpenAI's support enables a key for the Compliance API; give that one",
)  # fmt: skip
NO_SCOPE: Final = Stop(
    "refused", "the key may not list these logs (403)", "have the scope to read enabled, for this workspace"
)
NO_LOGS: Final = Stop(
    "refused", "the source knows no logs of this owner and event type (404)",
    "check --workspace or --organization and --event-type; the platform is enabled for Enterprise by OpenAI",
)  # fmt: skip
NO_QUESTION: Final = Stop(
    "refused", "the source does not accept the question for a list", "check --event-type and --ended-after"
)
_OF_A_LIST: Final = {403: NO_SCOPE, 404: NO_LOGS}


class OpenAiLogPolicy:
    """The policy of this source; `limits.attempts` bounds how often one question is asked."""

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
        error = read_error(outcome.headers, outcome.body)
        if outcome.status == _RATE:
            waits = attempt < 2 * self._attempts
            return Retry(_wait_ms(attempt, outcome.headers), "rate limit", error.type, error.code) if waits else BUSY
        if outcome.status >= _SERVER:
            return self._later(ask, attempt, outcome, error)
        return _refused(ask, outcome.status, error)

    def _later(self, ask: Ask, attempt: int, answer: Answer, error: LogError) -> Judgement:
        if attempt < self._attempts:
            return Retry(_wait_ms(attempt, answer.headers), "server error", error.type, error.code)
        return GAVE_UP if _is_list(ask) else Decline(_missed("retries_exhausted", answer.status, error), keep=False)

    def _broken(self, ask: Ask, attempt: int, failure: Failure) -> Judgement:
        match failure.code:
            case "redirect":
                return _redirected(ask, failure.status)
            case "tls":
                return UNTRUSTED
            case "key_echoed":
                # A record can hold the key, where somebody pasted it: then this file alone is lost.
                return KEY_ECHOED if _is_list(ask) else Decline(Missed("refused", failure.status), keep=False)
            case "body_over_limit":
                return Decline(Missed("body_over_limit", failure.status), keep=False)
            case "connect":
                return self._once_more(attempt, failure) or UNREACHABLE
            case "address_refused" | "timeout" | "reset" | "short_body" | "protocol" | "deadline":
                lost = GAVE_UP if _is_list(ask) else Decline(Missed("retries_exhausted", failure.status), keep=False)
                return self._once_more(attempt, failure) or lost
            case _:
                assert_never(failure.code)

    def _once_more(self, attempt: int, failure: Failure) -> Retry | None:
        again = attempt < self._attempts
        return Retry(_back_off_ms(attempt), failure.code.replace("_", " ")) if again else None


def read_error(headers: Headers, body: bytes) -> LogError:
    """The error object of an answer (`{"error": {"type", "code", ...}}`); without one no words."""
    top = read_object(body, header(headers, "content-encoding"))
    told = mapping((mapping({} if isinstance(top, Unreadable) else top) or {}).get("error")) or {}
    return LogError(word(told.get("type")), word(told.get("code")))


def _redirected(ask: Ask, status: int | None) -> Judgement:
    """A list is never sent on; a file that was sent on to where nobody may be asked is lost."""
    return REDIRECTED if _is_list(ask) else Decline(Missed("redirected", status), keep=False)


def _refused(ask: Ask, status: int, error: LogError) -> Judgement:
    if status == 401:  # noqa: PLR2004 - RFC 9110, section 15.5.2
        return NO_KEY
    if _is_list(ask):
        return _OF_A_LIST.get(status, NO_QUESTION)
    reason: MissReason = "log_file_not_found" if status in _GONE else "refused"
    return Decline(_missed(reason, status, error), keep=True)


def _missed(reason: MissReason, status: int, error: LogError) -> Missed:
    return Missed(reason, status, error.type, error.code)


def _wait_ms(attempt: int, headers: Headers) -> int:
    """As the source states it in seconds, within a bound; without it the doubling wait."""
    stated = header(headers, "retry-after") or ""
    if not (stated.isascii() and stated.isdigit() and len(stated) <= _DIGITS_MAX and int(stated) > 0):
        return _back_off_ms(attempt)
    return min(int(stated), WAIT_MAX_S) * 1_000


def _back_off_ms(attempt: int) -> int:
    return min(BACK_OFF_MAX_MS, 1_000 << min(attempt - 1, 16))


def _is_list(ask: Ask) -> bool:
    place = place_of(ask.walk)
    return place is None or place.part == "list"
