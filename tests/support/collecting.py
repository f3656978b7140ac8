"""A small case and a small organisation, collected over a loopback socket."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agentaudit.acquire.collect import collect, resume_collection
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, Reach, ResumeCollection, Surroundings
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.world import World
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import SessionSelection
from agentaudit.package.case import new_case_file, open_case
from agentaudit.package.disk import Disk
from agentaudit.sources.compliance.keys import Key
from tests.support.around import ACTORS, hand, surroundings
from tests.support.clock import BEGIN

LIMITS = ReadLimits(connect_ms=2_000, read_ms=2_000, answer_ms=10_000, attempts=3)
MOMENT = datetime(2026, 10, 8, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Collecting:
    """A case folder, a served world, and how to collect the one into the other."""

    case: Path
    world: World
    url: str

    def request(self, selection: SessionSelection | None = None, limits: ByteLimits | None = None) -> Collect:
        """A collection of everything, unless another selection is given."""
        return Collect(
            case=self.case,
            selection=selection or SessionSelection(families=("local", "remote")),
            limits=limits or ByteLimits(),
            read_limits=LIMITS,
            reach=self.reach(),
            said=Said(),
            argv=("agentaudit", "collect-sessions"),
        )

    def reach(self, connections: int = 4, key: str | None = None) -> Reach:
        """At the served world, unhurried by a budget."""
        secret = Key(key or self.world.key())
        return Reach(api_root=self.url, key=secret, requests_per_minute=600_000, connections=connections)

    def collect(
        self,
        selection: SessionSelection | None = None,
        *,
        disk: Disk | None = None,
        around: Surroundings | None = None,
        limits: ByteLimits | None = None,
    ) -> SealedResult:
        """Collect into the next exhibit."""
        return collect(self.request(selection, limits), around or surroundings(), Silent(), disk)

    def resume(self, exhibit: str = "EX-0001", *, disk: Disk | None = None, version: str = "0.1.0") -> SealedResult:
        """Go on with an exhibit, under a program version by which its requests can be told."""
        request = ResumeCollection(self.case, exhibit, self.reach(), Said(), ("agentaudit",))
        return resume_collection(request, surroundings(version=version), Silent(), disk)

    def asked_by(self, version: str) -> int:
        """How many requests a run of that program version sent."""
        agents = [dict(request.headers).get("user-agent", "") for request in self.world.requests]
        return agents.count(f"agentaudit/{version}")

    def elsewhere(self, folder: Path) -> "Collecting":
        """The same world, another new case."""
        return Collecting(_case(folder), self.world, self.url)


def _case(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    case = folder / "case"
    open_case(case, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
    return case


@contextmanager
def collecting(folder: Path, world: World | None = None) -> Iterator[Collecting]:
    """A new case at `<folder>/case`, and a world that is served while the block runs."""
    served = world or demo_world(lambda: datetime.now(UTC))
    with LoopbackServer(served) as server:
        yield Collecting(_case(folder), served, server.url)


def small_world() -> World:
    """Two local sessions and a remote one, of few pages; nothing out of the ordinary; its clock stands still."""
    world = World(lambda: MOMENT)
    world.add_session(at=MOMENT - timedelta(days=2), turns=2)
    world.add_session(at=MOMENT - timedelta(days=1), turns=1)
    world.add_remote_session(at=MOMENT - timedelta(days=1), turns=1)
    world.set_page_shape(max_items=3)
    world.set_budget(shared=1_000_000, remote=1_000_000)
    return world


def payload(exhibit: Path) -> dict[str, bytes]:
    """Every payload file but those set aside, by path."""
    data = exhibit / layout.DATA
    return {
        path.relative_to(exhibit).as_posix(): path.read_bytes()
        for path in sorted(data.rglob("*"))
        if path.is_file() and not path.is_relative_to(exhibit / layout.SET_ASIDE)
    }


def comparable(exhibit: Path) -> dict[str, list[str]]:
    """The folds and readings without what law 3 drops: instants, rows, request-ids, and what was set aside."""
    names = (layout.ITEMS, layout.WALKS, layout.GAPS, layout.SESSIONS, layout.RECORDS, layout.TRUNCATIONS)
    return {name: _lines(exhibit / name) for name in names}


def _lines(path: Path) -> list[str]:
    lines = []
    for line in path.read_text().splitlines():
        row = json.loads(line)
        if row.get("role") == "set_aside":
            continue
        if row.get("provenance") and "request_id" in row["provenance"]:
            for name in ("row", "request_id", "received_at"):
                del row["provenance"][name]
        lines.append(json.dumps(row, sort_keys=True))
    return lines
