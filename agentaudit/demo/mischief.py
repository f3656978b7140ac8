"""What a test plans to go wrong: for the next requests that match, in the order of planning.

Laws:
    - A plan is used up by the requests it matches, and never touches others.
    - Planned answers come before keys and budgets are looked at; other plans change a real answer.
"""

from __future__ import annotations

import gzip
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from agentaudit.demo.errors import Documented, Problem
from agentaudit.demo.wire import WireRequest, WireResponse, matcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentaudit.demo.wire import Fault, Headers

    Match: TypeAlias = Callable[[WireRequest], bool] | str | None

T = TypeVar("T")

_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    409: "invalid_request_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}
_PORTAL = b"<!doctype html><html><title>Sign in</title><body>Please sign in to use this network.</body></html>"
_JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Prepared:
    """A planned answer: a problem to be rendered, or a body as it is."""

    problem: Problem
    body: bytes | None
    content_type: str
    headers: Headers


class Plans(Generic[T]):
    """A queue of things to happen, each with whom it meets and how often."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[T, Callable[[WireRequest], bool], int]] = deque()

    def add(self, thing: T, match: Match, times: int) -> None:
        """Plans a thing for the next so many matching requests."""
        self._waiting.append((thing, matcher(match), times))

    def take(self, request: WireRequest) -> T | None:
        """The first thing that meets this request, used up by one; None when nothing does."""
        return next(iter(self._taken(request, 1)), None)

    def take_all(self, request: WireRequest) -> tuple[T, ...]:
        """Everything that meets this request, each used up by one, in the order of planning."""
        return self._taken(request, len(self._waiting))

    def _taken(self, request: WireRequest, most: int) -> tuple[T, ...]:
        taken: list[T] = []
        kept: deque[tuple[T, Callable[[WireRequest], bool], int]] = deque()
        for thing, meets, times in self._waiting:
            meets_now = len(taken) < most and meets(request)
            if meets_now:
                taken.append(thing)
            if times > meets_now:
                kept.append((thing, meets, times - meets_now))
        self._waiting = kept
        return tuple(taken)


class Mischief:
    """The planning half of a world. ``match``: a predicate, a part of the encoded path, or None for all."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._prepared = Plans[Prepared]()
        self._changes = Plans["Callable[[WireResponse], WireResponse]"]()
        self._loops = Plans[bool]()
        self._duplicates = Plans[bool]()

    def fail_next(
        self,
        status: int,
        *,
        error_type: str | None = None,
        message: str | None = None,
        code: str | None = None,
        retry_after: int | None = None,
        headers: Headers = (),
        times: int = 1,
        match: Match = None,
        body: bytes | None = None,
        content_type: str = _JSON,
    ) -> None:
        """Answers the next matching requests with an error; ``body`` replaces the whole error object.

        ``error_type`` None: the usual one of that status; ``retry_after`` in whole seconds.
        """
        kind = error_type or _TYPES.get(status, "api_error")
        problem = Problem(status, kind, message or f"Planned answer {status}.", code, retry_after)
        with self._lock:
            self._prepared.add(Prepared(problem, body, content_type, headers), match, times)

    def problem_next(self, case: Documented, *, times: int = 1, match: Match = None) -> None:
        """Answers the next matching requests with a documented error (section 5)."""
        with self._lock:
            self._prepared.add(Prepared(case.value, None, _JSON, ()), match, times)

    def redirect_next(self, location: str, *, status: int = 302, match: Match = None, times: int = 1) -> None:
        """Answers the next matching requests with a redirect to an absolute or relative place."""
        problem = Problem(status, "api_error", "Moved.")
        with self._lock:
            self._prepared.add(Prepared(problem, b"", "text/plain", (("location", location),)), match, times)

    def html_next(self, *, status: int = 200, match: Match = None, times: int = 1) -> None:
        """Answers the next matching requests with a sign-in page, as a captive network does."""
        self.fail_next(status, match=match, times=times, body=_PORTAL, content_type="text/html; charset=utf-8")

    def fault_next(self, fault: Fault, *, match: Match = None, times: int = 1) -> None:
        """Lets the next matching answers travel badly; what they say stays true."""
        self._change(lambda answer: replace(answer, fault=fault), match, times)

    def rewrite_next(self, change: Callable[[bytes], bytes], *, match: Match = None, times: int = 1) -> None:
        """Changes the bytes of the next matching bodies: duplicate keys, huge numbers, cut JSON."""
        self._change(lambda answer: replace(answer, body=change(answer.body)), match, times)

    def drop_header_next(self, name: str, *, match: Match = None, times: int = 1) -> None:
        """Leaves a header out of the next matching answers; ``name`` in lower case."""
        self._change(
            lambda answer: replace(answer, headers=tuple(pair for pair in answer.headers if pair[0] != name)),
            match,
            times,
        )

    def gzip_next(self, *, match: Match = None, times: int = 1) -> None:
        """Compresses the next matching bodies, whatever the request accepts."""
        self._change(_compressed, match, times)

    def loop_cursor_next(self, *, match: Match = None, times: int = 1) -> None:
        """Gives the next matching requests that carry ``page`` the same token back as ``next_page``."""
        with self._lock:
            self._loops.add(True, match, times)  # noqa: FBT003 - the plan itself says what happens

    def duplicate_next(self, *, match: Match = None, times: int = 1) -> None:
        """Opens the next matching continued pages with the last item of the page before (section 1)."""
        with self._lock:
            self._duplicates.add(True, match, times)  # noqa: FBT003 - the plan itself says what happens

    def _change(self, change: Callable[[WireResponse], WireResponse], match: Match, times: int) -> None:
        with self._lock:
            self._changes.add(change, match, times)

    def _changed(self, request: WireRequest, answer: WireResponse) -> WireResponse:
        for change in self._changes.take_all(request):
            answer = change(answer)
        return answer


def _compressed(answer: WireResponse) -> WireResponse:
    return replace(
        answer, body=gzip.compress(answer.body, 6, mtime=0), headers=(*answer.headers, ("content-encoding", "gzip"))
    )
