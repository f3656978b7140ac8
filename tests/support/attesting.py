"""Local keys and a local time-stamping authority, made in a test's own folder and nowhere kept.

- Keys come from `ssh-keygen`, certificates from `cryptography`, tokens from `openssl ts`: stock, offline.
- `AuthorityServer` answers over loopback as an authority does.
"""

import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from agentaudit.attest.check import TrustWitness
from agentaudit.attest.signing import sign
from agentaudit.attest.stamping import Answer, StampedSeal, keep_stamp, new_request, target_of
from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import Trust, read_trust
from agentaudit.package.attestations import sealed_folder
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.around import hand

needs_tools = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None or shutil.which("openssl") is None, reason="needs ssh-keygen and openssl"
)

_TSA = """
[tsa]
default_tsa = here
[here]
serial = {serial}
digests = sha256, sha384, sha512
signer_digest = sha256
default_policy = 1.2.3.4.1
accuracy = secs:1, millisecs:500, microsecs:100
ess_cert_id_alg = sha256
"""


def new_key(path: Path, passphrase: str = "") -> Path:
    """A new Ed25519 key at the path, its public half beside it as .pub."""
    words = ("-q", "-t", "ed25519", "-N", passphrase, "-C", path.name, "-f", str(path))
    subprocess.run(["ssh-keygen", *words], check=True, timeout=20)
    return path


def fingerprint(key: Path) -> str:
    """The fingerprint as `ssh-keygen -l` writes it."""
    done = subprocess.run(["ssh-keygen", "-l", "-f", str(key)], check=True, capture_output=True, text=True, timeout=20)
    return done.stdout.split()[1]


def signature(key: Path, octets: bytes, namespace: str = "agentaudit-seal") -> bytes:
    """A signature by stock `ssh-keygen`."""
    words = ("-Y", "sign", "-n", namespace, "-f", str(key))
    return subprocess.run(["ssh-keygen", *words], input=octets, check=True, capture_output=True, timeout=20).stdout


def allow(path: Path, *lines: tuple[str, Path]) -> Path:
    """A file of allowed signers: what stands before the key, and the key."""
    texts = [f"{words} {' '.join(key.with_name(key.name + '.pub').read_text().split()[:2])}\n" for words, key in lines]
    path.write_text("".join(texts))
    return path


@dataclass(frozen=True)
class Authority:
    """A time-stamping authority with a root above it; `answer` is its reply to a request."""

    folder: Path

    @property
    def root(self) -> Path:
        """The root's certificate, PEM."""
        return self.folder / "root.pem"

    @property
    def certificate(self) -> Path:
        """The authority's own certificate, PEM."""
        return self.folder / "tsa.pem"

    def answer(self, query: bytes) -> bytes:
        """The TimeStampResp, with both certificates."""
        request, reply = self.folder / "request.tsq", self.folder / "reply.tsr"
        request.write_bytes(query)
        words = (
            "-reply", "-queryfile", str(request), "-out", str(reply), "-signer", str(self.certificate),
            "-inkey", str(self.folder / "tsa.key"), "-chain", str(self.root), "-config", str(self.folder / "tsa.cnf"),
        )  # fmt: skip
        subprocess.run(["openssl", "ts", *words], check=True, capture_output=True, timeout=20)
        return reply.read_bytes()


