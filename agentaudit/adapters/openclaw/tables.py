"""The tables of the Gateway's databases that belong to the ledger, as release 2026.9.6 has them (schema 18).

- Lazy tables are not there before their first use: absent is not empty.
- What is in no list here is never read and never leaves the database: it holds tokens and keys of other kinds.
"""

from collections.abc import Mapping
from typing import Final

from agentaudit.encoding.sqlitetables import Wanted

AUDIT_EVENTS: Final = Wanted(
    "audit_events",
    (
        "sequence", "event_id", "source_id", "schema_version", "source_sequence", "occurred_at", "kind", "action",
        "status", "error_code", "actor_type", "actor_id", "agent_id", "session_key", "session_id", "run_id",
        "tool_call_id", "tool_name", "direction", "channel", "conversation_kind", "message_outcome", "reason_code",
        "delivery_kind", "failure_stage", "duration_ms", "result_count", "account_ref", "conversation_ref",
        "message_ref", "target_ref",
    ),
)  # fmt: skip
CONTEXTS: Final = Wanted(
    "execution_identity_contexts", ("context_id", "execution_id", "run_id", "created_at", "coverage_state")
)
FACTS: Final = Wanted(
    "execution_decision_facts",
    (
        "receipt_id", "context_id", "execution_id", "run_id", "action_family", "decision_outcome", "coverage_state",
        "reason_code", "occurred_at",
    ),
)  # fmt: skip
PROGRESS: Final = Wanted(
    "outbound_message_progress",
    (
        "sequence", "action", "outcome", "occurred_at", "agent_id", "context_id", "execution_id", "run_id", "channel",
        "duration_ms",
    ),
)  # fmt: skip
BINDINGS: Final = Wanted("outbound_message_execution_bindings", ("event_id", "context_id", "execution_id", "run_id"))
APPROVALS: Final = Wanted(
    "operator_approvals",
    (
        "approval_id", "kind", "status", "decision", "terminal_reason", "resolver_kind", "created_at_ms",
        "source_agent_id", "source_session_id", "source_run_id", "source_tool_call_id", "source_tool_name",
    ),
)  # fmt: skip
APPROVAL_IDENTITIES: Final = Wanted(
    "operator_approval_execution_identities", ("approval_id", "source_context_id", "source_execution_id")
)
OWNERS: Final = Wanted("execution_owner_lifecycle_bindings", ("owner_kind", "owner_id", "context_id", "execution_id"))
GRANTS: Final = Wanted("operator_approval_standing_grants", ("grant_id",))
RECEIPTS: Final = Wanted("cron_run_receipts", ("receipt_id", "status", "agent_id", "started_at_ms", "finished_at_ms"))
KEYS: Final = Wanted("audit_identity_keys", ("id", "key_id", "created_at"))
META: Final = Wanted("schema_meta", ("meta_key", "role", "schema_version", "app_version"))

READ: Final = (
    AUDIT_EVENTS, CONTEXTS, FACTS, PROGRESS, BINDINGS, APPROVALS, APPROVAL_IDENTITIES, OWNERS, GRANTS, RECEIPTS, KEYS,
    META,
)  # fmt: skip

CAPS: Final[Mapping[str, int]] = {
    AUDIT_EVENTS.name: 100_000, PROGRESS.name: 200_000, CONTEXTS.name: 100_000, FACTS.name: 250_000,
}  # fmt: skip
"""The rows that the Gateway keeps of a table at most; over it the oldest go, 1,024 at a time."""

KEY: Final = ("audit_identity_keys", "key")
"""With the key of the references they can be guessed back to people: it is kept only when it is asked for."""

_FURTHER: Final[Mapping[str, tuple[str, ...]]] = {
    CONTEXTS.name: ("context_bytes", "context_json"),
    FACTS.name: ("action_id", "owner", "source_ref", "receipt_bytes", "receipt_json"),
    PROGRESS.name: (
        "progress_id", "source_id", "source_sequence", "schema_version", "actor_type", "actor_id", "conversation_kind",
        "account_ref", "conversation_ref", "message_ref", "target_ref",
    ),
    APPROVALS.name: (
        "requested_by_device_id", "requested_by_client_id", "requested_by_device_token_auth",
        "reviewer_device_ids_json", "source_session_key", "audience_session_keys_json", "runtime_epoch",
        "expires_at_ms", "updated_at_ms", "resolved_at_ms", "resolver_id", "consumed_at_ms", "consumed_by",
    ),
    GRANTS.name: ("minted_by_approval_id", "agent_id", "cron_job_id", "use_count"),
    RECEIPTS.name: ("store_key", "job_id", "config_revision", "request_run_id", "owner_pid", "owner_start_time"),
    META.name: ("agent_id", "created_at", "updated_at"),
}  # fmt: skip

KEPT: Final[Mapping[str, tuple[str, ...]]] = {one.name: (*one.columns, *_FURTHER.get(one.name, ())) for one in READ}
"""The tables that an extract holds, with their columns; a column of a release that is not known here stays out.

`resolution_ref` of an approval stays out: whoever has it can refer to the approval.
"""

CONTENT_TABLES: Final = frozenset({"transcript_events", "transcript_event_identities"})
"""An agent's own transcripts, to which the ledger's digests of calls lead: kept only when content is asked for."""

CONTENT_COLUMNS: Final = frozenset({(APPROVALS.name, "presentation_json"), (RECEIPTS.name, "error_text")})
"""What a reviewer was shown, and what an error said: kept only when content is asked for."""
