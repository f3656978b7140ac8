"""Who attests a seal, in sentences: the answer, each signature and stamp, and what they were tested against.

- The same words in every document. Where nobody was named, or no seal was given, that is said.
- Words of a certificate were made printable when it was read.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from agentaudit.export.document import AttestedBy
from agentaudit.export.sentences import AUTHENTICITY
from agentaudit.export.words import sentence
from agentaudit.model.attestation import SignatureSeen, SignatureState, StampSeen, StampState
from agentaudit.model.verdict import TestedAgainst

_SIGNATURES: Mapping[SignatureState, str] = MappingProxyType({
    "trusted": "holds; its key was named as trusted",
    "not_allowed": "holds; its key is not among the allowed signers",
    "key_not_named": "holds; nobody was named, so whose key it is was not asked",
    "other_namespace": "was made for another purpose",
    "invalid": "does not hold",
    "not_checked": "was not checked",
})  # fmt: skip
_STAMPS: Mapping[StampState, str] = MappingProxyType({
    "trusted": "holds; its authority was named as trusted",
    "not_valid_then": "its authority was not valid at that time",
    "other_authority": "leads to no authority that was named",
    "authority_not_named": "no authority was named, so whose it is was not asked",
    "over_something_else": "is over something else",
    "invalid": "does not hold",
    "not_checked": "was not checked",
})  # fmt: skip


def attested_words(authenticity: str, by: AttestedBy) -> tuple[str, ...]:
    """The answer first, then what it rests on, then what it was tested against."""
    return (
        sentence(AUTHENTICITY, authenticity),
        *(_signature(one) for one in by.signatures),
        *(_stamp(one) for one in by.stamps),
        *((f"By a named authority's clock the seal existed by {by.existed_by}.",) if by.existed_by else ()),
        *_tested(by.tested),
    )


def _signature(one: SignatureSeen) -> str:
    key = f", key {one.fingerprint}" if one.fingerprint else ""
    names = f", allowed as {', '.join(one.principals)}" if one.principals else ""
    return f"Signature {one.number}{key}{names}: {_SIGNATURES[one.state]}."


def _stamp(one: StampSeen) -> str:
    over = "the seal's file" if one.signature is None else f"signature {one.signature}"
    told = f", {one.stamped_at} by {one.authority or 'an authority that it does not name'}" if one.stamped_at else ""
    return f"Time stamp {one.number} over {over}{told}: {_STAMPS[one.state]}."


def _tested(given: TestedAgainst) -> Iterator[str]:
    yield (
        "Tested against the seal as it was noted: it is this one."
        if given.noted_seal
        else "No noted seal was given to this check: none was compared."
    )
    yield (
        f"Tested against a file of allowed signers, {given.allowed_signers}."
        if given.allowed_signers is not None
        else "No allowed signers were given to this check: it could trust no signature."
    )
    yield (
        f"Tested against certificates of time-stamping authorities: {', '.join(given.authorities)}."
        if given.authorities
        else "No time-stamping authority was given to this check: it could trust no time stamp."
    )
