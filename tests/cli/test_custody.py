"""`custody` on the command line."""

import json
from pathlib import Path
from typing import Literal

import jsonschema
import msgspec
import pytest

from agentaudit.cli.custody import CustodyResult
from agentaudit.cli.custodyadding import AddedResult
from agentaudit.cli.custodyrows import event_of, exhibits_of, told
from agentaudit.format import layout
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.custody import (
    CustodyRow,
    ExhibitResumed,
    Exported,
    Extracted,
    SealedFound,
    Signed,
    Stamped,
    Subject,
    TornFound,
    Transcribed,
    Verified,
)
from agentaudit.model.journal import CustodyHead
from tests.cli.terminal import Terminal
from tests.forge import custody_of, edit, recustody, rewrite
from tests.golden import clean_script, golden_case, golden_exhibit
from tests.support.around import WHO

PEOPLE = ("--examiner", "Bob", "--authority", "Order 9")


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case with two sealed exhibits."""
    made = golden_case(tmp_path / "case")
    for _ in range(2):
        golden_exhibit(made, clean_script)
    return made.path


def done(*words: str) -> Terminal:
    """A command line that ends with 0."""
    terminal = Terminal()
    assert terminal.run("custody", *words) == 0, terminal.err
    return terminal


def test_the_chain_is_shown_one_act_a_line(case: Path) -> None:
    """Who, when, on what, and the head that is worth noting."""
    out = done(str(case)).out
    acts = [line.split()[3:5] for line in out.splitlines() if line.strip()[:1].isdigit() and "2026-" in line]
    assert acts == [
        ["case", "opened"],
        ["began", "EX-0001"],
        ["sealed", "EX-0001"],
        ["began", "EX-0002"],
        ["sealed", "EX-0002"],
    ]
    head = digest_of((case / layout.CUSTODY).read_bytes().splitlines(keepends=True)[-1]).removeprefix("sha256:")
    assert head[:8] in out
    document = json.loads(done(str(case), "--json").out)
    jsonschema.validate(document, msgspec.json.schema(CustodyResult))
    assert document["head"] == {"digest": f"sha256:{head}", "seq": 5}
    assert done("--json", str(case)).out == done(str(case), "--json").out


def test_a_chain_with_faults_is_shown_up_to_them(case: Path) -> None:
    """4 for a broken one; a torn last line is a warning."""
    with (case / layout.CUSTODY).open("ab") as stream:
        stream.write(b"{")
    assert "C013 warning" in done(str(case)).out
    edit(case / layout.CUSTODY, b'"exhibit":"EX-0001"', b'"exhibit":"EX-0007"')
    terminal = Terminal()
    assert terminal.run("custody", str(case)) == 4
    assert "C002 error" in terminal.out
    assert terminal.run("custody", str(case), "--json") == 4
    assert terminal.run("custody", "form", str(case)) == 2
    rewrite(case / layout.CUSTODY, b"")
    assert terminal.run("custody", str(case)) == 4
    assert terminal.run("custody", "form", str(case)) == 2


def test_what_people_did_is_added(case: Path) -> None:
    """The new head is the result; seals are those that the log holds."""
    words = ("--exhibit", "EX-0001", "--to", "Bob", "--from", "Ann", "--medium", "disk 7", "--place", "Room 1")
    out = done("add", str(case), "--event", "transferred", *words, "--happened-at", "2026-03-02", *PEOPLE).out
    assert out.strip() == digest_of((case / layout.CUSTODY).read_bytes().splitlines(keepends=True)[-1])[7:]
    told_row = done(str(case)).out.splitlines()[-1]
    for word in ("transferred", "EX-0001", "Bob", "from Ann; to Bob; on disk 7; at Room 1; happened at 2026-03-02T00"):
        assert word in told_row
    terminal = done("add", str(case), "--event", "note", "--note", "locked away", "--json")
    jsonschema.validate(json.loads(terminal.out), msgspec.json.schema(AddedResult))
    assert 'note: "locked away"' in done(str(case)).out
    assert done("add", str(case), "--event", "opened", "--quiet").err == ""
    assert Terminal().run("verify", str(case)) == 0


@pytest.mark.parametrize(
    "words",
    [
        ("--event", "lost"),
        ("--event", "transferred"),
        ("--event", "opened", "--exhibit", "EX-0009"),
        ("--event", "opened", "--head", "0" * 64),
        ("--event", "received", "--from", "A", "--head", "0" * 64, "--handover", "x"),
        ("--event", "received", "--from", "A", "--seal", "0" * 64),
        ("--event", "received", "--from", "A", "--head", "short"),
        ("--event", "received", "--from", "A", "--handover", "none"),
        ("--event", "received", "--from", "A", "--copy-to", "x"),
        ("--event", "copied", "--copy-to", "x"),
        ("--event", "opened", "--happened-at", "yesterday"),
    ],
)
def test_what_makes_no_sense_is_refused_and_leaves_no_row(case: Path, words: tuple[str, ...]) -> None:
    """Status 2."""
    before = (case / layout.CUSTODY).read_bytes()
    assert Terminal().run("custody", "add", str(case), *words) == 2
    assert (case / layout.CUSTODY).read_bytes() == before


def test_an_exhibit_goes_and_comes(case: Path, tmp_path: Path) -> None:
    """Copied with case and log beside it, shown there, received with the sender's head cited."""
    out, other = tmp_path / "out", tmp_path / "other"
    terminal = done(
        "add", str(case), "--event", "transferred", "--exhibit", "EX-0002", "--to", "Bob", "--copy-to", str(out)
    )
    assert str(out) in terminal.err
    head = terminal.out.strip()
    assert "transferred" in done(str(out / "EX-0002")).out
    assert "EX-0002           sealed" in done("form", str(out / "EX-0002"), "--exhibit", "EX-0002").out
    assert Terminal().run("open", str(other), "--number", "R-1", "--title", "T", *PEOPLE) == 0
    done("add", str(other), "--event", "received", "--from", "Ann", "--handover", str(out / "EX-0002"))
    done(
        "add",
        str(other),
        "--event",
        "received",
        "--from",
        "Ann",
        "--head",
        head,
        "--exhibit",
        "EX-0002",
        "--seal",
        "0" * 64,
    )
    done("add", str(other), "--event", "returned", "--to", "Ann", "--head", head)
    shown = done(str(other)).out
    assert f"cites the chain of case N-1, row 6, head {head[:16]}" in shown
    assert shown.count(f"cites the chain, head {head[:16]}") == 2
    edit(out / "EX-0002.case.json", b"A matter", b"B matter")
    assert (
        Terminal().run(
            "custody", "add", str(other), "--event", "received", "--from", "A", "--handover", str(out / "EX-0002")
        )
        == 4
    )
    assert "C019 warning" in done(str(out / "EX-0002")).out


