"""From selection options to one frozen selection: every default resolved, every contradiction refused.

- Pure: now comes in, nothing is asked.
- Ids are opaque; only their documented prefixes tell the family, and where they do not, `--family` must.
- People are chosen by stable user id: an e-mail address is refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from agentaudit.cli.times import understood
from agentaudit.errors import UsageFault
from agentaudit.model.base import Instant, instant_of
from agentaudit.model.limits import MAX
from agentaudit.model.selection import Family, NamedSession, SessionSelection, Window

FAMILIES: dict[str, tuple[Family, ...]] = {
    "local": ("local",),
    "remote": ("remote",),
    "both": ("local", "remote"),
}
PREFIXES: tuple[tuple[str, Family], ...] = (("clls_", "local"), ("cse_", "remote"))
BYTES_MAX = 2_147_483_647
DIGITS_MAX = 10
ID_MAX = 4_096


@dataclass(frozen=True, slots=True)
class Chosen:
    """The selection options as they were typed; `family` is None where it was left out."""

    sessions: tuple[str, ...] = ()
    reviewed: str | None = None
    active_from: str | None = None
    active_until: str | None = None
    created_from: str | None = None
    created_until: str | None = None
    users: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    family: str | None = None
    list_only: bool = False
    with_directory: bool = False
    witness: bool = False

    @property
    def has_window(self) -> bool:
        """True when any bound of time was given."""
        return any(b is not None for b in self.bounds)

    @property
    def bounds(self) -> tuple[str | None, str | None, str | None, str | None]:
        """The four bounds: activity from and until, creation from and until."""
        return self.active_from, self.active_until, self.created_from, self.created_until

    @property
    def has_filter(self) -> bool:
        """True when sessions are narrowed on our side."""
        return bool(self.users or self.surfaces or self.organizations)


def selection_of(chosen: Chosen, now: datetime) -> SessionSelection:
    """The selection without `--from`, which needs a reader; raises `UsageFault` (2)."""
    check(chosen)
    sessions = named(chosen.sessions, chosen.family)
    families = FAMILIES[chosen.family or "local"]
    kind: Literal["activity", "creation", "none"] = "none"
    window = None
    if chosen.active_from is not None or chosen.active_until is not None:
        kind, window = "activity", _window("--active", chosen.active_from, chosen.active_until, now)
    elif chosen.has_window:
        kind, window = "creation", _window("--created", chosen.created_from, chosen.created_until, now)
    return SessionSelection(
        families=families_of(sessions) if sessions else families,
        sessions=sessions,
        window_kind=kind,
        window=window,
        users=chosen.users,
        surfaces=chosen.surfaces,
        organizations=uuids(chosen.organizations),
        list_only=chosen.list_only,
        with_directory=chosen.with_directory,
        witness=chosen.witness,
    )


def check(chosen: Chosen) -> None:
    """Refuse what contradicts itself (2)."""
    by_id = bool(chosen.sessions) or chosen.reviewed is not None
    activity = chosen.active_from is not None or chosen.active_until is not None
    if activity and (chosen.created_from is not None or chosen.created_until is not None):
        raise UsageFault("a window of activity and one of creation were given", "give one kind of window")
    if by_id and chosen.has_window:
        raise UsageFault("sessions were named, and a window was given", "give ids or a window, not both")
    if by_id and chosen.list_only:
        raise UsageFault("--list-only lists, and sessions were named", "leave one of them out")
    if chosen.sessions and chosen.has_filter and chosen.reviewed is None:
        raise UsageFault(
            "sessions were named, and filters would drop some of them", "filter with --from, or not at all"
        )
    if any("@" in user for user in chosen.users):
        raise UsageFault(
            "--user is an e-mail address, and people are chosen by their stable user id",
            "find ids with --list-only, then `agentaudit show EXHIBIT --show-names`",
        )


def named(ids: Iterable[str], family: str | None) -> tuple[NamedSession, ...]:
    """Each id once, with its family by prefix, else by `--family`; raises `UsageFault` (2)."""
    return tuple(NamedSession(family=_family(word, family), id=word) for word in dict.fromkeys(ids))


def families_of(sessions: Iterable[NamedSession]) -> tuple[Family, ...]:
    """The families of these sessions, each once, local first."""
    return tuple(sorted({session.family for session in sessions}))


def uuids(words: tuple[str, ...]) -> tuple[str, ...]:
    """The organisations' UUIDs in their usual form; raises `UsageFault` (2)."""
    try:
        return tuple(str(UUID(word)) for word in words)
    except ValueError:
        raise UsageFault("--organization is a UUID", "find it with `agentaudit show EXHIBIT --show-names`") from None


def byte_limit(option: str, text: str) -> int:
    """`max` as `MAX`, else a number of bytes from 1; raises `UsageFault` (2)."""
    if text == "max":
        return MAX
    if text.isascii() and text.isdigit() and len(text) <= DIGITS_MAX and 1 <= int(text) <= BYTES_MAX:
        return int(text)
    raise UsageFault(f"{option} is a number of bytes from 1 to {BYTES_MAX}, or `max`", f"{option} max keeps the most")


def _family(word: str, family: str | None) -> Family:
    if not word or len(word) > ID_MAX or not word.isprintable() or any(c.isspace() for c in word):
        raise UsageFault(
            "--session: a session id is blank, or holds white space or control characters", "copy it again"
        )
    told = next((known for prefix, known in PREFIXES if word.startswith(prefix)), None)
    allowed = FAMILIES[family] if family else ("local", "remote")
    if told is not None and told not in allowed:
        raise UsageFault(f"--session: an id's prefix says {told}, and --family says {family}", "leave --family out")
    if told is not None:
        return told
    if family is None or len(allowed) > 1:
        raise UsageFault(
            "--session: an id begins with neither clls_ nor cse_, so its family is not known",
            "say --family local or --family remote",
        )
    return allowed[0]


def _window(option: str, begins: str | None, ends: str | None, now: datetime) -> Window:
    start = None if begins is None else understood(f"{option}-from", begins, now, closes=False)
    end = None if ends is None else understood(f"{option}-until", ends, now, closes=True)
    if start is not None and end is not None and end <= start:
        raise UsageFault(f"{option}-until is not after {option}-from", "a window ends after it begins")
    return Window(begins=_instant(start), ends=_instant(end))


def _instant(moment: datetime | None) -> Instant | None:
    return None if moment is None else instant_of(moment)
