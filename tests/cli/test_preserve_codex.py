"""`preserve-local-bundle --agent codex` on a synthetic home: what is printed, and with which status."""

import json
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.support.homing import CANARY, SECRET, A, B, Home, path_of

PEOPLE = ("--examiner", "E. Examiner", "--authority", "Order 7")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """The home of this user, as the environment says."""
    built = Home(tmp_path / "home" / ".codex")
    built.rollout(A)
    built.state((A, path_of()))
    built.put("auth.json", SECRET.encode())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.delenv("CODEX_SQLITE_HOME", raising=False)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    return built


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case that is open."""
    path = tmp_path / "case"
    assert Terminal().run("open", str(path), "--number", "N-1", "--title", "T", *PEOPLE) == 0
    return path


def test_the_default_home_is_preserved_and_verifies(case: Path, home: Home) -> None:
    """The summary names the seal, and neither prompts nor ids nor secrets."""
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(case), "--agent", "codex", "--all", "--json") == 0, terminal.err
    result = json.loads(terminal.out)
    assert result["outcome"] == "all_given"
    assert result["counts"]["sessions_kept"] == 1
    for word in (CANARY, SECRET, A, str(home.root)):
        assert word not in terminal.both
    assert terminal.run("verify", str(case / "EX-0001")) == 0
    package = json.loads((case / "EX-0001" / "agentaudit" / "package.json").read_text())
    assert package["adapter"] == "codex/1"
    assert package["roots"][0]["found"] == "default"


def test_codex_home_says_where_the_home_is(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The default is only reported then."""
    other = Home(tmp_path / "other")
    other.rollout(B)
    monkeypatch.setenv("CODEX_HOME", str(other.root))
    terminal = Terminal()
    asked = ("preserve-local-bundle", str(case), "--agent", "codex", "--dry-run", "--show-names", "--json")
    assert terminal.run(*asked) == 0, terminal.err
    result = json.loads(terminal.out)
    assert [root["found"] for root in result["roots"]] == ["environment", "reported"]
    assert [session["id"] for session in result["sessions"]] == [B]
    assert result["roots"][1]["path"] == str(home.root)


def test_a_folder_of_databases_apart_is_said_in_the_survey(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CODEX_SQLITE_HOME is named beside the home, and is not read until it is a root."""
    apart = tmp_path / "apart"
    apart.mkdir()
    (apart / "state_5.sqlite").write_bytes(b"not looked at")
    monkeypatch.setenv("CODEX_SQLITE_HOME", str(apart))
    terminal = Terminal()
    asked = ("preserve-local-bundle", str(case), "--agent", "codex", "--dry-run", "--show-names", "--json")
    assert terminal.run(*asked) == 0, terminal.err
    roots = json.loads(terminal.out)["roots"]
    assert [(root["found"], root["path"]) for root in roots] == [("default", str(home.root)), ("reported", str(apart))]


def test_a_codex_home_that_is_not_there_is_refused(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 5; the default does not take its place."""
    del home
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "none"))
    assert Terminal().run("preserve-local-bundle", str(case), "--agent", "codex", "--all") == 5


def test_the_survey_is_a_table_of_labels(case: Path, home: Home) -> None:
    """Sizes and rules, and no id."""
    del home
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(case), "--agent", "codex", "--dry-run") == 0, terminal.err
    assert "s000001" in terminal.out
    assert "credentials, by their name" in terminal.out
    assert A not in terminal.both


def test_categories_are_those_of_the_agent(case: Path, home: Home) -> None:
    """One of the other agent's is refused, with the list of those that there are."""
    del home
    terminal = Terminal()
    asked = ("preserve-local-bundle", str(case), "--all", "--dry-run")
    assert terminal.run(*asked, "--agent", "codex", "--include", "plans") == 2
    assert "databases" in terminal.err
    assert terminal.run(*asked, "--agent", "codex", "--exclude", "databases") == 0, terminal.err
    assert terminal.run(*asked, "--agent", "other") == 2
    assert "claude-code, codex" in terminal.err
