"""SSH signatures, as they state themselves."""

from base64 import b64encode
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.sshsig import NotASignature, read_signature


def text(octets: bytes) -> bytes:
    """A string of the SSH protocol."""
    return len(octets).to_bytes(4, "big") + octets


def armoured(blob: bytes) -> bytes:
    """The blob in lines of 70, as `ssh-keygen` writes it."""
    body = b64encode(blob)
    lines = b"\n".join(body[at : at + 70] for at in range(0, len(body), 70))
    return b"-----BEGIN SSH SIGNATURE-----\n" + lines + b"\n-----END SSH SIGNATURE-----\n"


def blob(namespace: bytes = b"agentaudit-seal", version: int = 1, kind: bytes = b"ssh-ed25519") -> bytes:
    """A signature by a key of zeros."""
    key = text(kind) + text(bytes(32))
    return (
        b"SSHSIG" + version.to_bytes(4, "big") + text(key) + text(namespace) + text(b"") + text(b"sha512") + text(b"x")
    )


def test_key_and_namespace_are_read() -> None:
    """Type, fingerprint as `ssh-keygen -l` writes it, namespace."""
    stated = read_signature(armoured(blob()))
    assert (stated.key_type, stated.namespace) == ("ssh-ed25519", "agentaudit-seal")
    digest = b64encode(sha256(text(b"ssh-ed25519") + text(bytes(32))).digest()).decode()
    assert stated.fingerprint == f"SHA256:{digest[:43]}"


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"x",
        b"\xff",
        armoured(blob())[:-30],
        armoured(blob(version=2)),
        armoured(b"SSHSIX" + blob()[6:]),
        armoured(blob()[:20]),
        armoured(blob()[:11]),
        armoured(blob(namespace=b"\xff")),
        armoured(blob(kind=b"\xff")),
        armoured(blob()).replace(b"U1NI", b"U1N*"),
    ],
)
def test_anything_else_is_refused(octets: bytes) -> None:
    """Without armour, of another version, cut short, or no text where text must be."""
    with pytest.raises(NotASignature):
        read_signature(octets)


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_else(octets: bytes) -> None:
    """Hostile bytes are a signature or none."""
    for candidate in (octets, armoured(octets), armoured(b"SSHSIG\0\0\0\1" + octets)):
        try:
            read_signature(candidate)
        except NotASignature:
            continue
