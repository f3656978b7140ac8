"""extract.json: what was taken out, of which sealed exhibit, what proves each file, and what stayed behind.

- Canonical, like a tag file. There is no moment in it: the same exhibit and custody head give the same bytes.
"""

from typing import Literal

from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.finding import Finding
from agentaudit.model.journal import CustodyHead
from agentaudit.model.limits import ByteLimits
from agentaudit.model.text import SourceText
from agentaudit.model.verdict import Integrity, NotChecked

HOW = "EXTRACT-VERIFY.txt"
ROWS = "rows"

Proof = Literal["tag_manifest", "manifest", "attests", "drawn"]


class ExtractedFile(Frozen, frozen=True, kw_only=True):
    """One file of an extract.

    `proof` says what binds it to the original: a line of its `tag_manifest`, a line of its payload `manifest`; it
    `attests` the tag manifest itself; or nothing does, because this program has `drawn` it up.
    """

    path: str
    bytes: int
    sha256: Digest
    proof: Proof


class LeftBehind(Frozen, frozen=True, kw_only=True):
    """What the original has beyond this extract, in numbers.

    `list_pages` are answers that belong to no session and hold other people's metadata. `package_json` is true when
    that file stayed behind because it names other people or sessions; the journal always stays.
    """

    sessions: int
    payload_files: int
    payload_bytes: int
    list_pages: int
    tag_files: int
    package_json: bool


class ExtractFile(Frozen, frozen=True, kw_only=True):
    """The content of extract.json; `seal` is that of the original. `folders` hold all of the session's payload."""

    format: Literal["agentaudit-extract/1"]
    attention: str | None
    statement: str
    case: str
    exhibit: str
    seal: Digest
    endpoint_class: str
    source: str
    adapter: str
    begun_at: Instant
    ended_at: Instant
    limits: ByteLimits | None
    custody_head: CustodyHead | None
    made_by: str
    session: str
    id: SourceText
    folders: tuple[str, ...]
    files: tuple[ExtractedFile, ...]
    left_behind: LeftBehind


class ExtractVerdict(Frozen, frozen=True, kw_only=True):
    """What a check of an extract answers; `seal` is that of the original, as its tag manifest lies there.

    `attestations` are the files that attest that seal: they are found, and not checked here.
    """

    result: Literal["extract_verdict"] = "extract_verdict"
    exhibit: str | None
    case: str | None
    session: str | None
    endpoint_class: str | None
    integrity: Integrity
    seal: Digest | None
    payload_files: int
    left_behind: LeftBehind | None
    attestations: tuple[str, ...]
    findings: tuple[Finding, ...]
    codes: tuple[tuple[str, int], ...]
    not_checked: tuple[NotChecked, ...]
