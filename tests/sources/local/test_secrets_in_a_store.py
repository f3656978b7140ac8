"""A store full of secrets: whatever is selected, what would be preserved holds none of them."""

import os
from pathlib import Path

import pytest

from agentaudit.adapters.claude_code.policy import denied_files, rule_on
from agentaudit.adapters.claude_code.roles import CATEGORY, place_of
from agentaudit.adapters.stores.choice import Choice
from tests.sources.local.places import put, read, surveyed

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
CANARY = b"canary-" + b"of-a-token"
SECRETS = (
    ".credentials.json", ".Credentials.JSON", ".credentials.json.bak", ".claude.json", ".claude.json.backup.1",
    "backups/.claude.json.backup.2", "ide/4242.lock", "channels/telegram/.env", "daemon/roster.json",
    "o/a/local_1/.claude/.credentials.json", "o/a/local_1/.claude/.claude.json", "o/a/local_1/.audit-key",
    f"projects/-p/{S}/.credentials.json",
)  # fmt: skip


@pytest.mark.parametrize("included", [frozenset[str](), frozenset(CATEGORY.values())])
def test_no_secret_is_among_what_would_be_preserved(tmp_path: Path, included: frozenset[str]) -> None:
    """Cases G01 and G03, with hard links and links of innocent names, and every category asked for."""
    for path in SECRETS:
        put(tmp_path, path, CANARY)
    for name in (f"projects/-p/{S}.jsonl", f"projects/-p/{S}/tool-results/x.txt", "settings.json", "history.jsonl"):
        put(tmp_path, name, b"evidence")
    os.link(tmp_path / ".credentials.json", tmp_path / "projects/-p/notes.jsonl")
    os.link(tmp_path / "o/a/local_1/.claude/.claude.json", tmp_path / f"projects/-p/{S}/tool-results/y.txt")
    (tmp_path / "projects/-p/link.jsonl").symlink_to("../../.credentials.json")
    (tmp_path / f"projects/-p/{S}/subagents").symlink_to("../../../ide")
    entries = surveyed(tmp_path)
    denied = denied_files(entries)
    choice = Choice(everything=True, included=included)
    kept = [seen for seen in entries if rule_on(seen, place_of(seen.parts), choice, denied).decision == "preserve"]
    octets = [read(tmp_path, seen)[1] for seen in kept]
    assert octets
    assert set(octets) == {b"evidence"}
    assert len(octets) == (4 if included else 2)
