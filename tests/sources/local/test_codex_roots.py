"""Roots of Codex homes: named, from CODEX_HOME, or the default; by the same laws as any other store."""

import os
from pathlib import Path

from agentaudit.sources.local.apart import moved_databases
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


def test_of_named_roots_a_folder_of_databases_apart_is_only_reported(tmp_path: Path) -> None:
    """They may be an image of another machine: CODEX_SQLITE_HOME is said, the configuration leads nowhere."""
    for name in (".codex", "apart", "other"):
        (tmp_path / name).mkdir()
    put(tmp_path, ".codex/config.toml", f'sqlite_home = "{tmp_path}/other"'.encode())
    found = find(tmp_path, tmp_path / ".codex", databases=tmp_path / "apart")
    assert names(found) == [("named", str(tmp_path / ".codex"))]
    assert [one.facts.path for one in found.reported] == [str(tmp_path / "apart")]
    both = find(tmp_path, tmp_path / ".codex", tmp_path / "apart", databases=tmp_path / "apart")
    assert [how for how, _ in names(both)] == ["named", "named"]
    assert both.reported == ()
    assert find(tmp_path, tmp_path / ".codex", databases=tmp_path / ".codex").reported == ()
    assert find(tmp_path, tmp_path / ".codex", databases=tmp_path / "none").reported == ()


def test_databases_that_a_variable_moves_have_a_root_of_their_own(tmp_path: Path) -> None:
    """Beside the default and the home of the environment, with its place as it was named and as it resolves."""
    for name in (".codex", "env", "apart"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("apart")
    found = find(tmp_path, databases=tmp_path / "apart")
    assert names(found) == [("default", str(tmp_path / ".codex")), ("databases", str(tmp_path / "apart"))]
    assert (found.reported, found.absent, found.twice) == ((), (), ())
    home, link = find(tmp_path, codex=tmp_path / "env", databases=tmp_path / "link").chosen
    assert (home.facts.found, link.facts.found) == ("environment", "databases")
    assert (link.facts.path, link.facts.resolved) == (str(tmp_path / "link"), str(tmp_path / "apart"))


def test_of_a_folder_of_databases_nothing_else_is_looked_at(tmp_path: Path) -> None:
    """It can be anything, a home folder too: databases, their copies, and what is denied, for its inodes."""
    (tmp_path / ".codex").mkdir()
    (tmp_path / "apart").mkdir()
    home, apart = find(tmp_path, databases=tmp_path / "apart").chosen
    assert home.only is None
    assert apart.only is not None
    looked_at = (b"state_5.sqlite", b"state_5.sqlite-wal", b"logs_2.sqlite.bak", b"auth.json", b".env", b"secrets")
    assert [name for name in looked_at if not apart.only(name)] == []
    others = (b"sessions", b"history.jsonl", b"config.toml", b".codex", b"sqlite", b"notes.txt", b"\xff")
    assert [name for name in others if apart.only(name)] == []


def at(home: Path, value: str) -> list[tuple[str, str]]:
    """What becomes of a value: a root, the same as one, or absent with the word for it."""
    found = find(home, databases=Path(value))
    assert names(found)[0] == ("default", str(home / ".codex"))
    return [
        *(("root", str(one.facts.path)) for one in found.chosen[1:]),
        *(("twice", os.fsdecode(path)) for path in found.twice),
        *(("absent", word) for _, word in found.absent),
    ]


def test_a_variable_that_leads_nowhere_is_absent(tmp_path: Path) -> None:
    """A relative path counts from where the agent was started; a missing one, a file, a loop, a long name are none."""
    (tmp_path / ".codex").mkdir()
    put(tmp_path, "file")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "gone").symlink_to("none")
    assert at(tmp_path, "apart") == at(tmp_path, "../apart") == [("absent", "relative")]
    assert at(tmp_path, f"{tmp_path}/none") == at(tmp_path, f"{tmp_path}/gone") == [("absent", "ENOENT")]
    assert at(tmp_path, f"{tmp_path}/file") == [("absent", "ENOTDIR")]
    assert at(tmp_path, f"{tmp_path}/loop") in ([("absent", "ELOOP")], [("absent", "ENOTDIR")])
    assert at(tmp_path, f"/{'x' * 5_000}") == [("absent", "ENAMETOOLONG")]


