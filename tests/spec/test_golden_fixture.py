"""The committed package of each format is read for ever, by this program and by stock tools."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentaudit.cli.readers import page_readers
from agentaudit.verify import verify_exhibit
from tests.spec.golden_fixture import GOOD, NAME

SEAL = (GOOD / f"{NAME}.seal").read_text(encoding="ascii").strip()


def test_the_committed_package_is_intact_and_has_its_noted_seal() -> None:
    """Format 1 as it was written then is intact now, under the seal that was noted."""
    verdict = verify_exhibit(GOOD / NAME, readers=page_readers(), seal=SEAL)
    assert (verdict.integrity, verdict.seal) == ("intact", SEAL)
    assert "S001" not in dict(verdict.codes)


def test_another_seal_is_found() -> None:
    """The check of the seal can say no."""
    verdict = verify_exhibit(GOOD / NAME, readers=page_readers(), seal="0" * 64)
    assert dict(verdict.codes)["S001"] == 1


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="needs coreutils")
@pytest.mark.parametrize("manifest", ["manifest-sha256.txt", "tagmanifest-sha256.txt"])
def test_sha256sum_accepts_it(manifest: str) -> None:
    """Every file that a manifest lists has its digest."""
    words = ["sha256sum", "--strict", "--check", "--quiet", manifest]
    assert subprocess.run(words, cwd=GOOD / NAME, check=False).returncode == 0


def test_the_library_of_congress_validator_accepts_it(tmp_path: Path) -> None:
    """`bagit.py --validate` calls it valid."""
    shutil.copytree(GOOD / NAME, tmp_path / "bag")
    words = [sys.executable, "-W", "ignore", "-m", "bagit", "--validate", "--quiet", str(tmp_path / "bag")]
    assert subprocess.run(words, check=False).returncode == 0
