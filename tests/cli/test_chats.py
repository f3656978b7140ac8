"""`collect-chats` as it is typed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from agentaudit.demo.chats import Said
from agentaudit.demo.stored import Upload
from agentaudit.demo.world import World
from tests.cli.conftest import FAST
from tests.cli.terminal import Terminal

MANY = tuple(word for number in range(501) for word in ("--organization", str(UUID(int=number))))
ELEVEN = tuple(word for number in range(11) for word in ("--user", f"user_{number}"))


@pytest.mark.parametrize(
    "words",
    [
        ("--chat", "a", "--user", "b"),
        ("--resume", "EX-0001", "--chat", "a"),
        ("--project", "a"),
        ("--with-projects", "all"),
        ("--chat", "a", "--with-projects", "listed"),
        ("--user", "a", "--project", "b", "--with-projects", "listed"),
        ("--chat", "a", "--with-code-artifacts"),
        ("--user", "a", "--project", "b", "--with-code-artifacts"),
        ("--with-code-artifacts", *MANY),
        ("--resume", "EX-0001", "--with-code-artifacts"),
        ("--resume", "EX-0001", "--with-files"),
        ("--resume", "EX-0001", "--file-max-bytes", "1"),
        ("--file-max-bytes", "0"),
        ("--file-max-bytes", "268435457"),
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


def test_files_artifacts_and_projects_are_collected_on_request(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """Each option asks for its own; a file over the bound is a loss that is told, and no name is."""
    world, url = story
    at, ada, part = datetime.now(UTC) - timedelta(days=1), world.users[0], world.organizations[0].uuid
    notes, large = Upload("private notes", b"private words"), Upload("private picture", b"x" * 1_000)
    project = world.library.add_project("private plan", at, ada, part, documents=(notes,))
    said = Said("user", at, "private words", files=(notes, large), artifacts=(notes,))
    identifier = world.add_chat("private name", (said,), ada, part, project=project)
    terminal = Terminal(keyed)
    words = ("--with-files", "--with-artifacts", "--with-projects", "named", "--file-max-bytes", "999")
    asked = ("collect-chats", str(empty_case), "--api-root", url, *FAST, "--chat", identifier, *words)
    assert terminal.run(*asked) == 3
    exhibit = Path(terminal.out.strip())
    assert "--file-max-bytes" in terminal.err
    assert terminal.run("show", str(exhibit)) == 0
    for key in ("file/000001", "artifact/000001", "document/000001", "project/000001"):
        assert key in terminal.out
    assert "private" not in terminal.both
    assert terminal.run("verify", str(exhibit)) == 0
    assert [path.suffix for path in sorted((exhibit / "data").rglob("stored/*/content/*"))] == [".bin", ".json", ".bin"]


def test_an_interrupted_collection_goes_on_with_its_own_options(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """The key is refused in the middle; what is resumed asks for the files that were asked for at first."""
    world, url = story
    at, ada, part = datetime.now(UTC) - timedelta(days=1), world.users[0], world.organizations[0].uuid
    said = Said("user", at, "private words", files=(Upload("private notes", b"private words"),))
    identifier = world.add_chat("private talk", (said,), ada, part)
    world.fail_next(401, match="/content")
    terminal = Terminal(keyed)
    root = ("collect-chats", str(empty_case), "--api-root", url, *FAST)
    assert terminal.run(*root, "--chat", identifier, "--with-files") == 5
    assert terminal.run(*root, "--resume", "EX-0001") == 0
    exhibit = Path(terminal.out.strip())
    assert [path.read_bytes() for path in (exhibit / "data").rglob("*.bin")] == [b"private words"]
    assert "private" not in terminal.both


def test_the_list_of_code_artifacts_is_collected_on_request(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """For one person and period, bounded by their update; the list is a stream, and no title is told."""
    world, url = story
    ada, part, today = world.users[0], world.organizations[0].uuid, datetime.now(UTC)
    world.library.add_code_artifact("private title", today - timedelta(days=1), ada, part)
    world.library.add_code_artifact("private past", today - timedelta(days=9), ada, part)
    terminal = Terminal(keyed)
    words = ("--created-from", "2d", "--user", ada.id, "--with-code-artifacts")
    asked = ("collect-chats", str(empty_case), "--api-root", url, *FAST, *words)
    assert terminal.run(*asked) == 0
    exhibit = Path(terminal.out.strip())
    assert terminal.run("show", str(exhibit)) == 0
    assert "code/000001" in terminal.out
    assert "private" not in terminal.both
    (page,) = sorted((exhibit / "data").rglob("code/list/*"))
    assert (b"private title" in page.read_bytes(), b"private past" in page.read_bytes()) == (True, False)
    assert terminal.run("verify", str(exhibit)) == 0
