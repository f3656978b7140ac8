"""Entries of the survey as members of thread bundles, and the bundles' keys.

- A bundle is a thread of a root (and of a root inside it): every rollout whose name states it, plain, compressed or
  archived, and whatever else is keyed by it. A thread alone is no key: two roots may hold the same one.
- Where a plain and a compressed rollout lie side by side the plain one counts, as the product has it.
- Keys are `s000001` ... in the order of root, nested root and thread, as bytes.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from agentaudit.adapters.codex.roles import ROLLOUTS, Placed, Role, place_of
from agentaudit.model.local import EntryKind, FileState, octets_of
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

_RANK: Final[tuple[Role, ...]] = (
    "rollout", "rollout_zst", "archived_rollout", "archived_rollout_zst", "old_rollout",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """One entry: where it lies, what it is, what was seen of it, and its place in the store."""

    root: str
    parts: Parts
    kind: EntryKind
    state: FileState | None
    placed: Placed

    @property
    def is_file(self) -> bool:
        """It is a regular file that was looked at."""
        return self.kind == "file" and self.state is not None


@dataclass(frozen=True, slots=True)
class Group:
    """The members of one bundle, in the order of the survey."""

    key: str
    root: str
    nested: Parts
    session: SourceText
    members: tuple[Member, ...]

    @property
    def project(self) -> SourceText | None:
        """A home keeps no project folders."""
        return None


def member_of(
    root: str, name: SourceText, kind: EntryKind, state: FileState | None, session: SourceText | None = None
) -> Member:
    """The entry of that true name; `session` is the thread that the rows of a rollout name whose own name has none."""
    parts = tuple(octets_of(name).split(b"/"))
    placed = place_of(parts)
    if placed.session is None and placed.role in ROLLOUTS:
        placed = replace(placed, session=session)
    return Member(root, parts, kind, state, placed)


def stem_of(member: Member) -> str | None:
    """The thread that the name of a rollout states; None when only its rows do."""
    stem = place_of(member.parts).session if member.placed.role in ROLLOUTS else None
    return stem if isinstance(stem, str) else None


def group(members: Iterable[Member]) -> tuple[Group, ...]:
    """The bundles of all roots, in the order of their keys; what no thread owns is in none."""
    gathered: dict[tuple[str, Parts, SourceText], list[Member]] = {}
    for member in members:
        session = member.placed.session
        if session is not None:
            gathered.setdefault((member.root, member.placed.nested, session), []).append(member)
    places = sorted(gathered, key=_order)
    return tuple(
        Group(f"s{number:06d}", *place, members=tuple(gathered[place])) for number, place in enumerate(places, 1)
    )


def primary(one: Group) -> Member | None:
    """The rollout that counts: a plain one before its compressed twin, an archived one last."""
    rollouts = [member for member in one.members if member.placed.role in ROLLOUTS]
    return min(rollouts, key=lambda member: (not member.is_file, _RANK.index(member.placed.role)), default=None)


def _order(place: tuple[str, Parts, SourceText]) -> tuple[int, str, Parts, bytes]:
    root, nested, session = place
    return int(root[1:]) if root[1:].isdecimal() else 0, root, nested, octets_of(session)
