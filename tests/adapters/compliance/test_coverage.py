"""The coded limits: stable, sorted, narrowed to the exhibit."""

from dataclasses import replace

from agentaudit.adapters.compliance.coverage import Narrowed, coverage_limits

EXHIBIT = Narrowed("2026-10-08T12:00:00.000000Z", ("local",), 1, None, 0, ())


def values(exhibit: Narrowed) -> dict[str, tuple[tuple[str, str], ...]]:
    """The values by code."""
    return {limit.code: limit.values for limit in coverage_limits(exhibit)}


def test_trap_24_every_exhibit_says_what_its_source_can_never_contain() -> None:
    """Absence has innocent causes; each has a code of its own, once, in order."""
    codes = [limit.code for limit in coverage_limits(replace(EXHIBIT, families=("local", "remote")))]
    assert codes == sorted(set(codes))
    assert {"local.auth_console_key", "local.cloud_code", "local.zero_retention", "local.api_off", "local.hipaa"} < set(
        codes
    )


def test_limits_of_a_family_that_was_not_asked_for_are_not_stated() -> None:
    """A local exhibit says nothing of remote sessions, and the other way round."""
    assert not any(code.startswith("remote.") for code in values(EXHIBIT))
    assert not any(code.startswith("local.") for code in values(replace(EXHIBIT, families=("remote",))))


def test_trap_06_the_fresh_edge_is_provisional() -> None:
    """The run's own beginning narrows it."""
    assert values(EXHIBIT)["fresh_edge"] == (("begun_at", EXHIBIT.begun_at),)


def test_trap_23_the_reach_of_the_key_is_known_only_as_far_as_it_was_listed() -> None:
    """Not obtained is not zero."""
    assert values(EXHIBIT)["key_reach"] == (
        ("organizations_list", "not_obtained"),
        ("organizations_listed", "unknown"),
        ("organizations_seen", "1"),
    )
    assert ("organizations_listed", "2") in values(replace(EXHIBIT, organizations_listed=2))["key_reach"]


def test_retention_periods_are_those_in_force_now() -> None:
    """As the settings gave them, by organisation number."""
    exhibit = replace(EXHIBIT, settings_obtained=1, retention=(("o0001.all", "indefinite"),))
    assert values(exhibit)["retention"] == (("settings_obtained", "1"), ("o0001.all", "indefinite"))
