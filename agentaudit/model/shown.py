"""What `show` tells of a case or an exhibit, as values: counts, times and our own words.

- Ids, people and paths of the source are counted or labelled; where a true name may stand it is null unless asked for.
"""

from typing import Literal, TypeAlias

from agentaudit.model.actors import Actors, EndpointClass
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.custody import CaseFile
from agentaudit.model.journal import Counts, Outcome
from agentaudit.model.limits import ByteLimits
from agentaudit.model.text import SourceText


class SelectionShown(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="compliance_sessions"):
    """What was asked for, as numbers and times: ids and people are counted, not named."""

    families: tuple[str, ...]
    window_kind: Literal["activity", "creation", "none"]
    begins: Instant | None
    ends: Instant | None
    sessions: int
    users: int
    surfaces: tuple[str, ...]
    organizations: int
    list_only: bool
    reviewed: str | None


class BundlesShown(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="local_bundles"):
    """What was asked for of a local store, as numbers and our own words: roots, ids and projects are counted."""

    agent: str
    roots: int
    sessions: int
    projects: int
    everything: bool
    excluded: tuple[str, ...]
    included: tuple[str, ...]


class SiblingShown(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="sibling"):
    """What was asked for of any other source, as its selection tells it, and the command that goes on with it."""

    command: str
    asked: tuple[tuple[str, str], ...]


AnyAsked: TypeAlias = SelectionShown | BundlesShown | SiblingShown


class StreamShown(Frozen, frozen=True, kw_only=True):
    """One stream: how much of it was read, its own times, what its checks found.

    `name` is there only where names were asked for; `findings` are codes with their counts.
    """

    stream: str
    kind: str
    within: str | None
    form: str | None
    name: SourceText | None
    events: int
    first_at: str | None
    last_at: str | None
    counts: tuple[tuple[str, int], ...]
    findings: tuple[tuple[str, int], ...]


class RootShown(Frozen, frozen=True, kw_only=True):
    """A root of a local store: its path as a label, and as it is only where names were asked for."""

    root: str
    label: str
    path: SourceText | None
    found: str
    file_system: str | None
    read_only: bool | None
    access_times_kept: bool | None


class ExhibitShown(Frozen, frozen=True, kw_only=True):
    """One exhibit: `counts` of a partial one are those of its journal so far, without sessions and messages.

    A `missing` exhibit stands in the custody log and not in the folder; an `unreadable` one says nothing.
    """

    exhibit: str
    state: Literal["sealed", "partial", "missing", "unreadable"]
    seal: Digest | None = None
    source: str | None = None
    endpoint_class: EndpointClass | None = None
    begun_at: Instant | None = None
    ended_at: Instant | None = None
    actors: Actors | None = None
    selection: AnyAsked | None = None
    roots: tuple[RootShown, ...] = ()
    limits: ByteLimits | None = None
    resumed: int = 0
    outcome: Outcome | None = None
    counts: Counts | None = None


class CaseShown(Frozen, frozen=True, kw_only=True):
    """A case: its file, the rows of its custody log, its exhibits by number."""

    case: CaseFile
    custody_rows: int
    exhibits: tuple[ExhibitShown, ...]
