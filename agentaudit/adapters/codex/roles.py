"""What an entry of a Codex home is, from its path alone (local reference, section 5; siblings reference, 4.1).

- The thread stands in the name of a rollout; the folders of its date are local time and say nothing here.
- A root inside a root (`.codex`) has the same roles, and its path as `nested`.
- A database, its `-wal`, `-shm` and `-journal` have roles of their own: `databases` puts them together.
- Only names of secrets are compared without case: see `secrets`. What is in no table is `unknown`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.codex.secrets import secret_of
from agentaudit.adapters.stores.secret import Secret
from agentaudit.model.local import true_name
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText

Role = Literal[
    "rollout", "rollout_zst", "rollout_copy", "old_rollout", "archived_rollout", "archived_rollout_zst", "history",
    "index", "log", "database", "database_wal", "database_shm", "database_journal", "database_copy", "settings",
    "memory", "shell_snapshot", "image", "attachment", "lock", "app_state", "automation", "credentials", "config",
    "cache", "installed", "authored", "worktree", "store_folder", "unknown",
]  # fmt: skip

Category = Literal[
    "rollouts", "archived", "history", "index", "log", "databases", "settings", "memory", "shell-snapshots", "images",
    "attachments", "running", "app-state", "automations", "credentials", "caches", "installed", "authored",
    "worktrees", "other",
]  # fmt: skip

CATEGORY: Final[Mapping[Role, Category]] = {
    "rollout": "rollouts", "rollout_zst": "rollouts", "rollout_copy": "rollouts", "old_rollout": "rollouts",
    "archived_rollout": "archived", "archived_rollout_zst": "archived", "history": "history", "index": "index",
    "log": "log", "database": "databases", "database_wal": "databases", "database_shm": "databases",
    "database_journal": "databases", "database_copy": "databases", "settings": "settings", "memory": "memory",
    "shell_snapshot": "shell-snapshots", "image": "images", "attachment": "attachments", "lock": "running",
    "app_state": "app-state", "automation": "automations", "credentials": "credentials", "config": "credentials",
    "cache": "caches", "installed": "installed", "authored": "authored", "worktree": "worktrees",
    "store_folder": "other", "unknown": "other",
}  # fmt: skip

ROLLOUTS: Final[frozenset[Role]] = frozenset(
    {"rollout", "rollout_zst", "old_rollout", "archived_rollout", "archived_rollout_zst"}
)

_Rule: TypeAlias = Callable[[Parts], "Placed"]

_UUID: Final = rb"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_ID: Final = re.compile(_UUID)
_ROLLOUT: Final = re.compile(rb"rollout-(?:.*?(" + _UUID + rb"))?(.*)\Z", re.DOTALL)
_DATABASE: Final = re.compile(rb".+\.(?:sqlite3?|db)(?:(-wal|-shm|-journal)\Z|([^0-9A-Za-z].*)?\Z)", re.DOTALL)
_LINES: Final = b".jsonl"
_PACKED: Final = b".jsonl.zst"


@dataclass(frozen=True, slots=True)
class Placed:
    """What the path says: role, category, and the thread (`session`) that it names.

    `project` and `agent` are always None: the store has neither. `nested` is the path of the root inside the root,
    empty in the root itself. `secret` is set when it is denied.
    """

    role: Role
    session: SourceText | None = None
    project: SourceText | None = None
    agent: SourceText | None = None
    nested: Parts = ()
    secret: Secret | None = None

    @property
    def category(self) -> Category:
        """The category that `--include` and `--exclude` name."""
        return CATEGORY[self.role]


def place_of(parts: Parts) -> Placed:
    """The place of a path below a root; never fails, whatever the names."""
    nested, inner = _split(parts)
    secret = secret_of(parts)
    if secret is not None:
        return Placed("credentials", nested=nested, secret=secret)
    placed = _in_root(inner) if inner else Placed("store_folder")
    return replace(placed, nested=nested) if nested else placed


def _split(parts: Parts) -> tuple[Parts, Parts]:
    """The path of a root inside the root, and the rest; a folder of the store's own is never such a root."""
    if b".codex" not in parts or parts[0] in _TOP:
        return (), parts
    at = len(parts) - parts[::-1].index(b".codex")
    return parts[:at], parts[at:]


