"""A package is hostile input: findings, bounded time and memory, nothing outside touched."""

import errno
import os
import shutil
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from agentaudit.encoding.canonical import encode
from agentaudit.errors import NotAPackage, NotSealed, UsageFault
from agentaudit.format import layout
from agentaudit.format.bagit import manifest_line
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import Answered
from agentaudit.model.verdict import Verdict
from agentaudit.package import reader
from agentaudit.verify import exhibit, verify_case, verify_exhibit
from tests.forge import edit, rechain, refold, retag, rewrite, rows_of
from tests.golden import ScriptReader, clean_script, golden_case, golden_exhibit
from tests.mutations import FIRST

pytestmark = pytest.mark.timeout(20)

READERS = (ScriptReader(),)
NAMES = (*layout.TAG_FILES, layout.TAG_MANIFEST, FIRST)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The clean exhibit, to be copied and never changed."""
    return golden_exhibit(golden_case(tmp_path_factory.mktemp("golden") / "case"), clean_script).path


@pytest.fixture
def copy(golden: Path, tmp_path: Path) -> Path:
    """A copy of the clean exhibit."""
    return Path(shutil.copytree(golden, tmp_path / golden.name))


def _verdict(root: Path) -> Verdict:
    return verify_exhibit(root, readers=READERS)


def _codes(root: Path) -> set[str]:
    return {code for code, _ in _verdict(root).codes} - {"S002"}


@pytest.mark.parametrize("name", NAMES)
def test_a_pipe_in_the_place_of_any_file_never_blocks(name: str, copy: Path) -> None:
    """A named pipe without a writer is found by its kind and never opened for good."""
    (copy / name).unlink()
    os.mkfifo(copy / name)
    verdict = _verdict(copy)
    assert verdict.integrity == "faults"
    assert name in {row.subject for row in verdict.findings if row.code == "P006"}


@pytest.mark.parametrize("name", NAMES)
def test_a_link_in_the_place_of_any_file_is_not_followed(name: str, copy: Path, tmp_path: Path) -> None:
    """A link is found by its kind even when it leads to the very bytes."""
    moved = tmp_path / "moved"
    shutil.move(copy / name, moved)
    (copy / name).symlink_to(moved)
    verdict = _verdict(copy)
    assert name in {row.subject for row in verdict.findings if row.code == "P005"}


@pytest.mark.parametrize("folder", ["data", "agentaudit", "data/script"])
def test_a_linked_folder_is_not_entered(folder: str, copy: Path, tmp_path: Path) -> None:
    """Behind the link lies a pipe that would block whoever follows it."""
    shutil.rmtree(copy / folder)
    (tmp_path / "trap").mkdir()
    for name in ("journal.jsonl", "package.json", "000001.json"):
        os.mkfifo(tmp_path / "trap" / name)
    (copy / folder).symlink_to(tmp_path / "trap")
    assert "P005" in _codes(copy)


def test_a_manifest_cannot_name_what_lies_outside(copy: Path) -> None:
    """The named file is a pipe: to open it would block."""
    os.mkfifo(copy.parent / "outside")
    line = manifest_line("../outside", digest_of(b""))
    rewrite(copy / layout.MANIFEST, line + (copy / layout.MANIFEST).read_bytes())
    retag(copy)
    assert _codes(copy) == {"M008"}


def test_a_line_without_an_end_is_bounded(copy: Path) -> None:
    """A manifest of one line of 64 MiB is malformed once, and never held."""
    (copy / layout.MANIFEST).chmod(0o600)
    with (copy / layout.MANIFEST).open("wb") as stream:
        stream.truncate(64 * 1024 * 1024)
    tracemalloc.start()
    codes = _codes(copy)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert codes == {"M003", "M005", "P003"}
    assert peak < 8 * 1024 * 1024


def test_a_manifest_of_nothing_but_faults_is_left(copy: Path) -> None:
    """After too many faulty lines the rest is left unread, and a verdict stays small."""
    rewrite(copy / layout.MANIFEST, b"x\n" * (reader.FAULTS_MAX + 10))
    verdict = _verdict(copy)
    assert dict(verdict.codes)["M003"] == reader.FAULTS_MAX + 1
    assert dict(verdict.codes)["P012"] == 1
    assert len(encode(verdict)) < 100_000


def test_too_many_entries_end_the_survey(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with more entries than the limit is said to be over it."""
    monkeypatch.setattr(reader, "ENTRIES_MAX", 5)
    assert "P012" in _codes(copy)


