"""A checked exhibit, as whoever acts on it is given it, and what is said of the check.

- What the check was tested against is digests: of a file of allowed signers, of certificates.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from agentaudit.export.document import AttestedBy, CheckMade
from agentaudit.model.verdict import TestedAgainst, Verdict

NOTHING_GIVEN = TestedAgainst()


@dataclass(frozen=True, slots=True)
class Checked:
    """An exhibit, the verdict that was just reached on it, and what the check was given to judge its seal by."""

    path: Path
    verdict: Verdict
    tested: TestedAgainst = NOTHING_GIVEN


def check_made(one: Checked, *, names: bool) -> CheckMade:
    """The check in the words of an export."""
    verdict = one.verdict
    return CheckMade(
        integrity=verdict.integrity,
        outcome=verdict.outcome,
        authenticity=verdict.authenticity,
        attested=attested_by(one, names=names),
        codes=verdict.codes,
        findings=verdict.findings,
        not_checked=verdict.not_checked,
    )


def attested_by(one: Checked, *, names: bool) -> AttestedBy:
    """Who attests the seal; the names under which signers are allowed only when names are shown."""
    signatures = one.verdict.signatures
    if not names:
        signatures = tuple(msgspec.structs.replace(signature, principals=()) for signature in signatures)
    return AttestedBy(
        tested=one.tested,
        signatures=signatures,
        stamps=one.verdict.stamps,
        existed_by=one.verdict.existed_by,
    )
