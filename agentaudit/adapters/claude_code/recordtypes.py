"""The record types of a transcript that this adapter knows by name; any other is shown as a label."""

from typing import Final

from agentaudit.model.framing import label_of

TYPES: Final = frozenset(
    {
        "user", "assistant", "system", "progress", "attachment", "file-history-snapshot", "file-history-delta",
        "queue-operation", "summary", "custom-title", "agent-name", "ai-title", "last-prompt", "permission-mode",
        "mode", "pr-link", "agent-setting", "bridge-session", "worktree-state", "relocated", "continued-in", "tag",
        "saved_hook_context", "content-replacement", "started", "result", "atis-latch", "api-request",
        "api-request-blob", "api-request-shape", "tools-used", "cost-state",
    }
)  # fmt: skip


def type_word(word: str) -> str:
    """A record type that this adapter knows as it is, anything else as a label."""
    return word if word in TYPES else label_of(word)
