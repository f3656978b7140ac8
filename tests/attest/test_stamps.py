"""Judging a time stamp, with stock openssl; an independent library agrees."""

import os
import ssl
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography import x509
from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

from agentaudit.adapters.der import SEQUENCE, element, number, read
from agentaudit.adapters.rfc3161 import read_answer, request
from agentaudit.attest.stamps import judge_stamp, pem_chain
from agentaudit.attest.stock import Stock
from agentaudit.model.attestation import StampState
from tests.support.attesting import Authority, needs_tools, new_authority

pytestmark = needs_tools

DATA = b"the tag manifest"
STOCK = Stock(os.environ)
END = "-----END CERTIFICATE-----\n"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority."""
    return new_authority(tmp_path_factory.mktemp("tsa") / "one")


@pytest.fixture(scope="module")
def stamp(authority: Authority) -> bytes:
    """Its answer to a request over DATA."""
    return authority.answer(request(DATA, 5))


def state(answer: bytes, trusted: Path | None = None, over: bytes | None = DATA, stock: Stock = STOCK) -> StampState:
    """The judgement in a word."""
    return judge_stamp(answer, over, trusted.read_bytes() if trusted else None, stock).state


def test_a_stamp_leads_to_the_authority_or_to_the_one_above_it(authority: Authority, stamp: bytes) -> None:
    """Either certificate may be the one that was named; what is said is read from the token."""
    assert state(stamp, authority.certificate) == state(stamp, authority.root) == "trusted"
    judged = judge_stamp(stamp, DATA, None, STOCK)
    assert judged.state == "authority_not_named"
    assert judged.token is not None
    assert (judged.token.nonce, judged.token.accuracy_ms, judged.token.authority) == (
        5,
        1501,
        "O=Tests, CN=Test Authority",
    )


def test_a_stamp_of_another_authority_does_not(stamp: bytes, tmp_path: Path) -> None:
    """It holds, and leads elsewhere."""
    assert state(stamp, new_authority(tmp_path / "other").root) == "other_authority"


@pytest.mark.parametrize("days", [(-100, -3), (3, 100)])
def test_a_certificate_that_was_not_valid_then_is_told_apart(days: tuple[int, int], tmp_path: Path) -> None:
    """No longer, or not yet, at the time that the stamp states."""
    odd = new_authority(tmp_path / "odd", days=days)
    assert state(odd.answer(request(DATA, 1)), odd.root) == "not_valid_then"


def test_a_stamp_outlives_its_certificate(authority: Authority, stamp: bytes) -> None:
    """It is judged at its own time: stock openssl, asked as of ten years later, says no, and as of then, says yes."""
    (authority.folder / "kept.tsr").write_bytes(stamp)
    (authority.folder / "data").write_bytes(DATA)
    then = int(read_answer(stamp).stamped_at.timestamp())
    words = ("-verify", "-in", "kept.tsr", "-data", "data", "-CAfile", "tsa.pem", "-partial_chain", "-attime")
    later = [
        subprocess.run(["openssl", "ts", *words, str(at)], cwd=authority.folder, capture_output=True, check=False)
        for at in (then, then + 10 * 365 * 86_400)
    ]
    assert [done.returncode == 0 for done in later] == [True, False]


def test_a_stamp_over_something_else_is_told_before_anything_is_run(stamp: bytes, authority: Authority) -> None:
    """Other bytes, or none."""
    assert state(stamp, authority.root, b"other") == "over_something_else"
    assert state(stamp, authority.root, None) == "over_something_else"


def test_what_is_no_stamp_or_does_not_hold_is_invalid(stamp: bytes, authority: Authority) -> None:
    """No DER, a changed signature, or a signer whose certificate did not come with it."""
    assert state(b"x", authority.root) == "invalid"
    broken = stamp[:-4] + bytes(octet ^ 1 for octet in stamp[-4:])
    assert state(broken, authority.root) == "invalid"
    assert state(without_certificates(stamp), authority.root) == "invalid"


def test_a_certificate_that_may_not_stamp_is_another_authority_s(authority: Authority, stamp: bytes) -> None:
    """A token of a certificate without that purpose holds, leads to what was named, and counts for nothing."""
    signer = new_authority(authority.folder / "code", stamps=False)
    forgery = forged(signer, stamp)
    assert state(forgery) == "authority_not_named"
    assert state(forgery, signer.root) == "other_authority"


def test_without_the_tool_nothing_is_said(stamp: bytes, tmp_path: Path) -> None:
    """Not checked is neither yes nor no."""
    assert state(stamp, stock=Stock({"PATH": str(tmp_path)})) == "not_checked"


def test_the_certificates_are_kept_as_they_came(stamp: bytes, authority: Authority) -> None:
    """Each as PEM: the authority's own and the one above it."""
    chain = pem_chain(read_answer(stamp)).decode()
    kept = {
        ssl.PEM_cert_to_DER_cert(f"{one}-----END CERTIFICATE-----\n")
        for one in chain.split("-----END CERTIFICATE-----\n")[:-1]
    }
    wanted = {ssl.PEM_cert_to_DER_cert(path.read_text()) for path in (authority.root, authority.certificate)}
    assert kept == wanted


