"""Which sessions are kept: the same decision for the plan and for the reading."""

import pytest

from agentaudit.adapters.compliance.selecting import (
    Decision,
    listed_decision,
    retrieved_decision,
    selected_decision,
    stronger,
)
from agentaudit.model.base import UNSET, Instant
from agentaudit.model.readings import SessionSource, Word
from agentaudit.model.selection import Family, SessionSelection, Window

BEGINS = Instant("2026-10-01T00:00:00.000000Z")
ACTIVE = SessionSelection(families=("local", "remote"), window_kind="activity", window=Window(begins=BEGINS, ends=None))
FILTERED = SessionSelection(families=("local",), users=("u1",), surfaces=("cowork",), organizations=("AB-1",))
BY_CREATION = (("limit", "500"),)
BY_ACTIVITY = (("updated_at.gte", BEGINS),)


def source(
    user: Word = "u1",
    surface: Word = "cowork",
    organization: Word = "ab-1",
    updated_at: Word = UNSET,
    started_by: Word = UNSET,
    *,
    truncated: bool = False,
) -> SessionSource:
    """What a list says of a session."""
    return SessionSource(
        item="",
        pointer="",
        user_id=user,
        started_by_user_id=started_by,
        product_surface=surface,
        organization_uuid=organization,
        updated_at=updated_at,
        truncated=truncated,
    )


@pytest.mark.parametrize(
    ("said", "decision"),
    [
        (source(), "kept"),
        (source(user="u2"), "other_user"),
        (source(user=None), "other_user"),
        (source(surface="claude_code"), "other_surface"),
        (source(surface=None), "undecided"),
        (source(user="u2", surface=None), "other_user"),
        (source(organization="ab-2"), "other_organization"),
        (source(user=UNSET), "undecided"),
        (source(surface=UNSET), "undecided"),
        (source(user=UNSET, surface="claude_code"), "other_surface"),
    ],
)
def test_trap_22_filters_hold_by_stable_values_and_silence_decides_nothing(said: SessionSource, decision: str) -> None:
    """User by id, organisation without regard to case; a null user is said to be none, a null surface was not noted."""
    assert listed_decision(FILTERED, "local", said, BY_CREATION) == decision
    assert retrieved_decision(FILTERED, said) == decision


def test_trap_22_a_remote_session_is_its_starter_s_too() -> None:
    """An agent's session has no user, and the human who started it."""
    selection = SessionSelection(families=("remote",), users=("u1",))
    assert listed_decision(selection, "remote", source(user=None, started_by="u1"), ()) == "kept"
    assert listed_decision(selection, "remote", source(user=None, started_by="u2"), ()) == "other_user"
    assert listed_decision(selection, "local", source(user=None, started_by="u1"), ()) == "other_user"


def test_trap_05_a_list_s_time_can_prove_activity_and_never_the_lack_of_it() -> None:
    """The walk by activity decides; in the one that reconciles, an old time leaves a session undecided."""
    old, new = source(updated_at="2026-09-30T23:59:59Z"), source(updated_at="2026-10-01T02:00:00+02:00")
    assert listed_decision(ACTIVE, "local", old, BY_ACTIVITY) == "kept"
    assert listed_decision(ACTIVE, "local", old, BY_CREATION) == "undecided"
    assert listed_decision(ACTIVE, "local", new, BY_CREATION) == "kept"
    assert listed_decision(ACTIVE, "local", source(truncated=True), BY_CREATION) == "kept"


def test_a_remote_time_is_the_session_s_own_and_decides() -> None:
    """There is no filter by activity and no retrieve call; a time that cannot be read leaves it undecided."""
    assert listed_decision(ACTIVE, "remote", source(updated_at="2026-09-30T00:00:00Z"), ()) == "outside_window"
    assert listed_decision(ACTIVE, "remote", source(updated_at="2026-10-30T00:00:00Z"), ()) == "kept"
    assert listed_decision(ACTIVE, "remote", source(updated_at="2026-10-30T00:00:00"), ()) == "undecided"
    assert listed_decision(ACTIVE, "remote", source(updated_at=UNSET), ()) == "undecided"


def test_a_retrieved_time_is_exact() -> None:
    """It keeps or excludes; a truncated session is kept, its time being a lower bound everywhere."""
    assert retrieved_decision(ACTIVE, source(updated_at="2026-09-30T00:00:00Z")) == "outside_window"
    assert retrieved_decision(ACTIVE, source(updated_at="2026-10-30T00:00:00Z")) == "kept"
    assert retrieved_decision(ACTIVE, source(updated_at="2026-09-30T00:00:00Z", truncated=True)) == "kept"
    assert retrieved_decision(ACTIVE, source(updated_at=None)) == "undecided"


@pytest.mark.parametrize(
    "selection",
    [
        SessionSelection(families=("local",)),
        SessionSelection(families=("local",), window_kind="activity", window=Window(begins=None, ends=BEGINS)),
        SessionSelection(families=("local",), window_kind="activity", window=Window(begins=Instant("soon"), ends=None)),
        SessionSelection(families=("local",), window_kind="creation", window=Window(begins=BEGINS, ends=None)),
    ],
)
def test_a_window_that_the_server_applied_is_not_applied_again(selection: SessionSelection) -> None:
    """Without a lower bound of activity, or with one that is none, the list itself decides."""
    assert listed_decision(selection, "local", source(updated_at="2020-01-01T00:00:00Z"), BY_CREATION) == "kept"


@pytest.mark.parametrize(("family", "decision"), [("local", "undecided"), ("remote", "kept")])
def test_a_filter_on_a_session_named_by_id_waits_for_its_retrieve_call(family: Family, decision: str) -> None:
    """A remote session has none: naming it keeps it."""
    assert selected_decision(FILTERED, family) == decision
    assert selected_decision(SessionSelection(families=("local",)), family) == "kept"


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (None, "other_user", "other_user"),
        ("other_user", "undecided", "undecided"),
        ("undecided", "kept", "kept"),
        ("kept", "undecided", "kept"),
        ("other_user", "outside_window", "other_user"),
    ],
)
def test_a_session_seen_again_is_judged_by_the_stronger_decision(
    old: Decision | None, new: Decision, left: str
) -> None:
    """Kept beats undecided, undecided beats excluded, the first rule stands."""
    assert stronger(old, new) == left
