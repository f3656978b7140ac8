"""The export as a whole: new files in a new folder, the same bytes for the same case, a row that comes after."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import jsonschema
import pytest

from agentaudit.adapters.claude_code.reading_copy import ClaudeCodeCopyReader
from agentaudit.adapters.compliance.reading import CompliancePageReader
from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.encoding.canonical import encode
from agentaudit.errors import DestinationFault, PackageFault
from agentaudit.export.checked import Checked
from agentaudit.export.opening import opened
from agentaudit.export.request import FORMATS, ExportedResult, ExportManifest, Format
from agentaudit.export.rows import SealedRows
from agentaudit.export.run import export_manifest
from agentaudit.export.schemas import schema
from agentaudit.export.speaking import session_texts
from agentaudit.export.visible import visible_lines
from agentaudit.export.writing import NewFolder, next_report
from agentaudit.format import layout
from agentaudit.model.base import digest_of
from agentaudit.model.custody import Exported
from agentaudit.model.tagfiles import ItemRow, WalkRow
from agentaudit.model.workingcopy import Aside, Message, NotRead, Way
from agentaudit.package.case import Case, load_case
from agentaudit.package.disk import SystemDisk
from agentaudit.package.tree import Tree
from agentaudit.verify import verify_case, verify_exhibit
from tests.export.dossiers import facts
from tests.export.test_dat import read
from tests.export.test_opening import checked
from tests.golden import ScriptReader
from tests.support.around import hand
from tests.support.clock import BEGIN

READERS = (ComplianceCopyReader(), ClaudeCodeCopyReader())


def exported(
    case: Case,
    *names: str,
    formats: tuple[Format, ...] = FORMATS,
    out: Path | None = None,
    alone: bool = False,
    shown: bool = False,
) -> ExportedResult:
    """Export scripted exhibits."""
    asked = ExportManifest(
        case=None if alone else case,
        exhibits=checked(case.path, *(names or ("EX-0001",))),
        left_out=(),
        formats=formats,
        out=out,
        names=shown,
    )
    return export_manifest(asked, None if alone else hand(lambda: BEGIN), SystemDisk(), READERS)


def files(folder: Path) -> dict[str, bytes]:
    """Every file of an export."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_the_same_case_gives_the_same_bytes(scripted: Case, tmp_path: Path) -> None:
    """Two exports of equal copies, made at any time into any folder, are equal byte by byte."""
    copy = Case(Path(shutil.copytree(scripted.path, tmp_path / "copy")), scripted.file)
    first = exported(scripted, "EX-0002", "EX-0001")
    second = exported(copy, "EX-0001", "EX-0002", out=tmp_path / "elsewhere")
    assert files(Path(first.path)) == files(Path(second.path))
    assert first.listing == second.listing


def test_a_later_head_gives_another_export(scripted: Case) -> None:
    """The export names the head of the custody log before its own row."""
    first, second = exported(scripted, formats=("json",)), exported(scripted, formats=("json",))
    assert first.custody_head is not None
    assert second.custody_head is not None
    assert (first.custody_head.seq, first.custody_row, second.custody_head.seq) == (5, 6, 6)
    assert first.listing != second.listing
    assert (Path(first.path).name, Path(second.path).name) == ("R-0001", "R-0002")


def test_the_custody_row_says_what_was_exported(scripted: Case, tmp_path: Path) -> None:
    """Exhibits with seals, formats, the head before it, the digest of the listing, the folder in the case."""
    result = exported(scripted, "EX-0001", "EX-0002", formats=("csv", "json"), shown=True)
    exported(scripted, formats=("md",), out=tmp_path / "out")
    inside, outside = (row for row in scripted.rows() if isinstance(row, Exported))
    assert inside.subjects == result.exhibits
    assert (inside.formats, inside.names_shown, inside.report) == (("json", "csv"), True, "R-0001")
    assert (inside.head, inside.listing) == (result.custody_head, result.listing)
    assert outside.report is None
    verdict = verify_case(scripted.path, readers=(ScriptReader(),))
    assert verdict.integrity == "intact"


def test_a_stock_tool_checks_the_export(scripted: Case) -> None:
    """`sha256sum` reads the listing, which lists every other file; its own digest is the result's."""
    result = exported(scripted)
    folder = Path(result.path)
    subprocess.run(("sha256sum", "--strict", "--quiet", "--check", "sha256sums.txt"), cwd=folder, check=True)
    listed = {line[66:] for line in (folder / "sha256sums.txt").read_text().splitlines()}
    assert listed | {"sha256sums.txt"} == set(files(folder)) == {one.name for one in result.files} | {"sha256sums.txt"}
    printed = subprocess.run(("sha256sum", "sha256sums.txt"), cwd=folder, check=True, capture_output=True, text=True)
    assert f"sha256:{printed.stdout[:64]}" == result.listing


def test_files_are_for_their_owner_alone(scripted: Case) -> None:
    """Files 0600, folders 0700."""
    folder = Path(exported(scripted).path)
    for path in (folder, *folder.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600)