def test_an_independent_library_comes_to_the_same(authority: Authority, stamp: bytes, tmp_path: Path) -> None:
    """rfc3161-client reads our request, and accepts and refuses the same; but it wants certificates in order."""
    sorted_stamp = in_order(stamp)
    answer = decode_timestamp_response(sorted_stamp)
    root = x509.load_pem_x509_certificate(authority.root.read_bytes())
    digest = sha256(DATA).digest()
    assert VerifierBuilder(roots=[root], nonce=5).build().verify(answer, digest)
    assert state(sorted_stamp, authority.root) == "trusted"
    other = new_authority(tmp_path / "other")
    stranger = x509.load_pem_x509_certificate(other.root.read_bytes())
    for builder, data in ((VerifierBuilder(roots=[stranger]), digest), (VerifierBuilder(roots=[root]), bytes(32))):
        with pytest.raises(VerificationError):
            builder.build().verify(decode_timestamp_response(sorted_stamp), data)


def rebuilt(stamp: bytes, certificates: bytes) -> bytes:
    """The same answer with other certificates: they are not signed."""
    status, info = read(stamp).parts(SEQUENCE)
    kind, content = info.parts(SEQUENCE)
    parts = content.one(SEQUENCE).parts(SEQUENCE)
    signed = b"".join(certificates if part.tag == 0xA0 else part.whole for part in parts)
    inside = element(0xA0, element(SEQUENCE, signed))
    return element(SEQUENCE, status.whole + element(SEQUENCE, kind.whole + inside))


def without_certificates(stamp: bytes) -> bytes:
    """As an authority answers that was not asked for certificates."""
    return rebuilt(stamp, b"")


def in_order(stamp: bytes) -> bytes:
    """With the certificates in the order of DER, in which authorities need not give them."""
    return rebuilt(stamp, element(0xA0, b"".join(sorted(read_answer(stamp).certificates))))


def forged(signer: Authority, stamp: bytes) -> bytes:
    """A token over the same content by a certificate that may sign code and nothing else."""
    content = read(stamp).parts(SEQUENCE)[1].parts(SEQUENCE)[1].one(SEQUENCE).parts(SEQUENCE)[2].parts(SEQUENCE)[1]
    (signer.folder / "info.der").write_bytes(content.parts()[0].content)
    words = (
        "-sign", "-binary", "-nodetach", "-cades", "-econtent_type", "1.2.840.113549.1.9.16.1.4", "-outform", "DER",
        "-in", "info.der", "-out", "token.der", "-signer", "tsa.pem", "-inkey", "tsa.key",
    )  # fmt: skip
    subprocess.run(["openssl", "cms", *words], cwd=signer.folder, check=True, capture_output=True, timeout=20)
    return element(SEQUENCE, element(SEQUENCE, number(0)) + (signer.folder / "token.der").read_bytes())
