"""What a handed-over file is by its name."""

import pytest

from agentaudit.adapters.handed_over.places import is_secret_name, place_of


@pytest.mark.parametrize("name", [b"auth.json", b"Owner.Token", b"x.PEM", b"ID_RSA", b".credentials.json", b"a.key"])
def test_a_credential_is_one_in_any_case(name: bytes) -> None:
    """Its name alone denies it, wherever it lies."""
    assert is_secret_name(name)
    placed = place_of((b"folder", name))
    assert placed.role == "credentials"
    assert placed.secret is not None


@pytest.mark.parametrize("name", [b"logs.jsonl", b"author.json", b"keys", b"tokens.txt", b"\xff\xfe"])
def test_any_other_name_is_a_file(name: bytes) -> None:
    """A name that only resembles a credential is not denied."""
    assert not is_secret_name(name)
    assert place_of((name,)).role == "unknown"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        (b"state.sqlite", "database"),
        (b"queue.DB", "database"),
        (b"queue.sqlite-wal", "database_wal"),
        (b"queue.sqlite3-shm", "database_shm"),
        (b"queue.db-journal", "database_journal"),
        (b".sqlite", "unknown"),
    ],
)
def test_the_files_of_a_database_have_roles_of_their_own(name: bytes, role: str) -> None:
    """What is added to a database's name says which part it is."""
    assert place_of((name,)).role == role
