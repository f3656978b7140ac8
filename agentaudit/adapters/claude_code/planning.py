"""From a survey to what will be done: each entry's decision, its bundle's key, its payload name.

- Pure: names, kinds and stats come in; nothing is opened.
- Order is the order of the survey; numbers and names follow it, so the same store gives the same plan.
- What the selection names and no root has is said.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agentaudit.adapters.claude_code.choice import choose
from agentaudit.adapters.claude_code.members import Group, Member, group, member_at
from agentaudit.adapters.claude_code.naming import JSON_LINES_ROLES, Namer
from agentaudit.adapters.claude_code.policy import rule_on
from agentaudit.adapters.claude_code.roles import Placed, place_of
from agentaudit.adapters.stores.planned import Described, Owners, Planned, entry_of, seen_of
from agentaudit.adapters.stores.ruling import Denied, Ruling
from agentaudit.model.selection import BundleSelection
from agentaudit.model.storejournal import Entry
from agentaudit.model.survey import Seen
from agentaudit.model.text import SourceText

AGENT: Final = "claude-code"


@dataclass(frozen=True, slots=True)
class StorePlan:
    """The plan of one survey, with its bundles and what was named in vain."""

    planned: tuple[Planned, ...]
    groups: tuple[Group, ...]
    missing_sessions: tuple[str, ...]
    missing_projects: tuple[SourceText, ...]


def plan_store(
    survey: int,
    entries: Sequence[Seen],
    *,
    owners: Owners,
    denied: Denied,
    selection: BundleSelection,
    label_of: Callable[[SourceText], str],
) -> StorePlan:
    """The plan for all roots of a survey; `owners` holds the session that an old agent file's rows name."""
    members = [_member(seen, owners) for seen in entries]
    groups = group(members)
    keys = {(one.root, member.parts): one.key for one in groups for member in one.members}
    chosen = choose(selection, (member.placed for member in members), label_of)
    namer = Namer(AGENT)
    planned = []
    for number, (seen, member) in enumerate(zip(entries, members, strict=True), 1):
        ruling = rule_on(seen, member.placed, chosen.choice, denied)
        key = keys.get((seen.root, seen.parts))
        path = namer.name(seen.root, key, member.placed.role) if ruling.decision == "preserve" else None
        owner = owners.get((seen.root, seen.parts))
        what = Described(member.placed.role, member.placed.category, key, owner)
        entry = entry_of(survey, number, seen, ruling, what)
        planned.append(_planned(seen, member, entry, ruling, path))
    return StorePlan(tuple(planned), groups, chosen.missing_sessions, chosen.missing_projects)


def replan(entries: Iterable[Entry]) -> Iterator[Planned]:
    """What a survey planned, drawn from its entries: the same names, whatever became of the store since."""
    namer = Namer(AGENT)
    for entry in entries:
        seen = seen_of(entry)
        placed = place_of(seen.parts)
        kept = entry.decision == "preserve"
        yield Planned(
            seen=seen,
            entry=entry,
            path=namer.name(entry.root, entry.session, placed.role) if kept else None,
            lines=kept and placed.role in JSON_LINES_ROLES,
            stem=stem_of(placed),
            digest=False,
        )


def stem_of(placed: Placed) -> str | None:
    """The session that the name of a transcript states."""
    return placed.session if placed.role == "transcript" and isinstance(placed.session, str) else None


def _member(seen: Seen, owners: Owners) -> Member:
    return member_at(seen.root, seen.parts, seen.kind, seen.state, owners.get((seen.root, seen.parts)))


def _planned(seen: Seen, member: Member, entry: Entry, ruling: Ruling, path: str | None) -> Planned:
    return Planned(
        seen=seen,
        entry=entry,
        path=path,
        lines=path is not None and member.placed.role in JSON_LINES_ROLES,
        stem=stem_of(member.placed),
        digest=ruling.digest and seen.kind == "file",
    )
