"""Settings: known switches and nothing else."""

import pytest

from agentaudit.adapters.settings.claude_code import switches_of
from agentaudit.encoding.foreign import Json


def values(settings: Json) -> dict[str, bool | int | str | None]:
    """Switch and value."""
    return {switch.name: switch.value for switch in switches_of(settings)}


def test_the_switches_that_explain_gaps_are_read() -> None:
    """Retention, persistence, checkpoints and telemetry."""
    found = values(
        {
            "cleanupPeriodDays": 7,
            "fileCheckpointingEnabled": False,
            "env": {
                "CLAUDE_CODE_SKIP_PROMPT_HISTORY": "1",
                "CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING": "0",
                "CLAUDE_CODE_ENABLE_TELEMETRY": 1,
                "OTEL_LOGS_EXPORTER": "otlp, console",
                "OTEL_LOG_USER_PROMPTS": "TRUE",
                "OTEL_LOG_RAW_API_BODIES": "file:/home/u/bodies",
            },
        }
    )
    assert found == {
        "cleanupPeriodDays": 7,
        "fileCheckpointingEnabled": False,
        "CLAUDE_CODE_SKIP_PROMPT_HISTORY": True,
        "CLAUDE_CODE_DISABLE_FILE_CHECKPOINTING": False,
        "CLAUDE_CODE_ENABLE_TELEMETRY": True,
        "OTEL_LOGS_EXPORTER": "otlp,console",
        "OTEL_LOG_USER_PROMPTS": True,
        "OTEL_LOG_RAW_API_BODIES": True,
    }


def test_nothing_else_of_a_settings_file_is_given() -> None:
    """Keys, endpoints, headers and helpers are not even named."""
    canary = "c-a-n-a-r-y"
    hostile: Json = {
        "apiKeyHelper": canary,
        "env": {
            "ANTHROPIC_API_KEY": canary,
            "OTEL_EXPORTER_OTLP_HEADERS": canary,
            "OTEL_LOGS_EXPORTER": canary,
            "OTEL_LOG_USER_PROMPTS": canary,
            "OTEL_LOG_RAW_API_BODIES": canary,
        },
        "cleanupPeriodDays": canary,
        "fileCheckpointingEnabled": [canary],
        canary: 1,
    }
    assert canary not in repr(switches_of(hostile))
    assert values(hostile) == {
        "cleanupPeriodDays": None,
        "fileCheckpointingEnabled": None,
        "OTEL_LOG_USER_PROMPTS": None,
        "OTEL_LOG_RAW_API_BODIES": True,
        "OTEL_LOGS_EXPORTER": None,
    }


@pytest.mark.parametrize("settings", [None, [], "x", {"env": []}, {"env": {"OTHER": "1"}}, {}])
def test_a_file_without_switches_sets_none(settings: Json) -> None:
    """No object, no environment, or no known key."""
    assert switches_of(settings) == ()


@pytest.mark.parametrize(("value", "read"), [(True, None), (2**60, None), (0, 0), (1.5, None)])
def test_a_number_is_a_number(value: Json, read: int | None) -> None:
    """A boolean or a number beyond exact range is no number of days."""
    assert values({"cleanupPeriodDays": value})["cleanupPeriodDays"] == read


@pytest.mark.parametrize("value", ["", 5, [], "otlp,"])
def test_an_exporter_list_is_known_words(value: Json) -> None:
    """Anything else is set, and unknown."""
    assert values({"env": {"OTEL_TRACES_EXPORTER": value}}) == {"OTEL_TRACES_EXPORTER": None}
