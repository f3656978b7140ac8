"""The few switches of a settings file that explain why something is not there, and nothing else of it.

- Only the values of known keys are read; any other key, and any value of another form, is not even named.
- What a switch leads to elsewhere (an address, a header, a folder) is not given: only that it is set.
"""

from typing import Final

from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.bundle import SwitchSetting

_NUMBERS: Final = ("cleanupPeriodDays",)
_FLAGS: Final = ("fileCheckpointingEnabled",)
_SWITCHES: Final = (
    "CLAUDE_CODE_SKIP_PROMPT_HISTORY", "CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING",
    "CLAUDE_CODE_FORCE_SESSION_PERSISTENCE", "CLAUDE_CODE_ENABLE_TELEMETRY",
    "CLAUDE_CODE_ENHANCED_TELEMETRY_BETA", "OTEL_LOG_USER_PROMPTS", "OTEL_LOG_ASSISTANT_RESPONSES",
    "OTEL_LOG_TOOL_DETAILS", "OTEL_LOG_TOOL_CONTENT", "OTEL_LOG_MANAGED_SETTINGS", "ENABLE_BETA_TRACING_DETAILED",
)  # fmt: skip
_SET: Final = ("OTEL_LOG_RAW_API_BODIES",)
_EXPORTERS: Final = ("OTEL_LOGS_EXPORTER", "OTEL_METRICS_EXPORTER", "OTEL_TRACES_EXPORTER")
_EXPORTER_WORDS: Final = frozenset({"otlp", "console", "prometheus", "none"})
_ON: Final = frozenset({"1", "true", "yes", "on"})
_OFF: Final = frozenset({"", "0", "false", "no", "off"})


def switches_of(settings: Json) -> tuple[SwitchSetting, ...]:
    """The known switches that a settings file sets, in a fixed order; none when it is no object."""
    members = mapping(settings) or {}
    environment = mapping(members.get("env")) or {}
    found = [SwitchSetting(name=name, value=_number(members[name])) for name in _NUMBERS if name in members]
    found += [SwitchSetting(name=name, value=_flag(members[name])) for name in _FLAGS if name in members]
    for names, read in ((_SWITCHES, _flag), (_SET, _is_on), (_EXPORTERS, _exporters)):
        found += [SwitchSetting(name=name, value=read(environment[name])) for name in names if name in environment]
    return tuple(found)


def _number(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _flag(value: Json) -> bool | None:
    """A boolean in any of the forms that the product reads; None for anything else."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower() if isinstance(value, str | int) else None
    return True if word in _ON else False if word in _OFF else None


def _is_on(value: Json) -> bool:
    """Whether it is switched on by any value but one that says no: the value may be a folder."""
    return _flag(value) is not False


def _exporters(value: Json) -> str | None:
    """Known exporters of a comma list, in their order; None when it holds anything else."""
    words = [word.strip().lower() for word in value.split(",")] if isinstance(value, str) else []
    return ",".join(words) if words and all(word in _EXPORTER_WORDS for word in words) else None
