"""What attests a seal: signatures and time stamps, as a check saw them (FORMAT.md, section 2.7).

- An attestation says who, or when; it never says that the package is intact, and its absence says nothing.
- A state is what the check came to: it holds and its maker was named, it holds, it does not hold, it was not checked.
- Words in `authority` are those of a certificate: foreign text, escaped to printable ASCII.
"""

from typing import Literal

from agentaudit.model.base import Digest, Frozen, Instant

SignatureState = Literal["trusted", "not_allowed", "key_not_named", "other_namespace", "invalid", "not_checked"]
StampState = Literal[
    "trusted",
    "not_valid_then",
    "other_authority",
    "authority_not_named",
    "over_something_else",
    "invalid",
    "not_checked",
]


class SignatureSeen(Frozen, frozen=True, kw_only=True):
    """One SSH signature beside the seal.

    `fingerprint` is that of the key, as `ssh-keygen -l` writes it; `principals` are the names under which the
    allowed signers have that key. What could not be read is None.
    """

    file: str
    number: int
    state: SignatureState
    fingerprint: str | None = None
    key_type: str | None = None
    namespace: str | None = None
    principals: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """True when some key has signed this very seal, whoever has that key."""
        return self.state in ("trusted", "not_allowed", "key_not_named")


class StampSeen(Frozen, frozen=True, kw_only=True):
    """One RFC 3161 token, over the tag manifest or over the signature of that number.

    `stamped_at` is the authority's clock, right to within `accuracy_ms` where it says so; `certificate` is the
    digest of its certificate; `chain_fits` is true when the file beside the token holds the token's certificates.
    """

    file: str
    number: int
    signature: int | None
    state: StampState
    stamped_at: Instant | None = None
    accuracy_ms: int | None = None
    authority: str | None = None
    certificate: Digest | None = None
    chain_fits: bool = True


class Attested(Frozen, frozen=True, kw_only=True):
    """All that lies beside one seal.

    `strays` are certificates whose token is gone, `left_out` files beyond the limits of the check; `reasons` say why
    anything was not checked.
    """

    signatures: tuple[SignatureSeen, ...] = ()
    stamps: tuple[StampSeen, ...] = ()
    strays: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
