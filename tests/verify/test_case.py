"""A case: its file, its custody log, its folder."""

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import NotAPackage
from agentaudit.format import layout
from agentaudit.format.codes import CATALOGUE
from agentaudit.model.base import digest_of
from agentaudit.model.custody import CaseOpened, ExhibitBegun, ExhibitSealed, HeadFile, Signed
from agentaudit.model.journal import CustodyHead
from agentaudit.package.attestations import Laid, lay, sealed_folder
from agentaudit.package.case import load_case
from agentaudit.verify import verify_case
from agentaudit.verify.case import is_case
from tests.forge import custody_of, edit, recustody, rewrite
from tests.golden import ScriptReader, begin_script, clean_script, golden_case, golden_exhibit
from tests.support.around import WHO, hand
from tests.support.clock import StillClock

READERS = (ScriptReader(),)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with one clean exhibit, to be copied and never changed."""
    case = golden_case(tmp_path_factory.mktemp("golden") / "case")
    golden_exhibit(case, clean_script)
    return case.path


@pytest.fixture
def copy(golden: Path, tmp_path: Path) -> Path:
    """A copy of the case."""
    return Path(shutil.copytree(golden, tmp_path / "case"))


def row_with_a_space(case: Path) -> None:
    """A custody row is JSON, but not canonical."""
    edit(case / layout.CUSTODY, b'"event":"began"', b'"event": "began"')


def row_changed(case: Path) -> None:
    """A custody row is changed, the chain is not."""
    edit(case / layout.CUSTODY, b'"event":"began","exhibit":"EX-0001"', b'"event":"began","exhibit":"EX-0009"')


def title_changed(case: Path) -> None:
    """case.json is canonical, but not the one that was opened."""
    edit(case / layout.CASE, b"A matter", b"B matter")


def case_file_removed(case: Path) -> None:
    """case.json is gone."""
    (case / layout.CASE).unlink()


def log_removed(case: Path) -> None:
    """The custody log is gone."""
    (case / layout.CUSTODY).unlink()


def opened_twice(case: Path) -> None:
    """The log opens the case a second time."""
    rows = custody_of(case)
    recustody(case, [*rows, rows[0]])


def exhibit_removed(case: Path) -> None:
    """A sealed exhibit is gone."""
    shutil.rmtree(case / "EX-0001")


def exhibit_emptied(case: Path) -> None:
    """A sealed exhibit's folder is there, and empty."""
    exhibit_removed(case)
    (case / "EX-0001").mkdir()


def tail_cut(case: Path) -> None:
    """The row `sealed` was cut off."""
    recustody(case, custody_of(case)[:-1])


def seal_changed(case: Path) -> None:
    """The log holds another seal."""
    rows = custody_of(case)
    last = rows[-1]
    assert isinstance(last, ExhibitSealed)
    recustody(case, [*rows[:-1], msgspec.structs.replace(last, seal=digest_of(b""))])


def unknown_partial(case: Path) -> None:
    """A partial exhibit that nobody began."""
    (case / "EX-0002.partial").mkdir()
    rewrite(case / "EX-0002.partial/bagit.txt", b"")


def extra_file(case: Path) -> None:
    """A file that has no place in a case."""
    rewrite(case / "notes.txt", b"x")


def linked_exhibit(case: Path) -> None:
    """A link that looks like an exhibit."""
    (case / "EX-0007").symlink_to(case / "EX-0001")


def log_rewritten(case: Path) -> None:
    """The log was written anew with another note, and its chain fits."""
    rows = custody_of(case)
    began = rows[1]
    assert isinstance(began, ExhibitBegun)
    other = msgspec.structs.replace(began, actors=msgspec.structs.replace(began.actors, note="another"))
    recustody(case, [rows[0], other, *rows[2:]])


def partial_beside(case: Path) -> None:
    """An exhibit is under way."""
    begin_script(load_case(case), StillClock(steps_ms=1))


def empty_partial(case: Path) -> None:
    """A run ended between its folder and its row."""
    (case / "EX-0002.partial").mkdir()