def new_authority(
    folder: Path,
    name: str = "Test Authority",
    *,
    days: tuple[int, int] = (-1, 30),
    stamps: bool = True,
    above: Authority | None = None,
) -> Authority:
    """A new authority in a new folder, below the root of another if one is given.

    Its certificate is valid between these days from now.
    """
    folder.mkdir()
    now = datetime.now(UTC)
    if above is None:
        _new_root(folder, now)
    else:
        shutil.copy(above.folder / "root.pem", folder / "root.pem")
        shutil.copy(above.folder / "root.key", folder / "root.key")
    root_key = load_pem_private_key((folder / "root.key").read_bytes(), None)
    assert isinstance(root_key, EllipticCurvePrivateKey)
    key = generate_private_key(SECP256R1())
    top = x509.load_pem_x509_certificate((folder / "root.pem").read_bytes()).subject
    own = _builder(_name(name), top, key, now + timedelta(days=days[0]), now + timedelta(days=days[1]))
    usage = ExtendedKeyUsageOID.TIME_STAMPING if stamps else ExtendedKeyUsageOID.CODE_SIGNING
    own = own.add_extension(x509.ExtendedKeyUsage([usage]), critical=True)
    (folder / "tsa.pem").write_bytes(own.sign(root_key, hashes.SHA256()).public_bytes(Encoding.PEM))
    (folder / "tsa.key").write_bytes(_private(key))
    (folder / "serial").write_text("01\n")
    (folder / "tsa.cnf").write_text(_TSA.format(serial=folder / "serial"))
    return Authority(folder)


def _new_root(folder: Path, now: datetime) -> None:
    key, top = generate_private_key(SECP256R1()), _name("Test Root")
    root = _builder(top, top, key, now - timedelta(days=3650), now + timedelta(days=3650))
    root = root.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    (folder / "root.pem").write_bytes(root.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    (folder / "root.key").write_bytes(_private(key))


def _private(key: EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, "Tests"),
                      x509.NameAttribute(NameOID.COMMON_NAME, common)])  # fmt: skip


def _builder(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, begins: datetime, ends: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
    )


@dataclass(frozen=True)
class AttestedCase:
    """A case with one clean exhibit that two keys have signed, stamped over its seal and over its first signature."""

    path: Path
    folder: Path
    authority: Authority

    @property
    def exhibit(self) -> Path:
        """The exhibit."""
        return self.path / "EX-0001"

    @property
    def allowed(self) -> Path:
        """The file in which both signers are allowed."""
        return self.folder / "allowed"

    def key(self, number: int) -> Path:
        """The key of a signer, from 1."""
        return self.folder / f"key{number}"

    def witness(self, *, named: bool = True) -> TrustWitness:
        """A witness that trusts both signers and the authority, or nobody."""
        trust = read_trust(self.allowed, (self.authority.root,)) if named else Trust()
        return TrustWitness(trust, Stock(os.environ))

    def at(self, path: Path) -> "AttestedCase":
        """The same people and authority, a copy of the case."""
        return AttestedCase(path, self.folder, self.authority)


def attested_case(folder: Path) -> AttestedCase:
    """A new one in a new folder; keys and authority lie beside the case."""
    folder.mkdir(exist_ok=True)
    case = golden_case(folder / "case")
    golden_exhibit(case, clean_script)
    keys = [new_key(folder / f"key{number}") for number in (1, 2)]
    allow(folder / "allowed", ("ann@example.org", keys[0]), ("bob@example.org", keys[1]))
    made = AttestedCase(case.path, folder, new_authority(folder / "tsa"))
    stock = Stock(os.environ)
    for key in keys:
        sign(sealed_folder(made.exhibit), key, hand(), stock)
    for number in (None, 1):
        stamp(made, number)
    return made


def stamp(made: AttestedCase, signature: int | None, authority: Authority | None = None) -> StampedSeal:
    """A stamp over the seal or a signature, carried by hand."""
    target = target_of(sealed_folder(made.exhibit), signature)
    answer = Answer((authority or made.authority).answer(new_request(target)[0]))
    return keep_stamp(target, answer, None, hand(), Stock(os.environ))


class AuthorityServer:
    """Answers POST requests on loopback with what `answer` makes of the body; `seen` are (headers, body)."""

    def __init__(self, answer: Callable[[bytes], bytes], status: int = 200, location: str | None = None) -> None:
        """Serve while the context is open."""
        self.seen: list[tuple[dict[str, str], bytes]] = []
        outer = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.seen.append((dict(self.headers.items()), body))
                content = answer(body)
                self.send_response(status)
                if location is not None:
                    self.send_header("location", location)
                self.send_header("content-type", "application/timestamp-reply")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/tsr"

    def __enter__(self) -> Self:
        """Begin to serve."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
