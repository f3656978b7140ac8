"""Which content gates were open, as far as a stream shows: a stream never says it, so it is observed.

- `open`: content came through. `shut`: its placeholder stood there. `both`: each was seen. `unseen`: nothing tells.
- That an attribute is absent tells nothing: the gate, the release or the occasion may be the reason.
"""

from typing import Final, TypeAlias

from agentaudit.adapters.otlp.dialects import Dialect
from agentaudit.adapters.otlp.values import Fields

_Attributes: TypeAlias = tuple[tuple[str, str], ...]
"""Names of attributes, each with the gate that opens it."""

_BODIES: Final = (("body", "OTEL_LOG_RAW_API_BODIES"), ("body_ref", "OTEL_LOG_RAW_API_BODIES"))
_DETAILS: Final = (("tool_parameters", "OTEL_LOG_TOOL_DETAILS"), ("tool_input", "OTEL_LOG_TOOL_DETAILS"))
_CLAUDE: Final[dict[str, _Attributes]] = {
    "user_prompt": (("prompt", "OTEL_LOG_USER_PROMPTS"), ("prompt_text", "OTEL_LOG_USER_PROMPTS")),
    "assistant_response": (("response", "OTEL_LOG_ASSISTANT_RESPONSES"),),
    "tool_decision": _DETAILS,
    "tool_result": _DETAILS,
    "hook_registered": (("hook_matcher", "OTEL_LOG_TOOL_DETAILS"),),
    "mcp_server_connection": (("server_name", "OTEL_LOG_TOOL_DETAILS"),),
    "api_request_body": _BODIES,
    "api_response_body": _BODIES,
    "managed_settings_resolved": (
        ("managed_settings.settings", "OTEL_LOG_MANAGED_SETTINGS"),
        ("managed_settings.resolved_sha256", "OTEL_LOG_MANAGED_SETTINGS"),
    ),
}
_CODEX: Final[dict[str, _Attributes]] = {"user_prompt": (("prompt", "otel.log_user_prompt"),)}
_OF: Final = {"claude-code": _CLAUDE, "codex": _CODEX}

_STATES: Final = {(True, False): "open", (False, True): "shut", (True, True): "both", (False, False): "unseen"}


class Gates:
    """The gates of one session; `gated` are the kinds of events in which one can be seen."""

    def __init__(self, dialect: Dialect) -> None:
        """Nothing was seen."""
        self.gated = _OF[dialect.agent]
        self._redacted = dialect.redacted
        self._open: set[str] = set()
        self._shut: set[str] = set()

    def see(self, kind: str, fields: Fields) -> bool:
        """Look at an event of a kind in `gated`; true when the placeholder of a shut gate stands in it."""
        redacted = False
        for name, gate in self.gated[kind]:
            value = fields.get(name)
            if value is None:
                continue
            if value.stringValue == self._redacted:
                redacted = True
                self._shut.add(gate)
            else:
                self._open.add(gate)
        return redacted

    def told(self) -> tuple[tuple[str, str], ...]:
        """Each gate and its state."""
        gates = {gate for names in self.gated.values() for _, gate in names}
        return tuple((gate, _STATES[gate in self._open, gate in self._shut]) for gate in sorted(gates))