def sealed_and_partial(case: Path) -> None:
    """One number is sealed and partial at once."""
    (case / "EX-0001.partial").mkdir()
    rewrite(case / "EX-0001.partial/bagit.txt", b"")


def begun_twice(case: Path) -> None:
    """One number is begun twice."""
    rows = custody_of(case)
    recustody(case, [*rows, rows[1]])


def torn_tail(case: Path) -> None:
    """The last line was cut short."""
    with (case / layout.CUSTODY).open("ab") as stream:
        stream.write(b'{"actors"')


def signature_gone(case: Path) -> None:
    """A signature that the log tells of is gone."""
    _sign(case).unlink()


def signature_changed(case: Path) -> None:
    """A signature that the log tells of holds other bytes."""
    rewrite(_sign(case), b"other")


def signature_unknown(case: Path) -> None:
    """A signature that the log does not tell of."""
    rewrite(case / "EX-0001/tagmanifest-sha256.txt.1.sig", b"x")


def later_head_known(case: Path) -> None:
    """An export names a custody row that was cut off since."""
    head = CustodyHead(seq=9, digest=digest_of(b"later"))
    _export(case, "N-1", head)


def _sign(case: Path) -> Path:
    sealed = sealed_folder(case / "EX-0001")

    def row(file: str) -> Signed:
        return Signed(
            **WHO,
            exhibit="EX-0001",
            seal=sealed.seal,
            file=file,
            sha256=digest_of(b"x"),
            fingerprint="SHA256:x",
            key_type="ssh-ed25519",
        )

    return sealed.path / lay(sealed, Laid("signature", b"x"), row, hand()).file


def later_head_known_to_a_manifest(case: Path) -> None:
    """The file of an export of the manifest names one."""
    folder = case / "reports/R-0002"
    folder.mkdir(parents=True)
    rewrite(folder / "export.json", b'{"case":"N-1","custody_head":{"digest":"sha256:0","seq":9}}\n')


def _export(case: Path, number: str, head: CustodyHead) -> None:
    folder = case / "reports/R-0001"
    folder.mkdir(parents=True)
    rewrite(folder / layout.REPORT_HEAD, encode_line(HeadFile(format="agentaudit-head/1", case=number, head=head)))


CASES: dict[str, tuple[Callable[[Path], None], ...]] = {
    "C001": (row_with_a_space,),
    "C002": (row_changed,),
    "C003": (title_changed, case_file_removed),
    "C004": (log_removed, opened_twice),
    "C005": (exhibit_removed, exhibit_emptied),
    "C006": (tail_cut,),
    "C007": (seal_changed,),
    "C008": (unknown_partial,),
    "C009": (extra_file, linked_exhibit),
    "C010": (log_rewritten,),
    "C011": (partial_beside, empty_partial),
    "C012": (sealed_and_partial, begun_twice),
    "C013": (torn_tail,),
    "C015": (signature_gone,),
    "C016": (signature_changed,),
    "C017": (signature_unknown,),
    "C018": (later_head_known, later_head_known_to_a_manifest),
}


def test_a_clean_case_has_no_finding(golden: Path) -> None:
    """A case with one clean exhibit is intact, and its head is that of its log."""
    verdict = verify_case(golden, readers=READERS)
    assert (verdict.integrity, verdict.codes, verdict.case) == ("intact", (), "N-1")
    assert [one.exhibit for one in verdict.exhibits] == ["EX-0001"]
    last = (golden / layout.CUSTODY).read_bytes().splitlines(keepends=True)[-1]
    assert verdict.custody_head == digest_of(last)


@pytest.mark.parametrize("code", sorted(CASES))
def test_a_tampered_case_yields_its_code_and_no_other(code: str, golden: Path, tmp_path: Path) -> None:
    """One tampering, one code; only an error touches integrity."""
    for number, mutation in enumerate(CASES[code]):
        copy = Path(shutil.copytree(golden, tmp_path / str(number)))
        mutation(copy)
        verdict = verify_case(copy, readers=READERS)
        assert [found for found, _ in verdict.codes] == [code], (mutation, verdict.findings)
        assert verdict.integrity == ("faults" if CATALOGUE[code].severity == "error" else "intact")


