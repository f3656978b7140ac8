"""A synthetic Compliance Logs Platform with the documented contract and its faults, and the store where its files lie.

- A list gives the files of one event type from `after` on, the file at the boundary included; an empty page has null.
- A file is a 307 to a signed address at the store, which ends after one use where a test says so. The store knows no
  key, and its error page repeats the signature, as real ones do.
- What is collected from it conforms to the documented contract, and claims no more.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256

from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.wire import WireRequest, WireResponse

Item = dict[str, object]

WORKSPACE = "be545252-0000-4000-8000-000000000001"
CANARY = "canary content that stays in the payload"
ADDRESS_CANARY = "203.0.113.77"

_JSON = (("content-type", "application/json"), ("x-request-id", "req-1"))


def made_key(*words: str) -> str:
    """A key of the right form, put together at run time."""
    return "-".join(("sk", "proj", *(words or ("canary", "never", "printed", "nor", "stored"))))


def record(number: int, kind: str = "PROMPT_RESPONSE_RECEIVED", session: str = "session-1", **details: object) -> Item:
    """One record of a Codex log; a detail that is "gone" is left out."""
    told: Item = {
        "detail_type": kind, "session_id": session, "turn_id": f"turn-{number}", "call_id": f"call-{number}",
        "status": "success", "model": "gpt-5.1-codex-max", "prompt_text": CANARY, "response_text": CANARY,
        "token_usage": {"input_tokens": 42, "output_tokens": 18}, **details,
    }  # fmt: skip
    return {
        "event_id": f"cd000000-0000-4000-8000-{number:012d}",
        "type": "CODEX_LOG",
        "timestamp": f"2026-10-08T10:{number // 60 % 60:02d}:{number % 60:02d}.000000Z",
        "principal": {"id": WORKSPACE, "type": "CHATGPT_WORKSPACE"},
        "actor": {"type": "ACCOUNT_USER", "user_id": "user-A1", "user_email": f"{CANARY}@example.org"},
        "event_type": kind,
        "client_id": "CODEX_CLI",
        "workspace_id": WORKSPACE,
        "request_metadata": {"client_ip": ADDRESS_CANARY, "client_user_agent": CANARY},
        "event_details": {name: value for name, value in told.items() if value != "gone"},
    }


def tool_call(number: int, session: str = "session-1") -> Item:
    """A completed tool call."""
    texts: Item = {"prompt_text": "gone", "response_text": "gone", "token_usage": "gone", "tool_input": CANARY}
    named: Item = {"tool_name": "apply_patch", "tool_type": "filesystem", "tool_call_id": f"tc-{number}"}
    return record(number, "TOOL_CALL_COMPLETED", session, **texts, **named)


def lines(*records: Item) -> bytes:
    """A file of these records."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


@dataclass
class Listed:
    """One file: its bytes, and what the list says of it where that is another thing."""

    id: str
    body: bytes
    end_time: str
    event_type: str = "CODEX_LOG"
    says: Item = field(default_factory=dict)

    def entry(self) -> Item:
        """The entry in the list."""
        told: Item = {
            "id": self.id, "event_type": self.event_type, "end_time": self.end_time,
            "file_name": f"{self.event_type}_{self.end_time}.jsonl", "file_size": len(self.body),
            "file_sha256": sha256(self.body).hexdigest(), **self.says,
        }  # fmt: skip
        return {name: value for name, value in told.items() if value != "gone"}


