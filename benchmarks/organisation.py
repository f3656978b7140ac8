"""The process that serves: `python -m benchmarks.organisation KIND COUNT PAGES PAGE_BYTES LATENCY_MS`.

- An answer is made once and then given from memory: what is measured is the client, not the synthetic world.
- A list or a session that is longer than memory is made while it is read.
"""

import argparse
import json
import os
import select
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agentaudit.demo.bulk import BulkCalls, large_list, large_session
from agentaudit.demo.ids import opaque
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.sessions import LocalSession
from agentaudit.demo.wire import WireRequest, WireResponse
from agentaudit.demo.world import World

LIFE_S = 900
UNLIMITED = 1_000_000_000
PAGE_MESSAGES = 20
OVERHEAD_BYTES = 310
"""JSON around one text, so that a page is of the size that was asked for."""


class RememberingWorld(World):
    """A world that makes each answer once; its sessions do not change while it is served."""

    def __init__(self) -> None:
        """An empty organisation without budgets."""
        super().__init__(_now, budget=UNLIMITED, remote_budget=UNLIMITED, kept=1)
        self._made: dict[str, WireResponse] = {}

    def answer(self, request: WireRequest) -> WireResponse:
        """The answer as it was the first time."""
        made = self._made.get(request.target)
        if made is None:
            made = super().answer(request)
            if made.status == 200:
                self._made[request.target] = made
        return made


def main(argv: Sequence[str]) -> None:
    """Serve until standard input ends."""
    parser = argparse.ArgumentParser(prog="benchmarks.organisation")
    parser.add_argument("kind", choices=("pages", "list", "session"))
    numbers = ("count", "pages", "page_bytes", "latency_ms")
    for name in numbers:
        parser.add_argument(name, type=int)
    given = parser.parse_args(argv)
    count, pages, page_bytes, latency_ms = (int(getattr(given, name)) for name in numbers)
    world = _world(str(given.kind), count, pages, page_bytes)
    with LoopbackServer(world, latency_s=latency_ms / 1000) as server:
        sys.stdout.write(json.dumps({"url": server.url, "key": world.key()}) + "\n")
        sys.stdout.flush()
        select.select([sys.stdin], [], [], LIFE_S)
        os._exit(0)  # a connection's thread may still wait for its client


def _world(kind: str, count: int, pages: int, page_bytes: int) -> World:
    match kind:
        case "list":
            return large_list(count, clock=_now)
        case "session":
            return large_session(count, page_bytes, clock=_now)
        case _:
            return _many(count, pages, page_bytes)


def _many(count: int, pages: int, page_bytes: int) -> World:
    """So many sessions of so many pages of about so many bytes."""
    world = RememberingWorld()
    where, who = world.organizations[0].uuid, world.users[0].id
    begun = _now() - timedelta(days=30)
    size = max(9, page_bytes // PAGE_MESSAGES - OVERHEAD_BYTES)
    for number in range(count):
        name = opaque("clls_", "benchmark", number)
        calls = BulkCalls(name, begun - number * timedelta(minutes=1), pages * PAGE_MESSAGES, size)
        world.put(LocalSession(name, where, who, calls))
    world.set_page_shape(max_items=PAGE_MESSAGES, match="/messages")
    return world


def _now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    main(sys.argv[1:])
