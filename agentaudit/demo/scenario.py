"""The organisation that the demo command shows, with its remote sessions and its bad moments.

Laws:
    - Everything that the API can do to a collector happens at least once, in a world small enough to read.
    - Two of the bad moments are planned and pass: a rate limit, and a page that comes twice.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.blocks import Omitted, Text, ToolResult, ToolUse
from agentaudit.demo.bulk import large_list, large_session
from agentaudit.demo.compose import plain_remote, remote_call
from agentaudit.demo.errors import Documented
from agentaudit.demo.ids import opaque, plain
from agentaudit.demo.jsontext import text_of
from agentaudit.demo.sessions import RemoteSession
from agentaudit.demo.story import cast_of, local_story
from agentaudit.demo.talks import add_talks
from agentaudit.demo.world import World

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from agentaudit.demo.story import Cast

__all__ = ["demo_world", "large_list", "large_session"]

_MINUTE = timedelta(minutes=1)
_RETENTION_DAYS = 30


def demo_world(clock: Callable[[], datetime], *, canary: str = "") -> World:
    """The demo's organisation: 14 visible local sessions, 4 remote ones, 2 chats, 5 people, 2 linked organisations.

    Pages hold at most eight items and the third page of each walk is empty, so that every walk has several.
    """
    world = World(clock, canary=canary)
    cast = cast_of(world)
    for local in local_story(cast):
        world.put(local)
    for remote in _remote_story(cast):
        world.put(remote)
    add_talks(world, cast)
    world.advance_retention(cast.ago(_RETENTION_DAYS))
    world.set_page_shape(max_items=8, empty_pages=(2,))
    world.inject_unknown("session", "region_hint", "eu-central")
    world.inject_unknown("message", "turn_hint", None)
    world.inject_unknown("envelope", "notices", ())
    world.problem_next(Documented.SHARED_BUDGET, match="/messages")
    world.duplicate_next(match="/messages")
    return world


def _remote_story(cast: Cast) -> tuple[RemoteSession, ...]:
    waiting = plain_remote("waiting", cast.holding, cast.ada, cast.ago(0.01), 0)
    return (
        _project(cast),
        _scheduled(cast),
        _failed(cast),
        RemoteSession(waiting.id, cast.holding, waiting.created_at, waiting.updated_at, (), cast.ada, status="pending"),
    )


def _project(cast: Cast) -> RemoteSession:
    """Tools in the cloud, a picture that is left out without a mark, a project."""
    session_id, begun = opaque("cse_", cast.holding, "offer"), cast.ago(3)
    fetch = ToolUse("toolu_01Fetch", "mcp__drive__fetch", text_of({"name": "offer.docx"}))
    got = ToolResult("toolu_01Fetch", "mcp__drive__fetch", ("The offer, page 1",), omitted=3)
    rows = (
        ("user", (Text("Read the offer."), Omitted("image"))),
        ("assistant", (fetch,)),
        ("user", (got,)),
        ("assistant", (Text("It ends in May."),)),
    )
    calls = tuple(
        remote_call(session_id, number, begun + number * _MINUTE, role, *blocks)
        for number, (role, blocks) in enumerate(rows)
    )
    project = plain("claude_proj_", "offers")
    return RemoteSession(
        session_id,
        cast.holding,
        begun,
        begun + 3 * _MINUTE,
        calls,
        cast.chioma,
        status="archived",
        claude_project_id=project,
    )


def _scheduled(cast: Cast) -> RemoteSession:
    """A run that belongs to an agent and was started by a person; times that tie and slightly invert."""
    session_id, begun = opaque("cse_", cast.logistics, "nightly"), cast.ago(2)
    offsets = (0, 5, 5, 4)
    calls = tuple(
        remote_call(
            session_id,
            number,
            begun + timedelta(seconds=offset),
            "assistant" if number % 2 else "user",
            Text(f"Nightly run, part {number + 1}."),
            sent_by=None if number % 2 else cast.dmitri,
        )
        for number, offset in enumerate(offsets)
    )
    agent, updated = plain("cagt_", "nightly"), begun + timedelta(seconds=5)
    return RemoteSession(
        session_id, cast.logistics, begun, updated, calls, None, agent, cast.dmitri, product_surface=None
    )


def _failed(cast: Cast) -> RemoteSession:
    """A status that nobody documented, and a message that cannot be decrypted."""
    session_id, begun = opaque("cse_", cast.logistics, "stuck"), cast.ago(1)
    calls = (
        remote_call(session_id, 0, begun, "user", Text("Go on.")),
        remote_call(session_id, 1, begun + _MINUTE, "assistant", unavailable=True),
    )
    return RemoteSession(session_id, cast.logistics, begun, begun + _MINUTE, calls, cast.dmitri, status="hibernating")
