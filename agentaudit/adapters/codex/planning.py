"""From a survey of Codex homes to what will be done: each entry's decision, its bundle's key, its payload name.

- Pure: names, kinds and stats come in; nothing is opened.
- Order is the order of the survey; numbers and names follow it, so the same home gives the same plan.
- The files of a database that is preserved get names side by side: a database stands before them in the order of bytes.
- What the selection names and no root has is said.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.codex.choice import choose
from agentaudit.adapters.codex.members import Group, Member, group, member_of, stem_of
from agentaudit.adapters.codex.naming import JSON_LINES_ROLES, Namer
from agentaudit.adapters.codex.policy import rule_on
from agentaudit.adapters.stores.databases import DatabaseGroup, group_databases
from agentaudit.adapters.stores.planned import Described, Owners, Planned, entry_of, seen_of
from agentaudit.adapters.stores.ruling import Denied, Ruling
from agentaudit.model.base import Unset
from agentaudit.model.selection import BundleSelection
from agentaudit.model.storejournal import Entry
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText

AGENT: Final = "codex"


@dataclass(frozen=True, slots=True)
class HomePlan:
    """The plan of one survey, with its bundles, its databases (of regular files), and what was named in vain."""

    planned: tuple[Planned, ...]
    groups: tuple[Group, ...]
    databases: tuple[DatabaseGroup, ...]
    missing_sessions: tuple[str, ...]
    missing_projects: tuple[SourceText, ...]


def plan_home(
    survey: int,
    entries: Sequence[Seen],
    *,
    owners: Owners,
    denied: Denied,
    selection: BundleSelection,
    label_of: Callable[[SourceText], str],
    folders: Iterable[tuple[SourceText, SourceText]] = (),
) -> HomePlan:
    """The plan for all roots of a survey.

    `owners` holds the thread that the rows of a rollout name whose own name has none, `folders` thread and working
    folder of rollouts, for a selection by project.
    """
    members = [_member(seen, owners) for seen in entries]
    groups = group(members)
    keys = {(one.root, member.parts): one.key for one in groups for member in one.members}
    databases = group_databases((one.root, one.parts, one.placed) for one in members if one.kind == "file")
    mains = {(one.root, parts): one.path_of("database") for one in databases for parts in one.parts}
    chosen = choose(selection, (member.placed for member in members), label_of, folders)
    namer, names = Namer(AGENT), dict[tuple[str, Parts | None], str]()
    planned = []
    for number, (seen, member) in enumerate(zip(entries, members, strict=True), 1):
        place = (seen.root, seen.parts)
        ruling = rule_on(seen, member.placed, chosen.choice, denied)
        if ruling.decision == "preserve":
            beside = names.get((seen.root, mains.get(place)))
            names[place] = namer.name(seen.root, keys.get(place), member.placed.role, beside)
        what = Described(member.placed.role, member.placed.category, keys.get(place), owners.get(place))
        entry = entry_of(survey, number, seen, ruling, what)
        planned.append(_planned(seen, member, entry, ruling, names.get(place)))
    return HomePlan(tuple(planned), groups, databases, chosen.missing_sessions, chosen.missing_projects)


def replan(entries: Iterable[Entry]) -> Iterator[Planned]:
    """What a survey planned, drawn from its entries: the same names, whatever became of the home since."""
    held = [(entry, _member_again(entry)) for entry in entries]
    databases = group_databases((one.root, one.parts, one.placed) for _, one in held if one.kind == "file")
    mains = {(one.root, parts): one.path_of("database") for one in databases for parts in one.parts}
    namer, names = Namer(AGENT), dict[tuple[str, Parts | None], str]()
    for entry, member in held:
        place = (member.root, member.parts)
        if entry.decision == "preserve":
            beside = names.get((member.root, mains.get(place)))
            names[place] = namer.name(member.root, entry.session, member.placed.role, beside)
        yield _planned(seen_of(entry), member, entry, Ruling(entry.decision, "selected"), names.get(place))


def _member_again(entry: Entry) -> Member:
    owner = None if isinstance(entry.owner, Unset) else entry.owner
    return member_of(entry.root, entry.name, entry.kind, entry.state, owner)


def _member(seen: Seen, owners: Owners) -> Member:
    return member_of(seen.root, seen.path, seen.kind, seen.state, owners.get((seen.root, seen.parts)))


def _planned(seen: Seen, member: Member, entry: Entry, ruling: Ruling, path: str | None) -> Planned:
    return Planned(
        seen=seen,
        entry=entry,
        path=path,
        lines=path is not None and member.placed.role in JSON_LINES_ROLES,
        stem=stem_of(member),
        digest=ruling.digest and seen.kind == "file",
    )
