"""`sign` and `timestamp` on the command line."""

import json
from pathlib import Path

import jsonschema
import msgspec
import pytest

from agentaudit.cli.sign import SignedResult
from agentaudit.cli.timestamp import RequestedResult, StampedResult
from agentaudit.format import layout
from tests.cli.terminal import Terminal
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.attesting import Authority, AuthorityServer, allow, fingerprint, needs_tools, new_authority, new_key

pytestmark = needs_tools


@pytest.fixture
def exhibit(tmp_path: Path) -> Path:
    """A sealed exhibit in its case."""
    return golden_exhibit(golden_case(tmp_path / "case"), clean_script).path


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """A local authority."""
    return new_authority(tmp_path / "tsa")


def checked(terminal: Terminal, kind: type[msgspec.Struct]) -> dict[str, object]:
    """The document that was printed, which fits its type."""
    document: dict[str, object] = json.loads(terminal.out)
    jsonschema.validate(document, msgspec.json.schema(kind))
    return document


def test_signing_says_key_and_row_and_prints_the_file(exhibit: Path, tmp_path: Path) -> None:
    """What was signed with which key on standard error, the file on standard output; both at once as JSON."""
    terminal, key = Terminal(), new_key(tmp_path / "key")
    assert terminal.run("sign", str(exhibit), "--key", str(key), "--note", "for counsel") == 0, terminal.err
    assert terminal.out == f"{exhibit}/tagmanifest-sha256.txt.1.sig\n"
    assert fingerprint(key) in terminal.err
    assert "--of-signature 1" in terminal.err
    assert terminal.run("sign", str(exhibit), "--key", str(key), "--json") == 0
    assert checked(terminal, SignedResult)["custody_head"] is not None
    rows = (exhibit.parent / layout.CUSTODY).read_text().splitlines()
    assert json.loads(rows[-2])["actors"]["note"] == "for counsel"
    assert terminal.run("sign", str(exhibit), "--key", str(key), "--quiet") == 0
    assert terminal.err == ""


@pytest.mark.parametrize(("place", "status"), [("case/EX-0009", 8), ("case/EX-0002.partial", 9), ("case", 8)])
def test_what_cannot_be_signed_has_its_status(exhibit: Path, tmp_path: Path, place: str, status: int) -> None:
    """No exhibit, or none that is sealed."""
    assert exhibit.is_dir()
    for command in (("sign", "--key", "k"), ("timestamp", "--tsa", "http://127.0.0.1:1/")):
        assert Terminal().run(command[0], str(tmp_path / place), *command[1:]) == status


def test_an_authority_is_asked_and_its_answer_kept(exhibit: Path, authority: Authority) -> None:
    """Over loopback: the stamp over the seal, as words and as JSON."""
    terminal = Terminal()
    with AuthorityServer(authority.answer) as server:
        words = ("timestamp", str(exhibit), "--tsa", server.url)
        assert terminal.run(*words, "--tsa-certificate", str(authority.root)) == 0, terminal.err
        assert terminal.out == f"{exhibit}/tagmanifest-sha256.txt.1.tsr\n"
        assert "it leads to the certificate that was named" in terminal.err
        assert terminal.run(*words, "--quiet") == 0
        assert terminal.err == ""
        assert terminal.run(*words) == 0
        assert "no authority was named" in terminal.err
        assert terminal.run(*words, "--json") == 0
    assert checked(terminal, StampedResult)["exhibit"] == "EX-0001"


