"""Time-stamping a seal."""

import os
from pathlib import Path

import pytest

from agentaudit.adapters.rfc3161 import request
from agentaudit.attest.signing import sign
from agentaudit.attest.stamping import Answer, keep_stamp, new_request, target_of
from agentaudit.attest.stock import Stock
from agentaudit.errors import SourceRefused, UsageFault
from agentaudit.model.base import digest_of
from agentaudit.model.custody import Stamped
from agentaudit.package.attestations import SealedFolder, sealed_folder
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.around import hand
from tests.support.attesting import Authority, needs_tools, new_authority, new_key

pytestmark = needs_tools

STOCK = Stock(os.environ)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    """An authority."""
    return new_authority(tmp_path_factory.mktemp("tsa") / "one")


@pytest.fixture
def sealed(tmp_path: Path) -> SealedFolder:
    """A sealed exhibit in its case."""
    case = golden_case(tmp_path / "case")
    golden_exhibit(case, clean_script)
    return sealed_folder(case.path / "EX-0001")


def test_a_stamp_is_kept_with_its_certificates_and_told(sealed: SealedFolder, authority: Authority) -> None:
    """The answer as it came, the certificates beside it, and a row with time, authority and digests."""
    target = target_of(sealed, None)
    query, nonce = new_request(target)
    octets = authority.answer(query)
    made = keep_stamp(target, Answer(octets, "http://127.0.0.1:1/", nonce), authority.root.read_bytes(), hand(), STOCK)
    file = sealed.path / "tagmanifest-sha256.txt.1.tsr"
    chain = sealed.path / "tagmanifest-sha256.txt.1.tsr.pem"
    assert file.read_bytes() == octets
    row = list(sealed.case.rows())[-1]
    assert isinstance(row, Stamped)
    assert (row.sha256, row.chain_sha256) == (digest_of(octets), digest_of(chain.read_bytes()))
    assert (row.file, row.signature, row.asked, row.serial) == (file.name, None, "http://127.0.0.1:1/", row.serial)
    assert (row.authority, row.stamped_at) == ("O=Tests, CN=Test Authority", made.seen.stamped_at)
    assert (made.seen.state, made.seen.number, made.seen.chain_fits, made.head.seq) == ("trusted", 1, True, row.seq)


def test_a_signature_can_be_stamped(sealed: SealedFolder, authority: Authority, tmp_path: Path) -> None:
    """Over the bytes of its file, under its name; one that is not there cannot."""
    with pytest.raises(UsageFault, match="has no signature 1"):
        target_of(sealed, 1)
    sign(sealed, new_key(tmp_path / "key"), hand(), STOCK)
    target = target_of(sealed, 1)
    made = keep_stamp(target, Answer(authority.answer(new_request(target)[0])), None, hand(), STOCK)
    assert (made.seen.file, made.seen.signature) == ("tagmanifest-sha256.txt.1.sig.1.tsr", 1)
    assert made.seen.state == "authority_not_named"


def test_two_requests_never_share_a_nonce(sealed: SealedFolder) -> None:
    """An old answer cannot be given again for a new request."""
    target = target_of(sealed, None)
    assert new_request(target)[1] != new_request(target)[1]


@pytest.mark.parametrize(("asked", "error"), [("http://127.0.0.1:1/", SourceRefused), ("", UsageFault)])
def test_an_answer_that_is_worth_nothing_is_not_kept(
    sealed: SealedFolder, authority: Authority, tmp_path: Path, asked: str, error: type[Exception]
) -> None:
    """No stamp, one over something else, one by another authority, one unchecked, one to another request."""
    target = target_of(sealed, None)
    good = authority.answer(request(target.octets, 1))
    other = new_authority(tmp_path / "other").root.read_bytes()
    attempts = (
        (Answer(b"x", asked), None, STOCK, "no granted time stamp"),
        (Answer(authority.answer(request(b"y", 1)), asked), None, STOCK, "over something else"),
        (Answer(good, asked), other, STOCK, "none of those that were named"),
        (Answer(good, asked), None, Stock({"PATH": str(tmp_path)}), "no openssl"),
        (Answer(good, asked, 2), None, STOCK, "nonce"),
    )
    for answer, authorities, stock, words in attempts:
        with pytest.raises(error, match=words):
            keep_stamp(target, answer, authorities, hand(), stock)
    assert not list(sealed.path.glob("*.tsr*"))


def test_several_authorities_stamp_one_seal(sealed: SealedFolder, authority: Authority, tmp_path: Path) -> None:
    """Each stamp is a file of its own."""
    target = target_of(sealed, None)
    numbers = [
        keep_stamp(target, Answer(one.answer(new_request(target)[0])), None, hand(), STOCK).seen.number
        for one in (authority, new_authority(tmp_path / "second"))
    ]
    assert numbers == [1, 2]
