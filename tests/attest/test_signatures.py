"""Judging a signature, with stock ssh-keygen."""

import os
from pathlib import Path

import pytest

from agentaudit.attest.signatures import judge_signature
from agentaudit.attest.stock import Stock
from agentaudit.model.attestation import SignatureSeen
from tests.support.attesting import allow, fingerprint, needs_tools, new_key, signature

pytestmark = needs_tools

MANIFEST = b"the tag manifest"
STOCK = Stock(os.environ)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two keys."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("one", "two"):
        new_key(folder / name)
    return folder


def judged(octets: bytes, allowed: Path | None = None, stock: Stock = STOCK) -> SignatureSeen:
    """The judgement on signature 3."""
    return judge_signature(octets, MANIFEST, allowed, stock, number=3)


def test_a_signature_that_holds_names_its_key(keys: Path) -> None:
    """Nobody was named: it holds, and whose key it is was not said."""
    seen = judged(signature(keys / "one", MANIFEST))
    assert (seen.state, seen.principals, seen.holds) == ("key_not_named", (), True)
    assert (seen.fingerprint, seen.key_type) == (fingerprint(keys / "one"), "ssh-ed25519")
    assert (seen.file, seen.number, seen.namespace) == ("tagmanifest-sha256.txt.3.sig", 3, "agentaudit-seal")


def test_an_allowed_signer_is_named(keys: Path, tmp_path: Path) -> None:
    """Every name on the line that has the key, the first such line, as ssh-keygen finds it."""
    allowed = allow(tmp_path / "a", ("dan", keys / "two"), ("ann,bob", keys / "one"), ("carol", keys / "one"))
    seen = judged(signature(keys / "one", MANIFEST), allowed)
    assert (seen.state, seen.principals) == ("trusted", ("ann", "bob"))


@pytest.mark.parametrize(
    "words", ["", 'ann valid-before="20200101"', 'ann namespaces="git"', 'ann valid-after="20990101"']
)
def test_a_key_that_is_not_allowed_now_for_this_is_not(keys: Path, tmp_path: Path, words: str) -> None:
    """Not in the file, no longer, not yet, or for something else."""
    lines = [(words, keys / "one")] if words else [("dan", keys / "two")]
    seen = judged(signature(keys / "one", MANIFEST), allow(tmp_path / "a", *lines))
    assert (seen.state, seen.principals, seen.holds) == ("not_allowed", (), True)


def test_a_signature_over_something_else_does_not_hold(keys: Path, tmp_path: Path) -> None:
    """Whoever has the key."""
    allowed = allow(tmp_path / "a", ("ann", keys / "one"))
    seen = judged(signature(keys / "one", MANIFEST + b"."), allowed)
    assert (seen.state, seen.holds, seen.fingerprint) == ("invalid", False, fingerprint(keys / "one"))


def test_a_signature_of_another_namespace_is_none_of_ours(keys: Path) -> None:
    """A signature for git, or for a file, says nothing of a seal."""
    seen = judged(signature(keys / "one", MANIFEST, "file"))
    assert (seen.state, seen.namespace, seen.holds) == ("other_namespace", "file", False)


def test_what_is_no_signature_does_not_hold() -> None:
    """And names no key."""
    assert judged(b"x") == SignatureSeen(file="tagmanifest-sha256.txt.3.sig", number=3, state="invalid")


def test_without_the_tool_nothing_is_said(keys: Path, tmp_path: Path) -> None:
    """Not checked is neither yes nor no."""
    seen = judged(signature(keys / "one", MANIFEST), None, Stock({"PATH": str(tmp_path)}))
    assert (seen.state, seen.holds) == ("not_checked", False)
