"""Choices: what a selection means in the stores that were found."""

import pytest

from agentaudit.adapters.claude_code.choice import choose, is_folder_of
from agentaudit.adapters.claude_code.roles import place_of
from agentaudit.model.selection import BundleSelection
from agentaudit.model.text import SourceText, Unencodable

S = "1c27c64e-5bd8-4142-9770-6171b4866689"
T = "5b50536b-fcfd-49c2-81b1-bb6cb637a10a"
PLACES = tuple(
    place_of(tuple(path.split(b"/")))
    for path in (
        b"projects/-w-a-b", f"projects/-w-a-b/{S}.jsonl".encode(), f"projects/-w-c/{T}.jsonl".encode(),
        f"tasks/{S}/1.json".encode(), b"projects/-\xff/x", b"settings.json",
    )
)  # fmt: skip


def label(folder: SourceText) -> str:
    """The label of a folder in a survey."""
    return f"label:{folder}" if isinstance(folder, str) else "label:odd"


def selection(*, sessions: tuple[str, ...] = (), projects: tuple[SourceText, ...] = ()) -> BundleSelection:
    """A selection of sessions and projects."""
    return BundleSelection(agent="claude-code", roots=(), sessions=sessions, projects=projects, included=("memory",))


@pytest.mark.parametrize("name", ["-w-a-b", "label:-w-a-b", "/w/a_b", "/w/a-b", "/w/a.b/", "/w/a b"])
def test_a_project_is_named_by_folder_label_or_path(name: str) -> None:
    """A path is encoded forward; several paths may mean one folder, and no folder is decoded."""
    chosen = choose(selection(projects=(name,)), PLACES, label)
    assert chosen.choice.projects == {"-w-a-b"}
    assert chosen.choice.theirs == {S}
    assert chosen.missing_projects == ()


@pytest.mark.parametrize("name", ["w/a_b", "-w-a", "/w", "label:-w"])
def test_a_project_that_is_nowhere_is_said(name: str) -> None:
    """A word that means no folder is given back."""
    chosen = choose(selection(projects=(name,)), PLACES, label)
    assert chosen.choice.projects == frozenset()
    assert chosen.missing_projects == (name,)


def test_a_folder_that_is_no_utf8_is_named_by_its_bytes_or_label() -> None:
    """A true name in hex means the folder that has it."""
    odd = Unencodable(hex="2dff", display="-\\xff")
    assert choose(selection(projects=(odd, "label:odd")), PLACES, label).choice.projects == {odd}


def test_a_session_is_named_by_id_and_touches_its_folders() -> None:
    """Of a named session the project folders are known; an id that no path writes is given back."""
    chosen = choose(selection(sessions=(S, "nowhere")), PLACES, label)
    assert chosen.choice.sessions == {S, "nowhere"}
    assert chosen.choice.touched == {"-w-a-b"}
    assert chosen.missing_sessions == ("nowhere",)
    assert chosen.choice.included == {"memory"}


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/u/my_app.v2", "-home-u-my-app-v2"),
        ("/home/u/my_app.v2", "-home-u-my_app.v2"),
        ("/home/u/my_app.v2", "-home-u-my_app-v2"),
        ("C:\\git\\x", "C--git-x"),
        ("c:\\git\\x", "C--git-x"),
        ("/" + "a" * 300, "-" + "a" * 199 + "-1f2e3d"),
        ("/", "-"),
    ],
)
def test_a_path_has_the_folders_that_releases_gave_it(path: str, folder: str) -> None:
    """Three rules were in use; a long name is cut, and a drive letter has no case."""
    assert is_folder_of(path, folder)


@pytest.mark.parametrize(
    ("path", "folder"),
    [("/home/u/app", "-home-u-APP"), ("home/u", "home-u"), ("/a", "-a-b"), ("/" + "a" * 300, "-" + "a" * 190)],
)
def test_another_folder_is_not_the_path(path: str, folder: str) -> None:
    """Case counts where the path has no drive, a relative path means no folder, and a beginning is not the whole."""
    assert not is_folder_of(path, folder)
