"""`preserve-local-bundle --agent codex` on a synthetic home: what is printed, and with which status."""

import json
import os
from pathlib import Path

import pytest

from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import PreserveBundle
from agentaudit.model.actors import Said
from agentaudit.model.selection import BundleSelection
from agentaudit.sources.local.roots import Surrounding
from tests.cli.terminal import Terminal
from tests.support.around import surroundings
from tests.support.disks import FailingDisk, Killed
from tests.support.homing import CANARY, SECRET, A, B, Home, found_in, path_of
from tests.support.storing import dict_of, entries, gaps, sessions

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


def moved(home: Home, apart: Path) -> None:
    """The databases of the home lie apart, beside what is none of its business."""
    apart.mkdir()
    for path in home.root.glob("*.sqlite*"):
        path.rename(apart / path.name)
    (apart / "history.jsonl").write_bytes(CANARY.encode())


def test_a_folder_of_databases_apart_is_a_root_of_the_survey(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CODEX_SQLITE_HOME is followed beside the home, and reported where the home was named."""
    apart = tmp_path / "apart"
    moved(home, apart)
    monkeypatch.setenv("CODEX_SQLITE_HOME", str(apart))
    asked = ("preserve-local-bundle", str(case), "--agent", "codex", "--dry-run", "--show-names", "--json")
    for named, found in (((), "databases"), (("--root", str(home.root)), "reported")):
        terminal = Terminal()
        assert terminal.run(*asked, *named) == 0, terminal.err
        first, second = json.loads(terminal.out)["roots"]
        assert (first["path"], second["path"], second["found"]) == (str(home.root), str(apart), found)
        assert second["entries"] == (3 if found == "databases" else None)


def test_databases_apart_are_preserved_and_held_against_the_home(case: Path, home: Home, tmp_path: Path) -> None:
    """What lies beside them is neither copied nor listed; the exhibit verifies, and says how the root was found."""
    apart = tmp_path / "apart"
    moved(home, apart)
    home.put("config.toml", f'sqlite_home = "{apart}"'.encode())
    terminal = Terminal()
    assert terminal.run("preserve-local-bundle", str(case), "--agent", "codex", "--all", "--json") == 0, terminal.err
    assert str(apart) not in terminal.both
    exhibit = case / "EX-0001"
    assert terminal.run("verify", str(exhibit)) == 0
    (row,) = sessions(exhibit)
    assert dict_of(row["standing"])["file"] == "present"
    assert {str(entry["name"]) for entry in entries(exhibit).values() if entry["root"] == "r2"} == {
        "state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm",
    }  # fmt: skip
    assert found_in(exhibit, CANARY) == [
        "data/codex/r1/s000001/rollout.jsonl", "data/codex/r2/shared/databases/000001.sqlite-wal",
    ]  # fmt: skip
    terminal = Terminal()
    assert terminal.run("show", str(exhibit)) == 0
    assert "databases" in terminal.out


def test_databases_that_are_moved_nowhere_are_a_gap(case: Path, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Status 3: somebody said that there is more, and it was not obtained."""
    del home
    monkeypatch.setenv("CODEX_SQLITE_HOME", "relative/place")
    assert Terminal().run("preserve-local-bundle", str(case), "--agent", "codex", "--all") == 3
    assert gaps(case / "EX-0001")["root_absent"] == 1
    assert Terminal().run("verify", str(case / "EX-0001")) == 0


def test_no_secret_comes_in_by_the_folder_of_databases(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hard link to a token of the home, or of that folder, is denied under a database's name; a link is a link."""
    apart = tmp_path / "apart"
    apart.mkdir()
    (apart / "state_5.sqlite").hardlink_to(home.root / "auth.json")
    (apart / "credentials.json").write_bytes(SECRET.encode())
    (apart / "queue_1.sqlite").hardlink_to(apart / "credentials.json")
    (apart / "goals_1.sqlite").symlink_to(home.root / "auth.json")
    monkeypatch.setenv("CODEX_SQLITE_HOME", str(apart))
    assert Terminal().run("preserve-local-bundle", str(case), "--agent", "codex", "--all") in {0, 3}
    assert found_in(case, SECRET) == []
    rules = {entry["name"]: entry["rule"] for entry in entries(case / "EX-0001").values() if entry["root"] == "r2"}
    assert rules == {
        "credentials.json": "credentials_name", "goals_1.sqlite": "link",
        "queue_1.sqlite": "credentials_inode", "state_5.sqlite": "credentials_inode",
    }  # fmt: skip


def test_a_run_that_goes_on_looks_at_no_more_of_that_folder(
    case: Path, home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The root is taken from the journal with its bound, whatever the environment says then."""
    apart = tmp_path / "apart"
    moved(home, apart)
    (apart / "unreadable" / "secret").mkdir(parents=True)
    around = Surrounding(
        config_dir=None,
        home=os.fsencode(tmp_path / "home"),
        user_id=os.getuid(),
        mounts=lambda: None,
        codex_sqlite_home=os.fsencode(apart),
    )
    selection = BundleSelection(agent="codex", roots=(), everything=True)
    disk = FailingDisk(60)
    with pytest.raises(Killed):
        preserve_bundle(PreserveBundle(case, selection, around, Said(), ("x",)), surroundings(), Silent(), disk)
    disk.release()
    monkeypatch.setenv("CODEX_SQLITE_HOME", str(tmp_path / "none"))
    terminal = Terminal()
    asked = ("preserve-local-bundle", str(case), "--agent", "codex", "--resume", "EX-0001")
    assert terminal.run(*asked) == 0, terminal.err
    names = {str(entry["name"]) for entry in entries(case / "EX-0001").values() if entry["root"] == "r2"}
    assert names == {"state_5.sqlite", "state_5.sqlite-wal", "state_5.sqlite-shm"}
    assert gaps(case / "EX-0001").keys() == {"credentials"}


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
