"""A synthetic bridge with the documented contract and its faults; what is collected from it conforms to that contract.

- Ids of entries count over all jobs; a page ends at its limit or at so many bytes, and never without an entry.
- Without `includePayloads=true` inputs and outputs are gone, with no mark. Another client's job answers like no job.
- So many requests in a window of sixty seconds; over it 429, without `Retry-After`.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from agentaudit.demo.wire import WireRequest, WireResponse

Item = dict[str, object]

VERSION = "0.1.0"
CANARY = "canary content that stays in the payload"


def token(*words: str) -> str:
    """A token of the right form, put together at run time."""
    return "_".join(("sab", *(words or ("never", "printed", "nor", "stored"))))


def job_id(number: int) -> str:
    """The UUID of a job."""
    return f"00000000-0000-4000-8000-{number:012d}"


@dataclass
class Bridge:
    """One bridge: jobs by id, entries of all of them in order, and the faults that tests plan."""

    secret: str = field(default_factory=token)
    principal: str = "client-a"
    owner: bool = False
    page_bytes: int = 4_000_000
    budget: int = 1_000_000
    now: Callable[[], float] = lambda: 0.0
    jobs: dict[str, Item] = field(default_factory=dict)
    entries: list[Item] = field(default_factory=list)
    attempts: list[Item] = field(default_factory=list)
    requests: list[WireRequest] = field(default_factory=list)
    wrong_through: int = 0
    stuck_cursor: bool = False
    during: Callable[[WireRequest], WireResponse | None] = lambda _request: None
    _window: tuple[float, int] = (0.0, 0)

    def add_job(self, number: int, status: str = "succeeded", principal: str | None = None) -> str:
        """A job with one attempt and its first lifecycle entry."""
        identity = job_id(number)
        self.jobs[identity] = {
            "id": identity, "principalId": principal or self.principal, "mode": "cli", "status": status,
            "prompt": CANARY, "messages": [], "sessionId": "11111111-2222-4333-8444-555555555555",
        }  # fmt: skip
        self.attempts.append({"id": f"attempt-{number}", "jobId": identity, "status": status})
        self.add(identity, "job.running", "bridge", {"status": "running"})
        return identity

    def add(
        self,
        job: str,
        kind: str,
        source: str,
        data: Item,
        attempt: str | None = None,
    ) -> int:
        """An entry; its id."""
        self.entries.append(
            {"id": len(self.entries) + 1, "jobId": job, "attemptId": attempt or f"attempt-{int(job[-12:])}",
             "sessionId": "11111111-2222-4333-8444-555555555555", "type": kind, "source": source,
             "createdAt": "2026-10-08T12:00:00.000Z", "data": data}
        )  # fmt: skip
        return len(self.entries)

    def call(self, job: str, tool: str, end: str | None = "tool.succeeded", **output: object) -> None:
        """A native tool call and its terminal entry."""
        record: Item = {"toolId": tool, "name": "Bash", "status": "requested", "input": {"command": CANARY}}
        self.add(job, "tool.requested", "claude", record)
        if end is not None:
            told = {"content": CANARY, "isError": end == "tool.failed", **output}
            status = end.removeprefix("tool.")
            source = "bridge" if end == "tool.unknown" else "claude"
            self.add(job, end, source, {**record, "status": status, "durationMs": 12, "output": told})

    def finish(self, job: str, status: str = "succeeded") -> None:
        """The job's terminal lifecycle entry."""
        self.add(job, f"job.{status}", "bridge", {"status": status})

    def of(self, job: str) -> list[Item]:
        """The entries of a job."""
        return [one for one in self.entries if one["jobId"] == job]

    def export(self, job: str) -> bytes:
        """The export of a job as the console makes it."""
        own = self.of(job)
        return json.dumps(
            {"schemaVersion": 1, "jobId": job, "through": own[-1]["id"] if own else 0,
             "exportedAt": "2026-10-08T13:00:00.000Z", "entries": own}
        ).encode()  # fmt: skip

    def answer(self, request: WireRequest) -> WireResponse:
        """The documented answer, or what a test planned."""
        self.requests.append(request)
        planned = self.during(request)
        if planned is not None:
            return planned
        if request.header("authorization") != f"Bearer {self.secret}":
            return error(401, "unauthorized")
        if any(name == "token" for name, _ in request.query):
            return error(400, "invalid_auth")
        if not self._spend():
            return error(429, "rate_limited")
        return self._route(request.path_segments, dict(request.query))

    def _spend(self) -> bool:
        opened, spent = self._window
        if self.now() - opened >= 60:
            opened, spent = self.now(), 0
        self._window = (opened, spent + 1)
        return spent < self.budget

    def _route(self, path: tuple[str, ...], query: dict[str, str]) -> WireResponse:
        match path:
            case ("v1", "bridge", "status"):
                return reply({"version": VERSION, "protocolVersion": 2, "permissionMode": "bypassPermissions"})
            case ("v1", "bridge", "jobs"):
                return self._list(query)
            case ("v1", "bridge", "jobs", identity, *rest):
                job = self.jobs.get(identity)
                if job is None or not (self.owner or job["principalId"] == self.principal):
                    return error(404, "not_found")
                return self._job(job, identity, rest, query)
            case _:
                return error(404, "not_found")

    def _list(self, query: dict[str, str]) -> WireResponse:
        own = [job for job in self.jobs.values() if self.owner or job["principalId"] == self.principal]
        ids = [str(job["id"]) for job in own]
        begin = ids.index(query["after"]) + 1 if "after" in query else 0
        page = own[begin : begin + int(query.get("limit", "100"))]
        full = len(page) == int(query.get("limit", "100"))
        return reply({"jobs": page, "nextCursor": page[-1]["id"] if full else None})

    def _job(self, job: Item, identity: str, rest: list[str], query: dict[str, str]) -> WireResponse:
        match rest:
            case []:
                return reply(job)
            case ["attempts"]:
                return reply({"attempts": [one for one in self.attempts if one["jobId"] == identity]})
            case ["audit"]:
                return self._audit(identity, query)
            case ["tools"]:
                return self._tools(identity)
            case _:
                return error(404, "not_found")

    def _audit(self, identity: str, query: dict[str, str]) -> WireResponse:
        own = self.of(identity)
        newest = int(str(own[-1]["id"])) if own else 0
        through = min(int(query.get("through", newest)), newest) + self.wrong_through
        left = [one for one in own if int(query.get("after", "0")) < int(str(one["id"])) <= through]
        page: list[Item] = []
        size = 0
        for one in left[: int(query.get("limit", "100"))]:
            size += len(json.dumps(one))
            if page and size > self.page_bytes:
                break
            page.append(one if query.get("includePayloads") == "true" else _bare(one))
        more = len(page) < len(left)
        cursor = (1 if self.stuck_cursor else page[-1]["id"]) if more else None
        summary = {"tools": 2, "events": len(own), "coverage": "native_tools"}
        return reply({"entries": page, "through": through, "nextCursor": cursor, "summary": summary})

    def _tools(self, identity: str) -> WireResponse:
        tools: dict[tuple[object, object], Item] = {}
        for one in self.of(identity):
            data = one["data"]
            if isinstance(data, dict) and str(one["type"]).startswith("tool."):
                call = (one["attemptId"], data["toolId"])
                tools[call] = {
                    "attemptId": call[0],
                    "toolId": call[1],
                    "status": str(one["type"]).removeprefix("tool."),
                }
        return reply({"tools": list(tools.values()), "nextCursor": None})

    def database(self, path: Path, *, wal: bool = False, digest: str = "a digest of a token, long enough") -> None:
        """The bridge's database as its release lays it out, with one token's row; `wal` leaves all in the log."""
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.executescript(
            "CREATE TABLE jobs (id TEXT PRIMARY KEY, principal_id TEXT, mode TEXT, status TEXT, data TEXT);"
            "CREATE TABLE attempts (id TEXT PRIMARY KEY, job_id TEXT, data TEXT);"
            "CREATE TABLE audit_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, job_id TEXT, data TEXT);"
            "CREATE TABLE audit_tools (id INTEGER PRIMARY KEY, job_id TEXT, attempt_id TEXT, tool_id TEXT, data TEXT);"
            "CREATE TABLE tokens (hash TEXT, data TEXT, revoked INTEGER); PRAGMA user_version = 2;"
        )
        for job in self.jobs.values():
            row = (job["id"], job["principalId"], job["mode"], job["status"], json.dumps(job))
            connection.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?)", row)
        for one in self.attempts:
            connection.execute("INSERT INTO attempts VALUES (?, ?, ?)", (one["id"], one["jobId"], json.dumps(one)))
        for one in self.entries:
            told = json.dumps({key: value for key, value in one.items() if key != "id"})
            connection.execute("INSERT INTO audit_entries VALUES (?, ?, ?)", (one["id"], one["jobId"], told))
        connection.execute("INSERT INTO tokens VALUES (?, '{}', 0)", (digest,))
        if wal:
            held = {suffix: Path(f"{path}{suffix}").read_bytes() for suffix in ("", "-wal")}
            connection.close()
            for suffix, octets in held.items():
                Path(f"{path}{suffix}").write_bytes(octets)
            return
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with closing(connection):
            connection.execute("PRAGMA journal_mode = DELETE")


