"""A scripted case for what needs no content, and a collected one with transcripts."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentaudit.demo.scenario import demo_world
from agentaudit.package.case import Case
from tests.golden import clean_script, golden_case, golden_exhibit, small_script
from tests.support.collecting import collecting


@pytest.fixture
def scripted(tmp_path: Path) -> Case:
    """A case with two scripted exhibits: one with losses of several kinds, one without any."""
    case = golden_case(tmp_path / "case")
    golden_exhibit(case, small_script)
    golden_exhibit(case, clean_script)
    return case


@pytest.fixture(scope="session")
def collected_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's organisation, collected into one exhibit; not to be changed."""
    world = demo_world(lambda: datetime.now(UTC))
    world.set_budget(shared=10**6, remote=10**6)
    with collecting(tmp_path_factory.mktemp("export"), world) as at:
        at.collect()
        return at.case


@pytest.fixture
def collected(collected_once: Path, tmp_path: Path) -> Path:
    """A copy of the collected case that a test may change."""
    copy = tmp_path / "collected"
    shutil.copytree(collected_once, copy)
    for path in copy.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return copy
