"""Taking one session out: what travels, what stays, and that stock tools prove it."""

import hashlib
import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.errors import DestinationFault, PackageFault, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.extract.run import TakeOut, take_out
from agentaudit.model.custody import Extracted
from agentaudit.model.losses import Truncation
from agentaudit.model.selection import NamedSession, SessionSelection
from agentaudit.package.case import load_case
from agentaudit.package.disk import SystemDisk
from tests.extract.conftest import SESSION
from tests.support.around import hand
from tests.support.collecting import collecting, small_world
from tests.transcript.odd import checked

ROW = encode_line(
    Truncation(
        session="s000009", walk="w", page=1, item="data/x.json", pointer="/p", block_type="text", by="marker",
        basis=("flag",), kept_bytes=1, limit_bytes=None, raise_parameter=None,
    )
)  # fmt: skip
NOT_FOR_ALL = ("ssh-keygen", "openssl")


def commands(extract: Path) -> str:
    """Every command of EXTRACT-VERIFY.txt, in its order, but those that need somebody's key."""
    lines = (extract / "EXTRACT-VERIFY.txt").read_text(encoding="ascii").splitlines()
    found = [line[4:] for line in lines if line.startswith("    ")]
    return "\n".join(line for line in found if not line.startswith(NOT_FOR_ALL)) + "\n"


