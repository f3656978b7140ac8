"""Who is trusted: a file of allowed signers, and certificates of time-stamping authorities.

- Both are the checker's own: nothing that lies in or beside a package is ever trusted.
- A certificate is that of an authority itself, or of one above it; PEM or DER, several in one file.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agentaudit.adapters.pem import ders_of, pem_of
from agentaudit.errors import UsageFault
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.verdict import TestedAgainst, Verdict

TRUST_MAX = 4 * 1024 * 1024
_PEM = b"-----BEGIN CERTIFICATE-----"


@dataclass(frozen=True, slots=True)
class Trust:
    """The allowed signers' file, and the authorities' certificates as PEM; None: nobody was named.

    `signers_digest` is that of the file, `certificate_digests` are those of the certificates as DER.
    """

    allowed_signers: Path | None = None
    authorities: bytes | None = None
    signers_digest: Digest | None = None
    certificate_digests: tuple[Digest, ...] = ()

    def is_met_by(self, verdicts: Iterable[Verdict]) -> bool:
        """True when every exhibit is signed, or stamped, by one of those who were named; and when nobody was named."""
        exhibits = tuple(verdicts)
        signed = self.allowed_signers is None or all(one.authenticity == "signed" for one in exhibits)
        return signed and (self.authorities is None or all(one.existed_by is not None for one in exhibits))

    def tested(self, *, noted_seal: bool) -> TestedAgainst:
        """What is said of it: digests alone."""
        return TestedAgainst(
            noted_seal=noted_seal, allowed_signers=self.signers_digest, authorities=self.certificate_digests
        )


def read_trust(allowed_signers: Path | None, certificates: Sequence[Path]) -> Trust:
    """What the checker names; UsageFault (2) for a file that cannot be read or holds no certificate."""
    signers = None if allowed_signers is None else digest_of(_read(allowed_signers))
    pem = b"".join(_certificates(path) for path in certificates)
    return Trust(allowed_signers, pem or None, signers, tuple(map(digest_of, ders_of(pem))))


def _certificates(path: Path) -> bytes:
    import ssl  # noqa: PLC0415 - only who names an authority pays for it

    octets = _read(path)
    pem = octets if _PEM in octets else pem_of(octets)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(cadata=pem.decode("ascii"))
    except (ssl.SSLError, ValueError):
        raise UsageFault(
            f"{path} holds no certificate", "give one in PEM or DER, as the authority publishes it"
        ) from None
    return pem.rstrip(b"\n") + b"\n"


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            octets = stream.read(TRUST_MAX + 1)
    except OSError:
        raise UsageFault(f"{path} cannot be read", "look at its name and its permissions") from None
    if len(octets) > TRUST_MAX:
        raise UsageFault(f"{path} is too large", "name a file that holds what is trusted and nothing else")
    return octets
