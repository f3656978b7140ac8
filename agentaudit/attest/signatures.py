"""Judging one SSH signature, step by step, each resting on the one before.

1. It is an armoured SSH signature, else `invalid`; bound to our namespace, else `other_namespace`.
2. It holds over the tag manifest, by the key inside it, else `invalid` (`ssh-keygen -Y check-novalidate`).
3. Allowed signers were named, else `key_not_named`; one of them has that key now, else `not_allowed`
   (`ssh-keygen -Y find-principals`, then `-Y verify`).
"""

import tempfile
from pathlib import Path

from agentaudit.adapters.sshsig import NotASignature, SshSignature, read_signature
from agentaudit.attest.stock import Stock
from agentaudit.format.attestations import NAMESPACE, signature_name
from agentaudit.model.attestation import SignatureSeen, SignatureState

PRINCIPALS_MAX = 16


def judge_signature(
    octets: bytes, manifest: bytes, allowed: Path | None, stock: Stock, *, number: int
) -> SignatureSeen:
    """What the signature of that number says, and what it is worth over the tag manifest."""
    name = signature_name(number)
    try:
        stated = read_signature(octets)
    except NotASignature:
        return SignatureSeen(file=name, number=number, state="invalid")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "signature"
        path.write_bytes(octets)
        state, principals = _worth(stated, str(path), manifest, allowed, stock)
    return SignatureSeen(
        file=name,
        number=number,
        state=state,
        fingerprint=stated.fingerprint,
        key_type=stated.key_type,
        namespace=stated.namespace,
        principals=principals,
    )


def _worth(
    stated: SshSignature, path: str, manifest: bytes, allowed: Path | None, stock: Stock
) -> tuple[SignatureState, tuple[str, ...]]:
    if stated.namespace != NAMESPACE:
        return "other_namespace", ()
    if stock.find("ssh-keygen") is None:
        return "not_checked", ()
    signed = ("-n", NAMESPACE, "-s", path)
    if not stock.run("ssh-keygen", "-Y", "check-novalidate", *signed, octets=manifest).ok:
        return "invalid", ()
    if allowed is None:
        return "key_not_named", ()
    names = tuple(
        name
        for name in _principals(path, allowed, stock)
        if stock.run("ssh-keygen", "-Y", "verify", "-f", str(allowed), "-I", name, *signed, octets=manifest).ok
    )
    return ("trusted", names) if names else ("not_allowed", ())


def _principals(path: str, allowed: Path, stock: Stock) -> tuple[str, ...]:
    """The names under which the file has the key of a signature; each line may hold several."""
    found = stock.run("ssh-keygen", "-Y", "find-principals", "-f", str(allowed), "-s", path)
    words = found.out.decode("utf-8", "replace").replace(",", "\n").split("\n") if found.ok else []
    return tuple(dict.fromkeys(word.strip() for word in words if word.strip()))[:PRINCIPALS_MAX]
