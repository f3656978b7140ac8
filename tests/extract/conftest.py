"""A small case with two local sessions and a remote one, and an extract of one of them."""

import shutil
from pathlib import Path

import pytest

from agentaudit.export.checked import Checked
from agentaudit.extract.run import TakeOut, take_out
from agentaudit.package.disk import SystemDisk
from tests.support.collecting import collecting, small_world
from tests.transcript.odd import checked

SESSION = "s000001"


@pytest.fixture(scope="session")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """The exhibit, checked; not to be changed."""
    with collecting(tmp_path_factory.mktemp("small"), small_world()) as job:
        job.collect()
        path = job.case / "EX-0001"
        (path / "tagmanifest-sha256.txt.1.sig").write_bytes(b"a signature, or not\n")
        return checked(path)


@pytest.fixture(scope="session")
def made(collected: Checked, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An extract of its first session; not to be changed."""
    to = tmp_path_factory.mktemp("made") / "extract"
    take_out(TakeOut(None, collected, SESSION, to), None, SystemDisk())
    return to


@pytest.fixture
def extract(made: Path, tmp_path: Path) -> Path:
    """A copy of the extract that a test may change."""
    folder = tmp_path / "extract"
    shutil.copytree(made, folder)
    return folder
