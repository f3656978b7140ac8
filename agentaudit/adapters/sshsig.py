"""SSH signatures: what an armoured one says of itself; whether it holds is asked of `ssh-keygen`.

- The form is PROTOCOL.sshsig of OpenSSH: magic, version, public key, namespace, reserved, digest, signature.
- The fingerprint is that of `ssh-keygen -l`: SHA-256 of the key, base64 without padding (RFC 4253, section 6.6).
"""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from hashlib import sha256

_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"
_MAGIC = b"SSHSIG"
_VERSION = 1


class NotASignature(ValueError):
    """Bytes that are no armoured SSH signature; the text names no content."""


@dataclass(frozen=True, slots=True)
class SshSignature:
    """What a signature says of itself: the key by type and fingerprint, and the namespace that it is bound to."""

    key_type: str
    fingerprint: str
    namespace: str


def read_signature(octets: bytes) -> SshSignature:
    """What the armoured bytes say; NotASignature when they are none, or of another version."""
    try:
        blob = _unarmoured(octets.decode("ascii"))
        return _read(blob)
    except (ValueError, IndexError) as fault:
        raise NotASignature("no SSH signature of this form") from fault


def _unarmoured(text: str) -> bytes:
    lines = text.split("\n")
    if lines[0] != _BEGIN or _END not in lines:
        raise NotASignature("no armour")
    return b64decode("".join(lines[1 : lines.index(_END)]), validate=True)


def _read(blob: bytes) -> SshSignature:
    version = int.from_bytes(blob[6:10], "big")
    if blob[:6] != _MAGIC or version != _VERSION:
        raise NotASignature("another version")
    key, rest = _text(blob[10:])
    namespace, rest = _text(rest)
    kind, _ = _text(key)
    digest = b64encode(sha256(key).digest()).decode().rstrip("=")
    return SshSignature(kind.decode("ascii"), f"SHA256:{digest}", namespace.decode("utf-8"))


def _text(octets: bytes) -> tuple[bytes, bytes]:
    """A string of the SSH protocol, and what follows it (RFC 4251, section 5)."""
    end = 4 + int.from_bytes(octets[:4], "big")
    if len(octets) < end or len(octets) < 4:  # noqa: PLR2004 - the length itself
        raise NotASignature("cut short")
    return octets[4:end], octets[end:]
