"""Policy: secrets stay out whatever is asked for; the rest follows kind, category and selection."""

from typing import get_args

import pytest

from agentaudit.adapters.codex.policy import OPT_IN, SHARED, denied_files, rule_on
from agentaudit.adapters.codex.roles import Category, place_of
from agentaudit.adapters.stores.choice import Choice
from agentaudit.adapters.stores.ruling import Rule
from agentaudit.model.local import Decision, EntryKind
from tests.adapters.codex.homes import A, B, rollout_name, seen

ALL = Choice(everything=True)
ONE = Choice(sessions=frozenset({A}))
GREEDY = Choice(everything=True, included=frozenset(get_args(Category)))


def ruling(path: str, choice: Choice, kind: EntryKind = "file") -> tuple[Decision, Rule]:
    """What becomes of that path."""
    entry = seen(path, kind)
    found = rule_on(entry, place_of(entry.parts), choice, frozenset())
    return found.decision, found.rule


@pytest.mark.parametrize("choice", [ALL, ONE, GREEDY])
@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("auth.json", "credentials_name"),
        ("AUTH.json.bak", "credentials_name"),
        ("home/.codex/auth.json", "credentials_name"),
        (".sandbox-secrets/users", "credentials_location"),
        ("secrets/local", "credentials_location"),
    ],
)
def test_no_selection_lets_a_secret_in(path: str, rule: Rule, choice: Choice) -> None:
    """Denied under every choice, and not even read for a digest."""
    entry = seen(path)
    found = rule_on(entry, place_of(entry.parts), choice, frozenset())
    assert (found.decision, found.rule, found.digest) == ("exclude", rule, False)


def test_a_hard_link_to_a_secret_is_one() -> None:
    """Device and inode are those of a denied file: an innocent name lets nothing in."""
    entries = (
        seen("auth.json", inode=42), seen(".sandbox-secrets", "folder", inode=43), seen("x", inode=44),
        seen("auth.json.bak", problem="vanished"),
    )  # fmt: skip
    denied = denied_files(entries)
    assert denied == {(1, 42)}
    link, other = seen(rollout_name(), inode=42), seen(rollout_name(), inode=45)
    assert rule_on(link, place_of(link.parts), GREEDY, denied).rule == "credentials_inode"
    assert rule_on(other, place_of(other.parts), ALL, denied).rule == "selected"


@pytest.mark.parametrize(
    ("path", "kind", "rule"),
    [
        ("sessions", "folder", "folder"),
        (".sandbox-secrets", "folder", "folder"),
        (rollout_name(), "link", "link"),
        (rollout_name(), "fifo", "special"),
        ("x", "socket", "special"),
        ("x", "device", "special"),
        ("x", "unknown", "special"),
    ],
)
def test_only_regular_files_are_preserved(path: str, kind: EntryKind, rule: Rule) -> None:
    """Anything else is listed with its kind."""
    assert ruling(path, GREEDY, kind) == ("list", rule)


def test_what_could_not_be_looked_at_is_listed() -> None:
    """Nothing is decided about what was not seen."""
    entry = seen(rollout_name(), problem="unreadable")
    assert rule_on(entry, place_of(entry.parts), ALL, frozenset()).rule == "not_seen"


@pytest.mark.parametrize(
    ("path", "everything", "one"),
    [
        (rollout_name(), "selected", "selected"),
        (rollout_name(B), "selected", "not_selected"),
        (rollout_name(suffix=".jsonl.zst"), "selected", "selected"),
        (rollout_name(suffix=".jsonl.bak"), "selected", "selected"),
        (rollout_name(day="archived_sessions"), "selected", "selected"),
        (f"generated_images/{A}/i.png", "selected", "selected"),
        ("session_index.jsonl", "selected", "category_opt_in"),
        ("state_5.sqlite", "selected", "category_opt_in"),
        ("state_5.sqlite-wal", "selected", "category_opt_in"),
        ("state_5.sqlite-shm", "selected", "category_opt_in"),
        ("history.jsonl", "category_opt_in", "category_opt_in"),
        ("log/codex-tui.log", "category_opt_in", "category_opt_in"),
        ("config.toml", "category_opt_in", "category_opt_in"),
        (f"shell_snapshots/{A}.sh", "category_opt_in", "category_opt_in"),
        ("memories/m.md", "category_opt_in", "category_opt_in"),
        ("what-is-this", "category_opt_in", "category_opt_in"),
        ("version.json", "metadata_only", "metadata_only"),
        (f"thread-writer-locks/{A}.lock", "metadata_only", "metadata_only"),
    ],
)
def test_a_file_follows_its_category_and_the_selection(path: str, everything: Rule, one: Rule) -> None:
    """What is keyed by a selected thread is preserved; what threads share only with everything, or when asked for."""
    assert ruling(path, ALL)[1] == everything
    assert ruling(path, ONE)[1] == one


@pytest.mark.parametrize("path", ["history.jsonl", "config.toml", "state_5.sqlite-wal", f"shell_snapshots/{A}.sh"])
def test_an_included_category_comes_in(path: str) -> None:
    """For the selected thread, and for what no thread owns."""
    choice = Choice(sessions=frozenset({A}), included=frozenset({*OPT_IN, *SHARED}))
    assert ruling(path, choice) == ("preserve", "included")


def test_an_included_category_does_not_bring_other_threads() -> None:
    """A store that is keyed by thread follows the selection."""
    choice = Choice(sessions=frozenset({A}), included=frozenset({"shell-snapshots"}))
    assert ruling(f"shell_snapshots/{B}.sh", choice) == ("exclude", "not_selected")


def test_an_excluded_category_stays_out_and_may_be_digested() -> None:
    """Whatever was selected."""
    choice = Choice(everything=True, excluded=frozenset({"rollouts"}), included=frozenset({"rollouts"}))
    entry = seen(rollout_name())
    found = rule_on(entry, place_of(entry.parts), choice, frozenset())
    assert (found.decision, found.rule, found.digest) == ("exclude", "category_excluded", True)


@pytest.mark.parametrize(
    "choice", [ALL, ONE, GREEDY, Choice(sessions=frozenset({A}), included=frozenset({"databases"}))]
)
def test_a_ruling_never_parts_the_files_of_a_database(choice: Choice) -> None:
    """All of them are preserved, or none is."""
    ends = ("", "-wal", "-shm", "-journal")
    assert len({ruling(f"state_5.sqlite{end}", choice) for end in ends}) == 1
