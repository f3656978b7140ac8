"""The witness: what lies beside a seal."""

import os
import shutil
from pathlib import Path

import pytest

from agentaudit.attest import check
from agentaudit.attest.check import TrustWitness
from agentaudit.attest.stock import Stock
from agentaudit.attest.trust import Trust
from agentaudit.model.attestation import Attested
from agentaudit.package.tree import Tree
from tests.support.attesting import AttestedCase, attested_case, needs_tools

pytestmark = needs_tools

BASE = "tagmanifest-sha256.txt"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> AttestedCase:
    """A signed, stamped case, not to be changed."""
    return attested_case(tmp_path_factory.mktemp("made"))


@pytest.fixture
def copy(made: AttestedCase, tmp_path: Path) -> AttestedCase:
    """A copy that a test may change."""
    return made.at(Path(shutil.copytree(made.path, tmp_path / "case")))


def attested(made: AttestedCase, witness: TrustWitness) -> Attested:
    """What the witness says of everything that lies there."""
    with Tree(made.exhibit) as tree:
        return witness.attested(tree, [path.name for path in made.exhibit.iterdir()])


def test_every_signature_and_stamp_is_judged(made: AttestedCase) -> None:
    """Both signers are named, both stamps lead to the authority, nothing is left out."""
    seen = attested(made, made.witness())
    assert [(one.number, one.state, one.principals) for one in seen.signatures] == [
        (1, "trusted", ("ann@example.org",)), (2, "trusted", ("bob@example.org",)),
    ]  # fmt: skip
    assert [(one.file, one.state, one.chain_fits) for one in seen.stamps] == [
        (f"{BASE}.1.tsr", "trusted", True), (f"{BASE}.1.sig.1.tsr", "trusted", True),
    ]  # fmt: skip
    assert (seen.strays, seen.left_out, seen.reasons) == ((), (), ())


def test_nobody_named_is_said_of_each(made: AttestedCase) -> None:
    """They hold, and whose they are is open."""
    seen = attested(made, made.witness(named=False))
    assert {one.state for one in seen.signatures} == {"key_not_named"}
    assert {one.state for one in seen.stamps} == {"authority_not_named"}


def test_other_certificates_beside_a_stamp_are_seen(copy: AttestedCase) -> None:
    """Changed, gone, or left behind by a stamp that is gone."""
    chains = [copy.exhibit / f"{BASE}.1.tsr.pem", copy.exhibit / f"{BASE}.1.sig.1.tsr.pem"]
    chains[0].chmod(0o600)
    chains[0].write_bytes(b"x")
    chains[1].unlink()
    seen = attested(copy, copy.witness())
    assert [(one.state, one.chain_fits) for one in seen.stamps] == [("trusted", False), ("trusted", False)]
    (copy.exhibit / f"{BASE}.1.tsr").unlink()
    seen = attested(copy, copy.witness())
    assert (len(seen.stamps), seen.strays) == (1, (f"{BASE}.1.tsr.pem",))


def test_a_stamp_over_a_signature_that_is_gone_is_over_nothing(copy: AttestedCase) -> None:
    """Its target cannot be read."""
    (copy.exhibit / f"{BASE}.1.sig").unlink()
    assert attested(copy, copy.witness()).stamps[1].state == "over_something_else"


def test_what_is_too_large_or_no_file_is_worth_nothing(copy: AttestedCase, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not read, and does not hold."""
    monkeypatch.setattr(check, "FILE_MAX", 4_000)
    for name in ("1.sig", "1.tsr"):
        path = copy.exhibit / f"{BASE}.{name}"
        path.chmod(0o600)
        path.write_bytes(bytes(4_001))
    seen = attested(copy, copy.witness())
    assert (seen.signatures[0].state, seen.stamps[0].state, seen.stamps[0].stamped_at) == ("invalid", "invalid", None)


def test_how_many_are_judged_is_bounded(made: AttestedCase, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left out is named, and so is the reason."""
    monkeypatch.setattr(check, "JUDGED_MAX", 1)
    seen = attested(made, made.witness())
    assert (len(seen.signatures), len(seen.stamps)) == (1, 0)
    assert seen.left_out == (f"{BASE}.2.sig", f"{BASE}.1.tsr", f"{BASE}.1.sig.1.tsr")
    assert seen.reasons == ("only the first 1 are judged",)


def test_without_tools_nothing_is_said(made: AttestedCase, tmp_path: Path) -> None:
    """Each missing tool is a reason."""
    seen = attested(made, TrustWitness(Trust(), Stock({"PATH": str(tmp_path)})))
    assert {one.state for one in seen.signatures} == {one.state for one in seen.stamps} == {"not_checked"}
    assert len(seen.reasons) == 2


def test_a_witness_needs_no_environment_of_its_own(made: AttestedCase) -> None:
    """The tools are found where the system has them."""
    assert attested(made, TrustWitness(Trust(), Stock({}))) == attested(made, TrustWitness(Trust(), Stock(os.environ)))
