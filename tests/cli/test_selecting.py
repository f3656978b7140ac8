"""From options to a selection."""

from datetime import UTC, datetime

import pytest

from agentaudit.cli.selecting import Chosen, byte_limit, named, selection_of
from agentaudit.errors import UsageFault
from agentaudit.model.base import Instant
from agentaudit.model.limits import MAX
from agentaudit.model.selection import NamedSession, SessionSelection, Window

NOW = datetime(2026, 3, 10, 12, 0, 0, tzinfo=UTC)
UUID = "6C0B0B8E-1111-4222-8333-444455556666"


def test_nothing_chosen_is_every_session_of_users_machines() -> None:
    """The default is the local family without a window and without filters."""
    assert selection_of(Chosen(), NOW) == SessionSelection(families=("local",))


def test_both_families_can_be_asked_for() -> None:
    """`both` stands for local and remote, in that order."""
    assert selection_of(Chosen(family="both"), NOW).families == ("local", "remote")


def test_a_window_of_activity_is_resolved_to_instants() -> None:
    """Durations and dates are gone once the selection stands."""
    selection = selection_of(Chosen(active_from="7d", active_until="2026-03-09"), NOW)
    assert selection.window_kind == "activity"
    assert selection.window == Window(
        begins=Instant("2026-03-03T12:00:00.000000Z"), ends=Instant("2026-03-10T00:00:00.000000Z")
    )


@pytest.mark.parametrize(
    ("chosen", "window"),
    [
        (Chosen(created_from="2026-03-01"), Window(begins=Instant("2026-03-01T00:00:00.000000Z"), ends=None)),
        (Chosen(created_until="2026-03-01"), Window(begins=None, ends=Instant("2026-03-02T00:00:00.000000Z"))),
    ],
)
def test_a_window_may_be_open_at_either_end(chosen: Chosen, window: Window) -> None:
    """A bound that was not given is null, not now."""
    selection = selection_of(chosen, NOW)
    assert (selection.window_kind, selection.window) == ("creation", window)


def test_filters_are_kept_and_organisations_take_their_usual_form() -> None:
    """A UUID is compared in lower case; users and surfaces are verbatim."""
    selection = selection_of(Chosen(users=("user_A",), surfaces=("cowork",), organizations=(UUID,)), NOW)
    assert (selection.users, selection.surfaces) == (("user_A",), ("cowork",))
    assert selection.organizations == (UUID.lower(),)


def test_ids_tell_their_family_by_prefix_and_stand_once() -> None:
    """The families of a selection by id are those of its ids."""
    selection = selection_of(Chosen(sessions=("cse_1", "clls_2", "cse_1")), NOW)
    assert selection.sessions == (NamedSession(family="remote", id="cse_1"), NamedSession(family="local", id="clls_2"))
    assert selection.families == ("local", "remote")


def test_an_id_without_a_known_prefix_takes_the_family_that_is_said() -> None:
    """Ids are opaque: their form may change."""
    assert named(("new_1",), "remote") == (NamedSession(family="remote", id="new_1"),)


@pytest.mark.parametrize(
    ("chosen", "word"),
    [
        (Chosen(sessions=("clls_1",), active_from="7d"), "window"),
        (Chosen(reviewed="EX-0001", created_until="7d"), "window"),
        (Chosen(active_from="7d", created_from="7d"), "one kind"),
        (Chosen(sessions=("clls_1",), list_only=True), "--list-only"),
        (Chosen(reviewed="EX-0001", list_only=True), "--list-only"),
        (Chosen(sessions=("clls_1",), users=("u",)), "filter"),
        (Chosen(sessions=("clls_1",), surfaces=("s",)), "filter"),
        (Chosen(users=("somebody@example.org",)), "e-mail"),
        (Chosen(organizations=("Harbour",)), "UUID"),
        (Chosen(active_from="2d", active_until="3d"), "not after"),
        (Chosen(created_from="2026-03-01T00:00:00Z", created_until="2026-03-01T00:00:00Z"), "not after"),
        (Chosen(sessions=("cse_1",), family="local"), "prefix"),
        (Chosen(sessions=("new_1",)), "family"),
        (Chosen(sessions=("new_1",), family="both"), "family"),
        (Chosen(sessions=("",)), "blank"),
        (Chosen(sessions=("clls_ 1",)), "white space"),
        (Chosen(sessions=("clls_\x1b",)), "control"),
        (Chosen(sessions=("clls_" + "x" * 5_000,)), "session id"),
    ],
)
def test_what_contradicts_itself_is_refused(chosen: Chosen, word: str) -> None:
    """A selection that cannot be meant ends before anything starts."""
    with pytest.raises(UsageFault) as refused:
        selection_of(chosen, NOW)
    assert word in refused.value.message + refused.value.hint


@pytest.mark.parametrize(("text", "limit"), [("max", MAX), ("1", 1), ("10000", 10_000), ("2147483647", 2**31 - 1)])
def test_a_byte_limit_is_a_number_or_max(text: str, limit: int) -> None:
    """`max` asks for the server's own maximum."""
    assert byte_limit("--x", text) == limit


@pytest.mark.parametrize(
    "text", ["0", "-1", "2147483648", "1e3", "", "MAX", "9" * 5_000, "0" * 11 + "21474836470", "٣"]
)
def test_no_other_byte_limit_is_taken(text: str) -> None:
    """Zero is invalid at the source, and a negative number is not spelt out for it."""
    with pytest.raises(UsageFault, match="--x"):
        byte_limit("--x", text)
