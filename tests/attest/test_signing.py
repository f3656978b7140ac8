"""Signing a seal."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentaudit.attest.signing import sign
from agentaudit.attest.stock import Stock
from agentaudit.errors import PackageFault, UsageFault
from agentaudit.format import layout
from agentaudit.model.custody import Signed
from agentaudit.package.attestations import sealed_folder
from agentaudit.package.case import Case, load_case
from tests.forge import rewrite
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.around import hand
from tests.support.attesting import fingerprint, needs_tools, new_key

pytestmark = needs_tools

STOCK = Stock(os.environ)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A case with one exhibit."""
    made = golden_case(tmp_path / "case")
    golden_exhibit(made, clean_script)
    return made


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key without a passphrase."""
    return new_key(tmp_path / "key")


def test_a_signature_is_kept_beside_the_seal_and_told(case: Case, key: Path) -> None:
    """Its file holds under stock ssh-keygen, is read-only, and stands in the custody log with key and digest."""
    sealed = sealed_folder(case.path / "EX-0001")
    made = sign(sealed, key, hand(), STOCK)
    file = sealed.path / "tagmanifest-sha256.txt.1.sig"
    words = ("-Y", "check-novalidate", "-n", "agentaudit-seal", "-s", str(file))
    done = subprocess.run(["ssh-keygen", *words], input=sealed.manifest, capture_output=True, check=False)
    assert done.returncode == 0
    assert file.stat().st_mode & 0o777 == 0o400
    row = list(case.rows())[-1]
    assert isinstance(row, Signed)
    assert (row.exhibit, row.seal, row.file, row.fingerprint) == (
        "EX-0001", sealed.seal, file.name, fingerprint(key),
    )  # fmt: skip
    assert (made.seen.file, made.seen.number, made.head.seq) == (file.name, 1, row.seq)


def test_several_people_sign_and_nothing_is_overwritten(case: Case, key: Path) -> None:
    """Each signature takes the next number, also the second by the same key."""
    first = case.path / "EX-0001/tagmanifest-sha256.txt.1.sig"
    sign(sealed_folder(case.path / "EX-0001"), key, hand(), STOCK)
    before = first.read_bytes()
    made = sign(sealed_folder(case.path / "EX-0001"), key, hand(), STOCK)
    assert (made.seen.number, first.read_bytes()) == (2, before)


def test_a_protected_key_is_refused_without_asking(case: Case, tmp_path: Path) -> None:
    """Nothing prompts; the next step is an agent, and nothing was written."""
    protected = new_key(tmp_path / "protected", "a passphrase")
    with pytest.raises(UsageFault, match="protected by a passphrase") as caught:
        sign(sealed_folder(case.path / "EX-0001"), protected, hand(), STOCK)
    assert "ssh-add" in caught.value.hint
    assert not list((case.path / "EX-0001").glob("*.sig"))


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An agent of its own, and the environment that leads to it."""
    socket = tmp_path / "agent"
    process = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if socket.exists():
                break
            subprocess.run(["sleep", "0.05"], check=True)
        yield {**os.environ, "SSH_AUTH_SOCK": str(socket)}
    finally:
        process.terminate()
        process.wait(10)


@pytest.mark.skipif(shutil.which("ssh-agent") is None, reason="needs ssh-agent")
def test_a_key_in_an_agent_signs_by_its_public_half(case: Case, key: Path, agent: dict[str, str]) -> None:
    """The private half need not be on the disk: so hardware keys work."""
    subprocess.run(["ssh-add", "-q", str(key)], env=agent, check=True, timeout=20)
    key.unlink()
    public = key.with_name("key.pub")
    made = sign(sealed_folder(case.path / "EX-0001"), public, hand(), Stock(agent))
    assert made.seen.fingerprint == fingerprint(public)


def test_what_is_no_key_is_refused(case: Case, tmp_path: Path, key: Path) -> None:
    """A missing file, a text, and the public half of a key that no agent has."""
    sealed = sealed_folder(case.path / "EX-0001")
    (tmp_path / "text").write_text("x")
    key.unlink()
    for path, words in ((tmp_path / "none", "not a key file"), (tmp_path / "text", "could not sign"),
                        (tmp_path / "key.pub", "could not sign")):  # fmt: skip
        with pytest.raises(UsageFault, match=words):
            sign(sealed, path, hand(), Stock({"PATH": os.environ["PATH"]}))


def test_a_tool_that_gives_another_signature_is_not_believed(case: Case, key: Path, tmp_path: Path) -> None:
    """What came out is checked before it is kept."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "ssh-keygen").write_text("#!/bin/sh\necho nothing\n")
    (folder / "ssh-keygen").chmod(0o700)
    with pytest.raises(UsageFault, match="does not hold"):
        sign(sealed_folder(case.path / "EX-0001"), key, hand(), Stock({"PATH": str(folder)}))


def test_a_changed_seal_is_not_signed(case: Case) -> None:
    """A tag manifest other than the one that the custody log holds is looked at first."""
    rewrite(case.path / "EX-0001" / layout.TAG_MANIFEST, b"other")
    with pytest.raises(PackageFault, match="not the one that the custody log holds"):
        sealed_folder(case.path / "EX-0001")
    assert load_case(case.path) == case
