"""What a selection means in the stores that were found: which sessions, which project folders.

- The name of a project folder is never decoded; a path that a user names is encoded forward, by every rule that
  releases are known to have used (local reference, section 1.3), and compared.
- What was named and is nowhere is said, never passed over.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final

from agentaudit.adapters.claude_code.roles import Placed
from agentaudit.adapters.stores.choice import Choice, Chosen
from agentaudit.model.local import true_name
from agentaudit.model.selection import BundleSelection
from agentaudit.model.text import SourceText

NAME_MAX: Final = 200

_RULES: Final = (re.compile(r"[^A-Za-z0-9]"), re.compile(r"[/.\\:]"), re.compile(r"/"))
_DRIVE: Final = re.compile(r"[A-Za-z]:[\\/]")


def choose(selection: BundleSelection, places: Iterable[Placed], label_of: Callable[[SourceText], str]) -> Chosen:
    """The selection over all places of the survey; `label_of` gives the label that a survey shows for a folder."""
    known = [placed for placed in places if placed.session is not None or placed.project is not None]
    folders = {placed.project for placed in known if placed.project is not None}
    named = {name: {folder for folder in folders if _names(name, folder, label_of)} for name in selection.projects}
    projects = frozenset(folder for found in named.values() for folder in found)
    ids = {placed.session for placed in known}
    sessions = frozenset(true_name(session.encode("utf-8", "surrogatepass")) for session in selection.sessions)
    choice = Choice(
        everything=selection.everything,
        sessions=sessions,
        projects=projects,
        theirs=frozenset(p.session for p in known if p.project in projects and p.session is not None),
        touched=frozenset(p.project for p in known if p.session in sessions and p.project is not None),
        included=frozenset(selection.included),
        excluded=frozenset(selection.excluded),
    )
    missing = tuple(session for session in selection.sessions if session not in ids)
    return Chosen(choice, missing, tuple(name for name, found in named.items() if not found))


def _names(name: SourceText, folder: SourceText, label_of: Callable[[SourceText], str]) -> bool:
    """Whether the user's word means this folder: its own name, its label, or a path that encodes to it."""
    if name in (folder, label_of(folder)):
        return True
    return isinstance(name, str) and isinstance(folder, str) and is_folder_of(name, folder)


def is_folder_of(path: str, folder: str) -> bool:
    """Whether a release would have put sessions of the absolute path into the folder.

    A name of more than 200 characters is cut and a hash appended: then the first 200 decide.
    """
    absolute = path.rstrip("/\\") or path
    if not absolute.startswith("/") and not _DRIVE.match(absolute):
        return False
    names = [rule.sub("-", absolute) for rule in _RULES]
    if _DRIVE.match(absolute):
        names, folder = [name.lower() for name in names], folder.lower()
    return any(folder == name or (len(name) > NAME_MAX and folder[:NAME_MAX] == name[:NAME_MAX]) for name in names)