def _in_root(parts: Parts) -> Placed:
    rule = _TOP.get(parts[0])
    if rule is not None:
        return rule(parts)
    return Placed(_loose(parts[0])) if len(parts) == 1 else Placed("unknown")


def _loose(name: bytes) -> Role:
    """A file at the top of a root."""
    if name in _FILES:
        return _FILES[name]
    for start, role in _STARTS.items():
        if name.startswith(start):
            return role
    if b".toml" in name or name.startswith(b"config."):
        return "settings"
    if name.endswith((b"_cache.json", b"-cache.json", b".lock", b"_migration")):
        return "cache"
    return _database(name) or "unknown"


def _database(name: bytes) -> Role | None:
    found = _DATABASE.match(name)
    if found is None:
        return None
    return "database_copy" if found[2] else _DATABASE_ROLES[found[1] or b""]


def _rollout(plain: Role, packed: Role) -> _Rule:
    """A rollout at any depth below the folder; whatever else lies there is unknown."""

    def rule(parts: Parts) -> Placed:
        found = _ROLLOUT.match(parts[-1]) if len(parts) > 1 else None
        if found is None:
            return Placed("store_folder" if len(parts) == 1 or parts[-1].isdigit() else "unknown")
        session = None if found[1] is None else true_name(found[1])
        rest = found[2]
        named_so = rest in {_LINES, _PACKED} or (session is None and rest.endswith((_LINES, _PACKED)))
        if named_so:
            return Placed(packed if rest.endswith(_PACKED) else plain, session)
        return Placed("old_rollout" if rest == b".json" else "rollout_copy", session)

    return rule


def _by_stem(role: Role) -> _Rule:
    """`shell_snapshots/<thread>.sh`: the thread is what the name begins with, where it has the form of an id."""

    def rule(parts: Parts) -> Placed:
        if len(parts) == 1:
            return Placed("store_folder")
        session = _ID.match(parts[1])
        return Placed(role, true_name(session.group()) if session else None)

    return rule


def _shared(role: Role) -> _Rule:
    """A store that no thread owns."""

    def rule(parts: Parts) -> Placed:
        return Placed("store_folder" if len(parts) == 1 else role)

    return rule


def _sqlite(parts: Parts) -> Placed:
    """A folder of databases."""
    return Placed("store_folder" if len(parts) == 1 else _database(parts[-1]) or "unknown")


_DATABASE_ROLES: Final[Mapping[bytes, Role]] = {
    b"": "database", b"-wal": "database_wal", b"-shm": "database_shm", b"-journal": "database_journal",
}  # fmt: skip

_FILES: Final[Mapping[bytes, Role]] = {
    b"hooks.json": "settings", b"AGENTS.md": "authored", b"AGENTS.override.md": "authored",
    b"instructions.md": "authored", b"version.json": "cache", b"update-check.json": "cache",
    b"installation_id": "cache", b"internal_storage.json": "cache", b"cap_sid": "cache",
}  # fmt: skip

_STARTS: Final[Mapping[bytes, Role]] = {
    b"history.json": "history", b"session_index.jsonl": "index", b".codex-global-state": "app_state",
}  # fmt: skip

_SHARED: Final[Mapping[bytes, Role]] = {
    b"log": "log", b"logs": "log", b"memories": "memory", b"memories_extensions": "memory", b"rules": "authored",
    b"skills": "authored", b"prompts": "authored", b"agents": "authored", b"themes": "authored", b"hooks": "authored",
    b"worktrees": "worktree", b"packages": "installed", b"plugins": "installed", b"vendor_imports": "installed",
    b"bin": "installed", b".sandbox": "cache", b".sandbox-bin": "installed", b".tmp": "cache", b"tmp": "cache",
    b"cache": "cache", b"automations": "automation",
}  # fmt: skip

_BY_STEM: Final[Mapping[bytes, Role]] = {
    b"shell_snapshots": "shell_snapshot", b"generated_images": "image", b"attachments": "attachment",
    b"thread-writer-locks": "lock",
}  # fmt: skip

_TOP: Final[Mapping[bytes, _Rule]] = {
    b"sessions": _rollout("rollout", "rollout_zst"),
    b"archived_sessions": _rollout("archived_rollout", "archived_rollout_zst"),
    b"sqlite": _sqlite,
    **{name: _by_stem(role) for name, role in _BY_STEM.items()},
    **{name: _shared(role) for name, role in _SHARED.items()},
}
