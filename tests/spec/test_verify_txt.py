"""VERIFY.txt: its very commands, run on a golden package with stock tools."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentaudit.format import layout
from agentaudit.format.verifytxt import verify_text
from agentaudit.model.base import digest_of
from tests.forge import retag, rewrite
from tests.golden import golden_case, golden_exhibit, small_script
from tests.mutations import changed_bit, extra_file, extra_folder, link, path_listed_twice, payload_file_removed

pytestmark = pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs GNU coreutils")

LINES = [line[4:] for line in verify_text().decode().splitlines() if line.startswith("    ")]
SEAL = next(line for line in LINES if line.startswith("sha256sum tag"))
TAGS = next(line for line in LINES if line.startswith("sha256sum") and line.endswith("--check tagmanifest-sha256.txt"))
PAYLOAD = next(line for line in LINES if line.startswith("sha256sum") and line.endswith("--check manifest-sha256.txt"))
EXTRA = LINES[LINES.index("find . ! -type d ! -type f") : LINES.index('LC_ALL=C comm -3 "$d/there" "$d/listed"') + 1]
BAGIT = next(line for line in LINES if line.startswith("bagit.py"))


@pytest.fixture
def exhibit(tmp_path: Path) -> Path:
    """A golden exhibit."""
    return golden_exhibit(golden_case(tmp_path / "case"), small_script).path


def run(root: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Run lines of the text as a person would, in the package's folder."""
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", "\n".join(lines)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )


def test_the_text_in_the_package_is_this_one(exhibit: Path) -> None:
    """Every package holds these bytes: ASCII, and commands on one line each."""
    assert (exhibit / layout.VERIFY).read_bytes() == verify_text()
    assert verify_text().isascii()


def test_step_1_prints_the_seal(exhibit: Path) -> None:
    """The seal is the SHA-256 of the tag manifest, and stands nowhere in the package."""
    done = run(exhibit, SEAL)
    seal = digest_of((exhibit / layout.TAG_MANIFEST).read_bytes()).removeprefix("sha256:")
    assert done.stdout.split()[0] == seal
    assert not any(seal.encode() in path.read_bytes() for path in exhibit.rglob("*") if path.is_file())


def test_steps_3_to_5_accept_a_golden_package(exhibit: Path) -> None:
    """Every tag file is OK, nothing is wrong with the payload, nothing is extra."""
    tags = run(exhibit, TAGS)
    assert tags.returncode == 0
    assert {line.rpartition(": ")[2] for line in tags.stdout.splitlines()} == {"OK"}
    payload = run(exhibit, PAYLOAD)
    assert (payload.returncode, payload.stdout, payload.stderr) == (0, "", "")
    extra = run(exhibit, *EXTRA)
    assert (extra.returncode, extra.stdout, extra.stderr) == (0, "", "")


def test_step_3_finds_a_changed_tag_file(exhibit: Path) -> None:
    """A changed fold fails the tag files' check."""
    rewrite(exhibit / layout.GAPS, b"")
    assert run(exhibit, TAGS).returncode != 0


def test_step_4_finds_changed_and_missing_payload(exhibit: Path) -> None:
    """A changed bit and a removed file each fail the payload's check."""
    changed_bit(exhibit)
    assert "000001.json: FAILED" in run(exhibit, PAYLOAD).stdout
    payload_file_removed(exhibit)
    assert run(exhibit, PAYLOAD).returncode != 0


def test_steps_3_and_4_overlook_an_extra_file_and_step_5_finds_it(exhibit: Path) -> None:
    """What the text says that the checkers do not see is what they do not see."""
    extra_file(exhibit)
    extra_folder(exhibit)
    assert run(exhibit, TAGS).returncode == run(exhibit, PAYLOAD).returncode == 0
    assert run(exhibit, *EXTRA).stdout == "./data/empty\nagentaudit/extra.json\n"


def test_step_5_names_links_and_missing_files(exhibit: Path) -> None:
    """A link is printed by the first command, a missing file stands indented."""
    link(exhibit)
    payload_file_removed(exhibit)
    printed = run(exhibit, *EXTRA).stdout.splitlines()
    assert printed == ["./data/link.json", "data/link.json", "\tdata/script/s000001/000001.json"]


def test_a_signature_is_the_only_name_step_5_may_print(exhibit: Path) -> None:
    """Attestations are listed nowhere, as the text says."""
    (exhibit / "tagmanifest-sha256.txt.1.sig").write_bytes(b"x")
    assert run(exhibit, *EXTRA).stdout == "tagmanifest-sha256.txt.1.sig\n"


def test_step_6_accepts_a_golden_package(exhibit: Path) -> None:
    """The Library of Congress' validator says that the bag is valid."""
    tool = Path(sys.executable).with_name("bagit.py")
    done = run(exhibit, BAGIT.replace("bagit.py", f"'{sys.executable}' '{tool}'", 1))
    assert done.returncode == 0, done.stderr
    assert "is valid" in done.stderr


def test_a_path_listed_twice_is_seen_by_step_5(exhibit: Path) -> None:
    """A doubled manifest line shows as a name that is listed once too often."""
    path_listed_twice(exhibit)
    retag(exhibit)
    assert run(exhibit, *EXTRA).stdout.startswith("\tdata/")


@pytest.mark.skipif(shutil.which("shasum") is None, reason="needs shasum")
def test_the_macos_commands_accept_a_golden_package(exhibit: Path) -> None:
    """`shasum` reads both manifests as they are."""
    for line in LINES:
        if line.startswith("shasum"):
            assert run(exhibit, line).returncode == 0


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="needs PowerShell")
def test_the_powershell_commands_accept_a_golden_package(exhibit: Path) -> None:
    """PowerShell prints the seal and nothing else."""
    lines = [line for line in LINES if line.startswith(("(Get", "Get-", "$l", "$t", "Compare"))]
    done = subprocess.run(
        ["pwsh", "-NoProfile", "-Command", "\n".join(lines)],
        cwd=exhibit,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == run(exhibit, SEAL).stdout.split()[:1]