def test_the_form_has_seals_in_groups_and_lines_to_write_on(case: Path) -> None:
    """Every sealed exhibit, or those that were named; nothing wider than a page."""
    form = done("form", str(case)).out
    seal = digest_of((case / "EX-0001" / layout.TAG_MANIFEST).read_bytes()).removeprefix("sha256:")
    assert " ".join(seal[at : at + 8] for at in range(0, 32, 8)) in form
    assert form.count("signature ______________") == 8
    assert max(len(line) for line in form.splitlines()) <= 80
    one = done("form", str(case), "--exhibit", "EX-0002").out
    assert "EX-0001" not in one
    assert Terminal().run("custody", "form", str(case), "--exhibit", "EX-0009") == 2


def test_what_is_no_case_is_7(tmp_path: Path) -> None:
    """And the verbs alone say how they are used."""
    assert Terminal().run("custody", str(tmp_path)) == 7
    assert Terminal().run("custody", "form", str(tmp_path)) == 7
    assert Terminal().run("custody", "add", str(tmp_path), "--event", "opened") == 7
    terminal = Terminal()
    assert terminal.run("custody") == 2
    assert "custody form CASE" in terminal.err


def stamped(signature: int | None) -> Stamped:
    """A row about a stamp."""
    digest = digest_of(b"")
    return Stamped(
        **WHO,
        exhibit="EX-0001",
        seal=digest,
        file="f",
        sha256=digest,
        chain_sha256=digest,
        signature=signature,
        stamped_at=Instant("2026-03-02T09:00:00.000000Z"),
        authority="CN=A",
        certificate=digest,
        serial="1",
        asked="",
    )


