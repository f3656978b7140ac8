"""The compliance API's errors, told apart (compliance reference, section 5).

- Match on status and `error.type`, then on `error.details.error_code`, then, only where listed, on the text.
- A reworded text falls back to the safe reading: back off on a 503, one session's loss on its 404.
- A message may hold evidence: it is matched here and never written anywhere.
- An answer without the API's own error object is somebody else's: a proxy, a gateway.
"""

import re
from dataclasses import dataclass
from typing import Literal

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import WalkKind

ErrorClass = Literal[
    "key_unknown", "key_invalid", "scope_missing", "family_off", "not_enabled", "endpoint_missing",
    "session_not_found", "remote_not_found", "cursor_refused", "cursor_expired", "page_unreadable", "bad_request",
    "rate_limited", "reader_busy", "index_down", "captured_content", "retention_overrides", "overloaded",
    "server_error_final", "server_error", "not_the_api", "unknown_status",
]  # fmt: skip

ERROR_BODY_MAX_BYTES = 1024 * 1024

_BY_STATUS: dict[int, ErrorClass] = {401: "key_invalid", 403: "scope_missing"}
_SECONDS = re.compile(r"[0-9]{1,9}\Z")
_ONE_OF_MANY: frozenset[WalkKind] = frozenset({
    "local_retrieve", "local_messages", "chat_messages",
    "artifacts", "attachments", "chat_files", "collaborators", "documents", "project",
})  # fmt: skip
"""Walks that ask for one thing by its id: a 404 is that thing's, unless it is the key's."""
_REQUEST_TIMEOUT = 408
_SERVER = 500
_UNAVAILABLE = 503
_OVERLOADED = 529


@dataclass(frozen=True, slots=True)
class ApiError:
    """An answer that is no page: its status and the words of its error object, None where it has none.

    `retry_after_s` is whole seconds; `should_retry` is the header's word, None when it was not sent.
    """

    status: int
    type: str | None = None
    message: str | None = None
    code: str | None = None
    retry_after_s: int | None = None
    should_retry: bool | None = None


def read_error(status: int, headers: Headers, body: bytes) -> ApiError:
    """The error in an answer; both documented body forms are read, anything else leaves the words out."""
    error = _error_object(headers, body)
    details = mapping(error.get("details")) or {}
    seconds = header(headers, "retry-after") or ""
    retry = (header(headers, "x-should-retry") or "").lower()
    return ApiError(
        status=status,
        type=_word(error.get("type")),
        message=_word(error.get("message")),
        code=_word(details.get("error_code")),
        retry_after_s=int(seconds) if _SECONDS.match(seconds) else None,
        should_retry={"true": True, "false": False}.get(retry),
    )


def classify(error: ApiError, kind: WalkKind) -> ErrorClass:
    """Which of the documented cases this is, asked from a walk of this kind."""
    if error.status >= _SERVER or error.status == _REQUEST_TIMEOUT:
        return _server_error(error)
    match error.status:
        case 400:
            return _bad_request(error)
        case 404:
            return _not_found(error, kind)
        case 429:
            return "reader_busy" if error.code == "transcript_read_server_busy" else "rate_limited"
        case _:
            return _BY_STATUS.get(error.status, "unknown_status") if error.type else "not_the_api"


def _bad_request(error: ApiError) -> ErrorClass:
    message = error.message or ""
    if error.code == "transcript_page_read_limit_exceeded":
        return "page_unreadable"
    if "page cursor has expired" in message:
        return "cursor_expired"
    if "not a valid cursor" in message:
        return "cursor_refused"
    if "not enabled" in message:
        return "not_enabled"
    return "bad_request" if error.type else "not_the_api"


def _not_found(error: ApiError, kind: WalkKind) -> ErrorClass:
    message = error.message or ""
    if message == "Not found":
        return "key_unknown"
    if "sessions are not available" in message:
        return "family_off"
    if error.type is None:
        return "not_the_api"
    if kind in _ONE_OF_MANY:
        return "session_not_found"
    return "remote_not_found" if kind == "remote_messages" else "endpoint_missing"


def _server_error(error: ApiError) -> ErrorClass:
    message = error.message or ""
    if error.status == _UNAVAILABLE and "retention overrides" in message:
        return "retention_overrides"
    if error.status == _UNAVAILABLE and "Captured content" in message:
        return "captured_content"
    if error.should_retry is False:
        return "server_error_final"
    if "index is temporarily unavailable" in message:
        return "index_down"
    return "overloaded" if error.type == "overloaded_error" or error.status == _OVERLOADED else "server_error"


def _error_object(headers: Headers, body: bytes) -> dict[str, Json]:
    if len(body) > ERROR_BODY_MAX_BYTES:
        return {}
    top = read_object(body, header(headers, "content-encoding"))
    found = None if isinstance(top, Unreadable) else mapping(top)
    return mapping((found or {}).get("error")) or {}


def _word(item: Json) -> str | None:
    return item if isinstance(item, str) else None