def run(extract: Path, original: Path) -> tuple[int, str]:
    """The status of the last command and everything that was printed, as a person at a shell sees it."""
    done = subprocess.run(
        ["sh", "-c", commands(extract)],
        cwd=extract,
        env={**os.environ, "EXHIBIT": str(original)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by path."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_stock_tools_prove_that_it_belongs_to_the_original(made: Path, collected: Checked) -> None:
    """Run as they stand, the commands print the seal and nothing else."""
    seal = str(collected.verdict.seal).removeprefix("sha256:")
    assert run(made, collected.path) == (0, f"{seal}  tagmanifest-sha256.txt\n")


@pytest.mark.parametrize(
    "path",
    [
        "data/compliance/local/s000001/messages/000001.json",
        "manifest-sha256.txt",
        "agentaudit/coverage.json",
        "rows/records.jsonl",
        "tagmanifest-sha256.txt",
    ],
)
def test_stock_tools_find_a_changed_file(extract: Path, collected: Checked, path: str) -> None:
    """One more line in any of them is seen by a command of the text."""
    seal = str(collected.verdict.seal).removeprefix("sha256:")
    with (extract / path).open("ab") as stream:
        stream.write(b"more\n")
    assert run(extract, collected.path)[1] != f"{seal}  tagmanifest-sha256.txt\n"


def test_stock_tools_find_a_missing_page(extract: Path, collected: Checked) -> None:
    """A page that was taken away stands, indented, in what the sixth step prints."""
    (extract / "data/compliance/local/s000001/messages/000001.json").unlink()
    assert "\tdata/compliance/local/s000001/messages/000001.json\n" in run(extract, collected.path)[1]


def test_the_session_travels_byte_for_byte(made: Path, collected: Checked) -> None:
    """All of its files are here under their paths, and no other payload."""
    own = {path: octets for path, octets in files(collected.path).items() if f"/{SESSION}/" in path and "local" in path}
    assert {path: octets for path, octets in files(made).items() if path.startswith("data/")} == own
    assert own


def test_nothing_of_other_people_travels(made: Path, collected: Checked) -> None:
    """Ids and people of the other sessions stand nowhere in the extract, list pages are left out and counted."""
    rows = [json.loads(line) for line in (collected.path / "agentaudit/sessions.jsonl").read_bytes().splitlines()]
    others = [row for row in rows if row["session"] != SESSION or row["family"] != "local"]
    everything = b"".join(files(made).values())
    assert others
    for row in others:
        assert row["id"].encode() not in everything
    assert b"/lists/" not in b"".join(path.encode() for path in files(made))
    stated = json.loads((made / "extract.json").read_bytes())
    assert stated["left_behind"]["sessions"] == len(others)
    assert stated["left_behind"]["list_pages"] > 0


def test_the_rows_are_the_original_s_own_lines(made: Path, collected: Checked) -> None:
    """Every row of the extract is a line of the original's table, and all of the session's are there."""
    for path in sorted((made / "rows").iterdir()):
        lines = set((collected.path / "agentaudit" / path.name).read_bytes().splitlines())
        assert set(path.read_bytes().splitlines()) <= lines
    records = (collected.path / "agentaudit/records.jsonl").read_bytes().splitlines()
    own = [line for line in records if json.loads(line)["session"] == SESSION]
    assert (made / "rows/records.jsonl").read_bytes().splitlines() == own


def test_what_attests_the_seal_travels(made: Path, collected: Checked) -> None:
    """Signatures and tokens are copied as they are."""
    name = "tagmanifest-sha256.txt.1.sig"
    assert (made / name).read_bytes() == (collected.path / name).read_bytes()


def test_package_json_travels_only_when_it_names_nobody_else(made: Path, tmp_path: Path) -> None:
    """A selection of everybody names nobody; one of two sessions names another, and stays behind."""
    assert (made / "agentaudit/package.json").is_file()
    world = small_world()
    with collecting(tmp_path, world) as job:
        job.collect()
        rows = (job.case / "EX-0001/agentaudit/sessions.jsonl").read_bytes().splitlines()
        named = [json.loads(line)["id"] for line in rows if json.loads(line)["family"] == "local"]
        both = tuple(NamedSession(family="local", id=one) for one in named)
        job.collect(SessionSelection(families=("local",), sessions=both))
        one = checked(job.case / "EX-0002")
        result = take_out(TakeOut(None, one, named[0], tmp_path / "out"), None, SystemDisk())
    assert result.left_behind.package_json
    assert not (tmp_path / "out/agentaudit/package.json").exists()
    assert named[1].encode() not in b"".join(files(tmp_path / "out").values())


def test_the_custody_log_gets_a_row_with_the_digest_of_the_extract(collected: Checked, tmp_path: Path) -> None:
    """The row comes after the extract, which names the head before it."""
    case = tmp_path / "case"
    shutil.copytree(collected.path.parent, case)
    given = TakeOut(load_case(case), checked(case / "EX-0001"), SESSION, tmp_path / "out")
    result = take_out(given, hand(), SystemDisk())
    (row,) = [row for row in load_case(case).rows() if isinstance(row, Extracted)]
    octets = (tmp_path / "out/extract.json").read_bytes()
    assert row.extract == result.extract == f"sha256:{hashlib.sha256(octets).hexdigest()}"
    assert (row.seq, row.files, json.loads(octets)["custody_head"]["seq"]) == (
        result.custody_row,
        result.payload_files,
        row.seq - 1,
    )


def test_the_same_exhibit_gives_the_same_extract(made: Path, collected: Checked, tmp_path: Path) -> None:
    """Made twice, every file of it is the same."""
    take_out(TakeOut(None, collected, SESSION, tmp_path / "again"), None, SystemDisk())
    assert files(tmp_path / "again") == files(made)


def test_what_is_not_intact_is_not_taken_apart(collected: Checked, tmp_path: Path) -> None:
    """Faults, a session that is not here, or a place that is taken: nothing is written."""
    faulty = Checked(collected.path, msgspec.structs.replace(collected.verdict, integrity="faults"))
    with pytest.raises(PackageFault):
        take_out(TakeOut(None, faulty, SESSION, tmp_path / "out"), None, SystemDisk())
    with pytest.raises(UsageFault):
        take_out(TakeOut(None, collected, "s000099", tmp_path / "out"), None, SystemDisk())
    assert not list(tmp_path.iterdir())
    with pytest.raises(DestinationFault):
        take_out(TakeOut(None, collected, SESSION, tmp_path), None, SystemDisk())


def test_a_session_of_which_nothing_is_here_is_refused(tmp_path: Path) -> None:
    """A list without transcripts has no files of any session."""
    with collecting(tmp_path, small_world()) as job:
        job.collect(SessionSelection(families=("local",), list_only=True))
        one = checked(job.case / "EX-0001")
        with pytest.raises(UsageFault):
            take_out(TakeOut(None, one, SESSION, tmp_path / "out"), None, SystemDisk())


@pytest.mark.parametrize(
    "path",
    ["data/compliance/local/s000001/messages/000001.json", "agentaudit/FORMAT.md", "agentaudit/truncations.jsonl"],
)
def test_what_changes_after_the_check_is_not_handed_over(collected: Checked, tmp_path: Path, path: str) -> None:
    """A file that has not the digest of its manifest ends the run; no extract is left under its name."""
    loose = tmp_path / "EX-0001"
    shutil.copytree(collected.path, loose)
    (loose / path).chmod(0o600)
    (loose / path).write_bytes(ROW)
    with pytest.raises(PackageFault):
        take_out(TakeOut(None, Checked(loose, collected.verdict), SESSION, tmp_path / "out"), None, SystemDisk())
    assert not (tmp_path / "out").exists()


def test_a_seal_that_changed_meanwhile_ends_the_run(collected: Checked, tmp_path: Path) -> None:
    """The tag manifest must be the verified one when it is copied."""
    loose = tmp_path / "EX-0001"
    shutil.copytree(collected.path, loose)
    wrong = msgspec.structs.replace(collected.verdict, seal="sha256:" + "0" * 64)
    with pytest.raises(PackageFault):
        take_out(TakeOut(None, Checked(loose, wrong), SESSION, tmp_path / "out"), None, SystemDisk())
