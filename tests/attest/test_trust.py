"""Who is trusted."""

import ssl
from pathlib import Path

import pytest

from agentaudit.attest import trust
from agentaudit.attest.trust import Trust, read_trust
from agentaudit.errors import UsageFault
from agentaudit.model.base import digest_of
from tests.support.attesting import needs_tools, new_authority


def test_nobody_is_trusted_unless_named() -> None:
    """No file, no certificate: nobody."""
    assert read_trust(None, ()) == Trust(None, None)


@needs_tools
def test_certificates_are_read_in_pem_and_der_and_put_together(tmp_path: Path) -> None:
    """Several files, several certificates in one: all of them count."""
    authority = new_authority(tmp_path / "tsa")
    pem = authority.root.read_text()
    der = tmp_path / "root.der"
    der.write_bytes(ssl.PEM_cert_to_DER_cert(pem))
    found = read_trust(None, (der, authority.certificate)).authorities
    assert found is not None
    assert found.count(b"BEGIN CERTIFICATE") == 2
    tested = read_trust(authority.certificate, (der, authority.root)).tested(noted_seal=True)
    assert tested.authorities == (digest_of(der.read_bytes()),) * 2
    assert tested.allowed_signers == digest_of(authority.certificate.read_bytes())
    assert (
        ssl.PEM_cert_to_DER_cert(found.decode().partition("-----END")[0] + "-----END CERTIFICATE-----\n")
        == der.read_bytes()
    )


@pytest.mark.parametrize("octets", [b"", b"x" * 99, b"-----BEGIN CERTIFICATE-----\n\xff\n-----END CERTIFICATE-----\n"])
def test_a_file_without_a_certificate_is_refused(tmp_path: Path, octets: bytes) -> None:
    """A trust that cannot be read is a mistake of the command line, never a verdict."""
    (tmp_path / "x").write_bytes(octets)
    with pytest.raises(UsageFault, match="holds no certificate"):
        read_trust(None, (tmp_path / "x",))


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also that of allowed signers, which is otherwise left to ssh-keygen."""
    with pytest.raises(UsageFault, match="cannot be read"):
        read_trust(tmp_path / "none", ())
    (tmp_path / "signers").write_bytes(b"a ssh-ed25519 x\n")
    assert read_trust(tmp_path / "signers", ()).allowed_signers == tmp_path / "signers"
    monkeypatch.setattr(trust, "TRUST_MAX", 3)
    with pytest.raises(UsageFault, match="too large"):
        read_trust(tmp_path / "signers", ())