@pytest.mark.parametrize("one", FORMATS)
def test_each_format_can_be_had_alone(one: Format, scripted: Case) -> None:
    """One format gives its own files, and what is in every export beside them."""
    names = set(files(Path(exported(scripted, formats=(one,)).path)))
    always = {"export.json", "fact-sheet.txt", "sha256sums.txt"}
    assert always < names
    kinds = {"json": ".json", "csv": ".csv", "md": ".md", "html": ".html", "dat": ".dat", "case": ".jsonld"}
    assert all(name.endswith(kinds[one]) for name in names - always)


def test_documents_fit_their_schemas(scripted: Case) -> None:
    """export.json, manifest.json and the printed result fit what is shipped."""
    result = exported(scripted, "EX-0001", "EX-0002")
    for name in ("export.json", "manifest.json"):
        jsonschema.validate(json.loads((Path(result.path) / name).read_bytes()), json.loads(schema(name)))
    jsonschema.validate(json.loads(encode(result)), json.loads(schema("exported.json")))


def test_nothing_is_overwritten(scripted: Case, tmp_path: Path) -> None:
    """A folder that is there is refused, and so is one that an earlier export left unfinished."""
    (tmp_path / "out").mkdir()
    for name in ("out", "left"):
        (tmp_path / "left.partial").mkdir(exist_ok=True)
        with pytest.raises(DestinationFault):
            exported(scripted, out=tmp_path / name)
    assert [row for row in scripted.rows() if isinstance(row, Exported)] == []


def test_an_export_that_fails_keeps_no_name(scripted: Case, tmp_path: Path) -> None:
    """An exhibit that changes while it is exported leaves a partial folder, no row and no result."""
    asked = ExportManifest(scripted, checked(scripted.path, "EX-0001"), (), ("json",), tmp_path / "out", names=False)
    place = scripted.path / "EX-0001" / layout.VERIFY
    place.chmod(0o600)
    place.write_bytes(b"other words\n")
    with pytest.raises(PackageFault):
        export_manifest(asked, hand(lambda: BEGIN), SystemDisk(), READERS)
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "out.partial").is_dir()
    assert [row for row in scripted.rows() if isinstance(row, Exported)] == []


def test_an_exhibit_without_its_case_needs_a_place(scripted: Case, tmp_path: Path) -> None:
    """Alone it goes where it is told, and is recorded nowhere."""
    with pytest.raises(DestinationFault):
        exported(scripted, alone=True)
    result = exported(scripted, alone=True, out=tmp_path / "out")
    assert (result.custody_head, result.custody_row) == (None, None)
    assert "Exhibit EX-0001" in (tmp_path / "out" / "manifest.html").read_text()


def test_reports_are_numbered_on(tmp_path: Path) -> None:
    """The next number is above every one that is there, unfinished ones too; other names do not count."""
    disk = SystemDisk()
    assert next_report(tmp_path, disk).name == "R-0001"
    for name in ("R-0003", "R-0007.partial", "R-x", "notes"):
        (tmp_path / "reports" / name).mkdir()
    assert next_report(tmp_path, disk).name == "R-0008"


def test_a_large_file_is_written_in_blocks(tmp_path: Path) -> None:
    """However small the pieces, digest and size are those of the whole."""
    folder = NewFolder(tmp_path / "new", SystemDisk())
    written = folder.write("a/b.txt", (b"x" * 1000 for _ in range(600)))
    assert folder.find("a/b.txt") == written
    assert folder.find("gone") is None
    assert written.bytes == 600_000
    folder.settle()
    assert (tmp_path / "new" / "a" / "b.txt").read_bytes() == b"x" * 600_000


def real(case: Path, *formats: Format, shown: bool = False) -> ExportedResult:
    """Export the demo's exhibit."""
    verdict = verify_exhibit(case / "EX-0001", readers=(CompliancePageReader(),))
    exhibits = (Checked(case / "EX-0001", verdict),)
    asked = ExportManifest(load_case(case), exhibits, (), formats, None, names=shown)
    return export_manifest(asked, hand(lambda: BEGIN), SystemDisk(), READERS)


def test_every_row_of_the_load_file_leads_to_its_text(collected: Path) -> None:
    """Re-read field by field, each text path is a file with the stated size and digest, and no other text is there."""
    folder = Path(real(collected, "dat").path)
    rows = read((folder / "manifest.dat").read_bytes())
    told = {row["TEXTPATH"].replace("\\", "/"): row for row in rows if row["TEXTPATH"]}
    texts = {name: octets for name, octets in files(folder).items() if name.startswith("texts/")}
    assert set(told) == set(texts)
    for name, octets in texts.items():
        assert (told[name]["TEXTSIZE"], told[name]["TEXTSHA256"]) == (str(len(octets)), digest_of(octets))
    assert all(bool(row["TEXTPATH"]) == (row["MESSAGES"] != "0") for row in rows)


