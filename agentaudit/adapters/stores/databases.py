"""SQLite databases among files: each with its `-wal`, `-shm` and `-journal`, put together by their names."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from agentaudit.model.survey import Parts

DatabaseRole = Literal["database", "database_wal", "database_shm", "database_journal"]

_ENDS: Final[Mapping[DatabaseRole, bytes]] = {
    "database": b"", "database_wal": b"-wal", "database_shm": b"-shm", "database_journal": b"-journal",
}  # fmt: skip
_ROLES: Final[Mapping[str, DatabaseRole]] = {role: role for role in _ENDS}


class HasRole(Protocol):
    """The place of a file, as far as it says which part of a database it is."""

    @property
    def role(self) -> str:
        """The role of the file in its store."""
        ...


@dataclass(frozen=True, slots=True)
class DatabaseGroup:
    """The files of one database of one root: `name` is the path of the database, whether or not it lies there."""

    root: str
    name: Parts
    members: tuple[tuple[DatabaseRole, Parts], ...]

    @property
    def parts(self) -> tuple[Parts, ...]:
        """The paths in the order in which they are copied."""
        return tuple(parts for _, parts in self.members)

    def path_of(self, role: DatabaseRole) -> Parts | None:
        """The path of the file with that role; None when there is none."""
        return next((parts for held, parts in self.members if held == role), None)


def group_databases(entries: Iterable[tuple[str, Parts, HasRole]]) -> tuple[DatabaseGroup, ...]:
    """The databases among regular files, given as root, path and place; sorted by root and path."""
    gathered: dict[tuple[str, Parts], dict[DatabaseRole, Parts]] = {}
    for root, parts, placed in entries:
        role = _ROLES.get(placed.role)
        if role is not None:
            name = (*parts[:-1], parts[-1].removesuffix(_ENDS[role]))
            gathered.setdefault((root, name), {})[role] = parts
    return tuple(
        DatabaseGroup(root, name, tuple((role, found[role]) for role in _ENDS if role in found))
        for (root, name), found in sorted(gathered.items())
    )
