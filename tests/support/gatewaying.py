"""A synthetic Gateway: its ledger as pages, explanations and databases, in the forms of release 2026.9.6.

- Every secret and every content of it is a canary, put together at run time.
- Databases are written by SQLite itself; what is asked for is a copy as it lies there while the Gateway stands.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType

from agentaudit.encoding.foreign import Json

Event = dict[str, Json]

BEGIN_MS = 1_795_993_734_188
KEY = bytes(range(32, 64))
KEY_ID = sha256(b"the id of a key").hexdigest()[:32]
CANARY = "-".join(("canary", "content", "never", "packed"))
TOKEN = "-".join(("canary", "token", "never", "packed"))
COMMAND = "-".join(("canary", "command", "shown"))
SECRETS = (KEY, TOKEN.encode(), KEY.hex().encode())

_EVENT_COLUMNS = (
    "sequence INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL UNIQUE, source_id TEXT NOT NULL UNIQUE, "
    "schema_version INTEGER NOT NULL, source_sequence INTEGER NOT NULL, occurred_at INTEGER NOT NULL, "
    "kind TEXT NOT NULL, action TEXT NOT NULL, status TEXT NOT NULL, error_code TEXT, actor_type TEXT, actor_id TEXT, "
    "agent_id TEXT, session_key TEXT, session_id TEXT, run_id TEXT, tool_call_id TEXT, tool_name TEXT, direction TEXT, "
    "channel TEXT, conversation_kind TEXT, message_outcome TEXT, reason_code TEXT, delivery_kind TEXT, "
    "failure_stage TEXT, duration_ms INTEGER, result_count INTEGER, account_ref TEXT, conversation_ref TEXT, "
    "message_ref TEXT, target_ref TEXT"
)
SCHEMA: Mapping[str, str] = MappingProxyType(
    {
        "audit_events": _EVENT_COLUMNS,
        "audit_identity_keys": "id INTEGER PRIMARY KEY CHECK (id = 1), key_id TEXT, key BLOB, created_at INTEGER",
        "device_identities": "private_key_pem TEXT, auth_token TEXT",
        "schema_meta": (
            "meta_key TEXT PRIMARY KEY, role TEXT, schema_version INTEGER, agent_id TEXT, app_version TEXT, "
            "created_at INTEGER, updated_at INTEGER"
        ),
        "operator_approvals": (
            "approval_id TEXT PRIMARY KEY, resolution_ref TEXT, kind TEXT, status TEXT, presentation_json TEXT, "
            "source_agent_id TEXT, source_session_id TEXT, source_run_id TEXT, source_tool_call_id TEXT, "
            "source_tool_name TEXT, created_at_ms INTEGER, decision TEXT, terminal_reason TEXT, resolver_kind TEXT"
        ),
        "execution_identity_contexts": (
            "context_id TEXT PRIMARY KEY, execution_id TEXT UNIQUE, run_id TEXT, created_at INTEGER, "
            "coverage_state TEXT, context_bytes INTEGER, context_json TEXT"
        ),
        "execution_decision_facts": (
            "receipt_id TEXT PRIMARY KEY, context_id TEXT, execution_id TEXT, run_id TEXT, action_id TEXT, "
            "action_family TEXT, decision_outcome TEXT, coverage_state TEXT, reason_code TEXT, owner TEXT, "
            "source_ref TEXT, occurred_at INTEGER, receipt_bytes INTEGER, receipt_json TEXT"
        ),
        "outbound_message_progress": (
            "sequence INTEGER PRIMARY KEY, progress_id TEXT, action TEXT, outcome TEXT, occurred_at INTEGER, "
            "agent_id TEXT, run_id TEXT, context_id TEXT, execution_id TEXT, channel TEXT, duration_ms INTEGER"
        ),
        "outbound_message_execution_bindings": "event_id TEXT, context_id TEXT, execution_id TEXT, run_id TEXT",
        "execution_owner_lifecycle_bindings": "owner_kind TEXT, owner_id TEXT, context_id TEXT, execution_id TEXT",
        "cron_run_receipts": (
            "receipt_id TEXT PRIMARY KEY, status TEXT, agent_id TEXT, started_at_ms INTEGER, finished_at_ms INTEGER, "
            "error_text TEXT"
        ),
        "transcript_events": "session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER",
    }
)


def call_of(raw: str) -> str:
    """The digest that stands for a tool call: unsalted."""
    return f"sha256:{sha256(raw.encode()).hexdigest()}"


def reference(word: str) -> str:
    """A reference as the Gateway's key makes them."""
    return f"hmac-sha256:v1:{KEY_ID}:{sha256(word.encode()).hexdigest()}"