def test_a_text_holds_what_its_raw_bytes_hold(collected: Path) -> None:
    """Each text block of a page stands in its session's text, line by line."""
    folder = Path(real(collected, "dat").path)
    page = next((collected / "EX-0001" / "data/compliance/local").rglob("messages/000001.json"))
    session = page.parts[-3]
    blocks = [block for one in json.loads(page.read_bytes())["data"] for block in one["content"]]
    lines = (folder / f"texts/EX-0001/{session}.txt").read_text().splitlines()
    said = [block["text"] for block in blocks if block["type"] == "text"]
    assert said
    assert all(f"  {line}" in lines for text in said for line in visible_lines(text))


def test_a_page_that_changed_gives_no_text(collected: Path) -> None:
    """A payload file whose bytes are not those of its item ends the export."""
    verdict = verify_exhibit(collected / "EX-0001", readers=(CompliancePageReader(),))
    page = next((collected / "EX-0001" / "data/compliance/local").rglob("messages/000001.json"))
    page.write_bytes(page.read_bytes()[:-1] + b" ")
    exhibits = (Checked(collected / "EX-0001", verdict),)
    asked = ExportManifest(load_case(collected), exhibits, (), ("dat",), None, names=False)
    with pytest.raises(PackageFault, match="changed while"):
        export_manifest(asked, hand(lambda: BEGIN), SystemDisk(), READERS)


def test_an_exhibit_that_nobody_reads_has_no_texts(scripted: Case) -> None:
    """Content is not guessed at: without a reader the load file has rows and no texts."""
    folder = Path(exported(scripted, formats=("dat",)).path)
    rows = read((folder / "manifest.dat").read_bytes())
    assert [row["TEXTPATH"] for row in rows] == ["", ""]
    assert not (folder / "texts").exists()


class OneReader:
    """Reads whatever it is given as one message, the pages of a session backwards."""

    def reads(self, adapter: str) -> bool:
        """Everything."""
        return bool(adapter)

    def rank(self, item: ItemRow) -> int | None:
        """The first page behind the others; nothing of lists."""
        return None if "/list/" in item.path else int(item.path.endswith("000001.json"))

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> "OneReader":
        """Begin with whose walk it is."""
        assert [walk.session for walk in walks] == [session]
        return self

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead | Aside]:
        """One message, one thing that is none, one that cannot be read."""
        way = Way(item=item.path, sha256=item.sha256, pointer="", request_id=None, row=None)
        yield Message(part="p", page=1, index=0, standing="captured", way=way)
        yield Aside(part="p", type="progress", way=way)
        yield NotRead(part="p", reason="not_json", way=way)
        assert b"".join(lines)


def test_a_text_follows_the_ranks_of_its_files(scripted: Case) -> None:
    """Files come by rank, then by path, whatever their order in the package; sessions are told by their walks."""
    with opened(scripted, checked(scripted.path, "EX-0001"), (), names=False) as found:
        (sealed,) = found.rows
        facts = found.dossier.parts[0].facts
        texts = {key: b"".join(pieces).decode() for key, pieces in session_texts(sealed, facts, (OneReader(),))}
    assert list(texts) == ["s000001", "s000002"]
    places = re.findall(r"^    (data/\S+)", texts["s000001"], re.MULTILINE)
    assert [place.rpartition("/")[2] for place in places[::2]] == ["000002-2.json", "000002.json", "000001.json"]
    assert "(no message could be read here: not_json)" in texts["s000002"]
    assert texts["s000001"].endswith("(3 records that are no messages stand in the raw bytes and not here)\n")


def test_an_item_that_is_gone_gives_no_text(scripted: Case) -> None:
    """Items that change while texts are drawn end the export."""
    with Tree(scripted.path / "EX-0001") as tree:
        sealed = SealedRows(tree, "EX-0001", "script/1", {}, names=False)
        texts = session_texts(sealed, facts(), (OneReader(),))
        _, pieces = next(texts)
        place = scripted.path / "EX-0001" / layout.ITEMS
        lines = place.read_bytes().splitlines(keepends=True)
        place.chmod(0o600)
        place.write_bytes(b"".join(line for line in lines if b"s000001" not in line))
        with pytest.raises(PackageFault):
            b"".join(pieces)


def test_names_are_shown_only_when_asked(collected: Path) -> None:
    """E-mail addresses and the command line stand in no file of a plain export, and in one with names."""
    listed = (collected / "EX-0001" / layout.SESSIONS).read_text()
    (address, *_) = re.findall(r'"user_email_address":"([^"]+)"', listed)
    for shown in (False, True):
        written = files(Path(real(collected, "json", "csv", "html", "md", "dat", "case", shown=shown).path))
        holding = {name for name, octets in written.items() if address.encode() in octets and "texts/" not in name}
        assert bool(holding) == shown
        commands = {name for name, octets in written.items() if b"collect-sessions" in octets}
        assert bool(commands) == shown
