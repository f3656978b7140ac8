"""Settings: a few switches of the configuration, and nothing else of it."""

import pytest

from agentaudit.adapters.codex.coverage import coverage_limits
from agentaudit.adapters.settings.codex import databases_folder, switches_of
from agentaudit.model.bundle import SwitchSetting

CONFIG = b"""
model = "gpt"
log_dir = "/private/place"
sqlite_home = "/private/other"
[history]
persistence = "none"
max_bytes = 1000
[model_providers.x]
api_key = "private"
[otel]
log_user_prompt = true
exporter = "none"
trace_exporter = { otlp-grpc = { endpoint = "https://private.invalid" } }
[otel.metrics_exporter.otlp-http]
endpoint = "https://private.invalid"
"""


def found(octets: bytes) -> dict[str, bool | int | str | None]:
    """The switches by name."""
    return {one.name: one.value for one in switches_of(octets)}


def test_known_switches_are_read() -> None:
    """Of a place only that it is set; of an exporter only its kind."""
    assert found(CONFIG) == {
        "sqlite_home": True, "log_dir": True, "history.persistence": "none", "history.max_bytes": 1000,
        "otel.log_user_prompt": True, "otel.exporter": "none", "otel.trace_exporter": "otlp-grpc",
        "otel.metrics_exporter": "otlp-http",
    }  # fmt: skip
    assert "private" not in repr(switches_of(CONFIG))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('[history]\npersistence = "private"', "history.persistence"),
        ("[history]\npersistence = 3", "history.persistence"),
        ('[history]\nmax_bytes = "private"', "history.max_bytes"),
        ("[history]\nmax_bytes = true", "history.max_bytes"),
        (f"[history]\nmax_bytes = {2**60}", "history.max_bytes"),
        ('[otel]\nlog_user_prompt = "private"', "otel.log_user_prompt"),
        ('[otel]\nexporter = "private"', "otel.exporter"),
        ("[otel]\nexporter = {}", "otel.exporter"),
        ("[otel]\nexporter = { private = 1 }", "otel.exporter"),
    ],
)
def test_a_value_of_another_form_is_said_to_be_set(text: str, name: str) -> None:
    """Its value is not given."""
    assert switches_of(text.encode()) == (SwitchSetting(name=name, value=None),)


def test_the_folder_of_databases_is_given_as_it_is_written() -> None:
    """To who looks for roots; a value of another form is none."""
    assert databases_folder(CONFIG) == "/private/other"
    for octets in (b"", b"sqlite_home = ''", b"sqlite_home = 3", b"sqlite_home", b"\xff"):
        assert databases_folder(octets) is None


@pytest.mark.parametrize("octets", [b"", b"model = 1", b"not toml", b"\xff", b"a = " + b"[" * 5_000, b'history = "x"'])
def test_what_sets_nothing_gives_nothing(octets: bytes) -> None:
    """No TOML, no UTF-8, or none of the switches."""
    assert switches_of(octets) == ()


def test_the_limits_of_a_home_stand_by_code() -> None:
    """Each once, sorted, with the switches that explain what is not here."""
    limits = coverage_limits("2026-11-30T00:00:00.000000Z", ("b", "a"))
    codes = [limit.code for limit in limits]
    assert codes == sorted(set(codes))
    values = {limit.code: limit.values for limit in limits if limit.values}
    assert values["store.absence"] == (("switch", "a"), ("switch", "b"))
    assert values["store.live"] == (("surveyed_from", "2026-11-30T00:00:00.000000Z"),)
