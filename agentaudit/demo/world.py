"""The world answers requests: one entry, one lock, everything decided by seed, clock and order.

Laws:
    - ``answer`` never raises: whatever comes in, an answer goes out, with a ``request-id`` and a ``date``.
    - Order of checks: planned answers, key, shared budget, path, scope, remote budget, parameters, session.
    - The key's value is dropped before the request is remembered.
    - ``GET`` only; another method is a 405, which the documentation does not mention.
"""

from __future__ import annotations

from dataclasses import replace
from email.utils import format_datetime
from typing import TYPE_CHECKING

from agentaudit.demo.activities import activity_page, request_made
from agentaudit.demo.directory import organization_list, settings, user_list
from agentaudit.demo.editing import EditableWorld
from agentaudit.demo.errors import Documented, Problem, Refusal, error_body, invalid, refused
from agentaudit.demo.gate import require_scope
from agentaudit.demo.ids import well_formed
from agentaudit.demo.jsontext import wire_bytes
from agentaudit.demo.lists import local_list, remote_list
from agentaudit.demo.paging import CursorMint
from agentaudit.demo.params import Parameters
from agentaudit.demo.people import USER_DATA
from agentaudit.demo.retention import view_of
from agentaudit.demo.stored import Download
from agentaudit.demo.transcripts import local_messages, remote_messages
from agentaudit.demo.visit import PageShape, Visit
from agentaudit.demo.wire import Chunked, WireRequest, WireResponse

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from agentaudit.demo.mischief import Prepared
    from agentaudit.demo.people import Key
    from agentaudit.demo.shelf import LocalShelf
    from agentaudit.demo.wire import Headers

_ORG_DATA = "read:compliance_org_data"
_ACTIVITIES = "read:compliance_activities"
_SECRET_HEADERS = ("x-api-key", "authorization", "proxy-authorization", "cookie")
_CHUNK = 65_536
_JSON = (("content-type", "application/json"),)
_NO_METHOD = Problem(405, "invalid_request_error", "Only GET is allowed here.")


