"""The witness of a check: it reads what lies beside a seal and says what each is worth.

- Files are read through the package's own tree, within limits, and judged in a private folder.
- How many are judged is bounded: anybody can lay files of these names beside a seal.
- What judges is imported with the first file to be judged: most seals have none, and every check would pay for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import Trust
from agentaudit.format import layout
from agentaudit.format.attestations import Mark, chain_name, read_name, signature_name
from agentaudit.format.codes import printable
from agentaudit.model.attestation import Attested, SignatureSeen, StampSeen
from agentaudit.model.base import digest_of, instant_of
from agentaudit.package.tree import Tree

if TYPE_CHECKING:
    from agentaudit.attest.stamps import Judged

JUDGED_MAX = 64
FILE_MAX = 1024 * 1024


@dataclass(frozen=True, slots=True)
class TrustWitness:
    """A witness that trusts whom it was told to trust."""

    trust: Trust
    stock: Stock

    def attested(self, tree: Tree, names: Sequence[str]) -> Attested:
        """What the files of these names are worth; those that are no attestation are passed over."""
        marks = [(mark, name) for name in names if (mark := read_name(name)) is not None]
        judged = sorted(((one, name) for one, name in marks if one.kind != "chain"), key=lambda pair: pair[0].place)
        manifest = _read(tree, layout.TAG_MANIFEST) or b""
        signatures, stamps = [], []
        for mark, name in judged[:JUDGED_MAX]:
            if mark.kind == "signature":
                signatures.append(self._signature(tree, mark.number, manifest))
            else:
                stamps.append(self._stamp(tree, mark, name, manifest))
        return Attested(
            signatures=tuple(signatures),
            stamps=tuple(stamps),
            strays=tuple(sorted(_strays((name for mark, name in marks if mark.kind == "chain"), names))),
            left_out=tuple(name for _, name in judged[JUDGED_MAX:]),
            reasons=tuple(self._reasons(signatures, stamps, over=len(judged) > JUDGED_MAX)),
        )

    def _signature(self, tree: Tree, number: int, manifest: bytes) -> SignatureSeen:
        from agentaudit.attest.signatures import judge_signature  # noqa: PLC0415

        octets = _read(tree, signature_name(number)) or b""
        return judge_signature(octets, manifest, self.trust.allowed_signers, self.stock, number=number)

    def _stamp(self, tree: Tree, mark: Mark, name: str, manifest: bytes) -> StampSeen:
        from agentaudit.attest.stamps import judge_stamp  # noqa: PLC0415

        over = manifest if mark.signature is None else _read(tree, signature_name(mark.signature))
        judged = judge_stamp(_read(tree, name) or b"", over, self.trust.authorities, self.stock)
        return stamp_seen(mark, name, judged, _read(tree, chain_name(name)))

    def _reasons(
        self, signatures: Sequence[SignatureSeen], stamps: Sequence[StampSeen], *, over: bool
    ) -> Iterator[str]:
        if any(one.state == "not_checked" for one in signatures):
            yield "ssh-keygen was not found"
        if any(one.state == "not_checked" for one in stamps):
            yield "no openssl was found that judges a stamp at its own time"
        if over:
            yield f"only the first {JUDGED_MAX} are judged"


def stamp_seen(mark: Mark, name: str, judged: "Judged", chain: bytes | None) -> StampSeen:
    """The facts of a judged stamp; `chain` is the file beside it, None when there is none."""
    from agentaudit.attest.stamps import pem_chain  # noqa: PLC0415

    token = judged.token
    if token is None:
        return StampSeen(file=name, number=mark.number, signature=mark.signature, state=judged.state)
    return StampSeen(
        file=name,
        number=mark.number,
        signature=mark.signature,
        state=judged.state,
        stamped_at=instant_of(token.stamped_at),
        accuracy_ms=token.accuracy_ms,
        authority=printable(token.authority) if token.signer is not None else None,
        certificate=digest_of(token.signer) if token.signer is not None else None,
        chain_fits=chain == pem_chain(token),
    )


def _strays(chains: Iterable[str], names: Sequence[str]) -> Iterator[str]:
    """Certificates whose token is gone."""
    there = frozenset(names)
    return (name for name in chains if name.removesuffix(".pem") not in there)


def _read(tree: Tree, name: str) -> bytes | None:
    """The file's bytes; None when it is not there, no regular file, or too large to be what it is named."""
    try:
        octets = tree.read(name, FILE_MAX)
    except OSError:
        return None
    return octets if len(octets) <= FILE_MAX else None
