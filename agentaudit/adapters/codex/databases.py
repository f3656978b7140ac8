"""The SQLite databases of a home, each with its `-wal`, `-shm` and `-journal`: copied in one go, never quiesced.

- A database without its `-wal` may show nothing at all: the files of one set are chosen, copied and judged together.
- The set is copied in the order of `parts`: the database, its `-wal`, its `-shm`. It is whole when the database did not
  change from before the first to after the last read and the `-wal` at most grew: then the copy is an earlier state.
- The `-shm` is an index that is built anew: whatever happens to it spoils nothing.
- Which table lies in which database is said by its family: `state` of `state_5.sqlite`.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from agentaudit.adapters.codex.roles import Role, place_of
from agentaudit.adapters.stores.databases import DatabaseGroup, DatabaseRole
from agentaudit.model.codex import DatabaseSet
from agentaudit.model.framing import label_of
from agentaudit.model.local import Change, true_name
from agentaudit.model.survey import Parts

FAMILIES: Final = frozenset({"state", "thread_history", "logs", "goals", "memories", "queue"})

_NAME: Final = re.compile(rb"([a-z_]{1,64}?)(?:_([0-9]{1,9}))?\.(?:sqlite3?|db)\Z")
_APART: Final[frozenset[Role]] = frozenset(
    {"database", "database_wal", "database_shm", "database_journal", "database_copy"}
)
_WHOLE: Final[Mapping[DatabaseRole, frozenset[Change]]] = {
    "database": frozenset({"none"}), "database_wal": frozenset({"none", "grew"}),
    "database_journal": frozenset({"none"}),
}  # fmt: skip


def family_of(one: DatabaseGroup) -> str | None:
    """`state` of `state_5.sqlite`; None for a name that is none of the known ones."""
    return _read(one.name)[0]


def lies_apart(name: bytes) -> bool:
    """Whether an entry of a folder to which databases were moved is looked at: a database, or a name that is denied."""
    placed = place_of((name,))
    return placed.secret is not None or placed.role in _APART


def holds_databases(parts: Parts) -> bool:
    """Whether a folder of the home is one whose databases are known for what they are; the home itself is."""
    return place_of((*parts, b"state_5.sqlite")).role == "database"


def current(groups: Iterable[DatabaseGroup], root: str, family: str) -> DatabaseGroup | None:
    """The database of that family with the greatest generation in the root; left-overs of older ones do not count."""
    found = [one for one in groups if one.root == root and family_of(one) == family and one.path_of("database")]
    return max(found, key=lambda one: (_read(one.name)[1] or 0, -len(one.name)), default=None)


def describe_database(one: DatabaseGroup, changes: Mapping[Parts, Change] | None = None) -> DatabaseSet:
    """What is kept of the set; `changes` says of each path what became of it until the last file was read."""
    family, generation = _read(one.name)
    held = {role for role, _ in one.members}
    return DatabaseSet(
        root=one.root,
        name=true_name(b"/".join(one.name)),
        family=family or label_of(one.name[-1].decode("utf-8", "surrogateescape")),
        generation=generation,
        main="database" in held,
        wal="database_wal" in held,
        shm="database_shm" in held,
        journal="database_journal" in held,
        torn=None if changes is None else is_torn(one, changes),
    )


def is_torn(one: DatabaseGroup, changes: Mapping[Parts, Change]) -> bool:
    """Whether the copies may be a mix of two states; a file that has no change stated was not copied: they are."""
    return any(spoils(role, changes.get(parts)) for role, parts in one.members)


def spoils(role: DatabaseRole, change: Change | None) -> bool:
    """Whether a copy may be of another state than the set that it belongs to, when that became of its file."""
    return role in _WHOLE and change not in _WHOLE[role]


def _read(name: Parts) -> tuple[str | None, int | None]:
    """Family and generation."""
    found = _NAME.match(name[-1])
    family = found[1].decode("ascii") if found else ""
    if found is None or family not in FAMILIES:
        return None, None
    return family, None if found[2] is None else int(found[2])
