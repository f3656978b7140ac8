"""Payload names: neutral, unique, in the order of the survey, and databases with their files beside them."""

from typing import get_args

import pytest

from agentaudit.adapters.codex.naming import JSON_LINES_ROLES, NAMES, PACKED_LINES_ROLES, Namer, again
from agentaudit.adapters.codex.roles import Role
from agentaudit.format.layout import is_payload_name


def test_a_name_says_root_thread_and_role() -> None:
    """The one rollout of a thread is `rollout` itself, its compressed twin lies beside it."""
    namer = Namer("codex")
    assert namer.name("r1", "s000001", "rollout") == "data/codex/r1/s000001/rollout.jsonl"
    assert namer.name("r1", "s000001", "rollout_zst") == "data/codex/r1/s000001/rollout.jsonl.zst"
    assert namer.name("r1", "s000001", "rollout") == "data/codex/r1/s000001/rollout/000002.jsonl"
    assert namer.name("r1", "s000001", "archived_rollout") == "data/codex/r1/s000001/archived/000001.jsonl"
    assert namer.name("r2", None, "rollout") == "data/codex/r2/shared/rollout/000001.jsonl"


def test_the_files_of_a_database_lie_side_by_side() -> None:
    """SQLite finds them together; what has no database has a number of its own."""
    namer = Namer("codex")
    main = namer.name("r1", None, "database")
    assert main == "data/codex/r1/shared/databases/000001.sqlite"
    assert namer.name("r1", None, "database_wal", beside=main) == f"{main}-wal"
    assert namer.name("r1", None, "database_shm", beside=main) == f"{main}-shm"
    assert namer.name("r1", None, "database_wal") == "data/codex/r1/shared/databases-alone/000001.sqlite-wal"
    assert namer.name("r1", None, "database", beside=main) == "data/codex/r1/shared/databases/000002.sqlite"


@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_has_names_that_every_checker_reads(role: Role) -> None:
    """No two of them are the same, also when a file is read again."""
    namer = Namer("codex")
    names = [again(namer.name("r1", session, role), attempt) for session in ("s1", None) for attempt in (1, 2, 3)]
    assert len(set(names)) == len(names)
    assert all(is_payload_name(name) for name in names)


def test_a_later_read_is_told_from_the_first() -> None:
    """The suffix stays whole."""
    assert again("data/codex/r1/s000001/rollout.jsonl.zst", 1) == "data/codex/r1/s000001/rollout.jsonl.zst"
    assert again("data/codex/r1/s000001/rollout.jsonl.zst", 2) == "data/codex/r1/s000001/rollout-2.jsonl.zst"
    assert again("data/x/000001.sqlite-wal", 3) == "data/x/000001-3.sqlite-wal"


def test_json_lines_are_named_as_such() -> None:
    """The suffix agrees with what a reader does with the file."""
    assert {NAMES[role][1] for role in JSON_LINES_ROLES} == {"jsonl"}
    assert {NAMES[role][1] for role in PACKED_LINES_ROLES} == {"jsonl.zst"}
