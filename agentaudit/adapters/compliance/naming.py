"""The names of walks: a walk's id is its folder below `data/`, so a name says what was asked.

- The order of the names is the order of the walks: `messages`, `messages02`, `messages03` (a hyphen or a dot
  would sort before the slash that ends the first folder).
- Context sorts before local, lists before sessions, local before remote.
- Names hold counters only, never an identifier of the source.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentaudit.model.journal import WalkKind
from agentaudit.model.selection import Family

ORGANIZATIONS_WALK = "compliance/context/organizations"
FEED_WALK = "compliance/activities/feed"
WITNESS_WALK = "compliance/witness/feed"
CHATS_WALK = "compliance/chats/list"
CODE_WALK = "compliance/code/list"
PROJECTS_WALK = "compliance/projects/list"

Thing: TypeAlias = Literal["artifact", "document", "file", "generated"]
"""What is stored beside messages: a version of an artifact, a project's document, an uploaded or a generated file."""

Part: TypeAlias = Literal["about", "attachments", "collaborators", "content"]
"""What is asked of a project (`about`, `attachments`, `collaborators`) or of a stored thing (`about`, `content`)."""

_FORM = re.compile(
    r"compliance/(?:context/organizations"
    r"|context/o(?P<organization>[0-9]{4,9})/(?P<context>settings|users)"
    r"|(?P<feed>activities|witness)/feed"
    r"|chats/(?P<chats>list|(?P<chat>n[0-9]{6,9})/messages)"
    r"|(?P<code>code)/list"
    r"|projects/(?P<projects>list|p(?P<project>[0-9]{6,9})/(?P<told>about|attachments|collaborators))"
    r"|stored/(?P<thing>[adfg])(?P<stored>[0-9]{6,9})/(?P<part>about|content)"
    r"|(?P<lists>local|remote)/lists/l(?P<list>[0-9][0-9])"
    r"|(?P<family>local|remote)/(?P<session>s[0-9]{6,9})/(?P<what>session|messages)(?P<again>[0-9][0-9])?)\Z"
)
_CONTEXT: dict[str, WalkKind] = {"settings": "settings", "users": "users"}
_LISTS: dict[str, WalkKind] = {"local": "local_list", "remote": "remote_list"}
_MESSAGES: dict[str, WalkKind] = {"local": "local_messages", "remote": "remote_messages"}
_FAMILIES: dict[str, Family] = {"local": "local", "remote": "remote"}
_THINGS: dict[str, Thing] = {"a": "artifact", "d": "document", "f": "file", "g": "generated"}
_LETTERS = {thing: letter for letter, thing in _THINGS.items()}
_PARTS: dict[str, Part] = {
    "about": "about", "attachments": "attachments", "collaborators": "collaborators", "content": "content",
}  # fmt: skip
_OF_PROJECT: dict[Part, WalkKind] = {
    "about": "project", "attachments": "attachments", "collaborators": "collaborators",
}  # fmt: skip
STORED_KINDS: dict[Thing, WalkKind] = {
    "artifact": "artifacts", "document": "documents", "file": "chat_files", "generated": "chat_files",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """What a walk's name says: kind, family, session key, and its number among its like (from 1).

    `thing` and `part` only where something stored, or a part of a project, is asked for.
    """

    kind: WalkKind
    family: Family | None = None
    session: str | None = None
    number: int = 1
    thing: Thing | None = None
    part: Part | None = None


def context_walk(organization: int, what: str) -> str:
    """`compliance/context/o0001/settings` for the first organisation seen."""
    return f"compliance/context/o{organization:04d}/{what}"


def list_walk(family: Family, number: int) -> str:
    """`compliance/local/lists/l01` for the first list walk of a family."""
    return f"compliance/{family}/lists/l{number:02d}"


def session_walk(family: Family, session: str) -> str:
    """`compliance/local/s000012/session`: the retrieve call of one session."""
    return f"compliance/{family}/{session}/session"


def messages_walk(family: Family, session: str, number: int) -> str:
    """`compliance/local/s000012/messages`, and `messages02` for the walk that began anew."""
    again = f"{number:02d}" if number > 1 else ""
    return f"compliance/{family}/{session}/messages{again}"


def chat_walk(number: int) -> str:
    """`compliance/chats/n000012/messages`: the messages of one chat; it sorts behind the list."""
    return f"compliance/chats/n{number:06d}/messages"


def project_walk(number: int, part: Part) -> str:
    """`compliance/projects/p000003/attachments`; what is asked of one project."""
    return f"compliance/projects/p{number:06d}/{part}"


def stored_walk(thing: Thing, number: int, part: Part) -> str:
    """`compliance/stored/f000007/content`; it sorts behind all that can name the thing."""
    return f"compliance/stored/{_LETTERS[thing]}{number:06d}/{part}"


def place_of(walk: str) -> Place | None:
    """What the name says; None when it is no name of ours."""
    found = _FORM.match(walk)
    if found is None:
        return None
    if found["context"]:
        return Place(_CONTEXT[found["context"]], number=int(found["organization"]))
    if found["projects"] or found["stored"] or found["chats"] or found["code"]:
        return _place_of_chats(found)
    if found["lists"]:
        return Place(_LISTS[found["lists"]], _FAMILIES[found["lists"]], number=int(found["list"]))
    if found["session"]:
        return _session_place(_FAMILIES[found["family"]], found["session"], found["what"], found["again"])
    return Place("activities" if found["feed"] else "organizations")


def _place_of_chats(found: re.Match[str]) -> Place:
    if found["code"]:
        return Place("code_artifacts")
    if found["chats"]:
        return Place("chat_messages", number=int(found["chat"][1:])) if found["chat"] else Place("chats")
    if found["stored"]:
        thing = _THINGS[found["thing"]]
        return Place(STORED_KINDS[thing], number=int(found["stored"]), thing=thing, part=_PARTS[found["part"]])
    if found["project"] is None:
        return Place("projects")
    part = _PARTS[found["told"]]
    return Place(_OF_PROJECT[part], number=int(found["project"]), part=part)


def _session_place(family: Family, session: str, what: str, again: str | None) -> Place | None:
    if what == "messages":
        return Place(_MESSAGES[family], family, session, int(again or 1))
    if family == "remote" or again is not None:
        return None
    return Place("local_retrieve", family, session)
