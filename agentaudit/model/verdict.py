"""What a verification answers: integrity, outcome and authenticity, three answers that are never mixed.

- Integrity is `faults` when any finding is an error; warnings and notes leave it `intact`.
- `outcome` is what the exhibit itself states; None when that could not be read.
- What was not checked, and why, is part of the answer.
- Authenticity is the best that any signature gives; a time stamp says when, beside it. Neither touches integrity.
"""

from typing import Literal

from agentaudit.model.actors import EndpointClass
from agentaudit.model.attestation import SignatureSeen, StampSeen
from agentaudit.model.base import Digest, Frozen, Instant
from agentaudit.model.finding import Finding
from agentaudit.model.journal import Counts, Outcome

Integrity = Literal["intact", "faults"]
Authenticity = Literal["unsigned", "not_checked", "invalid", "unknown_key", "signed"]
Part = Literal["journal", "folds", "walks", "readings", "facts", "losses", "attestations", "exhibits", "seals"]


class NotChecked(Frozen, frozen=True, kw_only=True):
    """One part of the check that was left out, and the reason."""

    part: Part
    reason: str


class TestedAgainst(Frozen, frozen=True, kw_only=True):
    """What a check was given to judge a seal by; nothing of it lay in or beside the package.

    `noted_seal`: the seal as somebody noted it was given, and compared. `allowed_signers` is the digest of the file of
    allowed signers, `authorities` are those of the certificates of time-stamping authorities, in the order given.
    """

    noted_seal: bool = False
    allowed_signers: Digest | None = None
    authorities: tuple[Digest, ...] = ()


class Verdict(Frozen, frozen=True, kw_only=True):
    """The verdict on one exhibit. `codes` counts every finding; `findings` holds at most the first of each code.

    `seal` is the digest of the tag manifest as it lies there, None when there is none. `existed_by` is the earliest
    instant by which, as an authority that was named says, the seal existed; None when none says so.
    """

    result: Literal["verdict"] = "verdict"
    exhibit: str
    case: str | None
    integrity: Integrity
    outcome: Outcome | None
    authenticity: Authenticity
    endpoint_class: EndpointClass | None
    seal: Digest | None
    adapter: str | None
    counts: Counts | None
    findings: tuple[Finding, ...]
    codes: tuple[tuple[str, int], ...]
    not_checked: tuple[NotChecked, ...]
    signatures: tuple[SignatureSeen, ...] = ()
    stamps: tuple[StampSeen, ...] = ()
    existed_by: Instant | None = None


class CaseVerdict(Frozen, frozen=True, kw_only=True):
    """The verdict on a case: its custody log and folder, then each sealed exhibit by number.

    `integrity` is `faults` when the case or any of its exhibits has them; `findings` are those of the case alone.
    """

    result: Literal["case_verdict"] = "case_verdict"
    case: str | None
    integrity: Integrity
    custody_head: Digest | None
    partial: tuple[str, ...]
    exhibits: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    codes: tuple[tuple[str, int], ...]
    not_checked: tuple[NotChecked, ...]
