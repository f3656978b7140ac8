"""From an entry that was seen to what will be done with it: the row of the entry, and the plan of one file."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from agentaudit.adapters.stores.ruling import Ruling
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.local import octets_of
from agentaudit.model.storejournal import Entry
from agentaudit.model.survey import Parts, Seen, look_from

Owners: TypeAlias = Mapping[tuple[str, Parts], str]


class Planned(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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


class Described(msgspec.Struct, frozen=True, gc=False):
    """What an adapter says of an entry: role and category, the key of its bundle, and the owner that rows name."""

    role: str
    category: str
    session: str | None = None
    owner: str | None = None


def entry_of(survey: int, number: int, seen: Seen, ruling: Ruling, what: Described) -> Entry:
    """The row of an entry; `number` counts the entries of the survey from 1."""
    return Entry(
        survey=survey,
        root=seen.root,
        number=number,
        name=seen.path,
        kind=seen.kind,
        state=seen.state,
        decision=ruling.decision,
        rule=ruling.rule,
        role=what.role,
        category=what.category,
        session=what.session,
        owner=UNSET if what.owner is None else what.owner,
        target=UNSET if seen.target is None else seen.target,
        problem=UNSET if seen.problem is None else seen.problem,
    )


def seen_of(entry: Entry) -> Seen:
    """What a survey saw, drawn from the row of the entry; the root itself, which could not be listed, has no parts."""
    name = octets_of(entry.name)
    seen = Seen(
        root=entry.root,
        parts=tuple(name.split(b"/")) if name else (),
        kind=entry.kind,
        look=None if entry.state is None else look_from(entry.state),
        state=entry.state,
    )
    return seen if isinstance(entry.problem, Unset) else msgspec.structs.replace(seen, problem=entry.problem)
