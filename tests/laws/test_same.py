"""Law 3: same answers, same payload and folds, whatever the number of connections."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from agentaudit.acquire.collect import collect_sessions
from agentaudit.acquire.progress import Silent
from agentaudit.demo.errors import Documented
from agentaudit.demo.faults import ResetAfter, ShortBy
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.world import World
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import GapCode
from tests.integration.runs import LIMITS, Ended, quick
from tests.support.collecting import MOMENT, collecting, comparable, payload, small_world

CONNECTIONS = (2, 8)


def the_demo() -> World:
    """The demo's organisation with its rate limit, its page that comes twice, and two broken answers."""
    world = demo_world(lambda: MOMENT)
    world.set_budget(shared=1_000_000, remote=1_000_000)
    world.fault_next(ResetAfter(100), match="/messages")
    world.fault_next(ShortBy(3), match="/messages")
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


def clipped() -> World:
    """The demo's organisation as it is."""
    return the_demo()


WORLDS: dict[str, tuple[Callable[[], World], ByteLimits]] = {
    "a small one": (small_world, ByteLimits()),
    "the demo": (the_demo, ByteLimits()),
    "the demo under a small limit": (the_demo, ByteLimits(tool_input_max_bytes=16, tool_result_max_bytes=16)),
    "a locked organisation": (a_locked_organisation, ByteLimits()),
}


def _collected(folder: Path, name: str, connections: int) -> Ended:
    """A world of its own for each run: what was planned to go wrong goes wrong again."""
    make, limits = WORLDS[name]
    with collecting(folder, make()) as job:
        request = replace(
            job.request(limits=limits), read_limits=LIMITS_OF[name], reach=job.reach(connections=connections)
        )
        return Ended(job.case, collect_sessions(request, quick(), Silent()), None)
