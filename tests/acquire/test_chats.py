"""Chats and their messages over a loopback socket: every message, both limits off, what is deleted stated."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agentaudit.acquire.apis import api_of
from agentaudit.acquire.collect import collect
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect
from agentaudit.cli.readers import page_readers
from agentaudit.demo.chats import Said as Message
from agentaudit.demo.stored import Upload
from agentaudit.demo.world import World
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import ActivitySelection, ChatSelection, Window
from agentaudit.verify import verify_exhibit
from tests.support.around import surroundings
from tests.support.collecting import Collecting, collecting

MOMENT = datetime(2026, 10, 8, 12, tzinfo=UTC)
MARK = "CANARY-of-chats"
LONG = "x" * 25_000


@contextmanager
def standing(folder: Path, *, chats: int = 5) -> Iterator[tuple[Collecting, tuple[str, ...]]]:
    """An organisation with some chats of three messages, and their ids; the second chat is deleted."""
    world = World(lambda: MOMENT, canary=MARK)
    world.set_budget(shared=10**6, remote=10**6)
    ids = []
    for number in range(chats):
        at = MOMENT - timedelta(days=1, minutes=-number)
        messages = (
            Message("user", at, "a question", files=(Upload("../../etc/passwd", b"root"),)),
            Message("assistant", at + timedelta(seconds=5), "an answer", LONG, LONG),
            Message("user", at + timedelta(seconds=9), "thanks"),
        )
        user = world.users[number % 2]
        ids.append(world.add_chat(f"name {number}", messages, user, world.organizations[0].uuid))
    world.delete_chat(ids[1], MOMENT - timedelta(hours=1))
    with collecting(folder, world) as job:
        yield job, tuple(ids)


def run(job: Collecting, selection: ChatSelection, connections: int = 1) -> tuple[Path, SealedResult]:
    """The exhibit of a collection, and what came of it."""
    way = job.reach(connections)
    result = collect(
        Collect(job.case, selection, None, ReadLimits(attempts=2), way, Said(), ()), surroundings(), Silent()
    )
    return Path(result.path), result


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two entries a page."""
    monkeypatch.setattr("agentaudit.sources.compliance.chatrequests.CHATS_LIMIT", 2)
    monkeypatch.setattr("agentaudit.sources.compliance.chatrequests.CHAT_MESSAGES_LIMIT", 2)


def payload(exhibit: Path) -> dict[str, str]:
    """Each payload file with its digest."""
    files = (path for path in (exhibit / "data").rglob("*") if path.is_file())
    return {str(path.relative_to(exhibit)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.usefixtures("small_pages")
def test_every_message_comes_whole_and_nothing_of_it_is_told(tmp_path: Path) -> None:
    """Pages lead on to the end, tool text is not cut, and events and streams hold no content."""
    with standing(tmp_path) as (job, ids):
        exhibit, result = run(job, ChatSelection())
        assert (result.outcome, result.counts.losses.unavailable) == ("all_given_with_losses", 1)
        events = (exhibit / layout.EVENTS).read_text().splitlines()
        assert len(events) == 3 * len(ids) + len(ids) - 1
        streams = (exhibit / layout.STREAMS).read_text()
        assert streams.count('"kind":"chat"') == len(ids)
        assert streams.count("deleted_by_user") == 1
        pages = b"".join(path.read_bytes() for path in sorted((exhibit / "data").rglob("n*/messages/*.json")))
        assert pages.count(LONG.encode()) == 2 * (len(ids) - 1)
        told = [path for path in exhibit.rglob("*") if path.is_file() and "data" not in path.parts]
        # The journal holds the heads of answers, and the world plants the mark in a header of each.
        marked = b'["x-canary","' + MARK.encode() + b'"]'
        assert not [path.name for path in told if MARK.encode() in path.read_bytes().replace(marked, b"")]
        assert b"passwd" not in b"".join(path.read_bytes() for path in told)
        assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


@pytest.mark.usefixtures("small_pages")
def test_the_number_of_connections_changes_no_payload(tmp_path: Path) -> None:
    """One and four connections give the same files with the same bytes."""
    with standing(tmp_path) as (job, _):
        alone, many = (payload(run(job, ChatSelection(), connections)[0]) for connections in (1, 4))
        assert alone == many
        assert len(alone) == 3 + 2 * 5


def test_files_that_messages_name_are_counted_as_left_out(tmp_path: Path) -> None:
    """What is not asked for is an exclusion with its number, one for each chat."""
    with standing(tmp_path, chats=3) as (job, _):
        exhibit, result = run(job, ChatSelection())
        assert result.counts.losses.excluded == 2
        assert '"counts":[["files",1]]' in (exhibit / layout.STREAMS).read_text()


def test_a_cut_that_nobody_asked_for_is_a_loss(tmp_path: Path) -> None:
    """Where the source shortens a tool's text in spite of both limits off, that is counted and told by its place."""
    with standing(tmp_path, chats=3) as (job, ids):
        job.world.rewrite_next(lambda body: body.replace(b'"truncated":false', b'"truncated":true'), match=ids[0])
        exhibit, result = run(job, ChatSelection(chats=(ids[0],)))
        assert result.outcome == "all_given_with_losses"
        losses = result.counts.losses
        assert (losses.clipped_undetermined, losses.clipped_marker) == (2, 3)
        assert (exhibit / layout.TRUNCATIONS).read_text().count('"session":"chat/000001"') == 5
        assert verify_exhibit(exhibit, readers=page_readers()).integrity == "intact"


def test_named_chats_are_read_without_a_list(tmp_path: Path) -> None:
    """Other chats are nobody's business; one that cannot be found is a loss of its own."""
    with standing(tmp_path) as (job, ids):
        exhibit, result = run(job, ChatSelection(chats=(ids[2], "claude_chat_none")))
        assert [one.path_segments[-1] for one in job.world.requests] == ["messages", "messages"]
        assert result.counts.losses.unavailable == 1
        assert ids[2] in (exhibit / layout.STREAMS).read_text()


def test_the_source_narrows_by_time_and_by_person(tmp_path: Path) -> None:
    """A window goes with the key of the order, people and organisations with the request."""
    with standing(tmp_path) as (job, ids):
        window = Window(begins="2026-10-07T12:02:00.000000Z", ends=None)  # type: ignore[arg-type] # the text is an instant
        by_update, _ = run(job, ChatSelection(window_kind="update", window=window))
        assert (by_update / layout.STREAMS).read_text().count('"kind":"chat"') == len(ids) - 2
        ada = job.world.users[0].id
        part = job.world.organizations[0].uuid
        hers, _ = run(job, ChatSelection(window=window, users=(ada,), organizations=(part,)))
        assert (hers / layout.STREAMS).read_text().count('"kind":"chat"') == 2


def test_a_plan_of_chats_needs_their_selection(tmp_path: Path) -> None:
    """Another selection is a mistake of the program."""
    kind = api_of(ChatSelection())
    assert kind is not None
    with standing(tmp_path, chats=2) as (job, _):
        other = Collect(
            job.case,
            ActivitySelection(window=Window(begins=None, ends=None)),
            None,
            ReadLimits(),
            job.reach(),
            Said(),
            (),
        )
        with pytest.raises(TypeError):
            kind.plan(other)
