"""Signing a seal: an SSH signature over the tag manifest, made by stock `ssh-keygen`, kept and told.

- The bytes go in on standard input and the signature comes out on standard output: agents and hardware keys work.
- Nothing prompts: a key that wants a passphrase has to stand in an agent.
- What came out is checked before it is kept: it is ours by namespace, and it holds over these bytes.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from agentaudit.attest.signatures import judge_signature
from agentaudit.attest.stock import TOUCH_SECONDS, Stock
from agentaudit.errors import UsageFault
from agentaudit.format.attestations import NAMESPACE
from agentaudit.model.attestation import SignatureSeen
from agentaudit.model.base import digest_of
from agentaudit.model.custody import Signed
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import Laid, SealedFolder, lay
from agentaudit.package.case import Hand


@dataclass(frozen=True, slots=True)
class SignedSeal:
    """A signature that was kept: its file and what it says, and the head of the custody log after its row."""

    seen: SignatureSeen
    head: CustodyHead


def sign(sealed: SealedFolder, key: Path, hand: Hand, stock: Stock) -> SignedSeal:
    """Sign the seal with a key: a private key file, or a public one whose private half an agent holds.

    Raises UsageFault (2) when the key is none, is protected, or is refused by its agent.
    """
    if not key.is_file():
        raise UsageFault(
            f"{key} is not a key file", "name a private key, or the public half of one that an agent holds"
        )
    ran = stock.run(
        "ssh-keygen", "-Y", "sign", "-n", NAMESPACE, "-f", str(key), octets=sealed.manifest, seconds=TOUCH_SECONDS
    )
    if not ran.ok:
        raise _refusal(key, ran.err)
    seen = judge_signature(ran.out, sealed.manifest, None, stock, number=1)
    if not seen.holds or seen.fingerprint is None or seen.key_type is None:
        raise UsageFault(f"the signature by {key} does not hold", "try that key with: ssh-keygen -Y sign")
    fingerprint, key_type = seen.fingerprint, seen.key_type

    def row(file: str) -> Signed:
        return Signed(
            actors=hand.actors,
            host=hand.host.node,
            user=hand.host.user,
            tool=hand.program,
            exhibit=sealed.name,
            seal=sealed.seal,
            file=file,
            sha256=digest_of(ran.out),
            fingerprint=fingerprint,
            key_type=key_type,
        )

    lies = lay(sealed, Laid("signature", ran.out), row, hand)
    return SignedSeal(msgspec.structs.replace(seen, file=lies.file, number=lies.number), lies.head)


def _refusal(key: Path, words: bytes) -> UsageFault:
    """What `ssh-keygen` says is not repeated: only whether it wanted a passphrase is taken from it."""
    if b"passphrase" in words:
        return UsageFault(
            f"{key} is protected by a passphrase, and nothing here asks for one",
            f"give it to an agent first: ssh-add {key}",
        )
    return UsageFault(
        f"ssh-keygen could not sign with {key}", f"look at the key: ssh-keygen -l -f {key}; at the agent: ssh-add -l"
    )
