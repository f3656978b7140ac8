"""Roles: what an entry of a Codex home is, from its path alone."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.codex.roles import CATEGORY, ROLLOUTS, Category, Placed, Role, place_of
from agentaudit.model.text import Unencodable
from tests.adapters.codex.homes import DAY, STAMP, A, parts_of, rollout_name

PATHS: tuple[tuple[str, Role, str | None], ...] = (
    ("sessions", "store_folder", None),
    ("sessions/2026", "store_folder", None),
    (DAY, "store_folder", None),
    (rollout_name(), "rollout", A),
    (rollout_name(suffix=".jsonl.zst"), "rollout_zst", A),
    (rollout_name(suffix=".jsonl.bak"), "rollout_copy", A),
    (rollout_name(suffix=" (1).jsonl"), "rollout_copy", A),
    (rollout_name(suffix=".jsonl.zst.tmp"), "rollout_copy", A),
    (rollout_name(suffix=".json", day="sessions"), "old_rollout", A),
    (rollout_name(day="sessions/elsewhere/deep"), "rollout", A),
    (f"{DAY}/rollout-named-by-hand.jsonl", "rollout", None),
    (f"{DAY}/rollout-named-by-hand.jsonl.zst", "rollout_zst", None),
    (f"{DAY}/rollout-named-by-hand.txt", "rollout_copy", None),
    (f"{DAY}/notes.jsonl", "unknown", None),
    ("archived_sessions", "store_folder", None),
    (rollout_name(day="archived_sessions"), "archived_rollout", A),
    (rollout_name(day="archived_sessions", suffix=".jsonl.zst"), "archived_rollout_zst", A),
    ("history.jsonl", "history", None),
    ("history.jsonl.bak", "history", None),
    ("history.json", "history", None),
    ("session_index.jsonl", "index", None),
    ("log", "store_folder", None),
    ("log/codex-tui.log", "log", None),
    ("state_5.sqlite", "database", None),
    ("state_5.sqlite-wal", "database_wal", None),
    ("state_5.sqlite-shm", "database_shm", None),
    ("state_5.sqlite-journal", "database_journal", None),
    ("state_5.sqlite.bak", "database_copy", None),
    ("state_5.sqlite-wal.bak", "database_copy", None),
    ("old.db", "database", None),
    ("x.dbase", "unknown", None),
    ("sqlite", "store_folder", None),
    ("sqlite/dev.db", "database", None),
    ("sqlite/deep/dev.sqlite3-wal", "database_wal", None),
    ("sqlite/readme", "unknown", None),
    ("config.toml", "settings", None),
    ("work.config.toml", "settings", None),
    ("config.toml.bak", "settings", None),
    ("config.json", "settings", None),
    ("hooks.json", "settings", None),
    ("memories/MEMORY.md", "memory", None),
    ("shell_snapshots", "store_folder", None),
    (f"shell_snapshots/{A}.17.sh", "shell_snapshot", A),
    ("shell_snapshots/x.sh", "shell_snapshot", None),
    (f"generated_images/{A}/ig_1.png", "image", A),
    (f"thread-writer-locks/{A}.lock", "lock", A),
    ("thread-writer-locks/.coordination.lock", "lock", None),
    (".codex-global-state.json", "app_state", None),
    ("automations/x/automation.toml", "automation", None),
    ("version.json", "cache", None),
    ("models_cache.json", "cache", None),
    (".sandbox_migration", "cache", None),
    ("installation_id", "cache", None),
    ("packages/x", "installed", None),
    ("AGENTS.md", "authored", None),
    ("worktrees/w/.codex/config.toml", "worktree", None),
    ("something", "unknown", None),
    ("something/else", "unknown", None),
)


@pytest.mark.parametrize(("path", "role", "session"), PATHS)
def test_a_path_says_its_role_and_its_thread(path: str, role: Role, session: str | None) -> None:
    """Role and thread, and nothing that the store has not."""
    assert place_of(parts_of(path)) == Placed(role, session)


@pytest.mark.parametrize(("path", "role", "session"), PATHS)
def test_a_root_inside_a_root_has_the_same_roles(path: str, role: Role, session: str | None) -> None:
    """The path of the inner root stands beside; a working tree's own folder is no root."""
    placed = place_of(parts_of(f"home/u/.codex/{path}"))
    if role == "worktree":
        assert placed.role == "settings"
        return
    assert placed == Placed(role, session, nested=(b"home", b"u", b".codex"))


def test_the_inner_root_itself_is_a_folder_of_the_store() -> None:
    """`.codex` below a root."""
    assert place_of((b"home", b".codex")) == Placed("store_folder", nested=(b"home", b".codex"))


def test_a_secret_has_its_place_beside_its_role() -> None:
    """The role is that of credentials, wherever it lies."""
    placed = place_of((b"home", b".codex", b"auth.json"))
    assert (placed.role, placed.category, placed.nested) == ("credentials", "credentials", (b"home", b".codex"))
    assert placed.secret is not None


def test_every_role_has_a_category() -> None:
    """No role is without one, and no category without a role."""
    assert set(CATEGORY) == set(get_args(Role))
    assert set(CATEGORY.values()) == set(get_args(Category))
    assert {CATEGORY[role] for role in ROLLOUTS} == {"rollouts", "archived"}


def test_a_thread_is_taken_as_its_bytes_are() -> None:
    """An id in upper case stays as it is; a name that is not UTF-8 has none in it."""
    assert place_of(parts_of(rollout_name(A.upper()))).session == A.upper()
    assert place_of((b"sessions", b"rollout-\xff.jsonl")).session is None
    assert not isinstance(place_of((b"sessions", f"rollout-{STAMP}-".encode() + b"\xff.jsonl")).session, Unencodable)


@given(st.lists(st.binary(min_size=1, max_size=12).map(lambda part: part.replace(b"/", b"_")), min_size=1, max_size=6))
def test_no_path_fails(parts: list[bytes]) -> None:
    """Every path has a place."""
    for start in ((), (b"sessions",), (b"sqlite",), (b".codex",)):
        assert place_of((*start, *parts)).category in get_args(Category)