def test_a_listing_longer_than_the_limit_is_left(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest with more lines than the limit is said to be over it."""
    monkeypatch.setattr(reader, "ENTRIES_MAX", 2)
    assert "P012" in _codes(copy)


HOSTILE_JSON = {
    "deep": b"[" * 200_000 + b"]" * 200_000,
    "deep object": b'{"a":' * 100_000,
    "duplicate key": b'{"format":"agentaudit-package/1","format":"agentaudit-package/1"}',
    "huge integer": b'{"format":' + b"9" * 20_000 + b"}",
    "surrogate": b'{"format":"\\ud800"}',
    "no UTF-8": b'{"format":"\xff"}',
    "NUL": b"\0" * 100,
    "too large": b" " * (5 * 1024 * 1024),
    "empty": b"",
}


@pytest.mark.parametrize("name", sorted(HOSTILE_JSON))
def test_hostile_json_in_package_json_is_a_finding(name: str, copy: Path) -> None:
    """What is not canonical is P010 and ends nothing else."""
    rewrite(copy / layout.PACKAGE, HOSTILE_JSON[name] + b"\n")
    retag(copy)
    assert _codes(copy) == {"P010"}


@pytest.mark.parametrize("name", sorted(HOSTILE_JSON))
def test_hostile_json_in_the_journal_is_a_finding(name: str, copy: Path) -> None:
    """A row that is none is J001."""
    rewrite(copy / layout.JOURNAL, HOSTILE_JSON[name] + b"\n")
    retag(copy)
    assert _codes(copy) == {"J001"}


@pytest.mark.parametrize("name", sorted(HOSTILE_JSON))
def test_hostile_json_in_a_fold_or_reading_is_a_finding(name: str, copy: Path) -> None:
    """A fold that differs is J008, a reading R001; without the adapter its form is P010."""
    for path in (layout.GAPS, layout.RECORDS, layout.COVERAGE):
        rewrite(copy / path, HOSTILE_JSON[name] + b"\n")
    retag(copy)
    assert _codes(copy) == {"J008", "R001"}
    rewrite(copy / layout.GAPS, b"")
    retag(copy)
    alone = verify_exhibit(copy, readers=())
    assert dict(alone.codes)["P010"] == 2


def test_an_empty_journal_does_not_begin(copy: Path) -> None:
    """No row at all is neither opened nor closed."""
    rewrite(copy / layout.JOURNAL, b"")
    retag(copy)
    assert _codes(copy) == {"J004", "J005", "J007"}


def test_a_journal_line_beyond_the_limit_is_torn(copy: Path) -> None:
    """A row of more than 16 MiB is no row."""
    (copy / layout.JOURNAL).chmod(0o600)
    with (copy / layout.JOURNAL).open("ab") as stream:
        stream.write(b'"' + b"a" * (17 * 1024 * 1024) + b'"\n')
    retag(copy)
    assert _codes(copy) == {"J001"}


@pytest.mark.parametrize(
    ("asked", "codes"),
    [
        ("", {"J001"}),
        ("2026-03-02 09:00:00", {"J001"}),
        ("\u0662026-03-02T09:00:00.000000Z", {"J001"}),
        ("2026-13-45T99:00:00.000000Z", set()),
    ],
)
def test_an_instant_that_is_none_raises_nothing(asked: str, codes: set[str], copy: Path) -> None:
    """A row whose instant has not the form is J001; one that only names no day of the calendar ends nothing."""
    rows = rows_of(copy)
    for number, row in enumerate(rows):
        if isinstance(row, Answered):
            exchange = msgspec.structs.replace(row.exchange, asked_at=Instant(asked), elapsed_ms=2**53 - 1)
            rows[number] = msgspec.structs.replace(row, exchange=exchange)
    refold(copy, rows)
    assert _codes(copy) == codes


def test_a_row_instant_that_is_none_is_j001(copy: Path) -> None:
    """`at` has one form."""
    rows = rows_of(copy)
    rows[2] = msgspec.structs.replace(rows[2], at=Instant("now"))
    rechain(copy, rows)
    assert "J001" in _codes(copy)


def test_a_clock_beyond_integers_is_j001(copy: Path) -> None:
    """An offset that no 64-bit number holds is refused, not overflowed."""
    rows = rows_of(copy)
    answers = [number for number, row in enumerate(rows) if isinstance(row, Answered)]
    row = rows[answers[0]]
    assert isinstance(row, Answered)
    assert row.exchange.clock is not None
    clock = msgspec.structs.replace(row.exchange.clock, offset_ms=2**60)
    rows[answers[0]] = msgspec.structs.replace(row, exchange=msgspec.structs.replace(row.exchange, clock=clock))
    rechain(copy, rows)
    assert _codes(copy) == {"J001"}


def test_a_negative_size_reads_nothing(copy: Path) -> None:
    """A row that states a size below zero contradicts its file."""
    rows = rows_of(copy)
    for number, row in enumerate(rows):
        if isinstance(row, Answered):
            rows[number] = msgspec.structs.replace(row, item=msgspec.structs.replace(row.item, bytes=-5))
    rechain(copy, rows)
    assert _codes(copy) == {"J006"}


def test_names_come_out_printable(copy: Path) -> None:
    """Control characters, escapes, bidi marks and bytes that are no UTF-8 are escaped in a finding."""
    folder = os.fsencode(copy / "data")
    for name in (b"\x1b]0;x\x07", b"line\nbreak", "right\u202eleft".encode(), b"\xff\xfe", b"n" * 250):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(b"")
    verdict = _verdict(copy)
    assert dict(verdict.codes)["P007"] == 5
    assert all(row.subject.isascii() and row.subject.isprintable() for row in verdict.findings)
    assert encode(verdict)


def test_a_folder_with_an_unsafe_name_is_not_entered(copy: Path) -> None:
    """It is one finding, whatever lies in it."""
    (copy / "data/a b").mkdir()
    rewrite(copy / "data/a b/x", b"")
    assert _codes(copy) == {"P007"}


def test_a_hostile_endless_folder_ends(copy: Path) -> None:
    """Folders nested beyond the depth limit are not entered."""
    (copy / "data" / "/".join(["d"] * 200)).mkdir(parents=True)
    assert _codes(copy) == {"P012"}


def test_a_sealed_name_on_an_unfinished_package_is_faulty(copy: Path) -> None:
    """A partial exhibit that was only renamed has no manifests."""
    for name in (layout.MANIFEST, layout.TAG_MANIFEST, layout.PACKAGE, layout.BAGIT):
        (copy / name).unlink()
    assert _codes(copy) == {"M001", "M002", "P008"}


def test_a_partial_exhibit_is_not_sealed(copy: Path) -> None:
    """A name that ends in .partial is refused with 9, whatever lies in it."""
    partial = copy.rename(copy.with_name("EX-0001.partial"))
    with pytest.raises(NotSealed):
        verify_exhibit(partial, readers=READERS)


def test_what_is_no_package_is_refused(tmp_path: Path) -> None:
    """An empty folder, a file and a missing path are refused with 8."""
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "file", tmp_path / "none"):
        with pytest.raises(NotAPackage):
            verify_exhibit(path, readers=READERS)


def test_what_the_system_refuses_to_read_is_an_error_of_the_command(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that cannot be entered ends with 8 and the reason, not with a traceback."""

    def refuse(_root: Path) -> reader.Observed:
        raise PermissionError(errno.EACCES, "no")

    monkeypatch.setattr(exhibit, "observe", refuse)
    with pytest.raises(NotAPackage, match="Permission denied"):
        verify_exhibit(copy, readers=READERS)


def test_a_newer_format_is_refused(copy: Path) -> None:
    """A greater format number is refused, not guessed at."""
    edit(copy / layout.PACKAGE, b"agentaudit-package/1", b"agentaudit-package/2")
    with pytest.raises(NotAPackage, match="format 2"):
        verify_exhibit(copy, readers=READERS)


@pytest.mark.parametrize("seal", ["", "sha256:", "0" * 63, "g" * 64, "md5:" + "0" * 64])
def test_a_seal_that_is_none_is_refused(seal: str, copy: Path) -> None:
    """Only 64 hexadecimal digits are a seal."""
    with pytest.raises(UsageFault):
        verify_exhibit(copy, readers=READERS, seal=seal)


def test_a_seal_may_be_written_as_people_write_it(copy: Path) -> None:
    """Spaces and capitals in a noted seal do not matter; the prefix may be there."""
    own = _verdict(copy).seal
    assert own is not None
    digits = own.removeprefix("sha256:").upper()
    spaced = " ".join(digits[at : at + 8] for at in range(0, 64, 8))
    for seal in (own, spaced):
        assert verify_exhibit(copy, readers=READERS, seal=seal).integrity == "intact"


def test_bytes_only_says_what_it_left_out(copy: Path) -> None:
    """Digests, chain and closed world are checked, readings are not, and a changed bit is still found."""
    verdict = verify_exhibit(copy, readers=READERS, bytes_only=True, threads=1)
    assert verdict.integrity == "intact"
    assert [row.part for row in verdict.not_checked] == ["folds", "walks", "readings"]
    edit(copy / FIRST, b"m1", b"m2")
    assert verify_exhibit(copy, readers=READERS, bytes_only=True).integrity == "faults"


def test_a_case_of_pipes_never_blocks(tmp_path: Path) -> None:
    """A case whose files are pipes has faults, and is not waited for."""
    os.mkfifo(tmp_path / layout.CASE)
    os.mkfifo(tmp_path / layout.CUSTODY)
    verdict = verify_case(tmp_path, readers=READERS)
    assert {code for code, _ in verdict.codes} == {"C004", "C009"}
    assert verdict.integrity == "faults"
