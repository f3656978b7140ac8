"""What a copy says beside its messages: where it comes from, what it lacks, what it cannot show.

- There is no moment of making in here: the same exhibit gives the same bytes.
- `attention` heads the copy when its source was not the vendor's.
"""

from typing import Literal

from agentaudit.export.document import AttestedBy
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Gap
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.tagfiles import CoverageLimit
from agentaudit.model.text import SourceText
from agentaudit.model.workingcopy import Piece, Standing, Way

STATEMENT = (
    "Working copy for reading. Not evidence: the evidence is the sealed exhibit, to which every message and block "
    "leads back."
)


class PartTold(Frozen, frozen=True, kw_only=True):
    """One payload file that the copy was drawn from."""

    item: str
    bytes: int
    sha256: Digest
    request_id: str | None
    received_at: Instant | None
    row: int | None


class Totals(Frozen, frozen=True, kw_only=True):
    """How much is in the copy. Repeated messages count as such and as nothing else.

    `types` counts the messages that are records of another kind (calls, events, states) by their type.
    """

    messages: int
    repeated: int
    not_read: int
    standings: tuple[tuple[Standing, int], ...]
    blocks: tuple[tuple[str, int], ...]
    joins: tuple[tuple[str, int], ...]
    clips: tuple[tuple[str, int], ...]
    asides: tuple[tuple[SourceText, int], ...]
    types: tuple[tuple[SourceText, int], ...] = ()


class Head(Piece, frozen=True, kw_only=True, tag="head"):
    """The first line of a copy.

    `session` is the row of the exhibit's sessions.jsonl; `gaps` are all those that name the session; `read_by` is the
    reader of content, `adapter` the one that made the exhibit's readings. `attested` says who attests the seal, and
    what that was tested against.
    """

    format: Literal["agentaudit-working-copy/1"] = "agentaudit-working-copy/1"
    statement: str = STATEMENT
    attention: str | None
    case: str
    exhibit: str
    seal: Digest
    endpoint_class: str
    adapter: str
    read_by: str
    made_by: str
    integrity: str
    authenticity: str
    attested: AttestedBy
    session: AnySession
    limits: ByteLimits | None
    totals: Totals
    gaps: tuple[Gap, ...]
    parts: tuple[PartTold, ...]
    coverage: tuple[CoverageLimit, ...]
    cannot_show: tuple[str, ...]


class Loss(Piece, frozen=True, kw_only=True, tag="loss"):
    """A page, or the end of a walk, that is known not to be here, in its place between the messages.

    `way` leads to the answer that was kept instead, where one was.
    """

    gap: Gap
    way: Way | None
