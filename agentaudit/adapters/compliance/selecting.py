"""Which sessions are kept: decided here once, for the plan that asks and for the reading that checks.

- What a filter asks about and the source does not say is undecided, never excluded.
- A list's `updated_at` is a lower bound (compliance reference, section 2.1): on a local list it can prove that
  a session qualifies, never that it does not.
- A truncated session is kept whatever its `updated_at`, which is a lower bound everywhere.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from agentaudit.model.base import UNSET, moment_of
from agentaudit.model.readings import SessionSource, Word
from agentaudit.model.selection import Family, SessionSelection

Rule: TypeAlias = Literal["other_user", "other_surface", "other_organization", "outside_window"]
Decision: TypeAlias = Literal["kept", "undecided"] | Rule

_STRENGTH: dict[str, int] = {"kept": 2, "undecided": 1}


def selected_decision(selection: SessionSelection, family: Family) -> Decision:
    """What is known of a session asked for by id before anything is said of it.

    A remote session has no retrieve call that could decide a filter: asking for it by id keeps it.
    """
    filters = selection.users or selection.surfaces or selection.organizations
    return "undecided" if filters and family == "local" else "kept"


def listed_decision(
    selection: SessionSelection, family: Family, listed: SessionSource, parameters: tuple[tuple[str, str], ...]
) -> Decision:
    """What follows from an entry of a list walk with these parameters."""
    filtered = _filtered(selection, family, listed)
    if filtered != "kept":
        return filtered
    begins = _window_begins(selection)
    if begins is None or any(name == "updated_at.gte" for name, _ in parameters):
        # The server applied the window itself.
        return "kept"
    active = _active_since(begins, listed)
    if active or (family == "local" and listed.truncated is True):
        return "kept"
    return "outside_window" if family == "remote" and active is False else "undecided"


def retrieved_decision(selection: SessionSelection, retrieved: SessionSource) -> Decision:
    """What follows from the retrieve call of a local session, whose `updated_at` is exact (section 2.1)."""
    filtered = _filtered(selection, "local", retrieved)
    begins = _window_begins(selection)
    if filtered != "kept" or begins is None or retrieved.truncated is True:
        return filtered
    active = _active_since(begins, retrieved)
    if active is None:
        return "undecided"
    return "kept" if active else "outside_window"


def stronger(old: Decision | None, new: Decision) -> Decision:
    """The decision after a session was seen once more: kept beats undecided, undecided beats excluded."""
    if old is None or _STRENGTH.get(new, 0) > _STRENGTH.get(old, 0):
        return new
    return old


def _window_begins(selection: SessionSelection) -> datetime | None:
    window = selection.window
    if selection.window_kind != "activity" or window is None or window.begins is None:
        return None
    return _moment(window.begins)


def _active_since(begins: datetime, source: SessionSource) -> bool | None:
    updated = _moment(source.updated_at)
    return None if updated is None else updated >= begins


def _moment(word: Word) -> datetime | None:
    """The moment of a timestamp; None where there is none, or one without an offset."""
    try:
        return moment_of(word) if isinstance(word, str) else None
    except ValueError:
        return None


def _filtered(selection: SessionSelection, family: Family, source: SessionSource) -> Decision:
    people = (source.user_id, source.started_by_user_id) if family == "remote" else (source.user_id,)
    rows: tuple[tuple[tuple[str, ...], tuple[Word, ...], Rule], ...] = (
        (selection.users, people, "other_user"),
        # A null surface was not recorded (section 2.1): it is no other surface.
        (selection.surfaces, (UNSET if source.product_surface is None else source.product_surface,), "other_surface"),
        (_lower(selection.organizations), (_lowered(source.organization_uuid),), "other_organization"),
    )
    answers = [(_holds(wanted, words), rule) for wanted, words, rule in rows]
    for holds, rule in answers:
        if holds is False:
            return rule
    return "undecided" if any(holds is None for holds, _ in answers) else "kept"


def _holds(wanted: tuple[str, ...], words: tuple[Word, ...]) -> bool | None:
    if not wanted or any(word in wanted for word in words if isinstance(word, str)):
        return True
    return None if all(word is UNSET for word in words) else False


def _lower(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _lowered(word: Word) -> Word:
    # UUIDs compare without regard to case (RFC 9562, section 4).
    return word.lower() if isinstance(word, str) else word
