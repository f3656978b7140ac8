"""Chats, projects, stored things and code artifacts of the synthetic organisation: what is held and answered.

Laws:
    - A thing is held by the chat or the project that it came with, and gone with it.
    - What a key does not reach is answered like what is not there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agentaudit.demo.chats import Chat, Said, chat_page, message_page
from agentaudit.demo.codelist import Published, code_artifact_list
from agentaudit.demo.errors import Documented, refused
from agentaudit.demo.gate import require_scope
from agentaudit.demo.ids import plain
from agentaudit.demo.people import USER_DATA
from agentaudit.demo.projects import (
    Grant,
    Project,
    attachment_list,
    collaborator_list,
    project_detail,
    project_list,
)
from agentaudit.demo.stored import Download, Stored, Upload, about, content, gone, thing_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from agentaudit.demo.people import User
    from agentaudit.demo.stored import Family
    from agentaudit.demo.visit import Visit

_PLACES: dict[tuple[str, ...], Family] = {
    ("artifacts",): "artifact",
    ("chats", "files"): "file",
    ("chats", "generated-files"): "generated",
    ("projects", "documents"): "document",
}

_PARTS: dict[Family, tuple[tuple[str, ...], ...]] = {
    "artifact": ((), ("content",)),
    "document": ((), ("metadata",)),
    "file": ((), ("content",)),
    "generated": ((), ("content",)),
}


class Library:
    """What is held, in the order in which it came."""

    def __init__(self) -> None:
        self._chats: list[Chat] = []
        self._projects: list[Project] = []
        self._code: list[Published] = []
        self._things: dict[str, Stored] = {}

    def add_chat(
        self, name: str, messages: tuple[Said, ...], user: User, organization: str, *, project: str | None = None
    ) -> str:
        """A chat that began with its first message, and the things that its messages hold; its id is returned."""
        identifier = plain("claude_chat_", name, len(self._chats))
        chat = Chat(identifier, name, messages[0].at, user.id, user.email, organization, project, messages)
        self._chats.append(chat)
        self._things |= {one.id: one for one in chat.things()}
        return identifier

    def delete_chat(self, identifier: str, at: datetime) -> None:
        """Its user deletes a chat: it stays listed, without name and content; its things are gone."""
        self._chats = [replace(one, deleted_at=at) if one.id == identifier else one for one in self._chats]
        self._things = {key: one for key, one in self._things.items() if one.chat != identifier}

    def add_project(
        self,
        name: str,
        at: datetime,
        user: User,
        organization: str,
        *,
        files: tuple[Upload, ...] = (),
        documents: tuple[Upload, ...] = (),
        grants: tuple[Grant, ...] = (),
    ) -> str:
        """A project with its attachments; its id is returned."""
        identifier = plain("claude_proj_", name, len(self._projects))
        made = Project(identifier, name, at, user.id, user.email, organization, f"Keep to {name}.", grants)
        self._projects.append(made)
        held: tuple[tuple[Family, tuple[Upload, ...]], ...] = (("file", files), ("document", documents))
        for family, uploads in held:
            for upload in uploads:
                key = thing_id(family, identifier, upload.name)
                self._things[key] = Stored(
                    key, family, upload, at, user.id, user.email, organization, project=identifier
                )
        return identifier

    def delete_project(self, identifier: str, at: datetime) -> None:
        """Its user deletes a project: its detail stays, its attachments are gone."""
        self._projects = [replace(one, deleted_at=at) if one.id == identifier else one for one in self._projects]
        self._things = {key: one for key, one in self._things.items() if one.project != identifier}

    def add_code_artifact(
        self,
        title: str,
        at: datetime,
        user: User,
        organization: str,
        *,
        updated_at: datetime | None = None,
        indexed_at: datetime | None = None,
    ) -> str:
        """A code artifact, changed since if told; the index knows of its update unless told otherwise."""
        changed = updated_at or at
        identifier = plain("code_artifact_", title, len(self._code))
        self._code.append(
            Published(identifier, title, at, changed, indexed_at or changed, user.id, user.email, organization)
        )
        return identifier

    def forget(self, identifier: str) -> None:
        """A thing, a project or a chat is gone for good; what names it goes on naming it."""
        self._things.pop(identifier, None)
        self._projects = [one for one in self._projects if one.id != identifier]
        self._chats = [one for one in self._chats if one.id != identifier]

    def things(self, family: Family) -> tuple[str, ...]:
        """The ids of the things of a family that are there."""
        return tuple(key for key, one in self._things.items() if one.family == family)

    def answer(self, visit: Visit, path: tuple[str, ...]) -> str | Download:
        """The answer to a request below ``apps``.

        Raises:
            Refusal: 404 for a path that is none and for what is not there, 403 without the scope.
        """
        for place, family in _PLACES.items():
            rest = path[len(place) :]
            if path[: len(place)] == place and rest and rest[1:] in _PARTS[family]:
                require_scope(visit.key, USER_DATA)
                return self._stored(visit, family, rest)
        if not _is_path(path):
            raise refused(Documented.NOT_FOUND)
        require_scope(visit.key, USER_DATA)
        match path:
            case ("code", _):
                return code_artifact_list(visit, tuple(self._code))
            case ("chats",):
                return chat_page(visit, tuple(self._chats))
            case ("chats", identifier, _):
                return message_page(visit, tuple(self._chats), identifier)
            case (_, identifier, *rest_of_path):
                return self._project(visit, identifier, rest_of_path)
            case _:
                return project_list(visit, tuple(self._projects))

    def _stored(self, visit: Visit, family: Family, rest: tuple[str, ...]) -> str | Download:
        one = self._things.get(rest[0])
        if one is None or one.family != family or not visit.reaches(one.organization):
            raise gone(rest[0])
        wants_content = (rest[1:] == ()) if family == "document" else rest[1:] == ("content",)
        return content(visit, one) if wants_content else about(visit, one)

    def _project(self, visit: Visit, identifier: str, rest: list[str]) -> str:
        found = next((one for one in self._projects if one.id == identifier and visit.reaches(one.organization)), None)
        if found is None:
            raise gone(identifier)
        things = tuple(self._held_by(identifier))
        if rest == ["attachments"]:
            return attachment_list(visit, found, things)
        if rest == ["collaborators"]:
            return collaborator_list(visit, found)
        return project_detail(visit, found, len(things), sum(one.project == identifier for one in self._chats))

    def _held_by(self, project: str) -> Iterator[Stored]:
        return (one for one in self._things.values() if one.project == project)


def _is_path(path: tuple[str, ...]) -> bool:
    match path:
        case ("chats",) | ("code", "artifacts") | ("projects",) | ("projects", _):
            return True
        case ("chats", _, "messages") | ("projects", _, "attachments" | "collaborators"):
            return True
        case _:
            return False