@dataclass
class Platform:
    """One workspace's logs; `store` answers for the place where files lie."""

    secret: str = field(default_factory=made_key)
    files: list[Listed] = field(default_factory=list)
    page_limit: int = 100
    store_url: str = ""
    once: bool = False
    store_headers: tuple[tuple[str, str], ...] = ()
    requests: list[WireRequest] = field(default_factory=list)
    store_requests: list[WireRequest] = field(default_factory=list)
    signatures: list[str] = field(default_factory=list)
    during: Callable[[WireRequest], WireResponse | None] = lambda _request: None
    during_store: Callable[[WireRequest], WireResponse | None] = lambda _request: None
    _live: set[str] = field(default_factory=set)

    def add(self, *records: Item, event_type: str = "CODEX_LOG", says: Item | None = None) -> Listed:
        """One more file, its window an hour after the last."""
        number = len(self.files) + 1
        end = f"2026-10-{8 + number // 24:02d}T{number % 24:02d}:00:00Z"
        self.files.append(Listed(f"eclf_{number:04d}", lines(*records), end, event_type, says or {}))
        return self.files[-1]

    def answer(self, request: WireRequest) -> WireResponse:
        """The documented answer of the API, or what a test planned."""
        self.requests.append(request)
        planned = self.during(request)
        if planned is not None:
            return planned
        if request.header("authorization") != f"Bearer {self.secret}":
            return error(401, "invalid_api_key")
        match request.path_segments:
            case ("v1", "compliance", "workspaces", owner, "logs") if owner == WORKSPACE:
                return self._list(dict(request.query))
            case ("v1", "compliance", "workspaces", owner, "logs", identity) if owner == WORKSPACE:
                return self._send_on(identity)
            case _:
                return error(404, "not_found")

    def page(self, after: str, event_type: str = "CODEX_LOG", limit: int = 100) -> Item:
        """One page of a list."""
        own = sorted((one for one in self.files if one.event_type == event_type), key=lambda one: one.end_time)
        left = [one for one in own if one.end_time >= after[:19] + "Z"]
        given = left[: min(limit, self.page_limit)]
        last = given[-1].end_time if given else None
        return {"data": [one.entry() for one in given], "has_more": len(given) < len(left), "last_end_time": last}

    def _list(self, query: dict[str, str]) -> WireResponse:
        if "event_type" not in query or "after" not in query:
            return error(422, "missing_parameter")
        return reply(self.page(query["after"], query["event_type"], int(query.get("limit", "100"))))

    def _send_on(self, identity: str) -> WireResponse:
        if not any(one.id == identity for one in self.files):
            return error(404, "log_file_not_found")
        address = self.sign(identity)
        moved = f"<a href='{address}'>moved</a>".encode()
        return WireResponse(307, (("location", address), ("x-request-id", "req-2"), ("link", f"<{address}>")), moved)

    def sign(self, identity: str) -> str:
        """An address that can be read, with a signature of its own."""
        signature = sha256(f"{identity}/{len(self.signatures)}".encode()).hexdigest()[:43] + "%3D"
        self.signatures.append(signature)
        self._live.add(signature)
        return f"{self.store_url}/container/{identity}.jsonl?se=2026-10-09T00%3A00%3A00Z&sp=r&sig={signature}"

    def deliver(self, request: WireRequest) -> WireResponse:
        """The answer of the store."""
        self.store_requests.append(request)
        planned = self.during_store(request)
        if planned is not None:
            return planned
        signature = request.target.partition("&sig=")[2]
        if signature not in self._live:
            return refused(request)
        if self.once:
            self._live.discard(signature)
        identity = request.path_segments[-1].removesuffix(".jsonl")
        body = next(one.body for one in self.files if one.id == identity)
        repeated = (("content-type", "application/octet-stream"), ("x-store-request", request.target))
        return WireResponse(200, (*repeated, *self.store_headers), body)

    @property
    def store(self) -> "Store":
        """The store as a world that can be served."""
        return Store(self)


@dataclass
class Store:
    """The place where files lie."""

    platform: Platform

    def answer(self, request: WireRequest) -> WireResponse:
        """What it says."""
        return self.platform.deliver(request)


def reply(document: Item) -> WireResponse:
    """A 200."""
    return WireResponse(200, _JSON, json.dumps(document).encode())


def error(status: int, code: str, *headers: tuple[str, str]) -> WireResponse:
    """An error object of the API."""
    told = {"error": {"code": code, "message": CANARY, "type": "invalid_request_error", "param": None}}
    return WireResponse(status, (*_JSON, *headers), json.dumps(told).encode())


def refused(request: WireRequest) -> WireResponse:
    """The error page of a store, with what was signed in it."""
    page = f"<Error><Code>AuthenticationFailed</Code><Detail>{request.target}</Detail></Error>"
    return WireResponse(403, (("content-type", "application/xml"), ("x-signed", request.target)), page.encode())


def usual() -> Platform:
    """Three files of two sessions, with the boundary's event in two of them; one security log beside them."""
    platform = Platform()
    platform.add(record(1), tool_call(2), record(3, "APP_MCP_CALL", name="search_issues", arguments={"q": CANARY}))
    platform.add(record(3, "APP_MCP_CALL", name="search_issues", arguments={"q": CANARY}), record(4, session="other"))
    platform.add(
        record(5, prompt_text=None, response_text="gone", status="error", error_code="rate_limit_exceeded"),
        record(6, "PLUGIN_ENABLED", plugin_scope="WORKSPACE"),
    )
    platform.add(record(7, "SCAN_FINDING_UPDATED"), event_type="CODEX_SECURITY_LOG")
    return platform


@contextmanager
def served(platform: Platform) -> Iterator[str]:
    """The address of the API, with the store beside it."""
    with LoopbackServer(platform.store) as store, LoopbackServer(platform) as api:
        platform.store_url = store.url
        yield api.url
