"""The case and its custody log (evidence format, section 1).

- The log is append-only and hash-chained; row 1 is `opened` and holds the digest of case.json.
- Exhibit numbers are never reused.
"""

from typing import Literal

from agentaudit.model.actors import Actors
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.journal import Outcome
from agentaudit.model.selection import Selection


class CaseFile(Frozen, frozen=True, kw_only=True):
    """case.json: the investigation. `handling` is the handling class that its people gave it."""

    format: Literal["agentaudit-case/1"]
    number: str
    title: str
    opened_at: Instant
    examiner: str
    authority: str
    handling: str


class CustodyRow(Frozen, frozen=True, kw_only=True, tag_field="event"):
    """One act on the case: `seq` from 1 without holes, `prev` the SHA-256 of the previous line with its LF."""

    actors: Actors
    host: str
    user: str
    tool: str
    seq: int = 0
    at: Instant = Instant("")
    prev: str = ""


class CaseOpened(CustodyRow, frozen=True, kw_only=True, tag="opened"):
    """The case begins."""

    case_digest: Digest


class ExhibitBegun(CustodyRow, frozen=True, kw_only=True, tag="began"):
    """An exhibit begins, before its source is asked for anything."""

    exhibit: str
    source: str
    selection: Selection


class ExhibitResumed(CustodyRow, frozen=True, kw_only=True, tag="resumed"):
    """An interrupted exhibit goes on, or is closed as it stands."""

    exhibit: str
    purpose: Literal["resume", "seal"]


class ExhibitSealed(CustodyRow, frozen=True, kw_only=True, tag="sealed"):
    """An exhibit is sealed."""

    exhibit: str
    seal: Digest
    outcome: Outcome


class SealedFound(CustodyRow, frozen=True, kw_only=True, tag="sealed_found"):
    """A sealed exhibit without its row was found: the run ended between the rename and the row."""

    exhibit: str
    seal: Digest


class TornFound(CustodyRow, frozen=True, kw_only=True, tag="torn_found"):
    """Bytes behind the last whole row were found: a row whose writing was cut short and never counted."""

    bytes: int
    sha256: Digest


class Verified(CustodyRow, frozen=True, kw_only=True, tag="verified"):
    """A check was made and recorded: the three answers and the codes of the findings."""

    subject: str
    seal: Digest | None
    integrity: Literal["intact", "faults", "not_sealed"]
    outcome: Outcome | None
    authenticity: str
    findings: tuple[tuple[str, int], ...]


CustodyEvent = CaseOpened | ExhibitBegun | ExhibitResumed | ExhibitSealed | SealedFound | TornFound | Verified
