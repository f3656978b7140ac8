"""The check of an extract: each tampering gives its code, an untouched one none."""

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from agentaudit.encoding.canonical import Codec, encode_line
from agentaudit.errors import NotAPackage, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.extract.check import EXTRACT_MAX, verify_extract
from agentaudit.extract.document import ExtractFile
from agentaudit.extract.recognise import is_extract

PAGE = "data/compliance/local/s000001/messages/000001.json"
CODEC = Codec(ExtractFile)


def errors(folder: Path) -> list[str]:
    """The codes of the findings that touch integrity."""
    verdict = verify_extract(folder)
    found = sorted({one.code for one in verdict.findings if one.severity == "error"})
    assert (verdict.integrity == "faults") == bool(found)
    return found


def append(path: str) -> Callable[[Path], None]:
    """Add a byte to a file."""

    def act(folder: Path) -> None:
        with (folder / path).open("ab") as stream:
            stream.write(b"x")

    return act


def remove(path: str) -> Callable[[Path], None]:
    """Take a file away."""
    return lambda folder: (folder / path).unlink()


def add(path: str) -> Callable[[Path], None]:
    """Put a file there."""

    def act(folder: Path) -> None:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"{}")

    return act


def state(**changed: object) -> Callable[[Path], None]:
    """State something else in extract.json, canonically."""

    def act(folder: Path) -> None:
        stated = json.loads((folder / "extract.json").read_bytes())
        octets = json.dumps({**stated, **changed}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        (folder / "extract.json").write_text(octets + "\n", encoding="utf-8")

    return act


def drop_item(folder: Path) -> None:
    """Take the first item out of the rows, and let the folder agree."""
    rows = folder / "rows/items.jsonl"
    rows.write_bytes(b"".join(rows.read_bytes().splitlines(keepends=True)[1:]))


def redrawn(act: Callable[[Path], None]) -> Callable[[Path], None]:
    """Tamper with the rows, and let extract.json agree with what they are now."""

    def both(folder: Path) -> None:
        act(folder)
        stated = json.loads((folder / "extract.json").read_bytes())
        for one in stated["files"]:
            octets = (folder / one["path"]).read_bytes()
            one["sha256"], one["bytes"] = f"sha256:{hashlib.sha256(octets).hexdigest()}", len(octets)
        state(**stated)(folder)

    return both


def link(folder: Path) -> None:
    """Put a link where a file may be."""
    (folder / "rows/link.jsonl").symlink_to("items.jsonl")


def test_an_untouched_extract_is_intact(made: Path, collected: Checked) -> None:
    """It says what it is: of which exhibit and session, with which seal, what was left behind and not checked."""
    verdict = verify_extract(made)
    assert (verdict.integrity, verdict.exhibit, verdict.session, verdict.seal) == (
        "intact",
        "EX-0001",
        "s000001",
        collected.verdict.seal,
    )
    assert verdict.attestations == ("tagmanifest-sha256.txt.1.sig",)
    assert [one.part for one in verdict.not_checked] == ["journal", "readings", "attestations"]
    assert verdict.payload_files == sum(1 for path in (made / "data").rglob("*") if path.is_file())
    assert verdict.left_behind is not None


@pytest.mark.parametrize(
    ("act", "codes"),
    [
        (append(PAGE), ["M005"]),
        (remove(PAGE), ["M006"]),
        (add("data/compliance/local/s000009/messages/000001.json"), ["P003"]),
        (add("rows/more.txt"), ["P003"]),
        (add("agentaudit/journal.jsonl"), ["M005"]),
        (append("manifest-sha256.txt"), ["M003", "M005"]),
        (remove("manifest-sha256.txt"), ["M001"]),
        (append("tagmanifest-sha256.txt"), ["M003", "S001"]),
        (remove("tagmanifest-sha256.txt"), ["M002"]),
        (append("agentaudit/coverage.json"), ["M005"]),
        (append("bag-info.txt"), ["M005"]),
        (remove("bag-info.txt"), ["M006"]),
        (append("EXTRACT-VERIFY.txt"), ["M005"]),
        (append("tagmanifest-sha256.txt.1.sig"), ["M005"]),
        (append("rows/records.jsonl"), ["M005"]),
        (drop_item, ["M005"]),
        (redrawn(drop_item), ["P010"]),
        (redrawn(append("rows/records.jsonl")), ["P010"]),
        (remove("rows/gaps.jsonl"), ["M006"]),
        (append("extract.json"), ["P010"]),
        (state(exhibit="EX-0002"), ["P010"]),
        (state(seal="sha256:" + "0" * 64), ["S001"]),
        (state(session=5), ["P010"]),
        (link, ["P005"]),
        (lambda folder: (folder / "empty").mkdir(), ["P004"]),
    ],
)
def test_each_tampering_gives_its_codes(extract: Path, act: Callable[[Path], None], codes: list[str]) -> None:
    """What was changed, removed, added or stated falsely is found, and nothing else is accused."""
    act(extract)
    assert errors(extract) == codes


def test_a_page_of_the_session_that_was_never_copied_is_found(extract: Path) -> None:
    """The manifest has it in a folder of the session: leaving it out of extract.json hides nothing."""
    octets = (extract / "extract.json").read_bytes()
    stated = CODEC.decode(octets.removesuffix(b"\n"))
    assert isinstance(stated, ExtractFile)
    kept = tuple(one for one in stated.files if one.path != PAGE)
    shorter = json.loads(octets)
    shorter["files"] = [one for one in shorter["files"] if one["path"] != PAGE]
    state(**shorter)(extract)
    assert len(kept) == len(shorter["files"])
    (extract / PAGE).unlink()
    rows = extract / "rows/items.jsonl"
    rows.write_bytes(
        b"".join(line for line in rows.read_bytes().splitlines(keepends=True) if PAGE.encode() not in line)
    )
    assert "M006" in errors(extract)


def test_the_noted_seal_is_compared(made: Path, collected: Checked) -> None:
    """The seal of the original agrees, another does not, and what is no seal is refused."""
    seal = str(collected.verdict.seal)
    assert verify_extract(made, seal=seal).integrity == "intact"
    assert [one.code for one in verify_extract(made, seal="0" * 64).findings if one.severity == "error"] == ["S001"]
    with pytest.raises(UsageFault):
        verify_extract(made, seal="seal")


def test_what_is_no_extract_is_refused(collected: Checked, tmp_path: Path) -> None:
    """An exhibit is none, nor is an empty folder, nor a newer format."""
    assert (is_extract(collected.path), is_extract(tmp_path)) == (False, False)
    with pytest.raises(NotAPackage):
        verify_extract(collected.path)
    (tmp_path / "extract.json").write_bytes(b'{"format":"agentaudit-extract/2"}\n')
    with pytest.raises(NotAPackage):
        verify_extract(tmp_path)


@pytest.mark.parametrize("octets", [b"", b"[]", b"{", b'{"format":5}\n', b'{"format":"agentaudit-extract/1"}\n'])
def test_an_extract_json_that_is_none_is_a_fault(extract: Path, octets: bytes) -> None:
    """Whatever lies there in its place, the manifests still judge the files."""
    (extract / "extract.json").write_bytes(octets)
    verdict = verify_extract(extract)
    assert (verdict.integrity, verdict.exhibit, dict(verdict.codes)["P010"]) == ("faults", None, 1)


def test_an_unsigned_extract_says_so(extract: Path) -> None:
    """Without a signature there is nothing to leave unchecked."""
    stated = json.loads((extract / "extract.json").read_bytes())
    (extract / "tagmanifest-sha256.txt.1.sig").unlink()
    stated["files"] = [one for one in stated["files"] if not one["path"].endswith(".sig")]
    state(**stated)(extract)
    verdict = verify_extract(extract)
    assert (verdict.integrity, dict(verdict.codes)["S002"], len(verdict.not_checked)) == ("intact", 1, 2)


def test_a_copy_of_the_extract_is_still_one(made: Path, tmp_path: Path) -> None:
    """Moving it changes nothing: its paths are relative."""
    shutil.copytree(made, tmp_path / "elsewhere")
    assert errors(tmp_path / "elsewhere") == []


def test_extract_json_re_encodes_to_itself(made: Path) -> None:
    """It is canonical, like every tag file."""
    octets = (made / "extract.json").read_bytes()
    assert len(octets) < EXTRACT_MAX
    assert encode_line(CODEC.decode(octets.removesuffix(b"\n"))) == octets
