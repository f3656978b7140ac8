"""Surroundings for tests: a still clock, a tool and a host with fixed words."""

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import TypedDict

import msgspec

from agentaudit.acquire.request import Surroundings
from agentaudit.model.actors import Actors, Host, Tool
from agentaudit.package.case import Hand
from agentaudit.package.disk import Disk, SystemDisk

TOOL = Tool(name="agentaudit", version="0.1.0", code_digest="sha256:" + "c" * 64, python="3.11", dependencies=())
HOST = Host(node="station", system="Linux", machine="x86_64", user="examiner", time_zone="UTC", clock_synchronised=None)
ACTORS = Actors(examiner="E. Examiner", authority="Order 7")


class Who(TypedDict):
    """What every row of a custody log says of who wrote it."""

    actors: Actors
    host: str
    user: str
    tool: str


WHO: Who = {"actors": ACTORS, "host": "h", "user": "u", "tool": "t"}


def surroundings(
    now: Callable[[], datetime] | None = None,
    stop: Callable[[], int | None] = lambda: None,
    monotonic_ms: Callable[[], int] | None = None,
    version: str = "0.1.0",
) -> Surroundings:
    """The world of one run; the real clock unless another is given."""
    return Surroundings(
        now=now or (lambda: datetime.now(UTC)),
        monotonic_ms=monotonic_ms or (lambda: int(monotonic() * 1000)),
        stop=stop,
        tool=msgspec.structs.replace(TOOL, version=version),
        host=HOST,
    )


def hand(now: Callable[[], datetime] | None = None, disk: Disk | None = None) -> Hand:
    """A hand on the real disk, or on the given one."""
    return Hand(ACTORS, HOST, TOOL, now or (lambda: datetime.now(UTC)), disk or SystemDisk())