def event(number: int, kind: str = "agent_run", action: str = "started", run: str = "run-1", **more: Json) -> Event:
    """One event of version 1, of a run or a tool action, started unless it is said otherwise."""
    prefix = {"agent_run": "agent.run", "tool_action": "tool.action"}.get(kind, kind)
    made: Event = {
        "eventType": kind,
        "schemaVersion": 1,
        "eventId": f"00000000-0000-4000-8000-{number:012d}",
        "sequence": number,
        "sourceSequence": number,
        "occurredAt": BEGIN_MS + number,
        "kind": kind,
        "action": f"{prefix}.{action}",
        "status": "started",
        "actor": {"type": "agent", "id": "main"},
        "redaction": "metadata_only",
        "agentId": "main",
        "sessionKey": f"agent:main:{CANARY}",
        "sessionId": "session-1",
        "runId": run,
    }
    return made | more


def tool(number: int, action: str = "started", raw: str = "call-1", **more: Json) -> Event:
    """One event of a tool action."""
    return event(number, "tool_action", action, toolCallId=call_of(raw), toolName="read") | more


def message(number: int, way: str = "inbound", **more: Json) -> Event:
    """One event of a message, completed or sent unless it is said otherwise."""
    made = event(number, f"{way}_message")
    for field in ("sessionKey", "sessionId"):
        del made[field]
    inbound = way == "inbound"
    return made | {
        "kind": "message",
        "action": "message.inbound.processed" if inbound else "message.outbound.finished",
        "status": "succeeded",
        "direction": way,
        "channel": "telegram",
        "conversationKind": "direct",
        "outcome": "completed" if inbound else "sent",
        "accountRef": reference("account"),
        "conversationRef": reference("conversation"),
        "messageRef": reference("message"),
    } | more  # fmt: skip


def usual() -> tuple[Event, ...]:
    """One run with two tool calls, oldest first: 1 to 6, without a mark."""
    failed: dict[str, Json] = {"status": "failed", "errorCode": "tool_failed"}
    return (
        event(1),
        tool(2),
        tool(3, "finished", status="succeeded"),
        tool(4, raw="call-2"),
        tool(5, "finished", raw="call-2", **failed),
        event(6, action="finished", status="succeeded"),
    )


def page(events: Iterable[Event], cursor: str | int | None = None) -> bytes:
    """A page as the command prints it; `events` as they are to stand in it."""
    document: dict[str, object] = {"events": list(events)}
    if cursor is not None:
        document["nextCursor"] = cursor
    return json.dumps(document, indent=2).encode() + b"\n"


def pages(events: Iterable[Event], most: int) -> list[bytes]:
    """All pages of a ledger, newest first."""
    left = sorted(events, key=lambda one: int(str(one["sequence"])), reverse=True)
    made = []
    while left:
        now, left = left[:most], left[most:]
        made.append(page(now, str(now[-1]["sequence"]) if left else None))
    return made


def failure(text: str = "Gateway not reachable at ws://127.0.0.1:1 (ECONNREFUSED).") -> bytes:
    """What the command says on stdout when it fails."""
    return json.dumps({"ok": False, "error": {"type": "cli_error", "message": text}}).encode()


def explanation(of: str = "run-1", state: str = "present", **more: object) -> dict[str, object]:
    """An explanation of one run, with two decisions."""
    context = {
        "contextId": "context-1",
        "executionId": "execution-1",
        "runId": of,
        "createdAt": BEGIN_MS,
        "trustDomain": {"kind": "gateway-cell", "domainRef": reference("domain"), "state": "present"},
        "invoker": {"state": "absent"},
        "sponsor": {"state": "unsupported"},
        "representedSubject": {"state": "unknown"},
        "applicableGrants": [],
        "assurance": [{"kind": "local-process", "strength": "boundary-verified"}],
        "coverageState": "unattributed",
        "missingEvidence": ["invoker.principal"],
    }
    displays = [
        {
            "selectorId": f"approval-decision:{number}",
            "occurredAt": BEGIN_MS + number,
            "action": {"family": "run", "operation": "admission", "summary": CANARY},
            "decision": {"outcome": outcome, "reasonCode": reason},
            "enforcement": {"coverageState": "enforced"},
            "provenance": {"state": "verified", "producer": "run-admission"},
            "remediation": [{"code": "none", "text": CANARY}],
        }
        for number, outcome, reason in ((1, "allowed", "operator_approval_allowed_once"), (2, "unknown", "expired"))
    ]
    made: dict[str, object] = {
        "schemaVersion": 1,
        "run": {"runId": of, "executionId": "execution-1", "status": "known"},
        "identity": {"state": state, "context": context},
        "decisionDisplays": displays,
        "coverage": {"state": "attribution-only", "missingEvidence": ["policy.evaluation"]},
    }
    return made | more