def test_a_variable_that_leads_into_the_home_is_a_root_only_where_the_home_does_not_know_databases(
    tmp_path: Path,
) -> None:
    """The home itself under any name, and its folder of databases, are surveyed with it."""
    (tmp_path / ".codex" / "sqlite").mkdir(parents=True)
    (tmp_path / ".codex" / "deep" / "er").mkdir(parents=True)
    (tmp_path / "link").symlink_to(".codex")
    for same in (".codex", ".codex/", ".codex/../.codex", "link", ".codex/sqlite", "link/sqlite"):
        assert at(tmp_path, f"{tmp_path}/{same}") == [("twice", str(Path(f"{tmp_path}/{same}")))]
    deep = f"{tmp_path}/.codex/deep/er"
    assert at(tmp_path, deep) == [("root", deep)]
    assert at(tmp_path, str(tmp_path)) == [("root", str(tmp_path))]


def test_databases_of_a_home_that_is_gone_are_a_root_still(tmp_path: Path) -> None:
    """They are all that is left."""
    (tmp_path / "apart").mkdir()
    found = find(tmp_path, databases=tmp_path / "apart")
    assert names(found) == [("databases", str(tmp_path / "apart"))]
    assert [word for _, word in found.absent] == ["ENOENT"]


def configured(home: Path, text: str) -> list[tuple[object, str]]:
    """The roots beside a home with that configuration, and what is absent."""
    (home / ".codex").mkdir(exist_ok=True)
    put(home, ".codex/config.toml", text.encode())
    found = find(home)
    return [
        *((one.facts.path, one.facts.found) for one in found.chosen[1:]),
        *((os.fsdecode(path), word) for path, word in found.absent),
    ]


def test_databases_that_the_configuration_moves_have_a_root_of_their_own(tmp_path: Path) -> None:
    """A relative path counts from the home, `~` is the user's own folder; the variable counts beside it."""
    for name in ("apart", "other", ".codex/dbs"):
        (tmp_path / name).mkdir(parents=True)
    assert configured(tmp_path, f'sqlite_home = "{tmp_path}/apart"') == [(f"{tmp_path}/apart", "databases")]
    assert configured(tmp_path, 'sqlite_home = "~/apart"') == [(f"{tmp_path}/apart", "databases")]
    assert configured(tmp_path, 'sqlite_home = "~"') == [(str(tmp_path), "databases")]
    assert configured(tmp_path, 'sqlite_home = "dbs"') == [(f"{tmp_path}/.codex/dbs", "databases")]
    assert configured(tmp_path, 'sqlite_home = "../other"') == [(f"{tmp_path}/.codex/../other", "databases")]
    assert [how for how, _ in names(find(tmp_path, databases=tmp_path / "apart"))] == ["default", *["databases"] * 2]
    assert [how for how, _ in names(find(tmp_path, databases=tmp_path / "other"))] == ["default", "databases"]


def test_a_configuration_that_leads_nowhere_is_absent_or_says_nothing(tmp_path: Path) -> None:
    """A name with a zero byte is none; a value of another form, or a text that is no TOML, names no folder."""
    assert configured(tmp_path, f'sqlite_home = "{tmp_path}/none"') == [(f"{tmp_path}/none", "ENOENT")]
    assert configured(tmp_path, 'sqlite_home = "a\\u0000b"') == [(f"{tmp_path}/.codex/a\0b", "EINVAL")]
    for text in (
        'sqlite_home = ""',
        "sqlite_home = 3",
        "[x]\nsqlite_home = '/'",
        "sqlite_home",
        "#" * (1024 * 1024 + 1),
    ):
        assert configured(tmp_path, text) == []
    assert configured(tmp_path, 'sqlite_home = "."') == []


def test_a_home_that_cannot_be_entered_moves_nothing(tmp_path: Path) -> None:
    """It is gone since it was found; what the variable says counts all the same."""
    gone = os.fsencode(tmp_path / "gone")
    assert moved_databases(gone, None, None) == ()
    assert moved_databases(gone, None, b"/apart") == (b"/apart",)


def test_a_configuration_that_may_be_a_secret_is_not_opened(tmp_path: Path) -> None:
    """A link, a second name of a file, a folder."""
    (tmp_path / ".codex").mkdir()
    config = tmp_path / ".codex" / "config.toml"
    moved = put(tmp_path, "moved.toml", f'sqlite_home = "{tmp_path}/none"'.encode())
    config.symlink_to(moved)
    assert find(tmp_path).absent == ()
    config.unlink()
    config.hardlink_to(moved)
    assert find(tmp_path).absent == ()
    moved.unlink()
    assert find(tmp_path).absent == ((os.fsencode(tmp_path / "none"), "ENOENT"),)
    config.unlink()
    config.mkdir()
    assert find(tmp_path).absent == ()