class World(EditableWorld):
    """An organisation in memory that answers as the compliance API documents.

    ``clock`` gives aware times. Budgets are requests a minute; the size of the remote one is not published.
    ``held`` replaces the shelf of local sessions; ``kept`` bounds how many requests are remembered.
    ``platform`` adds the members of the platform's error object to the guide's.
    """

    def __init__(
        self,
        clock: Callable[[], datetime],
        *,
        seed: str = "demo",
        canary: str = "",
        budget: int = 600,
        remote_budget: int = 120,
        held: LocalShelf | None = None,
        kept: int | None = None,
        platform: bool = True,
    ) -> None:
        super().__init__(clock, held, budget, remote_budget, kept)
        self._mint = CursorMint(seed)
        self._seed = seed
        self._count = 0
        self._platform = platform
        self.plant(canary)

    def answer(self, request: WireRequest) -> WireResponse:
        """The answer to a request; thread-safe, and the only way in."""
        with self._lock:
            self._count += 1
            request_id = f"req_{self._seed}{self._count:016d}"
            self._log.append(_redacted(request))
            prepared = self._prepared.take(request)
            return self._changed(
                request,
                self._served(request, request_id) if prepared is None else self._planned(prepared, request_id),
            )

    def _planned(self, prepared: Prepared, request_id: str) -> WireResponse:
        body = prepared.body
        if body is None:
            body = self._error_text(prepared.problem, request_id)
        headers = (("content-type", prepared.content_type), *prepared.headers)
        return self._closed(prepared.problem, headers, body, request_id)

    def _served(self, request: WireRequest, request_id: str) -> WireResponse:
        limits: Headers = ()
        try:
            key = self._admitted(request)
            limits = self._gate.shared.headers(self.now())
            self._gate.spend(self.now())
            limits = self._gate.shared.headers(self.now())
            try:
                found = self._routed(request, key)
                self._told(request, key, request_id, 200)
            except Refusal as refusal:
                self._told(request, key, request_id, refusal.problem.status)
                raise
        except Refusal as refusal:
            text = self._error_text(refusal.problem, request_id)
            return self._closed(refusal.problem, (*_JSON, *limits), text, request_id)
        if isinstance(found, Download):
            return WireResponse(200, (*found.headers, *self._common(request_id), *limits), found.body, Chunked(_CHUNK))
        return WireResponse(200, (*_JSON, *self._common(request_id), *limits), wire_bytes(found))

    def _told(self, request: WireRequest, key: Key, request_id: str, status: int) -> None:
        """Each request that a known key made stands in the feed."""
        self._activities.append(request_made(self._count, self.now(), key.name, request, (request_id, status)))

    def _admitted(self, request: WireRequest) -> Key:
        try:
            return self._gate.admit(request)
        except Refusal:
            if request.path_segments[-1:] == ("settings",):
                raise refused(Documented.BAD_KEY) from None
            raise

    def _routed(self, request: WireRequest, key: Key) -> str | Download:
        if request.method != "GET":
            raise Refusal(_NO_METHOD)
        match request.path_segments:
            case ("v1", "compliance", "apps", "sessions", family, *rest):
                return self._sessions(family, tuple(rest), request, key)
            case ("v1", "compliance", "apps", "artifacts" | "chats" | "code" | "projects" as what, *rest):
                return self._library.answer(self._visit(request, key), (what, *rest))
            case ("v1", "compliance", "activities"):
                require_scope(key, _ACTIVITIES)
                return activity_page(self._visit(request, key), tuple(self._activities))
            case ("v1", "compliance", "organizations"):
                require_scope(key, _ORG_DATA)
                return organization_list(self._visit(request, key), self._tenant)
            case ("v1", "compliance", "organizations", uuid, "users"):
                require_scope(key, USER_DATA)
                return user_list(self._visit(request, key), self._tenant, uuid)
            case ("v1", "compliance", "organizations", uuid, "settings"):
                require_scope(key, _ORG_DATA)
                return settings(self._visit(request, key), self._tenant, uuid, tuple(self._gate.keys.values()))
            case _:
                raise refused(Documented.NOT_FOUND)

    def _sessions(self, family: str, rest: tuple[str, ...], request: WireRequest, key: Key) -> str:
        match (family, rest):
            case ("local", ()):
                require_scope(key, USER_DATA)
                return local_list(self._visit(request, key), self._tenant)
            case ("local", (session_id,)):
                require_scope(key, USER_DATA)
                return self._local_session(session_id, request, key)
            case ("local", (session_id, "messages")):
                require_scope(key, USER_DATA)
                return self._local_messages(session_id, request, key)
            case ("remote", ()):
                self._admit_remote(key)
                return remote_list(self._visit(request, key), self._tenant)
            case ("remote", (session_id, "messages")):
                self._admit_remote(key)
                return self._remote_messages(session_id, request, key)
            case _:
                raise refused(Documented.NOT_FOUND)

    def _admit_remote(self, key: Key) -> None:
        require_scope(key, USER_DATA)
        self._gate.spend_remote(self.now())

    def _local_session(self, session_id: str, request: WireRequest, key: Key) -> str:
        Parameters(request, ())
        _require_id("clls_", session_id)
        session = self._tenant.locals.find(session_id)
        view = None if session is None else view_of(session, self._boundary)
        visit = self._visit(request, key)
        if view is None or not visit.reaches(view.session.organization_uuid):
            raise refused(Documented.LOCAL_NOT_FOUND)
        return visit.render.local_session(view, self._tenant.email(view.session.user_id, key), listed=False)

    def _local_messages(self, session_id: str, request: WireRequest, key: Key) -> str:
        _require_id("clls_", session_id)
        visit, session = self._visit(request, key), self._tenant.locals.find(session_id)
        readable = session is not None and visit.reaches(session.organization_uuid)
        return local_messages(visit, session if readable else None)

    def _remote_messages(self, session_id: str, request: WireRequest, key: Key) -> str:
        _require_id("cse_", session_id)
        visit, session = self._visit(request, key), self._tenant.remotes.find(session_id)
        readable = session is not None and visit.reaches(session.organization_uuid)
        return remote_messages(visit, session if readable else None)

    def _visit(self, request: WireRequest, key: Key) -> Visit:
        token = _token(request)
        loops = token is not None and self._loops.take(request) is not None
        return Visit(
            request,
            key,
            self.now(),
            self._boundary,
            self._generation,
            self._mint,
            self._render,
            self._shape if self._shaped(request) else PageShape(),
            token if loops else None,
            repeats_item=token is not None and self._duplicates.take(request) is not None,
        )

    def _error_text(self, problem: Problem, request_id: str) -> bytes:
        marked = replace(problem, message=self._render.canary.complaint(problem.message))
        return wire_bytes(error_body(marked, request_id, platform=self._platform))

    def _closed(self, problem: Problem, headers: Headers, body: bytes, request_id: str) -> WireResponse:
        wait = () if problem.retry_after is None else (("retry-after", str(problem.retry_after)),)
        return WireResponse(problem.status, (*headers, *self._common(request_id), *problem.headers, *wait), body)

    def _common(self, request_id: str) -> Headers:
        date = format_datetime(self.now(), usegmt=True)
        return (("request-id", request_id), ("date", date), *self._render.canary.headers())


def _require_id(prefix: str, session_id: str) -> None:
    if not well_formed(prefix, session_id):
        raise invalid("session_id", "is not a session identifier")


def _token(request: WireRequest) -> str | None:
    try:
        return next((value for name, value in request.query if name == "page"), None)
    except ValueError:
        return None


def _redacted(request: WireRequest) -> WireRequest:
    headers = tuple((name, "redacted" if name.lower() in _SECRET_HEADERS else value) for name, value in request.headers)
    return replace(request, headers=headers)
