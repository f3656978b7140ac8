"""The third answer: who attests the seal, and since when it exists at the latest. It never touches integrity.

- A witness is handed in by whoever asks: it alone knows whom to trust, and runs the tools.
- The answer is the best that any signature gives; a bad one beside a good one is a finding and no more.
- A stamp over a signature says when the seal existed only if that signature is over this very seal.
"""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Protocol

from agentaudit.format import layout
from agentaudit.model.attestation import Attested, SignatureSeen, SignatureState, StampSeen, StampState
from agentaudit.model.base import Instant, instant_of, moment_of
from agentaudit.model.verdict import Authenticity
from agentaudit.package.check import Row
from agentaudit.package.tree import Tree

_OF_SIGNATURE: dict[SignatureState, str] = {
    "invalid": "S004",
    "other_namespace": "S005",
    "not_allowed": "S006",
    "key_not_named": "S007",
}
_OF_STAMP: dict[StampState, str] = {
    "over_something_else": "S008",
    "invalid": "S009",
    "other_authority": "S010",
    "not_valid_then": "S011",
    "authority_not_named": "S012",
}


class Witness(Protocol):
    """Who is asked what the attestations of a seal are worth."""

    def attested(self, tree: Tree, names: Sequence[str]) -> Attested:
        """What the files of these names, at the top of the tree, are worth."""
        ...


class NoWitness:
    """Nobody was named: nothing is opened, and that is said."""

    def attested(self, tree: Tree, names: Sequence[str]) -> Attested:
        """Everything is left out."""
        del tree
        return Attested(left_out=tuple(names), reasons=("this check was not given a witness",) if names else ())


def authenticity(attested: Attested) -> Authenticity:
    """The best that any signature gives."""
    states = {one.state for one in attested.signatures}
    if "trusted" in states:
        return "signed"
    if any(one.holds for one in attested.signatures):
        return "unknown_key"
    if "not_checked" in states or any(name.endswith(".sig") for name in attested.left_out):
        return "not_checked"
    return "invalid" if states else "unsigned"


def existed_by(attested: Attested) -> Instant | None:
    """The earliest instant by which the seal existed, as a named authority says; its accuracy is added."""
    holding = {one.number for one in attested.signatures if one.holds}
    moments = [
        moment_of(one.stamped_at) + timedelta(milliseconds=one.accuracy_ms or 0)
        for one in attested.stamps
        if one.state == "trusted" and one.stamped_at and (one.signature is None or one.signature in holding)
    ]
    return instant_of(min(moments)) if moments else None


def check_attested(attested: Attested) -> Iterator[Row]:
    """The findings: code, subject, detail."""
    if not attested.signatures and not any(name.endswith(".sig") for name in attested.left_out):
        yield "S002", layout.TAG_MANIFEST, ""
    if attested.reasons:
        yield "S003", layout.TAG_MANIFEST, "; ".join(attested.reasons)
    for signature in attested.signatures:
        if signature.state in _OF_SIGNATURE:
            yield _OF_SIGNATURE[signature.state], signature.file, _signed_by(signature)
    for stamp in attested.stamps:
        if stamp.state in _OF_STAMP:
            yield _OF_STAMP[stamp.state], stamp.file, _stamped_by(stamp)
        if not stamp.chain_fits:
            yield "S013", stamp.file, ""
    for name in attested.strays:
        yield "S013", name, "its time stamp is gone"


def _signed_by(one: SignatureSeen) -> str:
    return f"{one.key_type or ''} {one.fingerprint or ''}".strip()


def _stamped_by(one: StampSeen) -> str:
    return f"{one.stamped_at} by {one.authority or 'an authority that it does not name'}" if one.stamped_at else ""
