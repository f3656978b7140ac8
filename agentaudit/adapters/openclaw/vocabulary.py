"""The closed words of activity events of version 1, and which of them belong together.

- Source: OpenClaw 2026.9.6, its own documents and what it emitted; a newer release adds `skill_selection`.
- A word that is not here is kept and marked, never refused: the ledger's own words stand as they are.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

SCHEMA_VERSION: Final = 1
REDACTION: Final = "metadata_only"

ACTIONS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "agent_run": frozenset({"agent.run.started", "agent.run.finished"}),
        "tool_action": frozenset({"tool.action.started", "tool.action.finished"}),
        "inbound_message": frozenset({"message.inbound.processed"}),
        "outbound_message": frozenset({"message.outbound.finished"}),
    }
)
"""The closed union: each event type with its actions."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "agent_run": "agent_run",
        "tool_action": "tool_action",
        "inbound_message": "message",
        "outbound_message": "message",
    }
)

NEWER: Final = frozenset({"skill_selection"})
"""Event types that releases after 2026.9.6 write, and that this adapter knows by name alone."""

CODES: Final[Mapping[str, Mapping[str, frozenset[str]]]] = MappingProxyType(
    {
        "agent_run": {
            "started": frozenset(),
            "succeeded": frozenset(),
            "failed": frozenset({"run_failed"}),
            "cancelled": frozenset({"run_cancelled"}),
            "timed_out": frozenset({"run_timed_out"}),
            "blocked": frozenset({"run_blocked"}),
        },
        "tool_action": {
            "started": frozenset(),
            "succeeded": frozenset(),
            "failed": frozenset({"tool_failed"}),
            "cancelled": frozenset({"tool_cancelled"}),
            "timed_out": frozenset({"tool_timed_out"}),
            "blocked": frozenset({"tool_blocked"}),
            "unknown": frozenset({"tool_outcome_unknown"}),
        },
    }
)
"""Of runs and tool actions: each status with the error codes of which one must stand beside it; empty: none may."""

MESSAGE_CODES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "inbound_message": frozenset({"message_processing_failed"}),
        "outbound_message": frozenset({"message_delivery_failed", "message_delivery_partial_failure"}),
    }
)

OUTCOMES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "inbound_message": frozenset({"completed", "skipped", "failed"}),
        "outbound_message": frozenset({"sent", "suppressed", "failed", "unknown"}),
    }
)

REASONS: Final[Mapping[tuple[str, str], frozenset[str]]] = MappingProxyType(
    {
        ("inbound_message", "completed"): frozenset(
            {
                "fast_abort",
                "plugin_bound_handled",
                "plugin_bound_unavailable",
                "plugin_bound_declined",
                "before_dispatch_handled",
                "acp_dispatch_completed",
                "acp_dispatch_empty",
            }
        ),
        ("inbound_message", "skipped"): frozenset(
            {"duplicate", "reply_operation_active", "reply_operation_aborted", "acp_dispatch_aborted"}
        ),
        ("inbound_message", "failed"): frozenset({"acp_dispatch_failed", "plugin_bound_error"}),
        ("outbound_message", "suppressed"): frozenset(
            {
                "cancelled_by_message_sending_hook",
                "cancelled_by_outbound_delivery_policy",
                "cancelled_by_reply_payload_sending_hook",
                "empty_after_message_sending_hook",
                "empty_after_reply_payload_sending_hook",
                "no_visible_payload",
            }
        ),
    }
)


def is_bound(kind: str, status: str, code: str | None) -> bool:
    """Whether status and error code of a run or a tool action belong together; False for a status it does not have."""
    codes = CODES[kind].get(status)
    if codes is None:
        return False
    return code in codes if codes else code is None


def is_bound_message(kind: str, status: str, outcome: str, code: str | None, reason: str | None) -> bool:
    """Whether the words of a message belong together; False for an outcome or a code that it does not have."""
    if outcome not in OUTCOMES[kind] or (code is not None and code not in MESSAGE_CODES[kind]):
        return False
    if (outcome == "failed") != (code is not None):
        return False
    if kind == "inbound_message" and (status == "blocked") != (outcome == "skipped"):
        return False
    if outcome == "suppressed" and reason is None:
        return False
    return reason is None or reason in REASONS.get((kind, outcome), frozenset())
