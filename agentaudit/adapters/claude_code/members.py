"""Entries of the survey as members of session bundles, and the bundles' keys.

- A bundle is a session of a project folder of a root (and of a root inside it), never a session alone.
- What lies in stores outside the project folders belongs to the first bundle of its session in the same root.
- An old agent file belongs to the session that its rows name; the path does not say it.
- Keys are `s000001` ... in the order of root, nested root, project folder and session, as bytes.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from agentaudit.adapters.claude_code.roles import Placed, place_of
from agentaudit.model.local import EntryKind, FileState, octets_of, true_name
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

_UUID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\Z", re.IGNORECASE | re.ASCII)
_FOLDERS_MAX: Final = 256
_Place: TypeAlias = tuple[str, Parts, SourceText | None, SourceText]
_Homes: TypeAlias = Mapping[tuple[str, Parts, SourceText], SourceText]


class Member(msgspec.Struct, frozen=True, gc=False):
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
    project: SourceText | None
    session: SourceText
    members: tuple[Member, ...]


def member_of(
    root: str, name: SourceText, kind: EntryKind, state: FileState | None, session: SourceText | None = None
) -> Member:
    """The entry of that true name; `session` is the one that an old agent file's rows name."""
    return member_at(root, _parts_of(octets_of(name)), kind, state, session)


def member_at(
    root: str, parts: Parts, kind: EntryKind, state: FileState | None, session: SourceText | None = None
) -> Member:
    """The entry at that path; `session` as for `member_of`."""
    placed = place_of(parts)
    if session is not None and placed.role in {"old_agent", "old_sidecar"}:
        placed = msgspec.structs.replace(placed, session=session)
    return Member(root, parts, kind, state, placed)


def _parts_of(path: bytes) -> Parts:
    folder, slash, name = path.rpartition(b"/")
    return (*_folder(folder), name) if slash else (name,)


@lru_cache(_FOLDERS_MAX)
def _folder(path: bytes) -> Parts:
    """The parts of a folder, once for all that it holds: entries come folder by folder, and their members are kept."""
    return tuple(path.split(b"/"))


def group(members: Iterable[Member]) -> tuple[Group, ...]:
    """The bundles of all roots, in the order of their keys; what no session owns is in none."""
    owned = [(member, session) for member in members if (session := member.placed.session) is not None]
    homes = _homes(owned)
    gathered: dict[_Place, list[Member]] = {}
    for member, session in owned:
        place = _place(member, session, homes)
        if place is not None:
            gathered.setdefault(place, []).append(member)
    places = sorted(gathered, key=_order)
    return tuple(
        Group(f"s{number:06d}", *place, members=tuple(gathered[place])) for number, place in enumerate(places, 1)
    )


def text_of(parts: Parts) -> SourceText:
    """The true name of a path."""
    return true_name(b"/".join(parts))


def _homes(owned: Iterable[tuple[Member, SourceText]]) -> _Homes:
    """The first project folder of each session of each root."""
    homes: dict[tuple[str, Parts, SourceText], SourceText] = {}
    for member, session in owned:
        project, key = member.placed.project, (member.root, member.placed.nested, session)
        if project is not None and (key not in homes or octets_of(project) < octets_of(homes[key])):
            homes[key] = project
    return homes


def _place(member: Member, session: SourceText, homes: _Homes) -> _Place | None:
    """Where the member belongs; None for an id that names no session, such as the list of a team."""
    placed = member.placed
    project = placed.project or homes.get((member.root, placed.nested, session))
    known = project is not None or placed.role == "transcript" or placed.category == "desktop"
    if not known and not (isinstance(session, str) and _UUID.match(session)):
        return None
    return member.root, placed.nested, project, session


def _order(place: _Place) -> tuple[int, str, Parts, bool, bytes, bytes]:
    root, nested, project, session = place
    number = root[1:]
    return (
        int(number) if number.isdecimal() else 0,
        root,
        nested,
        project is None,
        b"" if project is None else octets_of(project),
        octets_of(session),
    )
