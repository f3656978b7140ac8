"""Secrets: by place and by name, under any spelling, in every root; and what is none."""

import pytest

from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.adapters.claude_code.secrets import secret_of

TOKENS = (
    ".credentials.json", ".Credentials.JSON", ".credentials.json.bak", ".CREDENTIALS.json~", "old.credentials.json.2",
    "._.credentials.json", ".credentials (1).json", ".credentials.json.", ".credentials.json ",
    "o/a/local_1/.audit-key",
    "projects/-p/.credentials.json", "o/a/local_1/.claude/.credentials.json", "\uff0ecredentials.json",
    ".cred\u00adentials.json", "ide/4242.lock", "IDE/4242.lock", "ide", "daemon/roster.json", "daemon.log",
    "channels/telegram/.env", "o/a/local_1/.claude/ide/1.lock", "oauth-store.json", "my-token", "API_KEYS.txt",
)  # fmt: skip
CONFIGS = (
    ".claude.json", ".Claude.Json", ".claude.json.backup.1795993258399", "claude.json", "x/.claude/.claude.json",
    "backups/.claude.json.backup.1", "backups/anything", "Backups/x", "backups",
)  # fmt: skip
INNOCENT = (
    "projects/-p/1c27c64e-5bd8-4142-9770-6171b4866689.jsonl", "projects/-p/ide/x", "projects/-p/backups/x",
    "settings.json", "plans/token-refactoring.md", "history.jsonl", "projects/-credentials/x.jsonl",
    "projects/caf\u00e9/x.jsonl", "file-history/s/0a@v1",
)  # fmt: skip


def parts(path: str) -> tuple[bytes, ...]:
    """The components of a path."""
    return tuple(path.encode().split(b"/"))


@pytest.mark.parametrize("path", TOKENS)
def test_a_store_of_tokens_is_denied(path: str) -> None:
    """Case, copies, compatible characters, and the depth at which it lies make no difference."""
    found = secret_of(parts(path))
    assert found is not None
    assert found.holds == "token"
    assert place_of(parts(path)).role == "credentials"


@pytest.mark.parametrize("path", CONFIGS)
def test_the_account_file_and_its_copies_are_denied(path: str) -> None:
    """The account file may be digested; it is never kept, nor is any copy of it."""
    found = secret_of(parts(path))
    assert found is not None
    assert found.holds == "config"
    assert place_of(parts(path)).role == "config"


@pytest.mark.parametrize("path", INNOCENT)
def test_a_word_in_another_place_denies_nothing(path: str) -> None:
    """A project or a plan that is called after a token is no secret."""
    assert secret_of(parts(path)) is None
    assert place_of(parts(path)).secret is None


def test_a_place_and_a_name_are_told_apart() -> None:
    """The rule that is listed says which of the two it was."""
    by_place, by_name = secret_of((b"ide", b"x.lock")), secret_of((b".credentials.json",))
    assert by_place is not None
    assert by_name is not None
    assert (by_place.by, by_name.by) == ("location", "name")
