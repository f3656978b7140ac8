"""The pure judgement over one attempt at the bridge: keep, decline, wait and ask again, or end the run.

- A 429 has no `Retry-After`: 60 seconds are waited for, at most three times; then the run ends, to be resumed.
- A 404 of one job is that job's gap: the bridge answers another client's job and a wrong id alike.
- What concerns the token, the host or the bridge as a whole ends the run; what concerns one job costs that job.
- Nothing from an answer but the words of its error object is written, and its message is not one of them.
"""

from dataclasses import dataclass
from typing import Final, assert_never

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.bridge.naming import place_of
from agentaudit.adapters.wording import word
from agentaudit.encoding.foreign import mapping
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import MissReason
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Accept, Answer, Ask, Decline, Failure, Judgement, Missed, Retry, Stop

RATE_WAIT_MS: Final = 60_000
RATE_WAITS_MAX: Final = 3
BACK_OFF_MAX_MS: Final = 30_000

_OK: Final = 200
_REDIRECTS: Final = range(300, 400)
_RESUME: Final = "go on later with --resume; what was answered is kept"
_OF_THE_TOKEN: Final = frozenset({401, 407})
_OF_THE_HOST: Final = frozenset({"invalid_host", "invalid_origin", "invalid_auth"})
_RATE: Final = 429
_SERVER: Final = 500
_NOT_FOUND: Final = 404


@dataclass(frozen=True, slots=True)
class BridgeError:
    """The words of an error object; None for what is no word."""

    code: str | None = None
    type: str | None = None


REDIRECTED: Final = Stop(
    "refused", "the bridge answered with a redirect, which is never followed: the token went nowhere else",
    "give the bridge's own address with --api-root",
)  # fmt: skip
KEY_ECHOED: Final = Stop(
    "refused", "an answer holds the token itself; it was not kept", "check --api-root, and replace the token"
)
UNTRUSTED: Final = Stop(
    "unreachable", "the connection's TLS certificate could not be verified", "give its authority with --ca-file"
)
UNREACHABLE: Final = Stop(
    "unreachable", "the bridge could not be reached",
    f"see that it runs, and on which port (its discovery file says); {_RESUME}",
)  # fmt: skip
GAVE_UP: Final = Stop("unreachable", "the list of jobs could not be read: every attempt failed", _RESUME)
BUSY: Final = Stop(
    "unreachable", "the bridge's budget of requests stayed used up for three minutes",
    f"lower --requests-per-minute; {_RESUME}",
)  # fmt: skip
NO_TOKEN: Final = Stop(
    "refused", "the bridge does not take this token (401)", "make a token with the scope `read`, or use the owner's"
)
NO_HOST: Final = Stop(
    "refused", "the bridge does not take this address or this form of access", "give the address that it lists itself"
)
NO_SCOPE: Final = Stop("refused", "the token may not list jobs (403)", "make a token with the scope `read`")
NO_BRIDGE: Final = Stop("refused", "what answers is no bridge of the documented kind", "check --api-root")


class BridgePolicy:
    """The policy of this source; `limits.attempts` bounds how often one question is asked for other causes than 429."""

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
            return REDIRECTED
        error = read_error(outcome.headers, outcome.body)
        if outcome.status == _RATE:
            waits = attempt <= RATE_WAITS_MAX
            return Retry(RATE_WAIT_MS, "rate limit", error.type, error.code) if waits else BUSY
        if outcome.status >= _SERVER:
            return self._later(ask, attempt, outcome.status, error)
        return _refused(ask, outcome.status, error)

    def _later(self, ask: Ask, attempt: int, status: int, error: BridgeError) -> Judgement:
        if attempt < self._attempts:
            return Retry(_back_off_ms(attempt), "bridge error", error.type, error.code)
        return GAVE_UP if _is_list(ask) else Decline(_missed("retries_exhausted", status, error), keep=False)

    def _broken(self, ask: Ask, attempt: int, failure: Failure) -> Judgement:
        match failure.code:
            case "redirect" | "address_refused":
                return REDIRECTED
            case "tls":
                return UNTRUSTED
            case "key_echoed":
                # Payloads can hold the token, where a command printed it: then this answer alone is lost.
                return Decline(Missed("refused", failure.status), keep=False) if _of_a_job(ask) else KEY_ECHOED
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
        again = attempt < self._attempts
        return Retry(_back_off_ms(attempt), failure.code.replace("_", " ")) if again else None


def read_error(headers: Headers, body: bytes) -> BridgeError:
    """The error object of an answer (`{"error": {"code", "type", ...}}`); without one no words."""
    top = read_object(body, header(headers, "content-encoding"))
    error = mapping((None if isinstance(top, Unreadable) else mapping(top) or {}) or {}) or {}
    told = mapping(error.get("error")) or {}
    return BridgeError(word(told.get("code")), word(told.get("type")))


def _refused(ask: Ask, status: int, error: BridgeError) -> Judgement:
    if status in _OF_THE_TOKEN:
        return NO_TOKEN
    if error.code in _OF_THE_HOST:
        return NO_HOST
    if _of_a_job(ask):
        reason: MissReason = "job_not_found" if status == _NOT_FOUND else "refused"
        return Decline(_missed(reason, status, error), keep=True)
    if ask.optional:
        return Decline(_missed("refused", status, error), keep=True)
    return NO_SCOPE if status == 403 else NO_BRIDGE  # noqa: PLR2004 - RFC 9110, section 15.5.4


def _missed(reason: MissReason, status: int, error: BridgeError) -> Missed:
    return Missed(reason, status, error.type, error.code)


def _back_off_ms(attempt: int) -> int:
    return min(BACK_OFF_MAX_MS, 1_000 << min(attempt - 1, 16))


def _is_list(ask: Ask) -> bool:
    place = place_of(ask.walk)
    return place is not None and place.part == "jobs"


def _of_a_job(ask: Ask) -> bool:
    place = place_of(ask.walk)
    return place is not None and place.job > 0
