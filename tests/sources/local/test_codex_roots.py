"""Roots of Codex homes: named, from CODEX_HOME, or the default; by the same laws as any other store."""

import os
from pathlib import Path

from agentaudit.sources.local.roots import CODEX, Roots, Surrounding, find_roots
from tests.sources.local.places import put


def find(home: Path, *named: Path, codex: Path | None = None, databases: Path | None = None) -> Roots:
    """The roots that are found from that home; the other store's variable is set and means nothing here."""
    around = Surrounding(
        config_dir=os.fsencode(home / ".claude"),
        home=os.fsencode(home),
        user_id=os.geteuid(),
        mounts=lambda: None,
        codex_home=None if codex is None else os.fsencode(codex),
        codex_sqlite_home=None if databases is None else os.fsencode(databases),
    )
    return find_roots([os.fsencode(path) for path in named], around, CODEX)


def names(roots: Roots) -> list[tuple[str, object]]:
    """Finding and path of the chosen ones."""
    return [(found.facts.found, found.facts.path) for found in roots.chosen]


def test_what_is_named_comes_before_the_environment_and_the_default(tmp_path: Path) -> None:
    """The other store's folder is neither chosen nor reported."""
    for name in (".codex", ".claude", "env", "one"):
        (tmp_path / name).mkdir()
    assert names(find(tmp_path)) == [("default", str(tmp_path / ".codex"))]
    assert names(find(tmp_path, codex=tmp_path / "env")) == [("environment", str(tmp_path / "env"))]
    found = find(tmp_path, tmp_path / "one", codex=tmp_path / "env")
    assert names(found) == [("named", str(tmp_path / "one"))]
    assert [one.facts.path for one in found.reported] == [str(tmp_path / ".codex")]


def test_a_codex_home_that_is_not_there_is_absent(tmp_path: Path) -> None:
    """The default does not take its place: it is only reported."""
    (tmp_path / ".codex").mkdir()
    found = find(tmp_path, codex=tmp_path / "none")
    assert found.chosen == ()
    assert found.absent == ((os.fsencode(tmp_path / "none"), "ENOENT"),)
    assert [one.facts.found for one in found.reported] == ["reported"]


def test_left_overs_are_reported_and_files_are_none(tmp_path: Path) -> None:
    """Other accounts' homes, copies, and the desktop application's logs."""
    for name in (".codex", ".codex-work", ".codex.bak", "Library/Logs/com.openai.codex"):
        (tmp_path / name).mkdir(parents=True)
    put(tmp_path, ".codex.toml")
    found = find(tmp_path)
    assert [one.facts.path for one in found.reported] == [
        str(tmp_path / name) for name in (".codex-work", ".codex.bak", "Library/Logs/com.openai.codex")
    ]


def test_a_folder_of_databases_apart_is_reported_once_and_chosen_when_named(tmp_path: Path) -> None:
    """CODEX_SQLITE_HOME is said where it exists and is not the home itself."""
    for name in (".codex", "apart"):
        (tmp_path / name).mkdir()
    found = find(tmp_path, databases=tmp_path / "apart")
    assert names(found) == [("default", str(tmp_path / ".codex"))]
    assert [one.facts.path for one in found.reported] == [str(tmp_path / "apart")]
    both = find(tmp_path, tmp_path / ".codex", tmp_path / "apart", databases=tmp_path / "apart")
    assert [how for how, _ in names(both)] == ["named", "named"]
    assert both.reported == ()
    assert find(tmp_path, databases=tmp_path / ".codex").reported == ()
    assert find(tmp_path, databases=tmp_path / "none").reported == ()
