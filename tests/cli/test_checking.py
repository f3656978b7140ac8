"""The witnesses that a caller names before an act: those of `verify`, for export, transcript and extract too."""

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from agentaudit.demo.jsontext import Json
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from tests.cli.terminal import Terminal
from tests.support.attesting import Authority, AuthorityServer, allow, fingerprint, needs_tools, new_authority, new_key

pytestmark = needs_tools

ACTS = ("export-manifest", "transcript", "extract")


@dataclass(frozen=True)
class Attested:
    """A case whose EX-0002 is signed and stamped, the key, the authority, and who is allowed."""

    case: Path
    key: Path
    authority: Authority
    signers: Path

    @property
    def exhibit(self) -> Path:
        """The exhibit."""
        return self.case / "EX-0002"

    @property
    def witnesses(self) -> tuple[str, ...]:
        """All that `verify` can be given."""
        return (
            "--allowed-signers", str(self.signers), "--tsa-certificate", str(self.authority.root), "--seal", self.seal,
        )  # fmt: skip

    @property
    def seal(self) -> str:
        """The seal as it would be noted."""
        return digest_of((self.exhibit / layout.TAG_MANIFEST).read_bytes()).removeprefix("sha256:")


@pytest.fixture
def attested(case: Path, tmp_path: Path) -> Attested:
    """Signed by a new key and stamped by a local authority."""
    key, authority = new_key(tmp_path / "key"), new_authority(tmp_path / "tsa")
    signers = allow(tmp_path / "signers", ("eve@example.test", key))
    terminal = Terminal()
    assert terminal.run("sign", str(case / "EX-0002"), "--key", str(key)) == 0, terminal.err
    with AuthorityServer(authority.answer) as server:
        assert terminal.run("timestamp", str(case / "EX-0002"), "--tsa", server.url) == 0, terminal.err
    return Attested(case, key, authority, signers)


def act(name: str, exhibit: Path, out: Path, *given: str, status: int = 0) -> None:
    """Run an act on an exhibit, which ends with this status."""
    terminal = Terminal()
    where = ("--to", str(out)) if name == "extract" else ("--out", str(out))
    session = () if name == "export-manifest" else ("--session", "s000001")
    assert terminal.run(name, str(exhibit), *session, *where, *given) == status, terminal.err


def manifest(out: Path) -> dict[str, Json]:
    """The check of the only exhibit, as manifest.json states it."""
    document = json.loads((out / "manifest.json").read_bytes())
    (exhibit,) = document["exhibits"]
    found = exhibit["check"]
    assert isinstance(found, dict)
    return found


def test_an_export_states_what_the_seal_was_tested_against(attested: Attested, tmp_path: Path) -> None:
    """Signer, stamp, digests of what was named; in JSON, on the page, in the table, in the fact sheet, in CASE."""
    out = tmp_path / "out"
    given = [word for name in ("json", "csv", "html", "md", "case") for word in ("--format", name)]
    act("export-manifest", attested.exhibit, out, *given, *attested.witnesses)
    check = manifest(out)
    told = check["attested"]
    assert isinstance(told, dict)
    assert check["authenticity"] == "signed"
    tested, signatures = told["tested"], told["signatures"]
    assert isinstance(tested, dict)
    assert isinstance(signatures, list)
    assert tested["noted_seal"] is True
    assert tested["allowed_signers"] == digest_of(attested.signers.read_bytes())
    assert len(str(tested["authorities"])) > 60
    assert [(one["fingerprint"], one["principals"]) for one in signatures if isinstance(one, dict)] == [
        (fingerprint(attested.key), [])
    ]
    (row,) = csv.DictReader(io.StringIO((out / "exhibits.csv").read_text("utf-8-sig")))
    assert row["existed_by"] == told["existed_by"]
    for name in ("exhibits.csv", "manifest.html", "manifest.case.jsonld", "fact-sheet.txt", "manifest.md"):
        text = " ".join((out / name).read_text().replace("\\", "").split())
        assert "Tested against the seal as it was noted" in text, name
        assert fingerprint(attested.key) in text, name
        assert "eve@example.test" not in text, name


