"""What an export says of a case and of each exhibit, as frozen values; their types are the schema of manifest.json.

- Facts first, rows after: an `ExhibitPart` is the facts of an exhibit with all its rows.
- There is no moment of export in here: the same exhibits and the same custody head give the same bytes.
- `attention` comes first, in every format, when anything in it did not come from the vendor.
"""

from typing import Literal

from agentaudit.export.lines import (
    EntryLine,
    EventLine,
    Facts,
    GapLine,
    ItemLine,
    SessionLine,
    StreamLine,
    TruncationLine,
    WalkLine,
)
from agentaudit.model.actors import Actors, Host, Tool
from agentaudit.model.attestation import SignatureSeen, StampSeen
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.custody import CaseFile
from agentaudit.model.finding import Finding
from agentaudit.model.journal import Counts, CustodyHead
from agentaudit.model.tagfiles import ClockComparison, CoverageLimit
from agentaudit.model.verdict import NotChecked, TestedAgainst


class AttestedBy(Frozen, frozen=True, kw_only=True):
    """Who attests the seal and since when it exists, as the check found it, and what that was tested against.

    `principals` of a signature are empty unless names are shown.
    """

    tested: TestedAgainst
    signatures: tuple[SignatureSeen, ...]
    stamps: tuple[StampSeen, ...]
    existed_by: Instant | None


class CheckMade(Frozen, frozen=True, kw_only=True):
    """The check that this export was preceded by: its three answers, and the findings as (code, how often)."""

    integrity: str
    outcome: str | None
    authenticity: str
    attested: AttestedBy
    codes: tuple[tuple[str, int], ...]
    findings: tuple[Finding, ...]
    not_checked: tuple[NotChecked, ...]


class ActsMade(Frozen, frozen=True, kw_only=True):
    """The acts of the acquisition, counted from its journal.

    `retried` attempts were made again after `waited_ms` in all; `gave_up` ended without an answer. `resumed` holds
    (instant, purpose, examiner). The command line is empty unless names are shown: it may hold paths.
    """

    rows: int
    answered: int
    retried: int
    gave_up: int
    waited_ms: int
    resumed: tuple[tuple[Instant, str, str], ...]
    certificates: tuple[Digest, ...]
    command_line: tuple[str, ...]


class EntryTotal(Frozen, frozen=True, kw_only=True):
    """The entries of one kind that one rule decided about, in one survey: how many, and their bytes as looked at."""

    survey: int
    decision: str
    rule: str
    kind: str
    entries: int
    bytes: int


class ExhibitFacts(Frozen, frozen=True, kw_only=True):
    """What an exhibit says of itself, and what the check answered.

    `window` is the span of time that was asked for, each end None where it is open or none was asked for.
    `tag_files` are (path, SHA-256) from the tag manifest; `gap_totals` (kind, code, sum of the gaps' counts);
    `session_outcomes` (outcome, sessions). `entry_totals` are empty for a source that has no directory entries.
    """

    exhibit: str
    case: str
    seal: Digest
    attention: str | None
    endpoint_class: str | None
    source: str
    adapter: str
    asked: Facts
    window: tuple[Instant | None, Instant | None]
    limits: Facts
    reach: Facts
    actors: Actors
    tool: Tool
    host: Host
    custody_head: CustodyHead
    begun_at: Instant
    ended_at: Instant
    outcome: str
    counts: Counts
    clock: ClockComparison | None
    acts: ActsMade
    check: CheckMade
    coverage: tuple[CoverageLimit, ...]
    gap_totals: tuple[tuple[str, str, int], ...]
    session_outcomes: tuple[tuple[str, int], ...]
    entry_totals: tuple[EntryTotal, ...]
    tag_files: tuple[tuple[str, Digest], ...]


class ExhibitPart(ExhibitFacts, frozen=True, kw_only=True):
    """An exhibit with its rows, each in the order of its tag file."""

    items: tuple[ItemLine, ...]
    sessions: tuple[SessionLine, ...]
    truncations: tuple[TruncationLine, ...]
    gaps: tuple[GapLine, ...]
    entries: tuple[EntryLine, ...]
    streams: tuple[StreamLine, ...]
    events: tuple[EventLine, ...]
    walks: tuple[WalkLine, ...]


class CustodyLine(Frozen, frozen=True, kw_only=True):
    """One row of the custody log; `sha256` is that of its line, which the next row holds in `prev`."""

    seq: int
    at: Instant
    event: str
    actors: Actors
    host: str
    user: str
    tool: str
    facts: Facts
    prev: str
    sha256: Digest


class ExportFacts(Frozen, frozen=True, kw_only=True):
    """What is exported: the case, the head of its custody log, who renders, whether names are shown.

    Without a case around it an exhibit travels alone: then there is no case file and no head. `left_out` holds
    (exhibit, reason) of those in the case that this export does not tell of.
    """

    attention: tuple[str, ...]
    format: Literal["agentaudit-manifest/1"]
    case: CaseFile | None
    custody_head: CustodyHead | None
    made_by: str
    names_shown: bool
    left_out: tuple[tuple[str, str], ...]


class ManifestFile(ExportFacts, frozen=True, kw_only=True):
    """manifest.json: the whole export as one document."""

    exhibits: tuple[ExhibitPart, ...]
    custody: tuple[CustodyLine, ...]
    certification: tuple[tuple[str, Facts], ...]
    how_to_verify: tuple[str, ...]
    cannot_show: tuple[str, ...]
