"""A synthetic organisation with chats, files, artifacts and projects, and how to collect it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agentaudit.acquire.collect import collect, resume_collection
from agentaudit.acquire.progress import Silent
from agentaudit.acquire.request import Collect, ResumeCollection
from agentaudit.demo.chats import Said as Message
from agentaudit.demo.projects import Grant
from agentaudit.demo.stored import Upload
from agentaudit.demo.world import World
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.limits import ReadLimits
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import ChatSelection
from agentaudit.package.disk import Disk
from tests.support.around import surroundings
from tests.support.collecting import Collecting, collecting

MOMENT = datetime(2026, 10, 8, 12, tzinfo=UTC)
EVERYTHING = ChatSelection(with_files=True, with_artifacts=True, with_projects="listed")
LIMITS = ReadLimits(connect_ms=2_000, read_ms=2_000, answer_ms=10_000, attempts=2)
REPORT = Upload("../../etc/passwd", b"\x00\xffreport" * 100, "application/pdf")
TABLE = Upload("table; x=1.csv", b"a,b\n1,2\n", "text/csv")
NOTES = Upload("notes.md", "# Möwe\n".encode())
PLAN = Upload("plan.txt", b"the plan\n")
GRANTS = (
    Grant("user", "user_id", "user_01Guest", "editor"),
    Grant("organization_role", "organization_role", "developer", "viewer"),
)


@dataclass(frozen=True)
class Chatting:
    """A served organisation, and the ids of what it holds."""

    job: Collecting
    chats: tuple[str, ...]
    projects: tuple[str, ...]

    @property
    def world(self) -> World:
        """The organisation."""
        return self.job.world

    def run(
        self,
        selection: ChatSelection = EVERYTHING,
        *,
        connections: int = 1,
        limits: ReadLimits = LIMITS,
        disk: Disk | None = None,
    ) -> tuple[Path, SealedResult]:
        """Collect into the next exhibit: its path, and what came of it."""
        request = Collect(self.job.case, selection, None, limits, self.job.reach(connections), Said(), ())
        result = collect(request, surroundings(), Silent(), disk)
        return Path(result.path), result

    def resume(self, *, version: str = "0.1.0") -> SealedResult:
        """Go on with the first exhibit."""
        request = ResumeCollection(self.job.case, "EX-0001", self.job.reach(1), Said(), ())
        return resume_collection(request, surroundings(version=version), Silent())

    def elsewhere(self, folder: Path) -> "Chatting":
        """The same organisation, another new case."""
        return Chatting(self.job.elsewhere(folder), self.chats, self.projects)


def chat_world(canary: str = "") -> tuple[World, tuple[str, ...], tuple[str, ...]]:
    """Three chats, one of them deleted; two projects, one of them without chats; every kind of stored thing."""
    world = World(lambda: MOMENT, canary=canary)
    world.set_budget(shared=10**6, remote=10**6)
    library, part, (ada, bruno, *_) = world.library, world.organizations[0].uuid, world.users
    old = MOMENT - timedelta(days=9)
    projects = (
        library.add_project("harbour", old, ada, part, files=(TABLE,), documents=(PLAN, NOTES), grants=GRANTS),
        library.add_project("quay", old + timedelta(days=1), bruno, part, documents=(PLAN,)),
    )
    at = MOMENT - timedelta(days=1)
    chats = (
        world.add_chat("one", _talk(at), ada, part, project=projects[0]),
        world.add_chat("two", _talk(at + timedelta(minutes=1)), bruno, part),
        world.add_chat("three", _talk(at + timedelta(minutes=2)), ada, part),
    )
    world.delete_chat(chats[2], MOMENT - timedelta(hours=1))
    return world, chats, projects


def _talk(at: datetime) -> tuple[Message, ...]:
    later = at + timedelta(seconds=5)
    return (
        Message("user", at, "a question", files=(REPORT,)),
        Message("assistant", later, "an answer", generated=(TABLE,), artifacts=(NOTES,)),
        Message("assistant", later + timedelta(seconds=5), "another", artifacts=(NOTES,)),
    )


@contextmanager
def chatting(folder: Path, canary: str = "") -> Iterator[Chatting]:
    """The organisation, served while the block runs, and a new case."""
    world, chats, projects = chat_world(canary)
    with collecting(folder, world) as job:
        yield Chatting(job, chats, projects)


def streams(exhibit: Path) -> dict[str, dict[str, object]]:
    """The streams of an exhibit by their keys."""
    rows: list[dict[str, object]] = [json.loads(line) for line in (exhibit / layout.STREAMS).read_text().splitlines()]
    return {str(row["stream"]): row for row in rows}


def gaps(result: SealedResult) -> dict[str, int]:
    """The gaps of an exhibit by code, with their numbers."""
    return {gap.code: gap.count for gap in result.gaps}
