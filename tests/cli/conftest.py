"""A synthetic source on a loopback port, and a case that was collected from it once."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentaudit.cli.keys import VARIABLE
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.world import World
from tests.cli.terminal import Terminal

PEOPLE = ("--examiner", "E. Examiner", "--authority", "Order 7")
FAST = ("--requests-per-minute", "60000")


@pytest.fixture(scope="session")
def story() -> Iterator[tuple[World, str]]:
    """The demo's organisation without its planned rate limit, and its root."""
    world = demo_world(lambda: datetime.now(UTC))
    world.set_budget(shared=10**6, remote=10**6)
    world.revoke_key("can-delete")  # an active key that may delete is warned about on every run
    with LoopbackServer(world) as server:
        yield world, server.url


@pytest.fixture(scope="session")
def keyed(story: tuple[World, str]) -> dict[str, str]:
    """An environment that holds the source's key."""
    return {VARIABLE: story[0].key()}


@pytest.fixture(scope="session")
def collected(story: tuple[World, str], keyed: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case with a list (EX-0001) and the transcripts of four of its sessions (EX-0002); not to be changed."""
    case = tmp_path_factory.mktemp("collected") / "case"
    terminal = Terminal(keyed)
    assert terminal.run("open", str(case), "--number", "N-1", "--title", "T", *PEOPLE) == 0
    root = ("--api-root", story[1], *FAST)
    assert terminal.run("collect-sessions", str(case), "--list-only", "--family", "both", *root) == 0, terminal.err
    chosen = ("--surface", "cowork", "--surface", "claude_science", "--surface", "claude_in_chrome")
    assert terminal.run("collect-sessions", str(case), "--from", "EX-0001", *chosen, *root) == 0, terminal.err
    return case


@pytest.fixture
def case(collected: Path, tmp_path: Path) -> Path:
    """A copy of the collected case that a test may change."""
    copy = tmp_path / "case"
    shutil.copytree(collected, copy)
    for path in copy.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return copy


@pytest.fixture
def empty_case(tmp_path: Path) -> Path:
    """A case without exhibits."""
    path = tmp_path / "empty"
    assert Terminal().run("open", str(path), "--number", "N-2", "--title", "T", *PEOPLE) == 0
    return path


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case without exhibits, for what must start nothing."""
    path = tmp_path_factory.mktemp("untouched") / "case"
    assert Terminal().run("open", str(path), "--number", "N-3", "--title", "T", *PEOPLE) == 0
    return path


@pytest.fixture
def terminal(keyed: dict[str, str]) -> Terminal:
    """A terminal whose environment holds the key."""
    return Terminal(keyed)
