"""What a handed-over file is by its name."""

import time

import pytest

from agentaudit.adapters.handed_over.places import Placed, is_secret_name, place_of


@pytest.mark.parametrize("name", [b"auth.json", b"Owner.Token", b"x.PEM", b"ID_RSA", b".credentials.json", b"a.key"])
def test_a_credential_is_one_in_any_case(name: bytes) -> None:
    """Its name alone denies it, wherever it lies."""
    assert is_secret_name(name)
    placed = place_of((b"folder", name))
    assert placed.role == "credentials"
    assert placed.secret is not None


@pytest.mark.parametrize(
    "name",
    [
        b".credentials.json.bak", b".Credentials.JSON", b"credentials.json.old", b"credentials", b"auth (1).json",
        b"auth.json~", b"auth-backup.json", b"auth.json.bak2", b".claude.json", b".claude.json.backup.1795993258399",
        b".env", b".env.local", b"prod.env", b"_netrc", b"id_ed25519.old", b"server.pem.bak", b"owner.token.copy",
        b"client.p12", b"AUTH.JSON.", b"auth.json ", "\uff41uth.json".encode(), "au\u200bth.json".encode(),
    ],
)  # fmt: skip
def test_a_copy_of_a_credential_is_one(name: bytes) -> None:
    """Back-ups, numbered copies, other cases and forms of a name: each of them is denied."""
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        b"auth.jsonl", b"authors.json", b"auth-events.json", b"metrics.key.json", b"credentials-report.jsonl",
        b"logs.tokens.jsonl", b"environment.json", b"id_rsa_audit.jsonl", b"claude.json", b"netrc.md",
    ],
)  # fmt: skip
def test_evidence_with_such_a_word_in_its_name_is_kept(name: bytes) -> None:
    """No option would let it in: a name is denied only where it is that of a credential."""
    assert not is_secret_name(name)


def test_no_name_takes_long() -> None:
    """Names of the longest kind that nearly match are judged at once."""
    began = time.monotonic()
    for name in (b"auth" + b"1" * 250 + b"x", b"auth" + b"._- " * 62 + b"x", b"a.key" + b"~bak(1)" * 35 + b"x"):
        assert not is_secret_name(name)
    assert time.monotonic() - began < 1


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


def test_a_folder_that_cannot_be_listed_is_placed_nowhere() -> None:
    """It is an entry without parts, and no credential."""
    assert place_of(()) == Placed("unknown")
