"""The local half of the demo's story: a customer list leaves the house.

Laws:
    - Each session shows one or two things that a collector must survive; its function says which.
    - Times are counted back from the moment the world is made.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.blocks import Block, Omitted, Strange, Text, ToolResult, ToolUse
from agentaudit.demo.compose import local_call, local_message, plain_local, talk
from agentaudit.demo.ids import case_twin, opaque, plain
from agentaudit.demo.jsontext import text_of
from agentaudit.demo.sessions import Call, LocalSession, Provenance

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agentaudit.demo.sessions import LocalMessage
    from agentaudit.demo.world import World

_OVER_A_MEGABYTE = 1_200_000
_DAY, _MINUTE = timedelta(days=1), timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Cast:
    """Who plays: two organisations by UUID, five people by id, and the moment the story is told."""

    holding: str
    logistics: str
    ada: str
    bruno: str
    chioma: str
    dmitri: str
    erin: str
    now: datetime

    def ago(self, days: float) -> datetime:
        """The moment so many days before the story is told, on a whole second."""
        return (self.now - days * _DAY).replace(microsecond=0)


def cast_of(world: World) -> Cast:
    """The people and parts of a world, by the names the story uses."""
    holding, logistics = (part.uuid for part in world.organizations)
    ada, bruno, chioma, dmitri, erin = (user.id for user in world.users)
    return Cast(holding, logistics, ada, bruno, chioma, dmitri, erin, world.now())


def local_story(cast: Cast) -> tuple[LocalSession, ...]:
    """Every local session of the demo, the last of them hidden as under zero data retention."""
    review, holding = _review(cast), cast.holding
    migration = plain_local("migration", holding, cast.bruno, cast.ago(6), 16)
    tables = plain_local("table work", holding, cast.chioma, cast.ago(9), 2)
    return (
        review,
        _case_twin(cast, review),
        _connector(cast),
        _huge_input(cast),
        _long_result(cast),
        _aged(cast),
        replace(plain_local("night batch", cast.logistics, cast.dmitri, cast.ago(3), 9), call_cap=6),
        replace(migration, unreadable_pages=(1,)),
        _provenance(cast),
        _unknown(cast),
        _odd_text(cast),
        replace(tables, product_surface="office_agents/excel"),
        _science(cast),
        _departed(cast),
        replace(plain_local("sealed off", holding, cast.ada, cast.ago(1), 1), hidden=True),
    )


def _review(cast: Cast) -> LocalSession:
    """Built-in tools: a command that fails, one that works, an edit; a workspace; the list's time lags."""
    session_id = opaque("clls_", cast.holding, "code review")
    listing = ToolUse("toolu_01Listing", "Bash", text_of({"command": "ls exports/", "description": "list exports"}))
    failing = ToolUse("toolu_01Failing", "Bash", text_of({"command": "psql -c 'select * from customers'"}))
    edit = {"file_path": "/srv/crm/export.py", "old_string": "limit = 100", "new_string": "limit = None"}
    begun = cast.ago(8)
    turns: tuple[tuple[tuple[Block, ...], tuple[Block, ...]], ...] = (
        ((Text("Which customer exports exist already?"),), (Text("I will look."), listing)),
        (
            (ToolResult("toolu_01Listing", "Bash", ("customers-2026-09.csv\ncustomers-2026-10.csv\n",)),),
            (failing,),
        ),
        (
            (ToolResult("toolu_01Failing", "Bash", ("psql: could not connect: permission denied",), is_error=True),),
            (Text("The database refuses me. I can lift the limit in the exporter."),),
        ),
        ((Text("Do that."),), (ToolUse("toolu_01Edit", "Edit", text_of(edit)),)),
    )
    calls = _calls(session_id, begun, turns)
    workspace = plain("wrkspc_", "crm")
    return LocalSession(
        session_id, cast.holding, cast.bruno, calls, workspace_id=workspace, listed_updated_at=begun + _MINUTE
    )


def _case_twin(cast: Cast, original: LocalSession) -> LocalSession:
    """Another person's session in another organisation, whose id differs in the case of one letter."""
    session_id = case_twin(original.id)
    return LocalSession(session_id, cast.logistics, cast.dmitri, talk(session_id, original.calls[0].at, 2))


def _connector(cast: Cast) -> LocalSession:
    """Connector tools, an empty input, tool ids that are null, and items that are not text."""
    session_id = opaque("clls_", cast.holding, "crm export")
    whole = ToolUse(None, "mcp__crm__export_contacts", "{}")
    mailed = ToolUse(None, "mcp__mail__send", text_of({"to": "me@elsewhere.example", "attachment": "contacts.csv"}))
    turns: tuple[tuple[tuple[Block, ...], tuple[Block, ...]], ...] = (
        ((Text("Export all contacts, please."), Omitted("image")), (whole,)),
        (
            (ToolResult(None, "mcp__crm__export_contacts", ("14,212 contacts exported to contacts.csv",), omitted=2),),
            (Text("The file is ready.", truncated=True),),
        ),
        ((Text("Send it to my other address."),), (mailed,)),
        ((ToolResult(None, "mcp__mail__send", ("queued",)),), (Text("It is on its way."),)),
    )
    calls = _calls(session_id, cast.ago(7.5), turns)
    return LocalSession(session_id, cast.holding, cast.bruno, calls, "cowork")


