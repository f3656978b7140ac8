"""From a survey to what will be done: each entry's decision, its bundle's key, its payload name.

- Pure: names, kinds and stats come in; nothing is opened.
- Order is the order of the survey; numbers and names follow it, so the same store gives the same plan.
- What the selection names and no root has is said.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

from agentaudit.adapters.claude_code.choice import choose
from agentaudit.adapters.claude_code.members import Group, Member, group, member_at, octets_of
from agentaudit.adapters.claude_code.naming import JSON_LINES_ROLES, Namer
from agentaudit.adapters.claude_code.policy import Denied, Ruling, rule_on
from agentaudit.adapters.claude_code.roles import Placed, place_of
from agentaudit.model.base import UNSET
from agentaudit.model.selection import BundleSelection
from agentaudit.model.storejournal import Entry
from agentaudit.model.survey import Parts, Seen, look_from
from agentaudit.model.text import SourceText

AGENT: Final = "claude-code"

Owners: TypeAlias = Mapping[tuple[str, Parts], str]


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """One entry and what becomes of it.

    `path` is the payload name of a file to preserve. `lines`: it is read as JSON Lines; `stem` is the session that
    its name states. `digest`: it stays out, and may be read for its digest.
    """

    seen: Seen
    entry: Entry
    path: str | None
    lines: bool
    stem: str | None
    digest: bool

    def of(self, seen: Seen) -> "Planned":
        """The same, as the entry lies there now."""
        return msgspec.structs.replace(self, seen=seen)


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
        entry = _entry(survey, number, seen, member, ruling=ruling, key=key, owner=owner)
        planned.append(_planned(seen, member, entry, ruling, path))
    return StorePlan(tuple(planned), groups, chosen.missing_sessions, chosen.missing_projects)


def replan(entries: Iterable[Entry]) -> Iterator[Planned]:
    """What a survey planned, drawn from its entries: the same names, whatever became of the store since."""
    namer = Namer(AGENT)
    for entry in entries:
        parts = tuple(octets_of(entry.name).split(b"/"))
        look = None if entry.state is None else look_from(entry.state)
        seen = Seen(root=entry.root, parts=parts, kind=entry.kind, look=look, state=entry.state)
        placed = place_of(parts)
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


def _entry(
    survey: int, number: int, seen: Seen, member: Member, *, ruling: Ruling, key: str | None, owner: str | None
) -> Entry:
    return Entry(
        survey=survey,
        root=seen.root,
        number=number,
        name=seen.path,
        kind=seen.kind,
        state=seen.state,
        decision=ruling.decision,
        rule=ruling.rule,
        role=member.placed.role,
        category=member.placed.category,
        session=key,
        owner=UNSET if owner is None else owner,
        target=UNSET if seen.target is None else seen.target,
        problem=UNSET if seen.problem is None else seen.problem,
    )
