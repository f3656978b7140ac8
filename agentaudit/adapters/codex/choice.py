"""What a selection means in the homes that were found: which threads.

- A thread's project is the folder that its rollout names (`cwd`): the path knows none, so it is handed in.
- What was named and is nowhere is said, never passed over.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from agentaudit.adapters.codex.roles import Placed
from agentaudit.adapters.stores.choice import Choice, Chosen
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from agentaudit.model.text import SourceText

_SEPARATOR: Final = re.compile(r"[/\\]")


def choose(
    selection: BundleSelection,
    places: Iterable[Placed],
    label_of: Callable[[SourceText], str],
    folders: Iterable[tuple[SourceText, SourceText]] = (),
) -> Chosen:
    """The selection over all places of the survey.

    `folders` holds thread and working folder (see `rollout.head_of`); a project is named by the whole path, its last
    component or the label that `label_of` gives for the path.
    """
    ids = {placed.session for placed in places if placed.session is not None}
    named: dict[SourceText, set[SourceText]] = {project: set() for project in selection.projects}
    for thread, folder in folders:
        for project in selection.projects:
            if _names(project, folder, label_of):
                named[project].add(thread)
    asked = frozenset(true_name(session.encode("utf-8", "surrogatepass")) for session in selection.sessions)
    choice = Choice(
        everything=selection.everything,
        sessions=asked.union(*named.values()),
        included=frozenset(selection.included),
        excluded=frozenset(selection.excluded),
    )
    missing = tuple(session for session in selection.sessions if session not in ids)
    return Chosen(choice, missing, tuple(project for project, found in named.items() if not found))


def _names(project: SourceText, folder: SourceText, label_of: Callable[[SourceText], str]) -> bool:
    if project in (folder, label_of(folder)):
        return True
    if not isinstance(project, str) or not isinstance(folder, str):
        return False
    place = folder.rstrip("/\\")
    return bool(project) and project.rstrip("/\\") in (place, _SEPARATOR.split(place)[-1])
