"""The few switches of `config.toml` that explain why something is not there, and nothing else of it.

- Only the values of known keys are read; any other key, and any value of another form, is not even named.
- What a switch leads to elsewhere (a folder, an address, a header) is not given: only that it is set. The folder of the
  databases is told to who looks for roots, and to nobody else.
- A file that is no TOML, or no UTF-8, sets nothing that can be said.
"""

import tomllib
from typing import Final, TypeAlias

from agentaudit.model.bundle import SwitchSetting

Toml: TypeAlias = object

_HISTORY: Final = frozenset({"save-all", "none"})
_EXPORTERS: Final = frozenset({"none", "statsig", "otlp-http", "otlp-grpc"})
_PLACES: Final = ("sqlite_home", "log_dir")


def switches_of(octets: bytes) -> tuple[SwitchSetting, ...]:
    """The known switches that a configuration sets, in a fixed order."""
    settings = _settings(octets)
    found = [SwitchSetting(name=name, value=True) for name in _PLACES if _in(settings, name) is not None]
    for path, value in (
        ("history.persistence", _word(_in(settings, "history", "persistence"), _HISTORY)),
        ("history.max_bytes", _number(_in(settings, "history", "max_bytes"))),
        ("otel.log_user_prompt", _flag(_in(settings, "otel", "log_user_prompt"))),
        ("otel.exporter", _exporter(_in(settings, "otel", "exporter"))),
        ("otel.trace_exporter", _exporter(_in(settings, "otel", "trace_exporter"))),
        ("otel.metrics_exporter", _exporter(_in(settings, "otel", "metrics_exporter"))),
    ):
        if _in(settings, *path.split(".")) is not None:
            found.append(SwitchSetting(name=path, value=value))
    return tuple(found)


def databases_folder(octets: bytes) -> str | None:
    """The folder that a configuration names for its databases, as it is written; None when it names none."""
    value = _in(_settings(octets), "sqlite_home")
    return value if isinstance(value, str) and value else None


def _settings(octets: bytes) -> Toml:
    try:
        return tomllib.loads(octets.decode())
    except (ValueError, RecursionError):
        return None


def _in(settings: Toml, *path: str) -> Toml:
    """The value under the keys; None where there is none."""
    at = settings
    for key in path:
        at = at.get(key) if isinstance(at, dict) else None
    return at


def _word(value: Toml, known: frozenset[str]) -> str | None:
    return value if isinstance(value, str) and value in known else None


def _number(value: Toml) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def _flag(value: Toml) -> bool | None:
    return value if isinstance(value, bool) else None


def _exporter(value: Toml) -> str | None:
    """The name of an exporter, which is a word or the only key of a table."""
    if isinstance(value, dict):
        return _word(next(iter(value), None), _EXPORTERS)
    return _word(value, _EXPORTERS)
