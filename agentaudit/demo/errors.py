"""Every documented error of section 5 as a value, and the body it travels in.

Laws:
    - Clients match on status, ``error.type``, ``error.details.error_code`` and listed markers: those are exact.
    - ``Not found`` alone means the key or the path, never a session.
    - A refusal is raised inside the world and becomes an answer at its edge; it never leaves the world.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from agentaudit.demo.jsontext import Json, text_of

_INVALID = "invalid_request_error"
_OVERLOADED = "overloaded_error"


@dataclass(frozen=True, slots=True)
class Problem:
    """One error answer: status, error type, message, an optional code, optional seconds to wait, extra headers."""

    status: int
    error_type: str
    message: str
    code: str | None = None
    retry_after: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Documented(Enum):
    """The error cases that the compliance errors guide lists (section 5)."""

    NOT_ENABLED = Problem(400, _INVALID, "The Compliance API is not enabled for this organization.")
    BAD_CURSOR = Problem(400, _INVALID, "page: the value is not a valid cursor for this request.")
    EXPIRED_CURSOR = Problem(400, _INVALID, "The page cursor has expired. Start again without page.")
    UNREADABLE_PAGE = Problem(
        400, _INVALID, "This page needs more reading than one request may do.", "transcript_page_read_limit_exceeded"
    )
    BAD_KEY = Problem(401, "authentication_error", "The API key is invalid or no longer active.")
    NOT_FOUND = Problem(404, "not_found_error", "Not found")
    SESSIONS_OFF = Problem(404, "not_found_error", "Local sessions are not available for this organization.")
    LOCAL_NOT_FOUND = Problem(404, "not_found_error", "Local session not found.")
    REMOTE_NOT_FOUND = Problem(404, "not_found_error", "Remote session not found.")
    SETTINGS_NOT_FOUND = Problem(404, "not_found_error", "Organization settings not found.")
    CONFLICT = Problem(409, _INVALID, "The project still holds chats.")
    SHARED_BUDGET = Problem(429, "rate_limit_error", "The request budget of this organization is spent.", None, 1)
    REMOTE_BUDGET = Problem(429, "rate_limit_error", "The budget for remote sessions is spent.", None, 1)
    READER_BUSY = Problem(
        429, "rate_limit_error", "The reader of large transcripts is busy.", "transcript_read_server_busy", 2
    )
    FINAL_ERROR = Problem(500, "api_error", "Internal server error.", headers=(("x-should-retry", "false"),))
    INTERNAL = Problem(500, "api_error", "Internal server error.")
    BAD_GATEWAY = Problem(502, "api_error", "Bad gateway.")
    INDEX_DOWN = Problem(503, _OVERLOADED, "The session index is temporarily unavailable.")
    CONTENT_LOCKED = Problem(503, _OVERLOADED, "Captured content cannot be read at the moment.")
    RETENTION_UNKNOWN = Problem(503, _OVERLOADED, "The retention overrides could not be evaluated.")
    TIMEOUT = Problem(504, "timeout_error", "The request took too long.")
    OVERLOADED = Problem(529, _OVERLOADED, "Overloaded.")


class Refusal(Exception):
    """Carries a problem from where it is noticed to the edge of the world."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.status)
        self.problem = problem


def refused(case: Documented) -> Refusal:
    """The refusal of a documented case."""
    return Refusal(case.value)


def invalid(parameter: str, complaint: str) -> Refusal:
    """A 400 whose message names the parameter and never repeats its value."""
    return Refusal(Problem(400, _INVALID, f"{parameter}: {complaint}"))


def error_body(problem: Problem, request_id: str, *, platform: bool) -> str:
    """The body of an error as JSON text.

    ``platform`` adds the top-level type and the copy of the request id that the platform page shows; the
    compliance guide shows the object without them, and clients must accept both (section 5).
    """
    error: dict[str, Json] = {"type": problem.error_type, "message": problem.message}
    if problem.code is not None:
        error["details"] = {"error_code": problem.code}
    if platform:
        return text_of({"type": "error", "error": error, "request_id": request_id})
    return text_of({"error": error})