def _huge_input(cast: Cast) -> LocalSession:
    """A tool input above one MiB: cut by the server even when everything is asked for."""
    session_id = opaque("clls_", cast.holding, "bulk write")
    body = "name;mail;phone\n" * (_OVER_A_MEGABYTE // 16)
    write = ToolUse("toolu_01Write", "Write", text_of({"file_path": "/home/bruno/contacts.csv", "content": body}))
    calls = _calls(session_id, cast.ago(7), (((Text("Write the contacts into my folder."),), (write,)),))
    return LocalSession(session_id, cast.holding, cast.bruno, calls)


def _long_result(cast: Cast) -> LocalSession:
    """A tool result and an input that only the default caps cut, with letters of several bytes at the edge."""
    session_id = opaque("clls_", cast.logistics, "log search")
    grep = ToolUse("toolu_01Grep", "Bash", text_of({"command": "grep -r " + "ü" * 6_000}))
    found = ToolResult("toolu_01Grep", "Bash", ("Zürich → Genève\n" * 1_500, "two items"))
    turns = (((Text("Search the logs."),), (grep,)), ((found,), (Text("Many lines match."),)))
    return LocalSession(session_id, cast.logistics, cast.chioma, _calls(session_id, cast.ago(5), turns))


def _aged(cast: Cast) -> LocalSession:
    """Calls on both sides of the retention boundary, which the demo sets thirty days back."""
    session_id = opaque("clls_", cast.holding, "quarter close")
    calls = tuple(
        local_call(
            session_id,
            number,
            cast.ago(40 - 7 * number),
            (Text(f"Continue with week {number + 1}."),),
            (Text("The week is closed."),),
        )
        for number in range(5)
    )
    return LocalSession(session_id, cast.holding, cast.ada, calls, "cowork")


def _provenance(cast: Cast) -> LocalSession:
    """Every provenance type and reason, and one type that nobody documented."""
    session_id = opaque("clls_", cast.holding, "compacted")
    said = (Text("An earlier answer, as the client tells it."),)
    gone = "content_unavailable"
    rows: tuple[tuple[str, tuple[Block, ...], Provenance], ...] = (
        ("user", (), Provenance("synthetic_marker")),
        ("assistant", said, Provenance("client_asserted")),
        ("user", (), Provenance(gone, "not_captured")),
        ("assistant", (), Provenance(gone, "client_aborted")),
        ("user", (), Provenance(gone, "cmek_key_revoked")),
        ("user", (), Provenance(gone, "oversize")),
        ("assistant", said, Provenance("relayed_by_peer", "newly_invented")),
    )
    begun = cast.ago(4)
    calls = tuple(
        Call(begun + number * _MINUTE, (local_message(session_id, number, role, *blocks, provenance=kind),))
        for number, (role, blocks, kind) in enumerate(rows)
    )
    return LocalSession(session_id, cast.holding, cast.bruno, calls)


def _unknown(cast: Cast) -> LocalSession:
    """A surface and a block that no documentation names."""
    session_id = opaque("clls_", cast.logistics, "new client")
    strange = Strange((("type", "canvas_stroke"), ("points", ((0, 1), (2, 3))), ("truncated", False)))
    calls = _calls(session_id, cast.ago(2), (((Text("Draw the route."), strange), (Text("Drawn."),)),))
    return LocalSession(session_id, cast.logistics, cast.dmitri, calls, "claude_wallboard")


def _odd_text(cast: Cast) -> LocalSession:
    """A lone surrogate, terminal and markup characters, a null surface."""
    session_id = opaque("clls_", cast.holding, "odd text")
    odd = Text("half a pair: \ud83d, a bell: \u0007, a colour: \u001b[31mred\u001b[0m, a markup: [red]not red[/red]")
    calls = _calls(session_id, cast.ago(2.5), (((odd,), (Text("I see half a character."),)),))
    return LocalSession(session_id, cast.holding, cast.chioma, calls, None)


def _science(cast: Cast) -> LocalSession:
    """A connector call hidden in the code of a tool named repl (section 2.3)."""
    session_id = opaque("clls_", cast.logistics, "forecast")
    repl = ToolUse("toolu_01Repl", "repl", text_of({"code": "host.mcp('warehouse', 'stock', {})"}))
    calls = _calls(session_id, cast.ago(2.5), (((Text("Forecast the stock."), Omitted("document")), (repl,)),))
    return LocalSession(session_id, cast.logistics, cast.chioma, calls, "claude_science")


def _departed(cast: Cast) -> LocalSession:
    """A session of somebody who has left: the id stays, the address is null."""
    session_id = opaque("clls_", cast.holding, "last day")
    turns = (((Text("Summarise this page."),), (Text("It lists customers."),)),)
    return LocalSession(
        session_id, cast.holding, cast.erin, _calls(session_id, cast.ago(12), turns), "claude_in_chrome"
    )


def _calls(
    session_id: str, begun: datetime, turns: Sequence[tuple[tuple[Block, ...], tuple[Block, ...]]]
) -> tuple[Call[LocalMessage], ...]:
    return tuple(
        local_call(session_id, number, begun + number * _MINUTE, asked, answered)
        for number, (asked, answered) in enumerate(turns)
    )
