"""Choice: a selection in the homes that were found."""

import pytest

from agentaudit.adapters.codex.choice import choose
from agentaudit.adapters.codex.roles import place_of
from agentaudit.adapters.stores.choice import Chosen
from agentaudit.model.framing import label_of
from agentaudit.model.selection import BundleSelection
from agentaudit.model.text import SourceText, Unencodable
from tests.adapters.codex.homes import A, B, parts_of, rollout_name

PLACES = tuple(place_of(parts_of(path)) for path in (rollout_name(A), rollout_name(B), "history.jsonl"))
FOLDERS: tuple[tuple[SourceText, SourceText], ...] = (
    (A, "/home/u/app"), (B, "C:\\work\\tool\\"), ("no", Unencodable(hex="ff", display="?")),
)  # fmt: skip


def label(folder: SourceText) -> str:
    """The label of a folder."""
    return label_of(str(folder))


def chosen(
    *, sessions: tuple[str, ...] = (), projects: tuple[SourceText, ...] = (), everything: bool = False
) -> Chosen:
    """The choice over the three places."""
    selection = BundleSelection(
        agent="codex", roots=(), sessions=sessions, projects=projects, everything=everything, excluded=("log",),
        included=("history",),
    )  # fmt: skip
    return choose(selection, PLACES, label, FOLDERS)


def test_a_thread_is_named_by_its_id() -> None:
    """What is nowhere is said."""
    found = chosen(sessions=(A, "gone"))
    assert found.choice.sessions == {A, "gone"}
    assert found.missing_sessions == ("gone",)
    assert found.choice.included == {"history"}
    assert found.choice.excluded == {"log"}


@pytest.mark.parametrize(
    ("project", "threads"),
    [
        ("/home/u/app", {A}),
        ("/home/u/app/", {A}),
        ("app", {A}),
        (label("/home/u/app"), {A}),
        ("C:\\work\\tool", {B}),
        ("tool", {B}),
        (Unencodable(hex="ff", display="?"), {"no"}),
        ("u", set()),
        ("", set()),
        ("/home/u", set()),
        (Unencodable(hex="fe", display="?"), set()),
    ],
)
def test_a_project_is_named_by_its_folder(project: SourceText, threads: set[str]) -> None:
    """By path, last component or label; a part of a path names nothing."""
    found = chosen(projects=(project,))
    assert found.choice.sessions == threads
    assert found.missing_projects == (() if threads else (project,))


def test_everything_needs_no_name() -> None:
    """Nothing is missing where nothing was named."""
    found = chosen(everything=True)
    assert found.choice.everything
    assert (found.missing_sessions, found.missing_projects) == ((), ())
