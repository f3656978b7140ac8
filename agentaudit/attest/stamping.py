"""Time-stamping a seal: a request over the tag manifest or over a signature, and keeping the answer to it.

- A token is kept only if it is granted, is over these very bytes, brings its certificate, and holds by it.
- With authorities named it is kept only if it leads to one of them.
- The way by hand: the request is written to a file, and the answer, brought back, is checked like any other.
"""

import secrets
from dataclasses import dataclass

from agentaudit.adapters.rfc3161 import Token, request
from agentaudit.attest.check import stamp_seen
from agentaudit.attest.stamps import judge_stamp, pem_chain
from agentaudit.attest.stock import Stock
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.format.attestations import Mark, signature_name
from agentaudit.format.codes import printable
from agentaudit.model.attestation import StampSeen, StampState
from agentaudit.model.base import digest_of, instant_of
from agentaudit.model.custody import Stamped
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import Laid, SealedFolder, lay
from agentaudit.package.case import Hand

NONCE_BITS = 63

_REFUSED: dict[StampState, str] = {
    "invalid": "it is no granted time stamp, or its signature does not hold",
    "over_something_else": "it is over something else than this",
    "other_authority": "its authority is none of those that were named, or may not stamp",
    "not_valid_then": "its authority's certificate was not valid at the time that it states",
    "not_checked": "no openssl was found that could check it",
}


@dataclass(frozen=True, slots=True)
class StampedSeal:
    """A time stamp that was kept: its file and what it says, and the head of the custody log after its row."""

    seen: StampSeen
    head: CustodyHead


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be stamped: the seal of an exhibit, or its signature of that number."""

    sealed: SealedFolder
    signature: int | None
    octets: bytes


def target_of(sealed: SealedFolder, signature: int | None) -> Target:
    """The bytes that a stamp will be over; UsageFault (2) when there is no signature of that number."""
    if signature is None:
        return Target(sealed, None, sealed.manifest)
    octets = sealed.read(signature_name(signature))
    if octets is None:
        raise UsageFault(f"{sealed.name} has no signature {signature}", "sign it first: agentaudit sign")
    return Target(sealed, signature, octets)


def new_request(target: Target) -> tuple[bytes, int]:
    """A request over the target, and the nonce in it."""
    nonce = secrets.randbits(NONCE_BITS)
    return request(target.octets, nonce), nonce


@dataclass(frozen=True, slots=True)
class Answer:
    """What an authority answered: where it was asked (empty: by hand), and the nonce that it was asked with."""

    octets: bytes
    asked: str = ""
    nonce: int | None = None


def keep_stamp(target: Target, answer: Answer, authorities: bytes | None, hand: Hand, stock: Stock) -> StampedSeal:
    """Check the answer, lay the token and its certificates beside the seal, and tell the custody log.

    Raises SourceRefused (5) for an answer of an authority that is not kept, UsageFault (2) for one brought by hand.
    """
    judged = judge_stamp(answer.octets, target.octets, authorities, stock)
    token = judged.token
    if token is None or judged.state in _REFUSED:
        raise _refusal(answer, _REFUSED[judged.state])
    if answer.nonce is not None and token.nonce != answer.nonce:
        raise _refusal(answer, "it does not repeat the nonce of the request")
    laid = Laid("stamp", answer.octets, target.signature, pem_chain(token))
    lies = lay(target.sealed, laid, lambda name: _row(target, answer, name, token, hand), hand)
    seen = stamp_seen(Mark("stamp", lies.number, target.signature), lies.file, judged, laid.chain)
    return StampedSeal(seen, lies.head)


def _refusal(answer: Answer, why: str) -> SourceRefused | UsageFault:
    if answer.asked:
        return SourceRefused(f"the answer of the authority was not kept: {why}", "ask it again, or ask another")
    return UsageFault(f"the answer was not kept: {why}", "ask for one with the request that --request-only wrote")


def _row(target: Target, answer: Answer, file: str, token: Token, hand: Hand) -> Stamped:
    signer = token.signer or b""
    return Stamped(
        actors=hand.actors,
        host=hand.host.node,
        user=hand.host.user,
        tool=hand.program,
        exhibit=target.sealed.name,
        seal=target.sealed.seal,
        file=file,
        sha256=digest_of(answer.octets),
        chain_sha256=digest_of(pem_chain(token)),
        signature=target.signature,
        stamped_at=instant_of(token.stamped_at),
        authority=printable(token.authority),
        certificate=digest_of(signer),
        serial=str(token.serial),
        asked=answer.asked,
    )
