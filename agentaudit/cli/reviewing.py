"""`--from EXHIBIT`: the sessions that were reviewed in an earlier exhibit, narrowed by what the options say.

- The exhibit must be sealed and intact: a selection is taken from nothing that could have been changed.
- What the source did not say of a session matches no filter.
"""

from collections.abc import Iterator
from pathlib import Path

from agentaudit.adapters.compliance.selecting import listed_decision
from agentaudit.cli.readers import page_readers
from agentaudit.cli.selecting import FAMILIES, Chosen, check, families_of, uuids
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.format import layout
from agentaudit.model.readings import SessionRow
from agentaudit.model.selection import NamedSession, Reviewed, SessionSelection
from agentaudit.review import exhibit_sessions
from agentaudit.verify import verify_exhibit


def exhibit_path(case: Path, named: str) -> Path:
    """The exhibit that is meant: a number such as EX-0001 in the case, or a path."""
    if layout.exhibit_number(named) is not None:
        inside = case / named
        return inside if inside.exists() else case / f"{named.removesuffix(layout.PARTIAL)}{layout.PARTIAL}"
    return Path(named)


def selection_from(case: Path, named: str, chosen: Chosen) -> SessionSelection:
    """The sessions of the reviewed exhibit that the options leave; raises `UsageFault` (2) when none is left.

    Raises `PackageFault` (4), `NotAPackage` (8) or `NotSealed` (9) for an exhibit that cannot be relied on.
    """
    check(chosen)
    path = exhibit_path(case, named)
    reviewed = _intact(path)
    wanted = SessionSelection(
        families=FAMILIES[chosen.family or "both"],
        users=chosen.users,
        surfaces=chosen.surfaces,
        organizations=uuids(chosen.organizations),
    )
    kept = tuple(_kept(path, wanted))
    _refuse_strangers(chosen.sessions, kept)
    sessions = tuple(one for one in kept if not chosen.sessions or one.id in chosen.sessions)
    if not sessions:
        raise UsageFault(f"no session of {named} is left to collect", f"look at it with `agentaudit show {path}`")
    return SessionSelection(
        families=families_of(sessions),
        sessions=sessions,
        reviewed=reviewed,
        with_directory=chosen.with_directory,
        witness=chosen.witness,
    )


def _intact(path: Path) -> Reviewed:
    checked = verify_exhibit(path, readers=page_readers())
    if checked.integrity != "intact" or checked.seal is None:
        raise PackageFault(f"{path} is not intact, so nothing is chosen from it", f"agentaudit verify {path}")
    return Reviewed(exhibit=path.name, seal=checked.seal)


def _kept(path: Path, wanted: SessionSelection) -> Iterator[NamedSession]:
    for row in exhibit_sessions(path):
        if not isinstance(row, SessionRow):
            continue
        if row.decision == "kept" and row.family in wanted.families and isinstance(row.id, str) and _is(row, wanted):
            yield NamedSession(family=row.family, id=row.id)


def _is(row: SessionRow, wanted: SessionSelection) -> bool:
    said = (one for one in (row.listed, row.retrieved, row.envelope) if one is not None)
    return any(listed_decision(wanted, row.family, source, ()) == "kept" for source in said)


def _refuse_strangers(asked: tuple[str, ...], kept: tuple[NamedSession, ...]) -> None:
    known = {one.id for one in kept}
    strangers = sum(1 for word in dict.fromkeys(asked) if word not in known)
    if strangers:
        raise UsageFault(
            f"{strangers} of the named sessions are not among those that the exhibit keeps",
            "leave --from out to collect them by id",
        )
