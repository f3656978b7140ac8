"""The payload names of a preserved Codex home: neutral counters by role (FORMAT.md, section 2.6).

- A name says root, thread key and role; the true name stands in the entry's row alone.
- Counters run in the order of the survey, one for each root, thread and role: never in the order of reading.
- The files of one database lie side by side under one number, so that SQLite finds them together in the package.
- A file that is read again because it changed gets `-2`, `-3` before its suffix; every read is kept.
"""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from agentaudit.adapters.codex.roles import Role

_LINES = "jsonl"
_PACKED = "jsonl.zst"
_ANY = "bin"
_TEXT = "txt"

JSON_LINES_ROLES: frozenset[Role] = frozenset({"rollout", "archived_rollout", "history", "index"})
PACKED_LINES_ROLES: frozenset[Role] = frozenset({"rollout_zst", "archived_rollout_zst"})

NAMES: Mapping[Role, tuple[str, str]] = MappingProxyType(
    {
        "rollout": ("rollout", _LINES),
        "rollout_zst": ("rollout", _PACKED),
        "rollout_copy": ("rollout-copies", _ANY),
        "old_rollout": ("old-rollouts", "json"),
        "archived_rollout": ("archived", _LINES),
        "archived_rollout_zst": ("archived", _PACKED),
        "history": ("history", _LINES),
        "index": ("index", _LINES),
        "log": ("log", _TEXT),
        "database": ("databases", "sqlite"),
        "database_wal": ("databases-alone", "sqlite-wal"),
        "database_shm": ("databases-alone", "sqlite-shm"),
        "database_journal": ("databases-alone", "sqlite-journal"),
        "database_copy": ("database-copies", _ANY),
        "settings": ("settings", _TEXT),
        "memory": ("memory", _TEXT),
        "shell_snapshot": ("shell-snapshots", _TEXT),
        "image": ("images", _ANY),
        "attachment": ("attachments", _ANY),
    }
)

_BESIDE: Final[Mapping[Role, str]] = MappingProxyType(
    {"database_wal": "-wal", "database_shm": "-shm", "database_journal": "-journal"}
)
_SINGLE: Final = frozenset({"rollout", "rollout_zst"})


class Namer:
    """Gives each preserved entry its name; ask in the order of the survey."""

    def __init__(self, agent: str) -> None:
        """`agent` is the first folder below `data/`."""
        self._agent = agent
        self._counters: Counter[tuple[str, str, str]] = Counter()

    def name(self, root: str, session: str | None, role: Role, beside: str | None = None) -> str:
        """`data/codex/r1/s000012/rollout.jsonl`; `shared` stands for what no thread owns.

        `beside` is the name that its database got: `.../databases/000001.sqlite-wal` lies beside it.
        """
        if beside is not None and role in _BESIDE:
            return beside + _BESIDE[role]
        folder = f"data/{self._agent}/{root}/{session or 'shared'}"
        stem, suffix = NAMES.get(role, (role.replace("_", "-"), _ANY))
        self._counters[folder, stem, suffix] += 1
        number = self._counters[folder, stem, suffix]
        if role in _SINGLE and number == 1 and session is not None:
            return f"{folder}/{stem}.{suffix}"
        return f"{folder}/{stem}/{number:06d}.{suffix}"


def again(path: str, attempt: int) -> str:
    """The name of a later read of the same file: `rollout-2.jsonl.zst` for attempt 2."""
    if attempt == 1:
        return path
    folder, _, name = path.rpartition("/")
    stem, _, suffix = name.partition(".")
    return f"{folder}/{stem}-{attempt}.{suffix}"
