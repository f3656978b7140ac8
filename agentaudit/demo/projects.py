"""Projects of the synthetic organisation: list, detail, attachments, collaborators (section 7.2).

Laws:
    - Oldest first; pages lead on by ``page``, and ``has_more`` stands beside ``next_page``.
    - A project that its user deleted keeps its detail, with ``deleted_at``; it has no attachments any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.demo.directory import paged
from agentaudit.demo.jsontext import Json, stamp, text_of
from agentaudit.demo.params import Parameters
from agentaudit.demo.stored import entry

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agentaudit.demo.stored import Stored
    from agentaudit.demo.visit import Visit

_BOUNDS = (20, 100)
_SIGNS = ("gt", "gte", "lt", "lte")
_FILTERS = (
    *(f"{key}.{sign}" for key in ("created_at", "updated_at") for sign in _SIGNS), "organization_ids[]", "user_ids[]",
)  # fmt: skip
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Grant:
    """Who may work in a project: a type, the member that names them, the role."""

    type: str
    member: str
    name: str
    role: str


@dataclass(frozen=True, slots=True)
class Project:
    """One project: whose it is, its instructions, who may work in it; ``deleted_at`` once its user deleted it."""

    id: str
    name: str
    at: datetime
    user: str
    email: str
    organization: str
    instructions: str
    grants: tuple[Grant, ...] = ()
    deleted_at: datetime | None = None


def project_list(visit: Visit, projects: Sequence[Project]) -> str:
    """The page of projects that a request asks for."""
    asked = Parameters(visit.request, (*_FILTERS, "limit", "page"))
    parts, people = asked.many("organization_ids[]", _MOST), asked.many("user_ids[]", _MOST)
    rows = sorted((one for one in projects if _is_within(one.at, asked)), key=lambda one: (one.at, one.id))
    wanted = tuple(
        one
        for one in rows
        if visit.reaches(one.organization)
        and (not parts or one.organization in parts)
        and (not people or one.user in people)
    )
    return paged(visit, "projects", wanted, lambda one: text_of(_row(visit, one)), _BOUNDS, filters=_FILTERS)


def project_detail(visit: Visit, project: Project, attachments: int, chats: int) -> str:
    """One project with its instructions, and the numbers of its attachments and chats."""
    Parameters(visit.request, ())
    canary = visit.render.canary
    return text_of({
        **_row(visit, project),
        "description": canary.text("What the project is about."),
        "instructions": canary.text(project.instructions),
        "attachments_count": attachments,
        "chats_count": chats,
    })  # fmt: skip


def attachment_list(visit: Visit, project: Project, things: Sequence[Stored]) -> str:
    """The files and documents of a project, told apart by ``type``."""
    rows = tuple(
        text_of({**entry(visit, one), "type": "project_doc" if one.family == "document" else "project_file"})
        for one in things
    )
    return paged(visit, f"projects/{project.id}/attachments", rows, lambda row: row, _BOUNDS)


def collaborator_list(visit: Visit, project: Project) -> str:
    """Who may work in a project, and as what."""
    rows = tuple(
        text_of({"type": one.type, one.member: one.name, "role": one.role, "granted_at": stamp(project.at)})
        for one in project.grants
    )
    return paged(visit, f"projects/{project.id}/collaborators", rows, lambda row: row, _BOUNDS)


def _is_within(at: datetime, asked: Parameters) -> bool:
    """A project is updated when it is made: the bounds of both times are held against one."""
    for key in ("created_at", "updated_at"):
        after, lower, upper, last = (asked.moment(f"{key}.{sign}") for sign in _SIGNS)
        if (after and at <= after) or (lower and at < lower) or (upper and at >= upper) or (last and at > last):
            return False
    return True


def _row(visit: Visit, one: Project) -> dict[str, Json]:
    canary = visit.render.canary
    return {
        "id": one.id,
        "name": canary.text(one.name),
        "created_at": stamp(one.at),
        "updated_at": stamp(one.at),
        "deleted_at": None if one.deleted_at is None else stamp(one.deleted_at),
        "is_private": True,
        "organization_uuid": one.organization,
        "user": {"id": one.user, "email_address": canary.mail(one.email)},
    }
