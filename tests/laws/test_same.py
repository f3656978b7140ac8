"""Law 3: same answers, same payload and folds, whatever the number of connections."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from agentaudit.acquire.collect import collect
from agentaudit.acquire.progress import Silent
from agentaudit.demo.errors import Documented
from agentaudit.demo.faults import CloseBeforeAnswer, ResetAfter, ShortBy
from agentaudit.demo.mischief import Plans
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.story import cast_of, local_story
from agentaudit.demo.world import World
from agentaudit.model.limits import ByteLimits, ReadLimits
from tests.integration.runs import Ended, quick
from tests.support.collecting import MOMENT, collecting, comparable, payload, small_world

CONNECTIONS = (2, 8)
READ_LIMITS = ReadLimits(connect_ms=5_000, read_ms=5_000, attempts=5)


def the_demo() -> World:
    """The demo's organisation with its rate limit, and with answers that break off.

    The page that comes twice is pinned to one session: which one asks next is no answer of the source.
    """
    world = demo_world(lambda: MOMENT)
    world.set_budget(shared=1_000_000, remote=1_000_000)
    world._platform = False  # errors of the guide: the platform's hold a request id
    world._duplicates = Plans()
    longest = max(local_story(cast_of(world)), key=lambda session: len(session.calls))
    world.duplicate_next(match=quote(longest.id, safe=""))
    for fault in (ResetAfter(100), ShortBy(3), CloseBeforeAnswer()):
        world.fault_next(fault, match="/messages")
    return world


def a_locked_organisation() -> World:
    """One of two organisations has its captured content locked for good: 503 on every transcript of its own."""
    world = World(lambda: MOMENT)
    one, two = (part.uuid for part in world.organizations)
    locked = set()
    for number in range(12):
        where = two if number % 3 else one
        session = world.add_session(at=MOMENT - timedelta(hours=number + 1), turns=2, organization=where)
        locked |= {session} if where == two else set()
    world.set_page_shape(max_items=3)
    world.set_budget(shared=1_000_000, remote=1_000_000)
    world.problem_next(
        Documented.CONTENT_LOCKED,
        match=lambda request: request.path_segments[-1] == "messages" and request.path_segments[-2] in locked,
        times=1_000_000,
    )
    return world


WORLDS: dict[str, tuple[Callable[[], World], ByteLimits]] = {
    "a small one": (small_world, ByteLimits()),
    "the demo": (the_demo, ByteLimits()),
    "the demo under small limits": (the_demo, ByteLimits(tool_input_max_bytes=16, tool_result_max_bytes=16)),
    "a locked organisation": (a_locked_organisation, ByteLimits()),
}


def _collected(folder: Path, name: str, connections: int) -> Ended:
    """A world of its own for each run: what was planned to go wrong goes wrong again."""
    make, limits = WORLDS[name]
    with collecting(folder, make()) as job:
        request = replace(job.request(limits=limits), read_limits=READ_LIMITS, reach=job.reach(connections=connections))
        return Ended(job.case, collect(request, quick(), Silent()), None)


@pytest.mark.parametrize("name", WORLDS)
def test_connections_show_nowhere_but_in_the_journal(tmp_path: Path, name: str) -> None:
    """Payload, folds and readings of 1, 2 and 8 connections are the same, and each exhibit is intact."""
    one = _collected(tmp_path / "1", name, 1)
    assert one.integrity == "intact"
    assert one.sealed.counts.messages > 0
    for connections in CONNECTIONS:
        more = _collected(tmp_path / str(connections), name, connections)
        assert payload(more.root) == payload(one.root)
        assert comparable(more.root) == comparable(one.root)
        assert more.integrity == "intact"
        assert (more.sealed.outcome, more.sealed.counts) == (one.sealed.outcome, one.sealed.counts)


def test_another_answer_is_another_payload(tmp_path: Path) -> None:
    """The comparison can say no: one more turn in one session shows in payload and readings."""
    one = _collected(tmp_path / "1", "a small one", 1)
    world = small_world()
    world.add_session(at=MOMENT - timedelta(hours=1))
    with collecting(tmp_path / "2", world) as job:
        job.collect(around=quick())
        other = job.case / "EX-0001"
    assert payload(other) != payload(one.root)
    assert comparable(other) != comparable(one.root)


def test_a_locked_organisation_costs_each_of_its_sessions_and_no_other(tmp_path: Path) -> None:
    """Eight gaps for eight transcripts, four sessions whole; only what was under way with the first is waited for."""
    ended = _collected(tmp_path, "a locked organisation", 1)
    assert ended.gaps.count("captured_content_unreadable") == 8
    assert ended.sealed.counts.messages == 16
    gave_up = [row for row in ended.unanswered if row.next == "gave_up"]
    assert len(gave_up) == 8
    retries = {row.walk for row in ended.unanswered if row.next == "retry"}
    assert len(retries) <= 4
