"""Secrets of a Codex home: denied by place, by name in any case, with their copies; ordinary names are not."""

import pytest

from agentaudit.adapters.codex.secrets import secret_of
from agentaudit.adapters.stores.secret import Secret, folded
from tests.adapters.codex.homes import DAY, parts_of, rollout_name


@pytest.mark.parametrize(
    "path",
    [
        "auth.json", "AUTH.JSON", "Auth.Json.bak", "auth.json~", ".auth.json.swp", "auth copy.json", "auth (1).json",
        "auth-work.json", "my-auth.json", "auth.json. ", "\uff41uth.json", "a\u200buth.json", "auth", "auth.bak",
        f"{DAY}/auth.json", "skills/x/oauth.json", ".codex/auth.json", "worktrees/w/.codex/auth.toml",
        ".credentials.json", "x/.Credentials", "credentials.json.old", "log/.env", ".env", ".env.local", "prod.env",
        "proxy/ca.key", "proxy/ca.key.bak", "x.PEM", "local.age", "id_rsa", "my-keyring.json", "login.keychain-db",
        "x/.sandbox-secrets/users", "x/sandbox_users.json", "mcp_oauth_tokens.json", "api-key.txt", ".claude.json",
    ],
)  # fmt: skip
def test_a_name_is_denied_wherever_it_lies(path: str) -> None:
    """Case, compatible and invisible characters, prefixes and suffixes hide nothing."""
    assert secret_of(parts_of(path)) == Secret("name", "token")


@pytest.mark.parametrize(
    "path",
    [
        ".sandbox-secrets", ".sandbox-secrets/users", ".Sandbox-Secrets.bak/x", "secrets/local", "keyring/x",
        "accounts/work", "home/.codex/secrets/x", "keychain",
    ],
)  # fmt: skip
def test_a_place_is_denied_with_all_below_it(path: str) -> None:
    """At the top of a root, and of a root inside it."""
    assert secret_of(parts_of(path)) == Secret("location", "token")


@pytest.mark.parametrize(
    "path",
    [
        "", "config.toml", "history.jsonl", "session_index.jsonl", "state_5.sqlite", "state_5.sqlite-wal", DAY,
        rollout_name(), "authors.md", "AGENTS.md", "author.json", "log/codex-tui.log", "x/token/y.txt",
        "deeper/secrets/x", "environment", "keynote.txt", "rules/oauth.md", "a.keys",
    ],
)  # fmt: skip
def test_an_ordinary_name_is_no_secret(path: str) -> None:
    """What merely resembles a secret, or lies elsewhere, is not denied."""
    assert secret_of(parts_of(path)) is None


def test_a_name_that_is_not_utf_8_is_compared_too() -> None:
    """Bytes that are no text neither fail nor hide the rest of the name."""
    assert secret_of((b"\xffauth.json",)) is not None
    assert folded(b"\xff\xc3\x84.JSON. ") == "\ufffd\u00e4.json"