def resumed(purpose: Literal["resume", "seal"]) -> ExhibitResumed:
    """A row about an interrupted exhibit."""
    return ExhibitResumed(**WHO, exhibit="EX-0001", purpose=purpose)


def test_rows_that_are_rare_are_told_too() -> None:
    """Resumed, torn, verified, stamped over a signature, and one that this program does not know."""
    torn = TornFound(**WHO, bytes=3, sha256=digest_of(b""))
    verified = Verified(
        **WHO,
        subject="EX-0001",
        seal=None,
        integrity="intact",
        outcome=None,
        authenticity="unknown_key",
        findings=(("S007", 1),),
    )
    head = CustodyHead(seq=4, digest=digest_of(b""))
    exported = Exported(
        **WHO,
        subjects=(Subject(exhibit="EX-0001", seal=digest_of(b"")),),
        formats=("json", "csv"),
        names_shown=False,
        head=head,
        listing=digest_of(b""),
        report="R-0001",
    )
    transcribed = Transcribed(
        **WHO,
        exhibit="EX-0001",
        seal=digest_of(b""),
        session="s000001",
        formats=("md",),
        head=head,
        listing=digest_of(b""),
        report=None,
    )
    extracted = Extracted(
        **WHO,
        exhibit="EX-0001",
        seal=digest_of(b""),
        session="s000001",
        files=3,
        bytes=9,
        head=head,
        extract=digest_of(b""),
    )
    nothing = digest_of(b"")[7:23]
    over = "signature 2 existed at 2026-03-02T09:00:00.000000Z, says CN=A"
    rows: list[tuple[CustodyRow, str, tuple[str, ...], str]] = [
        (resumed("resume"), "resumed", ("EX-0001",), "goes on"),
        (resumed("seal"), "resumed", ("EX-0001",), "to be closed as it stands"),
        (torn, "torn found", (), "3 bytes of a row that never counted"),
        (verified, "verified", ("EX-0001",), "intact; unknown key; S007"),
        (exported, "exported", ("EX-0001",), f"as json, csv, up to row 4, listing {nothing}; in R-0001"),
        (transcribed, "transcribed", ("EX-0001",), "s000001 for reading, as md; outside the case"),
        (extracted, "extracted", ("EX-0001",), f"s000001: 3 files, extract.json {nothing}"),
        (stamped(2), "stamped", ("EX-0001",), over),
        (CustodyRow(**WHO), "CustodyRow", (), ""),
    ]
    found = SealedFound(**WHO, exhibit="EX-0001", seal=digest_of(b""))
    rows += [
        (found, "sealed found", ("EX-0001",), f"seal {nothing}"),
    ]
    elsewhere = (msgspec.structs.replace(exported, report=None), msgspec.structs.replace(transcribed, report="R-0002"))
    assert [told(row).rpartition("; ")[2] for row in elsewhere] == ["outside the case", "in R-0002"]
    for row, event, exhibits, words in rows:
        assert (event_of(row), exhibits_of(row), told(row)) == (event, exhibits, words)


def test_a_form_says_what_was_signed_and_stamped(case: Path) -> None:
    """By key and by authority."""
    signed = Signed(
        **WHO,
        exhibit="EX-0002",
        seal=digest_of(b""),
        file="f",
        sha256=digest_of(b""),
        fingerprint="SHA256:x",
        key_type="ssh-ed25519",
    )
    recustody(case, [*custody_of(case), stamped(None), signed])
    form = done("form", str(case)).out
    assert "stamped 2026-03-02T09:00:00.000000Z by CN=A" in form
    assert "key SHA256:x" in form
