"""Errors of the compliance API: read from both forms, told apart, and safe when reworded."""

import json

import pytest

from agentaudit.adapters.compliance.errors import ERROR_BODY_MAX_BYTES, ApiError, classify, read_error
from agentaudit.model.journal import WalkKind

INVALID = "invalid_request_error"


def body(kind: str, message: str, code: str | None = None, *, platform: bool = False) -> bytes:
    """An error body in the guide's form, or in the platform's."""
    error: dict[str, object] = {"type": kind, "message": message}
    if code:
        error["details"] = {"error_code": code}
    return json.dumps({"type": "error", "error": error, "request_id": "r"} if platform else {"error": error}).encode()


@pytest.mark.parametrize("platform", [True, False])
def test_both_documented_forms_give_the_same_words(platform: bool) -> None:
    """The guide's object and the platform's are read alike."""
    headers = (("Retry-After", "7"), ("X-Should-Retry", "False"), ("request-id", "req_1"))
    error = read_error(429, headers, body("rate_limit_error", "m", "c", platform=platform))
    assert error == ApiError(429, "rate_limit_error", "m", "c", 7, should_retry=False)


@pytest.mark.parametrize(
    "octets",
    [
        b"<html>no</html>",
        b"",
        b'{"error": "text"}',
        b'{"error": {"type": 5, "message": [], "details": "x"}}',
        b"[]",
        b'{"error": {"type": "t"}, "pad": "' + b"x" * ERROR_BODY_MAX_BYTES + b'"}',
    ],
)
def test_a_body_that_is_no_error_object_leaves_the_words_out(octets: bytes) -> None:
    """HTML, nothing, wrong types and an oversized body give a status and no words."""
    assert read_error(502, (), octets) == ApiError(502)


@pytest.mark.parametrize("word", ["soon", "-1", "1.5", "", "Wed, 21 Oct 2026 07:28:00 GMT", "9" * 30])
def test_a_retry_after_that_is_no_number_of_seconds_is_left_out(word: str) -> None:
    """Only whole seconds are documented."""
    assert read_error(429, (("retry-after", word),), b"").retry_after_s is None


@pytest.mark.parametrize(("word", "said"), [("true", True), ("FALSE", False), ("perhaps", None)])
def test_should_retry_has_three_states(word: str, said: bool | None) -> None:
    """Yes, no, and not said."""
    assert read_error(500, (("x-should-retry", word),), b"").should_retry is said


@pytest.mark.parametrize(
    ("status", "kind", "message", "code", "case"),
    [
        (400, INVALID, "The API is not enabled here.", None, "not_enabled"),
        (400, INVALID, "limit: too large", None, "bad_request"),
        (400, INVALID, "page: not a valid cursor", None, "cursor_refused"),
        (400, INVALID, "The page cursor has expired.", None, "cursor_expired"),
        (400, INVALID, "whatever", "transcript_page_read_limit_exceeded", "page_unreadable"),
        (401, "authentication_error", "no", None, "key_invalid"),
        (403, "permission_error", "Missing required scopes", None, "scope_missing"),
        (404, "not_found_error", "Not found", None, "key_unknown"),
        (404, "not_found_error", "Local sessions are not available.", None, "family_off"),
        (404, "not_found_error", "Remote sessions are not available.", None, "family_off"),
        (404, "not_found_error", "Local session not found", None, "session_not_found"),
        (429, "rate_limit_error", "slow", None, "rate_limited"),
        (429, "rate_limit_error", "slow", "transcript_read_server_busy", "reader_busy"),
        (503, "overloaded_error", "The session index is temporarily unavailable", None, "index_down"),
        (503, "overloaded_error", "Captured content is not readable", None, "captured_content"),
        (503, "overloaded_error", "The retention overrides are not known", None, "retention_overrides"),
        (503, "overloaded_error", "reworded", None, "overloaded"),
        (529, "overloaded_error", "busy", None, "overloaded"),
        (500, "api_error", "oops", None, "server_error"),
        (504, "timeout_error", "slow", None, "server_error"),
        (408, "timeout_error", "slow", None, "server_error"),
        (418, "teapot", "short", None, "unknown_status"),
        (409, INVALID, "conflict", None, "unknown_status"),
    ],
)
def test_the_documented_cases_are_told_apart(status: int, kind: str, message: str, code: str | None, case: str) -> None:
    """Status and type, then the code, then the listed text."""
    assert classify(read_error(status, (), body(kind, message, code)), "local_messages") == case


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        ("local_retrieve", "session_not_found"),
        ("local_messages", "session_not_found"),
        ("remote_messages", "remote_not_found"),
        ("local_list", "endpoint_missing"),
        ("settings", "endpoint_missing"),
    ],
)
def test_trap_09_a_reworded_404_is_a_lost_session_only_on_a_session(kind: WalkKind, case: str) -> None:
    """Elsewhere it speaks of the endpoint."""
    assert classify(ApiError(404, "not_found_error", "No such thing"), kind) == case


@pytest.mark.parametrize("message", ["Not found", "Local sessions are not available"])
def test_trap_09_the_404_of_a_key_or_a_family_is_never_a_lost_session(message: str) -> None:
    """Three of the five meanings say nothing of a session, though a session was asked for."""
    assert classify(ApiError(404, "not_found_error", message), "local_messages") in ("key_unknown", "family_off")


def test_the_bare_text_must_match_to_the_letter() -> None:
    """`Not found` within a longer text speaks of something else."""
    assert classify(ApiError(404, "not_found_error", "Not found."), "local_messages") == "session_not_found"


@pytest.mark.parametrize("status", [400, 401, 403, 404, 407, 418])
def test_a_refusal_without_an_error_object_is_not_the_api_s(status: int) -> None:
    """A proxy's page of any status says nothing about key or session."""
    assert classify(ApiError(status), "local_messages") == "not_the_api"


@pytest.mark.parametrize(
    ("message", "case"),
    [
        ("oops", "server_error_final"),
        ("Captured content", "captured_content"),
        ("retention overrides", "retention_overrides"),
    ],
)
def test_trap_10_a_final_server_error_is_final_and_documented_texts_go_first(message: str, case: str) -> None:
    """`x-should-retry: false` makes an error final; the two texts say more."""
    assert classify(ApiError(503, "overloaded_error", message, should_retry=False), "local_messages") == case


def test_the_documented_texts_of_a_503_mean_nothing_with_another_status() -> None:
    """Text is matched only where it is listed."""
    assert classify(ApiError(500, "api_error", "Captured content"), "local_messages") == "server_error"
