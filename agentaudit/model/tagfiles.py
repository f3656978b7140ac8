"""The rows of an exhibit's tag files other than the journal (evidence format, section 2).

- `items`, `walks` and `gaps` are folds of the journal; `sessions`, `records` and `truncations` are readings.
- What a source says stands under a key `source`: a value, null, or absent.
- No row holds content.
"""

from typing import Literal

from agentaudit.model.actors import Actors, EndpointClass, Host, Network, Tool
from agentaudit.model.base import UNSET, Digest, Frozen, Instant, Unset
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import FramingFacts, StreamFault
from agentaudit.model.journal import Counts, CustodyHead, Outcome, WalkKind, WalkReason
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.local import Change, FileState, Root
from agentaudit.model.selection import Selection
from agentaudit.model.text import SourceText


class ItemProvenance(Frozen, frozen=True, kw_only=True, tag_field="of", tag="answer"):
    """The way back to the answer that an item was: the journal row and its walk, page and ask."""

    row: int
    walk: str
    page: int
    ask: int
    request_id: str | None
    received_at: Instant


class FileProvenance(Frozen, frozen=True, kw_only=True, tag_field="of", tag="file"):
    """The way back to the local file that an item was copied from: the journal row, its entry, what it was.

    `moved_to` is the path below the root at which it was found, where it had left that of its entry.
    """

    row: int
    survey: int
    root: str
    entry: int
    kept_at: Instant
    before: FileState
    change: Change
    moved_to: SourceText | Unset = UNSET


class FileFacts(Frozen, frozen=True, kw_only=True):
    """What one read of a local file gave beside its bytes; `media_type_from` says what the media type rests on."""

    role: str
    session: str | None
    media_type_from: Literal["role"] | None
    framing: FramingFacts | None
    transcript: TranscriptFacts | None
    rollout: RolloutFacts | None = None
    stream_fault: StreamFault | None = None


class ItemRow(Frozen, frozen=True, kw_only=True):
    """One payload file (EvidenceItem)."""

    path: str
    bytes: int
    sha256: Digest
    role: Literal["answer", "refusal", "preserved", "attribute", "set_aside"]
    media_type: str | None
    content_encoding: str | None
    provenance: ItemProvenance | FileProvenance | None
    facts: FileFacts | None = None


class WalkRow(Frozen, frozen=True, kw_only=True):
    """One walk: what was asked, every cursor in order (null on the first page), how it ended."""

    walk: str
    kind: WalkKind
    session: str | None
    parameters: tuple[tuple[str, str], ...]
    limits: ByteLimits | None
    cursors: tuple[str | None, ...]
    pages: int
    records: int | None
    ended: WalkReason | None


class ClockComparison(Frozen, frozen=True, kw_only=True):
    """Server time minus ours over all answers: extremes and median in ms, and the widest bound."""

    answers: int
    offset_min_ms: int
    offset_median_ms: int
    offset_max_ms: int
    bound_max_ms: int


class PackageFile(Frozen, frozen=True, kw_only=True):
    """package.json: what this exhibit is. Everything in it is a fold of the journal."""

    format: Literal["agentaudit-package/1"]
    case: str
    exhibit: str
    source: str
    adapter: str
    endpoint_class: EndpointClass
    selection: Selection
    limits: ByteLimits | None
    read_limits: ReadLimits | None
    actors: Actors
    tool: Tool
    host: Host
    network: Network | None
    custody_head: CustodyHead
    begun_at: Instant
    ended_at: Instant
    resumed: int
    outcome: Outcome
    counts: Counts
    clock: ClockComparison | None
    roots: tuple[Root, ...] = ()


class CoverageLimit(Frozen, frozen=True, kw_only=True):
    """One coded limit of what this kind of exhibit can show; `values` narrow it to this exhibit."""

    code: str
    statement: str
    values: tuple[tuple[str, str], ...] = ()


class CoverageFile(Frozen, frozen=True, kw_only=True):
    """coverage.json: what this kind of source can never contain, how far the key reached, what is provisional."""

    absence_proves_nothing: bool
    limits: tuple[CoverageLimit, ...]
