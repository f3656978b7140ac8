"""Streams and events of a sibling source in an export."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import jsonschema
import pytest

from agentaudit.demo.world import World
from agentaudit.export.schemas import schema
from tests.cli.conftest import FAST
from tests.cli.terminal import Terminal


@pytest.fixture
def fed(story: tuple[World, str], keyed: dict[str, str], empty_case: Path) -> Path:
    """A case with one exhibit of activities."""
    world, url = story
    yesterday = datetime.now(UTC) - timedelta(days=1)
    world.act("claude_chat_viewed", yesterday, world.users[0], world.organizations[0].uuid, title="private words")
    terminal = Terminal(keyed)
    assert terminal.run("collect-activities", str(empty_case), "--api-root", url, *FAST) == 0, terminal.err
    return empty_case


def export(case: Path, out: Path, *words: str) -> Path:
    """The manifest in four formats."""
    formats = [word for name in ("json", "csv", "html", "md") for word in ("--format", name)]
    terminal = Terminal()
    assert terminal.run("export-manifest", str(case), *formats, "--out", str(out), *words) == 0, terminal.err
    return out


def test_every_event_and_stream_is_a_row(fed: Path, tmp_path: Path) -> None:
    """In JSON and in tables of their own, with the way back; ids of the source stay out without names."""
    out = export(fed, tmp_path / "out")
    document = json.loads((out / "manifest.json").read_bytes())
    jsonschema.Draft202012Validator(json.loads(schema("manifest.json"))).validate(document)
    (part,) = document["exhibits"]
    assert [one["stream"] for one in part["streams"]] == ["feed/000001"]
    assert part["events"]
    assert all(one["id"] is None and one["keys"] == [] and one["way"]["sha256"] for one in part["events"])
    with io.StringIO(next(out.rglob("events.csv")).read_text("utf-8-sig")) as stream:
        assert len(list(csv.DictReader(stream))) == len(part["events"])
    assert not any(b"private words" in path.read_bytes() for path in out.rglob("*") if path.is_file())


def test_names_are_there_when_they_were_asked_for(fed: Path, tmp_path: Path) -> None:
    """The ids by which events are joined."""
    document = json.loads((export(fed, tmp_path / "out", "--show-names") / "manifest.json").read_bytes())
    assert all(one["id"] for one in document["exhibits"][0]["events"])


def test_the_page_and_markdown_tell_of_the_streams(fed: Path, tmp_path: Path) -> None:
    """The section stands where there are streams."""
    out = export(fed, tmp_path / "out")
    assert "Streams of events" in (out / "manifest.html").read_text("utf-8")
    assert "feed/000001" in (out / "manifest.md").read_text("utf-8")
