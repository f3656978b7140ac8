"""What an acquisition was asked for: every default resolved, nothing read yet."""

from typing import Literal

from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.text import SourceText

Family = Literal["local", "remote"]

Agent = Literal["claude-code", "codex"]


class Window(Frozen, frozen=True, kw_only=True):
    """A half-open window [begins, ends) in UTC; either end may be open."""

    begins: Instant | None
    ends: Instant | None


class NamedSession(Frozen, frozen=True, kw_only=True):
    """One session asked for by id."""

    family: Family
    id: str


class Reviewed(Frozen, frozen=True, kw_only=True):
    """The earlier exhibit from which sessions were chosen, by number and seal."""

    exhibit: str
    seal: Digest


class SessionSelection(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="compliance_sessions"):
    """Which sessions of the Compliance API: by id, by window, or all; then filters on our side.

    `window_kind` is `activity` (any activity in the window, with reconciliation), `creation` (first retained
    call in the window) or `none`. The filters keep a session when each non-empty one holds its value.
    """

    families: tuple[Family, ...]
    sessions: tuple[NamedSession, ...] = ()
    reviewed: Reviewed | None = None
    window_kind: Literal["activity", "creation", "none"] = "none"
    window: Window | None = None
    users: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    organizations: tuple[str, ...] = ()
    list_only: bool = False
    with_directory: bool = False


class BundleSelection(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="local_bundles"):
    """Which session bundles of a local store: by id, by project, or all; and which categories are left out or let in.

    `projects` holds what the user named: a path, a folder name, or a label of the survey.
    """

    agent: Agent
    roots: tuple[SourceText, ...]
    sessions: tuple[str, ...] = ()
    projects: tuple[SourceText, ...] = ()
    everything: bool = False
    excluded: tuple[str, ...] = ()
    included: tuple[str, ...] = ()


Selection = SessionSelection | BundleSelection