def test_an_exhibit_of_another_case_is_c014(tmp_path: Path) -> None:
    """An exhibit that says it belongs to another case is an error of the case, not of the exhibit."""
    case = golden_case(tmp_path / "case")
    golden_exhibit(case, clean_script, number="N-2")
    verdict = verify_case(case.path, readers=READERS)
    assert [found for found, _ in verdict.codes] == ["C014"]
    assert verdict.exhibits[0].integrity == "intact"


def test_every_code_of_a_case_has_its_case_here() -> None:
    """No custody code is in the catalogue that no tampering of these tests yields."""
    assert {code for code in CATALOGUE if code.startswith("C")} == {*CASES, "C014", "C019"}


def test_an_export_is_no_fault_when_its_head_is_the_log_s_or_it_is_none_of_this_case(copy: Path) -> None:
    """The very row is in the log; another case's head, another form and another file say nothing."""
    lines = (copy / layout.CUSTODY).read_bytes().splitlines(keepends=True)
    _export(copy, "N-1", CustodyHead(seq=2, digest=digest_of(lines[1])))
    assert verify_case(copy, readers=READERS).codes == ()
    for octets in (
        encode_line(HeadFile(format="agentaudit-head/1", case="N-2", head=CustodyHead(seq=9, digest=digest_of(b"")))),
        b'{"case":"N-1","head":{"seq":"9","digest":"x"}}\n',
        b'{"case":"N-1","head":{"seq":9,"digest":null}}\n',
        b'{"case":"N-1","head":[]}\n',
        b"[]\n",
        b"{",
        b"",
    ):
        rewrite(copy / "reports/R-0001" / layout.REPORT_HEAD, octets)
        assert verify_case(copy, readers=READERS).codes == ()
    rewrite(copy / "reports/notes.txt", b"x")
    assert verify_case(copy, readers=READERS).codes == ()


def test_a_faulty_exhibit_makes_its_case_faulty(copy: Path) -> None:
    """The case's own findings stay empty, its integrity does not."""
    (copy / "EX-0001" / layout.VERIFY).unlink()
    verdict = verify_case(copy, readers=READERS, bytes_only=True, threads=1)
    assert (verdict.codes, verdict.integrity) == ((), "faults")


def test_a_broken_log_leaves_the_seals_unchecked(copy: Path) -> None:
    """What a broken log says of seals is not used, and that is said."""
    row_changed(copy)
    assert [one.part for one in verify_case(copy, readers=READERS).not_checked] == ["seals"]


def test_a_folder_that_is_no_case_is_refused(tmp_path: Path) -> None:
    """A folder without a case file and a log is no case, nor is a missing one."""
    for path in (tmp_path, tmp_path / "none"):
        assert not is_case(path)
        with pytest.raises(NotAPackage):
            verify_case(path, readers=READERS)


def test_a_case_of_a_newer_format_is_refused(copy: Path) -> None:
    """A greater format number is refused, not guessed at."""
    edit(copy / layout.CASE, b"agentaudit-case/1", b"agentaudit-case/2")
    with pytest.raises(NotAPackage, match="case format 2"):
        verify_case(copy, readers=READERS)


def test_a_case_file_that_is_not_canonical_is_none(copy: Path) -> None:
    """A space, a missing line feed, or no JSON at all: the case file counts as missing."""
    first = custody_of(copy)[0]
    assert isinstance(first, CaseOpened)
    for octets in (b'{"format": "agentaudit-case/1"}\n', (copy / layout.CASE).read_bytes()[:-1], b"{", b"[]\n"):
        rewrite(copy / layout.CASE, octets)
        rows = custody_of(copy)
        recustody(copy, [msgspec.structs.replace(first, case_digest=digest_of(octets)), *rows[1:]])
        verdict = verify_case(copy, readers=READERS)
        assert [code for code, _ in verdict.codes] == ["C003"]
        assert verdict.case is None
