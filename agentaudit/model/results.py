"""What a command ends with, as `--json` prints it; each result is one frozen document."""

from typing import Literal

from agentaudit.model.base import Digest, Frozen
from agentaudit.model.framing import FaultClass
from agentaudit.model.journal import Counts, Outcome
from agentaudit.model.local import Change
from agentaudit.model.losses import GapCode, GapKind
from agentaudit.model.storejournal import IndexCount, InstalledRelease
from agentaudit.model.text import SourceText


class GapTotal(Frozen, frozen=True, kw_only=True):
    """How many things are missing for one reason; `count` sums the gaps' own counts."""

    kind: GapKind
    code: GapCode
    count: int


class Preserved(Frozen, frozen=True, kw_only=True):
    """What an exhibit holds of local files: copies, lines of those that were framed, and what changed meanwhile.

    `framing` counts lines with findings by class, `changes` reads by what became of their file while it was read;
    each read of a file counts.
    """

    files: int
    framed: int
    lines: int
    framing: tuple[tuple[FaultClass, int], ...]
    changes: tuple[tuple[Change, int], ...]


class Streams(Frozen, frozen=True, kw_only=True):
    """What is here of a sibling source: streams, events, and findings by code with their counts."""

    streams: int
    events: int
    findings: tuple[tuple[str, int], ...]


class SealedResult(Frozen, frozen=True, kw_only=True):
    """An exhibit was sealed: by `collect-sessions`, its `--resume`, or `seal`.

    `session_outcomes` counts kept sessions by outcome. `seal` commits to every byte (FORMAT.md, section 2). `preserved`
    is null unless files were preserved, `streams` unless the source holds events.
    """

    result: Literal["sealed"] = "sealed"
    case: str
    exhibit: str
    path: str
    endpoint_class: str
    seal: Digest
    outcome: Outcome
    counts: Counts
    gaps: tuple[GapTotal, ...]
    session_outcomes: tuple[tuple[Outcome, int], ...]
    warnings: tuple[str, ...]
    preserved: Preserved | None = None
    streams: Streams | None = None


class SurveyedSession(Frozen, frozen=True, kw_only=True):
    """One session bundle of a survey: labels stand for names unless names were asked for.

    `preserved_files` and `preserved_bytes` are what would be copied; `left_out` counts entries by rule.
    """

    session: str
    root: str
    project: SourceText | None
    id: SourceText
    transcript: str
    bytes: int
    modified_at: str | None
    subagents: int
    spilled_results: int
    preserved_files: int
    preserved_bytes: int
    left_out: tuple[tuple[str, int], ...]
    running: tuple[int, ...]
    also_in: tuple[str, ...]


class SurveyedRoot(Frozen, frozen=True, kw_only=True):
    """One root of a survey: how it was found, its file system, and how many entries lie under it."""

    root: str
    path: SourceText
    found: str
    file_system: str | None
    read_only: bool | None
    access_times_kept: bool | None
    entries: int | None


class SurveyResult(Frozen, frozen=True, kw_only=True):
    """A dry run of `preserve-local-bundle`: what is there, what would be copied, what stays out by which rule.

    `bytes` are the sizes of what would be copied; `room_bytes` what they take on a disk, where holes take none.
    `switches`, `indexes` and `installed` are what a few files and names of the store say of it.
    """

    result: Literal["survey"] = "survey"
    agent: str
    roots: tuple[SurveyedRoot, ...]
    sessions: tuple[SurveyedSession, ...]
    files: int
    bytes: int
    left_out: tuple[tuple[str, int], ...]
    missing_sessions: tuple[str, ...]
    missing_projects: tuple[SourceText, ...]
    absent_roots: tuple[SourceText, ...]
    history_sessions_without_transcript: int
    switches: tuple[tuple[str, str, str], ...]
    room_bytes: int = 0
    indexes: tuple[IndexCount, ...] = ()
    installed: tuple[InstalledRelease, ...] = ()
