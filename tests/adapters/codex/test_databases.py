"""Databases: the files of one set, which one is current, and when the copies may be a mix."""

import pytest

from agentaudit.adapters.codex.databases import current, describe_database, family_of, is_torn
from agentaudit.adapters.codex.roles import place_of
from agentaudit.adapters.stores.databases import DatabaseGroup, group_databases
from agentaudit.model.framing import label_of
from agentaudit.model.local import Change
from tests.adapters.codex.homes import parts_of, rollout_name


def groups(*paths: str, root: str = "r1") -> tuple[DatabaseGroup, ...]:
    """The databases among these files."""
    return group_databases((root, parts_of(path), place_of(parts_of(path))) for path in paths)


def changes(**by_end: Change) -> dict[tuple[bytes, ...], Change]:
    """What became of the files of `state_5.sqlite`."""
    return {
        (b"state_5.sqlite" + {"main": b""}.get(end, b"-" + end.encode()),): change for end, change in by_end.items()
    }


def test_the_files_of_a_database_are_one_group_in_the_order_of_copying() -> None:
    """The database, its log, its index; other files are in no group."""
    one, other = groups(
        "state_5.sqlite-shm", "state_5.sqlite-wal", "state_5.sqlite", "sqlite/dev.db", "state_5.sqlite.bak",
        rollout_name(), "auth.json.sqlite",
    )  # fmt: skip
    assert other.parts == ((b"state_5.sqlite",), (b"state_5.sqlite-wal",), (b"state_5.sqlite-shm",))
    assert (family_of(other), other.path_of("database_wal")) == ("state", (b"state_5.sqlite-wal",))
    assert other.path_of("database_journal") is None
    assert (one.name, family_of(one)) == ((b"sqlite", b"dev.db"), None)


def test_equal_names_in_two_roots_are_two_databases() -> None:
    """A set never spans roots or folders."""
    assert len(groups("a/.codex/state_5.sqlite", "state_5.sqlite-wal")) == 2
    pairs = (("r1", (b"state_5.sqlite",)), ("r2", (b"state_5.sqlite-wal",)))
    assert len(group_databases((root, parts, place_of(parts)) for root, parts in pairs)) == 2


def test_the_current_database_has_the_greatest_generation() -> None:
    """A left-over of an older release does not count, and neither does a log alone."""
    found = groups("state_4.sqlite", "state_10.sqlite", "state.sqlite", "state_11.sqlite-wal", "logs_2.sqlite")
    chosen = current(found, "r1", "state")
    assert chosen is not None
    assert chosen.name == (b"state_10.sqlite",)
    assert current(found, "r2", "state") is None
    assert current(found, "r1", "thread_history") is None
    plain = current(groups("state.sqlite"), "r1", "state")
    assert plain is not None


def test_a_set_says_what_lies_there() -> None:
    """It is never quiesced; an unknown family is a label."""
    found = describe_database(groups("state_5.sqlite", "state_5.sqlite-wal")[0])
    assert (found.name, found.family, found.generation) == ("state_5.sqlite", "state", 5)
    assert (found.main, found.wal, found.shm, found.journal) == (True, True, False, False)
    assert (found.quiesced, found.torn) == ("not_quiesced", None)
    other = describe_database(groups("client-x_2.db-journal")[0])
    assert (other.family, other.generation) == (label_of("client-x_2.db"), None)
    assert (other.main, other.journal) == (False, True)
    assert describe_database(groups("state.sqlite")[0]).generation is None


@pytest.mark.parametrize(
    ("main", "wal", "shm", "torn"),
    [
        ("none", "none", "none", False),
        ("none", "grew", "rewritten", False),
        ("none", "rewritten", "none", True),
        ("none", "shrank", "none", True),
        ("none", "vanished", "none", True),
        ("none", "replaced", "none", True),
        ("rewritten", "none", "none", True),
        ("grew", "none", "none", True),
    ],
)
def test_copies_may_be_a_mix_when_more_than_the_log_grew(main: Change, wal: Change, shm: Change, torn: bool) -> None:
    """A log that only grew is an earlier state; the index is built anew and spoils nothing."""
    one = groups("state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm")[0]
    said = changes(main=main, wal=wal, shm=shm)
    assert is_torn(one, said) is torn
    assert describe_database(one, said).torn is torn


def test_a_file_that_was_not_copied_tears_the_set() -> None:
    """The log without its database, or the reverse, is no state at all."""
    one = groups("state_5.sqlite", "state_5.sqlite-wal")[0]
    assert is_torn(one, changes(main="none"))
    assert not is_torn(one, changes(main="none", wal="none"))
    assert is_torn(groups("state_5.sqlite", "state_5.sqlite-journal")[0], changes(main="none", journal="grew"))
