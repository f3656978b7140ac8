"""A signed address, and whether it may be asked: the rules, without a network.

- It is absolute, of visible ASCII, without user or fragment. It is https at the default port, at a host with a name.
- A source on this machine's loopback may name only loopback, and any other source may not: what answers there must not
  lead a request into a network that is not its own.
- The address is a secret. Nothing prints it; host and the digest of its path are all that is told of it.
"""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from agentaudit.model.base import Digest, digest_of

ADDRESS_MAX: Final = 8_192
SECRET_MIN: Final = 16

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_NAME: Final = re.compile(r"(?=.{4,253}\Z)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]\Z")
_OWN: Final = (".localhost", ".local", ".internal", ".localdomain", ".home.arpa")
_HTTPS: Final = 443


@dataclass(frozen=True, slots=True, repr=False)
class SignedAddress:
    """An address that may be asked; its repr shows the host alone. `root` is scheme, host and port."""

    root: str
    host: str
    target: str

    def __repr__(self) -> str:
        return f"SignedAddress({self.host})"

    @property
    def path_sha256(self) -> Digest:
        """The digest of the path, without the query that signs it."""
        return digest_of(self.target.partition("?")[0].encode("ascii"))

    def is_in(self, text: str) -> bool:
        """True where a text holds the query, or one of its longer values: as it stands or decoded."""
        return any(secret in text for secret in self._secrets())

    def query_is_in(self, octets: bytes) -> bool:
        """True where bytes hold the query as a whole: short values of it stand in any text."""
        query = self.target.partition("?")[2].encode("ascii")
        return len(query) >= SECRET_MIN and query in octets

    def _secrets(self) -> tuple[str, ...]:
        path, _, query = self.target.partition("?")
        values = [pair.partition("=")[2] for pair in query.split("&")]
        found = (path, query, *values, *map(unquote, values))
        return tuple(secret for secret in found if len(secret) >= SECRET_MIN)


def signed_address(location: str, api_root: str) -> SignedAddress | None:
    """The address that a source of this root names; None for one that may not be asked."""
    if len(location) > ADDRESS_MAX or not location.isascii() or not location.isprintable() or " " in location:
        return None
    try:
        parts = urlsplit(location)
        port = parts.port
    except ValueError:
        return None
    host = parts.hostname or ""
    if "@" in parts.netloc or "\\" in location or "#" in location or not _may_be_asked(parts, host, port, api_root):
        return None
    target = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return SignedAddress(f"{parts.scheme}://{parts.netloc}", host, target)


def _may_be_asked(parts: SplitResult, host: str, port: int | None, api_root: str) -> bool:
    if (urlsplit(api_root).hostname or "") in _LOOPBACK:
        return host in _LOOPBACK and parts.scheme in ("http", "https")
    is_own = host.endswith(_OWN)
    return parts.scheme == "https" and port in (None, _HTTPS) and _NAME.match(host) is not None and not is_own