def reply(document: Item) -> WireResponse:
    """A 200."""
    return WireResponse(200, (("content-type", "application/json"),), json.dumps(document).encode())


def error(status: int, code: str) -> WireResponse:
    """An error object of the bridge."""
    told = {"error": {"code": code, "message": CANARY, "type": "bridge_error", "param": None, "requestId": "r-1"}}
    return WireResponse(status, (("content-type", "application/json"),), json.dumps(told).encode())


def _bare(entry: Item) -> Item:
    data = entry["data"]
    assert isinstance(data, dict)
    return {**entry, "data": {key: value for key, value in data.items() if key not in ("input", "output")}}


def usual() -> Bridge:
    """Two jobs: calls of every end, a shared result, a client's claims; one of another client beside them."""
    bridge = Bridge()
    first = bridge.add_job(1)
    shared: Item = {"toolIds": ["toolu_1", "toolu_2"], "result": CANARY}
    bridge.call(first, "toolu_1", sharedMessageResult=shared)
    bridge.add_job(9, principal="client-b")
    bridge.call(first, "toolu_2", sharedMessageResultToolId="toolu_1")
    bridge.call(first, "toolu_3", "tool.failed")
    bridge.call(first, "toolu_4", "tool.unknown")
    bridge.finish(first)
    second = bridge.add_job(2)
    bridge.add(second, "client.tool_requested", "claude", {"toolId": "call_1", "name": "f", "input": {"x": CANARY}})
    bridge.add(second, "client.tool_result_reported", "client", {"toolId": "call_1", "output": CANARY})
    bridge.finish(second)
    return bridge
