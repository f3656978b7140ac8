"""The case and its custody log (evidence format, section 1).

- The log is append-only and hash-chained; row 1 is `opened` and holds the digest of case.json.
- Exhibit numbers are never reused.
"""

from typing import Literal

from agentaudit.model.actors import Actors
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.journal import CustodyHead, Outcome
from agentaudit.model.selection import Selection

HandlingAct = Literal["transferred", "received", "copied", "opened", "returned", "disposed", "noted"]


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


class Signed(CustodyRow, frozen=True, kw_only=True, tag="signed"):
    """A signature over a seal was made and kept: in which file with which digest, by the key of which fingerprint."""

    exhibit: str
    seal: Digest
    file: str
    sha256: Digest
    fingerprint: str
    key_type: str


class Stamped(CustodyRow, frozen=True, kw_only=True, tag="stamped"):
    """A time stamp was kept, with the certificates that it came with.

    `stamped_at` is the authority's clock; `asked` is where it was asked, empty when the answer was brought by hand.
    """

    exhibit: str
    seal: Digest
    file: str
    sha256: Digest
    chain_sha256: Digest
    signature: int | None
    stamped_at: Instant
    authority: str
    certificate: Digest
    serial: str
    asked: str


class Subject(Frozen, frozen=True, kw_only=True):
    """An exhibit that an act was about, and its seal; None when nobody stated it."""

    exhibit: str
    seal: Digest | None


class Cited(Frozen, frozen=True, kw_only=True):
    """The row at which another case's chain ended when something came from it; what was not stated is None."""

    case: str | None
    seq: int | None
    head: Digest


class HeadFile(Frozen, frozen=True, kw_only=True):
    """custody-head.json of an export: the last row of the custody log that the export knew."""

    format: Literal["agentaudit-head/1"]
    case: str
    head: CustodyHead


class Handled(CustodyRow, frozen=True, kw_only=True, tag="handled"):
    """What people did with exhibits, or with the whole case when no subject is named.

    `happened_at` is what people say of the time, None when they say nothing; `at` is when the row was written.
    """

    act: HandlingAct
    subjects: tuple[Subject, ...]
    giver: str = ""
    receiver: str = ""
    medium: str = ""
    place: str = ""
    happened_at: Instant | None = None
    cites: Cited | None = None


class Exported(CustodyRow, frozen=True, kw_only=True, tag="exported"):
    """The manifest of exhibits was exported: of which, in which formats, on which head of this log.

    `head` is the row that the export names as the last one; this row comes after it. `listing` is the SHA-256 of the
    export's sha256sums.txt, which lists every file of it; `report` its folder in `reports`, None when it was
    written elsewhere.
    """

    subjects: tuple[Subject, ...]
    formats: tuple[str, ...]
    names_shown: bool
    head: CustodyHead
    listing: Digest
    report: str | None


class Transcribed(CustodyRow, frozen=True, kw_only=True, tag="transcribed"):
    """A working copy of one session, with its content, was made; `listing` stands for the bytes of its folder.

    `session` is the session's key, never its id. `report` is its folder in the case, None elsewhere.
    """

    exhibit: str
    seal: Digest
    session: str
    formats: tuple[str, ...]
    head: CustodyHead
    listing: Digest
    report: str | None


class Extracted(CustodyRow, frozen=True, kw_only=True, tag="extracted"):
    """One session was taken out for a hand-over; `extract` is the digest of the extract.json, which lists its files.

    `session` is the session's key, never its id.
    """

    exhibit: str
    seal: Digest
    session: str
    files: int
    bytes: int
    head: CustodyHead
    extract: Digest


CustodyEvent = (
    CaseOpened
    | ExhibitBegun
    | ExhibitResumed
    | ExhibitSealed
    | SealedFound
    | TornFound
    | Verified
    | Signed
    | Stamped
    | Handled
    | Exported
    | Transcribed
    | Extracted
)