def write_database(path: Path, events: tuple[Event, ...] = (), *, lazy: bool = True) -> None:
    """A closed database at `path` with all its tables, secrets and content; without `lazy`, only the eager ones."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        fill(connection, events or usual(), lazy=lazy)


def fill(connection: sqlite3.Connection, events: Iterable[Event], *, lazy: bool = True) -> None:
    """Make the tables and their rows."""
    eager = {"audit_events", "audit_identity_keys", "device_identities", "schema_meta", "operator_approvals"}
    for table, columns in SCHEMA.items():
        if lazy or table in eager:
            connection.execute(f"CREATE TABLE {table} ({columns})")
    for one in events:
        insert(connection, one)
    put(connection, "audit_identity_keys", 1, KEY_ID, KEY, BEGIN_MS)
    put(connection, "device_identities", f"-----BEGIN {'PRIVATE'} KEY-----", TOKEN)
    put(connection, "schema_meta", "primary", "global", 18, None, "2026.9.6", BEGIN_MS, BEGIN_MS)
    approval = ("approval-1", TOKEN, "exec", "allowed", json.dumps({"command": COMMAND}), "main", "session-1", "run-1")
    decided = (call_of("call-1"), "read", BEGIN_MS, "allow-always", "user", "device")
    put(connection, "operator_approvals", *approval, *decided)
    if lazy:
        _fill_lazy(connection)


def _fill_lazy(connection: sqlite3.Connection) -> None:
    ids = ("context-1", "execution-1", "run-1")
    put(connection, "execution_identity_contexts", *ids, BEGIN_MS, "unattributed", 2, "{}")
    fact = (
        "action-1",
        "model-routing",
        "allowed",
        "unknown",
        "model_route_selected",
        "owner",
        "ref",
        BEGIN_MS,
        2,
        "{}",
    )
    put(connection, "execution_decision_facts", "receipt-1", *ids, *fact)
    progress = ("p-1", "message.outbound.queued", "queued", BEGIN_MS, "main", "run-1", "context-1", "execution-1")
    put(connection, "outbound_message_progress", 1, *progress, "telegram", 5)
    put(connection, "outbound_message_execution_bindings", "event-1", *ids)
    put(connection, "execution_owner_lifecycle_bindings", "cron", "owner-1", "context-1", "execution-1")
    put(connection, "cron_run_receipts", "cron-1", "error", "main", BEGIN_MS, BEGIN_MS, CANARY)
    put(connection, "transcript_events", "session-1", 1, json.dumps({"text": CANARY}), BEGIN_MS)


def put(connection: sqlite3.Connection, table: str, *cells: str | int | bytes | None) -> None:
    """One row."""
    connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in cells)})", cells)  # noqa: S608


def insert(connection: sqlite3.Connection, one: Event) -> None:
    """One event as its row."""
    columns = {
        "sequence": "sequence", "event_id": "eventId", "schema_version": "schemaVersion", "occurred_at": "occurredAt",
        "source_sequence": "sourceSequence", "kind": "kind", "action": "action", "status": "status",
        "error_code": "errorCode", "agent_id": "agentId", "session_key": "sessionKey", "session_id": "sessionId",
        "run_id": "runId", "tool_call_id": "toolCallId", "tool_name": "toolName", "direction": "direction",
        "channel": "channel", "conversation_kind": "conversationKind", "message_outcome": "outcome",
        "reason_code": "reasonCode", "account_ref": "accountRef", "message_ref": "messageRef",
    }  # fmt: skip
    row = {column: one[field] for column, field in columns.items() if field in one}
    row |= {"source_id": f"{one['runId']}:{one['sequence']}", "actor_type": "agent"}
    marks = ", ".join("?" for _ in row)
    connection.execute(f"INSERT INTO audit_events ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))  # noqa: S608


def standing_copy(folder: Path, name: str = "openclaw.sqlite", events: Iterable[Event] | None = None) -> Path:
    """A copy in `folder`, made while the Gateway stands: main file and log, in which all rows lie."""
    folder.mkdir(parents=True, exist_ok=True)
    live = folder / "live-original.sqlite"
    with closing(sqlite3.connect(live, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        fill(connection, usual() if events is None else events)
        (folder / name).write_bytes(live.read_bytes())
        (folder / f"{name}-wal").write_bytes(live.with_name(f"{live.name}-wal").read_bytes())
    live.unlink()
    return folder / name


def write_state(folder: Path) -> Path:
    """A state folder: its database with the log, an agent's database, and a configuration with a token."""
    state = folder / "dot-openclaw"
    standing_copy(state / "state")
    agent = state / "agents" / "main" / "agent"
    agent.mkdir(parents=True)
    write_database(agent / "openclaw-agent.sqlite", lazy=True)
    (state / "openclaw.json").write_bytes(settings())
    return state


def settings() -> bytes:
    """A configuration: the switches, and what must not be packed."""
    audit = {"enabled": True, "messages": "direct"}
    return json.dumps({"logging": {"audit": audit}, "gateway": {"auth": {"mode": "token", "token": TOKEN}}}).encode()
