"""What is known of the events of each agent: their names, and which attributes are ids, words, numbers or content.

- Of content only the length in bytes is told. An attribute that is not named here is not told at all.
- Claude Code: monitoring reference and release 2.1.332. Codex: release 0.171.0. An unknown event is kept and marked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agentaudit.model.stream import KeyName

AgentName: TypeAlias = Literal["claude-code", "codex"]
Told: TypeAlias = Literal["key", "word", "number", "content"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One agent's events.

    `first` is the number that its counter begins with; `told` what becomes of an attribute: how it is told, and under
    which name. `redacted` stands in the place of content that a gate keeps back.
    """

    agent: AgentName
    prefix: str
    session: str
    sequence: str
    first: int
    call: str
    kinds: frozenset[str]
    keys: Mapping[str, KeyName]
    told: Mapping[str, tuple[Told, str]]
    redacted: str


def agent_of(service: str) -> Dialect | None:
    """The dialect of a service; None for a service that is none of our agents."""
    if service.startswith("claude-code"):
        return CLAUDE_CODE
    return CODEX if service.startswith("codex") else None


def _told(keys: Mapping[str, KeyName], words: str, numbers: str, content: str) -> Mapping[str, tuple[Told, str]]:
    told: dict[str, tuple[Told, str]] = {name: ("key", key) for name, key in keys.items()}
    told |= {name: ("word", name.replace(".", "_")) for name in words.split()}
    told |= {name: ("number", name.replace(".", "_")) for name in numbers.split()}
    return told | {name: ("content", f"{name.replace('.', '_')}_bytes") for name in content.split()}


_CLAUDE_KEYS: Final[Mapping[str, KeyName]] = {
    "session.id": "session", "prompt.id": "prompt", "tool_use_id": "tool_call", "request_id": "api_request",
    "client_request_id": "client_request", "message.uuid": "message", "message.id": "api_message",
    "request_body_id": "request", "agent_id": "agent", "workflow.run_id": "workflow_run",
    "user.account_uuid": "account", "user.account_id": "user", "organization.id": "organization",
}  # fmt: skip

CLAUDE_CODE: Final = Dialect(
    agent="claude-code",
    prefix="claude_code.",
    session="session.id",
    sequence="event.sequence",
    first=0,
    call="tool_use_id",
    kinds=frozenset(
        [
            "user_prompt",
            "assistant_response",
            "tool_decision",
            "tool_result",
            "api_request",
            "api_error",
            "api_retries_exhausted",
            "api_refusal",
            "api_request_body",
            "api_response_body",
            "permission_mode_changed",
            "auth",
            "mcp_server_connection",
            "plugin_installed",
            "plugin_loaded",
            "skill_activated",
            "at_mention",
            "hook_registered",
            "hook_execution_start",
            "hook_execution_complete",
            "hook_plugin_metrics",
            "compaction",
            "subagent_completed",
            "managed_settings_resolved",
            "retention_sweep",
            "internal_error",
            "feedback_survey",
            "system_prompt",
        ]
    ),
    keys=_CLAUDE_KEYS,
    told=_told(
        _CLAUDE_KEYS,
        "tool_name decision source tool_source permission_mode success error_type decision_type decision_source "
        "mcp_server_scope model speed query_source effort from_mode to_mode trigger action auth_method error_category "
        "status transport_type server_scope error_code install.trigger plugin.scope enabled_via plugin_id_hash "
        "invocation_trigger skill.source skill.kind mention_type hook_event hook_type hook_source managed_only "
        "safe_mode is_built_in is_async is_plugin result skip_reason used_default managed_settings.trigger "
        "managed_settings.source_behavior command_source body_truncated marketplace.is_official app.entrypoint "
        "anthropic.provider anthropic.custom_base_url error_name has_hooks has_mcp host_owned_mcp hook_name "
        "agent.source model_swapped final_model category has_category has_explanation identity.source",
        "prompt_length response_length duration_ms tool_input_size_bytes tool_result_size_bytes body_length "
        "input_tokens output_tokens cache_read_tokens cache_creation_tokens cost_usd_micros attempt status_code "
        "total_attempts total_retry_duration_ms num_hooks num_success num_blocking num_non_blocking_error "
        "num_cancelled total_duration_ms pre_tokens post_tokens total_tokens total_tool_uses period_days "
        "transcripts_deleted transcripts_exempted_desktop session_files_deleted artifacts_deleted "
        "files_retained_fresh files_past_cutoff error_count cache_creation_5m_tokens cache_creation_1h_tokens ttft_ms "
        "stdout_chars additional_context_chars system_message_chars initial_user_message_chars num_outputs_persisted "
        "server_fallback_hop agent_path_count command_path_count skill_path_count",
        "prompt prompt_text response tool_parameters tool_input error body hook_definitions managed_settings.settings",
    ),
    redacted="<REDACTED>",
)

_CODEX_KEYS: Final[Mapping[str, KeyName]] = {
    "conversation.id": "thread", "call_id": "tool_call", "user.account_id": "account",
}  # fmt: skip

CODEX: Final = Dialect(
    agent="codex",
    prefix="codex.",
    session="conversation.id",
    sequence="tool_result_seq",
    first=1,
    call="call_id",
    kinds=frozenset(
        [
            "conversation_starts",
            "user_prompt",
            "tool_decision",
            "tool_result",
            "api_request",
            "websocket_connect",
            "websocket_request",
            "websocket_event",
            "sse_event",
            "auth_recovery",
            "turn_ttft",
            "startup_phase",
        ]
    ),
    keys=_CODEX_KEYS,
    told=_told(
        _CODEX_KEYS,
        "tool_name tool_namespace decision source success output_truncated execpolicy_matched model approval_policy "
        "sandbox_policy reasoning_effort reasoning_summary provider_name event.kind startup.phase startup.status "
        "auth_mode originator",
        "prompt_length duration_ms tool_result_seq input_token_count output_token_count cached_token_count "
        "cache_write_token_count reasoning_token_count tool_token_count http.response.status_code attempt "
        "context_window",
        "prompt arguments output",
    ),
    redacted="[REDACTED]",
)

DIALECTS: Final = (CLAUDE_CODE, CODEX)
