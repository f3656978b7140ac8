"""A selection, resolved against the stores that were found."""

from dataclasses import dataclass

from agentaudit.model.text import SourceText


@dataclass(frozen=True, slots=True)
class Choice:
    """What was selected, resolved: ids and project folders as the paths of the survey write them.

    `sessions` were named, and count in every root and project folder. `projects` count with all they hold, and
    `theirs` are the sessions of these, which stores outside the project folder know by id alone. `touched` are the
    project folders that hold a named session.
    """

    everything: bool = False
    sessions: frozenset[SourceText] = frozenset()
    projects: frozenset[SourceText] = frozenset()
    theirs: frozenset[SourceText] = frozenset()
    touched: frozenset[SourceText] = frozenset()
    included: frozenset[str] = frozenset()
    excluded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice, and what the selection named that no store knows."""

    choice: Choice
    missing_sessions: tuple[str, ...]
    missing_projects: tuple[SourceText, ...]