def test_names_of_signers_are_shown_where_names_are(attested: Attested, tmp_path: Path) -> None:
    """The name under which a key is allowed may be an e-mail address: it goes with the other names."""
    act("export-manifest", attested.exhibit, tmp_path / "out", "--show-names", *attested.witnesses)
    assert "allowed as eve@example.test" in (tmp_path / "out" / "manifest.html").read_text()


def test_an_export_without_witnesses_says_that_there_were_none(attested: Attested, tmp_path: Path) -> None:
    """A signature of nobody who was named is an unknown key's, and each thing that was not given is said."""
    act("export-manifest", attested.exhibit, tmp_path / "out")
    assert manifest(tmp_path / "out")["authenticity"] == "unknown_key"
    page = (tmp_path / "out" / "manifest.html").read_text()
    for words in (
        "No noted seal was given to this check",
        "No allowed signers were given to this check",
        "No time-stamping authority was given to this check",
        "nobody was named, so whose key it is was not asked",
        "no authority was named, so whose it is was not asked",
    ):
        assert words in page


def test_a_copy_states_it_too(attested: Attested, tmp_path: Path) -> None:
    """In its head for programs, and in its first table for people."""
    given = ("--format", "jsonl", "--format", "html", *attested.witnesses)
    act("transcript", attested.exhibit, tmp_path / "out", *given)
    (lines,) = (tmp_path / "out").glob("*.jsonl")
    head = json.loads(lines.read_bytes().splitlines()[0])
    assert (head["authenticity"], head["attested"]["tested"]["noted_seal"]) == ("signed", True)
    (page,) = (tmp_path / "out").glob("*.html")
    assert "By a named authority&#x27;s clock the seal existed by" in page.read_text()


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("what", ["--allowed-signers", "--tsa-certificate", "--seal"])
def test_nothing_is_done_with_what_those_who_were_named_do_not_attest(
    attested: Attested, tmp_path: Path, name: str, what: str
) -> None:
    """Another signer, another authority, another seal: 4, as `verify` answers, and nothing is written."""
    wrong = {
        "--allowed-signers": str(allow(tmp_path / "others", ("x", new_key(tmp_path / "other")))),
        "--tsa-certificate": str(new_authority(tmp_path / "tsa2").root),
        "--seal": "0" * 64,
    }[what]
    assert Terminal().run("verify", str(attested.exhibit), what, wrong) == 4
    act(name, attested.exhibit, tmp_path / "out", what, wrong, status=4)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ACTS)
def test_the_verdict_is_recorded_before_the_act(attested: Attested, tmp_path: Path, name: str) -> None:
    """With `--record` the custody log holds the verdict, then the act that rests on it."""
    act(name, attested.exhibit, tmp_path / "out", "--record", *attested.witnesses)
    rows = [json.loads(row) for row in (attested.case / layout.CUSTODY).read_bytes().splitlines()]
    assert [row["event"] for row in rows[-2:]] == [
        "verified",
        {"export-manifest": "exported", "transcript": "transcribed", "extract": "extracted"}[name],
    ]
    assert rows[-2]["authenticity"] == "signed"


def test_a_case_is_checked_with_the_same_witnesses(attested: Attested, tmp_path: Path) -> None:
    """EX-0001 is not signed: nothing of the case is exported then; the exhibit that is signed is."""
    signers = ("--allowed-signers", str(attested.signers))
    terminal = Terminal()
    assert terminal.run("export-manifest", str(attested.case), "--out", str(tmp_path / "a"), *signers) == 4
    given = ("--exhibit", "EX-0002", "--seal", attested.seal, "--out", str(tmp_path / "b"), *signers)
    assert terminal.run("export-manifest", str(attested.case), *given) == 0, terminal.err
    assert manifest(tmp_path / "b")["authenticity"] == "signed"


@pytest.mark.parametrize("chosen", [(), ("--exhibit", "EX-0001", "--exhibit", "EX-0002")])
def test_a_seal_is_that_of_one_exhibit(attested: Attested, chosen: tuple[str, ...]) -> None:
    """A seal for a case, or for two exhibits, makes no sense (2)."""
    assert Terminal().run("export-manifest", str(attested.case), *chosen, "--seal", attested.seal) == 2
