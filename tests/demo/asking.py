"""A small client of the world for its own tests: no httpx, no retries, no memory.

Laws:
    - A path is given as segments, which are percent-encoded here, so that a test cannot forget to.
    - An answer is read without trust: every step into it says what it expects.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from agentaudit.demo.wire import WireRequest
from agentaudit.demo.world import World

if TYPE_CHECKING:
    from datetime import timedelta

    from agentaudit.demo.wire import WireResponse

NOON = datetime(2026, 10, 8, 12, tzinfo=UTC)
LOCAL = ("apps", "sessions", "local")
REMOTE = ("apps", "sessions", "remote")


class Clock:
    """A clock that a test moves by hand."""

    def __init__(self) -> None:
        self.at = NOON

    def __call__(self) -> datetime:
        """The present time."""
        return self.at

    def forward(self, by: timedelta) -> None:
        """Moves the clock."""
        self.at += by


@dataclass(frozen=True)
class Answer:
    """An answer with its body decoded."""

    response: WireResponse

    @property
    def status(self) -> int:
        """The status."""
        return self.response.status

    @property
    def body(self) -> object:
        """The decoded body."""
        decoded: object = json.loads(self.response.body)
        return decoded

    def at(self, *steps: str | int) -> object:
        """What stands at the end of a chain of names and indices."""
        return at(self.body, *steps)

    def text(self, *steps: str | int) -> str:
        """The same, as a text."""
        value = self.at(*steps)
        assert isinstance(value, str)
        return value

    def rows(self, *steps: str | int) -> list[object]:
        """The same, as a list."""
        value = self.at(*steps)
        assert isinstance(value, list)
        return value

    def ids(self) -> list[str]:
        """The ids of the items on a page."""
        return [str(at(row, "id")) for row in self.rows("data")]


class Asker:
    """Asks a world with one of its keys."""

    def __init__(self, world: World, key: str | None = None) -> None:
        self.world = world
        self.key = world.key() if key is None else key

    def get(self, segments: tuple[str, ...], *query: tuple[str, str | int], method: str = "GET") -> Answer:
        """One request."""
        path = "/v1/compliance/" + "/".join(quote(part, safe="") for part in segments)
        target = f"{path}?{urlencode(query)}" if query else path
        return self.raw(target, method=method)

    def raw(self, target: str, *, method: str = "GET") -> Answer:
        """One request with a target that is ready."""
        headers = (("X-Api-Key", self.key),) if self.key else ()
        return Answer(self.world.answer(WireRequest(method, target, headers)))

    def walk(self, segments: tuple[str, ...], *query: tuple[str, str | int]) -> list[Answer]:
        """Every page of a walk."""
        pages = [self.get(segments, *query)]
        while (token := at(pages[-1].body, "next_page", missing=None)) is not None:
            assert isinstance(token, str)
            pages.append(self.get(segments, *query, ("page", token)))
        return pages

    def messages(self, session_id: str, *query: tuple[str, str | int], family: tuple[str, ...] = LOCAL) -> Answer:
        """The first or the named page of a transcript."""
        return self.get((*family, session_id, "messages"), *query)


def at(value: object, *steps: str | int, missing: object = ...) -> object:
    """What stands at the end of a chain of names and indices; ``missing`` answers for an absent name."""
    for step in steps:
        if isinstance(step, int):
            assert isinstance(value, list)
            value = value[step]
        else:
            assert isinstance(value, dict)
            if step not in value and missing is not ...:
                return missing
            value = value[step]
    return value


def new_world() -> tuple[World, Clock, Asker]:
    """A world at noon without sessions, its clock, and somebody who asks it."""
    clock = Clock()
    world = World(clock)
    return world, clock, Asker(world)
