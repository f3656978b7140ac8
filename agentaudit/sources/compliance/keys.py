"""The key of the source: held, used in one header, recorded only as a fingerprint.

- repr, str and format show a length, never the key.
- A key's family is told from its prefix; one that can never read sessions is refused before it is sent.
- A key of an unknown form is sent: prefixes are the vendor's to change.
"""

from hashlib import sha256
from typing import Literal

from agentaudit.errors import SourceRefused

KeyFamily = Literal["compliance", "admin", "api", "unknown"]

_VENDOR = "sk-ant-"
_KEY_FAMILIES: tuple[tuple[str, KeyFamily], ...] = (
    (f"{_VENDOR}api01-", "compliance"),
    (f"{_VENDOR}admin01-", "admin"),
    (f"{_VENDOR}api03-", "api"),
)
_UNFIT: dict[KeyFamily, str] = {
    "admin": "this is a Console Admin key: it reads the activity feed and no session",
    "api": "this is a Claude API key: the Compliance API does not know it",
}


class Key:
    """A secret that is revealed in one place only."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        """Hold the secret; surrounding white space is not part of it."""
        self._secret = secret.strip()

    def __repr__(self) -> str:
        return f"Key({len(self._secret)} characters)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return repr(self)

    def reveal(self) -> str:
        """The secret itself, for the request header."""
        return self._secret

    def appears_in(self, octets: bytes) -> bool:
        """True when the secret stands in these bytes."""
        return bool(self._secret) and self._secret.encode("utf-8", "surrogateescape") in octets

    @property
    def fingerprint(self) -> str:
        """The first 16 hex digits of the key's SHA-256: it tells keys apart and gives nothing away."""
        return sha256(self._secret.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def family(self) -> KeyFamily:
        """Which kind of key this is by its prefix (compliance reference, section 1.1)."""
        return next((family for prefix, family in _KEY_FAMILIES if self._secret.startswith(prefix)), "unknown")


def refuse_api_key(key: Key) -> None:
    """A key that the Compliance API does not know ends in SourceRefused (5); a Console Admin key reads the feed."""
    if key.family == "api":
        raise SourceRefused(_UNFIT["api"], "make a Compliance Access Key with read:compliance_activities")


def refuse_family(key: Key) -> None:
    """A key of a family that reads no session ends in SourceRefused (5) (compliance reference, section 1.1)."""
    unfit = _UNFIT.get(key.family)
    if unfit is not None:
        raise SourceRefused(
            unfit,
            "make a Compliance Access Key in claude.ai under Organization settings > API; its scopes are fixed then",
        )
