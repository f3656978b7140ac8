"""`collect-chats` as it is typed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentaudit.demo.chats import Said
from agentaudit.demo.world import World
from tests.cli.conftest import FAST
from tests.cli.terminal import Terminal

ELEVEN = tuple(word for number in range(11) for word in ("--user", f"user_{number}"))


@pytest.mark.parametrize(
    "words",
    [
        ("--chat", "a", "--user", "b"),
        ("--resume", "EX-0001", "--chat", "a"),
        ("--project", "a"),
        ("--user", "a", "--updated-from", "7d"),
        ("--created-from", "7d", "--updated-from", "7d"),
        ("--created-from", "1d", "--created-until", "2d"),
        ("--organization", "no"),
        ELEVEN,
    ],
)
def test_what_the_source_would_refuse_is_refused_before(words: tuple[str, ...], empty_case: Path) -> None:
    """Nothing is asked, and the status is 2."""
    assert Terminal().run("collect-chats", str(empty_case), *words) == 2


def test_chats_are_collected_shown_and_verified(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """The way from the command line to a sealed exhibit, and what is told of it."""
    world, url = story
    messages = (Said("user", datetime.now(UTC) - timedelta(days=1), "private words"),)
    identifier = world.add_chat("private name", messages, world.users[0], world.organizations[0].uuid)
    terminal = Terminal(keyed)
    root = ("--api-root", url, *FAST)
    assert terminal.run("collect-chats", str(empty_case), *root, "--chat", identifier, "--dry-run") == 0
    assert "/v1/compliance/apps/chats/<id>/messages?" in terminal.out
    assert "tool_result_max_chars=-1" in terminal.out
    assert terminal.run("collect-chats", str(empty_case), *root, "--created-from", "2d") == 0
    exhibit = Path(terminal.out.strip())
    assert terminal.run("show", str(exhibit)) == 0
    assert "chat/000001" in terminal.out
    assert "private" not in terminal.both
    assert terminal.run("verify", str(exhibit)) == 0