def test_a_machine_without_a_network_does_it_in_two_steps(exhibit: Path, authority: Authority, tmp_path: Path) -> None:
    """The request into a new file, the answer out of one; over a signature too."""
    terminal, key = Terminal(), new_key(tmp_path / "key")
    assert terminal.run("sign", str(exhibit), "--key", str(key)) == 0
    query, reply = tmp_path / "q.tsq", tmp_path / "r.tsr"
    over = ("timestamp", str(exhibit), "--of-signature", "1")
    assert terminal.run(*over, "--request-only", str(query)) == 0, terminal.err
    assert "--response" in terminal.err
    assert terminal.out == f"{query}\n"
    assert terminal.run(*over, "--request-only", str(query)) == 7
    assert terminal.run(*over, "--request-only", str(tmp_path / "2.tsq"), "--json") == 0
    assert checked(terminal, RequestedResult)["signature"] == 1
    assert terminal.run(*over, "--request-only", str(tmp_path / "3.tsq"), "--quiet") == 0
    assert terminal.err == ""
    reply.write_bytes(authority.answer(query.read_bytes()))
    assert terminal.run(*over, "--response", str(reply)) == 0, terminal.err
    assert "signature 1 of EX-0001" in terminal.err
    assert terminal.run("timestamp", str(exhibit), "--response", str(reply)) == 2
    assert "over something else" in terminal.err


@pytest.mark.parametrize(
    "words",
    [(), ("--tsa", "http://127.0.0.1:1/", "--response", "x"), ("--tsa", "x", "--request-only", "y")],
)
def test_exactly_one_way_is_named(exhibit: Path, words: tuple[str, ...]) -> None:
    """None, or two at once, makes no sense."""
    terminal = Terminal()
    assert terminal.run("timestamp", str(exhibit), *words) == 2
    assert "--request-only" in terminal.err


def test_an_answer_file_that_is_none_is_refused(exhibit: Path, tmp_path: Path) -> None:
    """Missing, or too large."""
    (tmp_path / "large").write_bytes(bytes(256 * 1024 + 1))
    for name in ("none", "large"):
        assert Terminal().run("timestamp", str(exhibit), "--response", str(tmp_path / name)) == 2


def test_who_is_trusted_is_named_to_the_check(exhibit: Path, authority: Authority, tmp_path: Path) -> None:
    """Who signed and since when the seal exists; 4 when nobody who was named did."""
    terminal, key, other = Terminal(), new_key(tmp_path / "key"), new_key(tmp_path / "other")
    signers, strangers = allow(tmp_path / "a", ("ann", key)), allow(tmp_path / "b", ("eve", other))
    assert terminal.run("verify", str(exhibit), "--allowed-signers", str(signers)) == 4
    assert terminal.run("sign", str(exhibit), "--key", str(key)) == 0
    with AuthorityServer(authority.answer) as server:
        assert terminal.run("timestamp", str(exhibit), "--tsa", server.url) == 0
    trust = ("--allowed-signers", str(signers), "--tsa-certificate", str(authority.certificate))
    for path in (exhibit, exhibit.parent):
        assert terminal.run("verify", str(path), *trust) == 0, terminal.out
        assert "signed, by whom you named as trusted" in terminal.out
        assert f"signature 1: ann, key {fingerprint(key)} (ssh-ed25519)" in terminal.out
        assert "at the latest, says O=Tests, CN=Test Authority" in terminal.out
    assert terminal.run("verify", str(exhibit)) == 0
    assert "signed, by a key that nobody named as trusted" in terminal.out
    assert "existed by    not shown" in terminal.out
    assert terminal.run("verify", str(exhibit), "--allowed-signers", str(strangers)) == 4
    assert "S006" in terminal.out
    root = new_authority(tmp_path / "elsewhere").root
    assert terminal.run("verify", str(exhibit), "--tsa-certificate", str(root)) == 4
    assert "S010" in terminal.out
    assert terminal.run("verify", str(exhibit), "--tsa-certificate", str(key)) == 2
    assert terminal.run("verify", str(exhibit), *trust, "--record") == 0
    assert json.loads((exhibit.parent / layout.CUSTODY).read_text().splitlines()[-1])["authenticity"] == "signed"


def test_a_signature_that_does_not_hold_is_said(exhibit: Path) -> None:
    """Its bytes are whole all the same: 0, unless somebody was named."""
    (exhibit / "tagmanifest-sha256.txt.1.sig").write_bytes(b"x")
    terminal = Terminal()
    assert terminal.run("verify", str(exhibit)) == 0
    assert "INVALID: no signature beside the seal holds" in terminal.out
    assert "S004     warning" in terminal.out
