"""`collect-activities`, `collect-sessions --witness` and `corroborate` as they are typed."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentaudit.cli import corroborate as command
from agentaudit.cli.activities import closed_window
from agentaudit.demo.world import World
from agentaudit.errors import UsageFault
from agentaudit.model.corroboration import Corroboration
from tests.cli.conftest import FAST
from tests.cli.terminal import Terminal

NOW = datetime(2026, 10, 8, 12, tzinfo=UTC)


def test_the_window_ends_a_minute_ago_at_the_latest() -> None:
    """Left out it does; one that is still open is refused, as is one that ends before it begins."""
    assert closed_window(None, None, NOW).ends == "2026-10-08T11:59:00.000000Z"
    assert closed_window("7d", "2026-10-07", NOW).ends == "2026-10-08T00:00:00.000000Z"
    for begins, until in ((None, "2026-10-08T11:59:30Z"), (None, "2026-10-08"), ("1h", "2h")):
        with pytest.raises(UsageFault):
            closed_window(begins, until, NOW)


@pytest.mark.parametrize(
    "words", [("--type", "a", "--without-type", "b"), ("--resume", "EX-0001", "--type", "a"), ("--organization", "no")]
)
def test_what_contradicts_itself_is_refused(words: tuple[str, ...], empty_case: Path) -> None:
    """Nothing is asked, and the status is 2."""
    assert Terminal().run("collect-activities", str(empty_case), *words) == 2


def test_a_feed_is_collected_shown_and_verified(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """The way from the command line to a sealed exhibit, and what is told of it."""
    world, url = story
    yesterday = datetime.now(UTC) - timedelta(days=1)
    world.act("claude_chat_viewed", yesterday, world.users[0], world.organizations[0].uuid, title="private words")
    terminal = Terminal(keyed)
    root = ("--api-root", url, *FAST)
    assert terminal.run("collect-activities", str(empty_case), *root, "--dry-run") == 0
    assert "/v1/compliance/activities?" in terminal.out
    assert terminal.run("collect-activities", str(empty_case), *root, "--from", "2d", "--order", "oldest") == 0
    exhibit = Path(terminal.out.strip())
    assert terminal.run("show", str(exhibit)) == 0
    assert "activities from" in terminal.out
    assert "feed/000001" in terminal.out
    assert terminal.run("show", str(exhibit), "--json") == 0
    assert json.loads(terminal.out)["streams"][0]["kind"] == "feed"
    assert "private words" not in terminal.both
    assert terminal.run("verify", str(exhibit)) == 0
    assert terminal.run("corroborate", str(exhibit), "--json") == 0
    found = json.loads(terminal.out)
    assert (found["exhibit"], found["requests"], found["matched"]) == (exhibit.name, 0, 0)
    assert terminal.run("corroborate", str(exhibit), "--require-all-matched") == 0


def test_a_collection_without_a_feed_is_told_what_is_lacking(collected: Path) -> None:
    """There is nothing to compare with; a feed of another exhibit can be named."""
    terminal = Terminal()
    assert terminal.run("corroborate", str(collected / "EX-0002")) == 2
    assert "collect-activities" in terminal.err


def test_requests_are_found_in_another_exhibit_s_feed(
    story: tuple[World, str], keyed: dict[str, str], case: Path
) -> None:
    """Matched, missing, not covered and unknown ones are told apart."""
    terminal = Terminal(keyed)
    assert terminal.run("collect-activities", str(case), "--api-root", story[1], *FAST) == 0
    feed = terminal.out.strip()
    assert terminal.run("corroborate", str(case / "EX-0001"), "--feed", feed) == 0
    assert "matched" in terminal.out
    assert "not covered" in terminal.out


@pytest.mark.parametrize(("matched", "status"), [(0, 3), (1, 3), (2, 0)])
def test_a_script_can_ask_for_every_request(
    matched: int, status: int, collected: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fewer matches than requests end with 3, whatever became of the others; without the option with 0."""
    found = Corroboration(
        exhibit="EX-0001", feed="EX-0001", begins=None, ends=None, feed_is_whole=True, requests=2, matched=matched,
        missing=0, not_covered=2 - matched, without_id=0, status_differs=0, others_of_the_key=0, missing_requests=(),
        differing_requests=(), other_requests=(),
    )  # fmt: skip
    monkeypatch.setattr(command, "corroborate", lambda *_exhibits: found)
    exhibit = str(collected / "EX-0001")
    assert Terminal().run("corroborate", exhibit) == 0
    assert Terminal().run("corroborate", exhibit, "--require-all-matched") == status


def test_what_has_faults_is_not_compared(case: Path) -> None:
    """A changed exhibit is no ground for a comparison."""
    page = next((case / "EX-0001" / "data").rglob("*.json"))
    page.write_bytes(page.read_bytes() + b" ")
    assert Terminal().run("corroborate", str(case / "EX-0001")) == 4


def test_the_summary_tells_events_and_findings(
    story: tuple[World, str], keyed: dict[str, str], empty_case: Path
) -> None:
    """Of a feed events and streams are told, and no session that nobody asked for."""
    world, url = story
    world.act("claude_chat_viewed", datetime.now(UTC) - timedelta(days=1), world.users[0], world.organizations[0].uuid)
    terminal = Terminal(keyed)
    assert terminal.run("collect-activities", str(empty_case), "--api-root", url, *FAST) == 0
    assert "in 1 stream" in terminal.err
    assert "sessions" not in terminal.err.partition("Losses")[0]
    assert terminal.run("collect-activities", str(empty_case), "--api-root", url, *FAST, "--json") == 0
    assert json.loads(terminal.out)["streams"]["streams"] == 1
