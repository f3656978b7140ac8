"""Foreign words of a rollout: the types that this adapter knows as they are, anything else as a label.

- The words of a release, an id and a name have their forms in the adapter beside: one rule for both stores.
"""

from typing import Final

from agentaudit.model.framing import label_of

_LINES: Final = frozenset(
    {
        "session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state",
        "inter_agent_communication", "token_usage_record",
    }
)  # fmt: skip

_PAYLOADS: Final = frozenset(
    {
        "message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
        "custom_tool_call_output", "web_search_call", "tool_search_call", "tool_search_output",
        "tool_search_call_output", "local_shell_call", "local_shell_call_output", "image_generation_call",
        "compaction", "ghost_snapshot", "other", "token_count", "agent_message", "user_message", "agent_reasoning",
        "agent_reasoning_raw_content", "task_started", "task_complete", "turn_started", "turn_complete",
        "patch_apply_begin", "patch_apply_end", "web_search_begin", "web_search_end", "mcp_tool_call_begin",
        "mcp_tool_call_end", "context_compacted", "turn_aborted", "exec_command_begin", "exec_command_end",
        "item_started", "item_completed", "thread_settings_applied", "thread_rolled_back", "thread_name_updated",
        "view_image_tool_call", "entered_review_mode", "exited_review_mode", "error", "warning", "stream_error",
        "plan_update", "turn_diff", "undo_completed", "dynamic_tool_call_request", "dynamic_tool_call_response",
        "collab_agent_spawn_begin", "collab_agent_spawn_end", "session_configured",
    }
)  # fmt: skip

_SOURCES: Final = frozenset(
    {"cli", "exec", "vscode", "mcp", "app_server", "appServer", "custom", "internal", "subagent", "unknown", "user"}
)
_HISTORY_MODES: Final = frozenset({"paginated", "legacy"})


def line_word(word: str) -> str:
    """The type of a line, or of a bare item of an older release."""
    return word if word in _LINES or word in _PAYLOADS or word in {"session_head", "state"} else label_of(word)


def payload_word(word: str) -> str:
    """`response_item/message`: line and payload, each by itself."""
    line, _, payload = word.partition("/")
    return f"{line_word(line)}/{payload if payload in _PAYLOADS else label_of(payload)}"


def source_word(word: str) -> str:
    """How the session was started."""
    return word if word in _SOURCES else label_of(word)


def mode_word(word: str) -> str:
    """How the history is kept."""
    return word if word in _HISTORY_MODES else label_of(word)
