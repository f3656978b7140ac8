"""Code artifacts of the synthetic organisation: a list alone (section 7.2).

Laws:
    - Sorted by id, and a cursor names the last id: what is published behind it while a walk is under way does not show.
    - The bounds of update are held against an index, which may know an earlier time than the entry says.
    - No way to the content is documented, and there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentaudit.demo.jsontext import stamp, text_of
from agentaudit.demo.pages import closed, filled
from agentaudit.demo.params import Parameters

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agentaudit.demo.visit import Visit

_SIGNS = ("gt", "gte", "lt", "lte")
_FILTERS = (*(f"updated_at.{sign}" for sign in _SIGNS), "organization_ids[]", "user_ids[]")
_PEOPLE = 200
_PARTS = 500


@dataclass(frozen=True, slots=True)
class Published:
    """What somebody published from code: its title, when it was made and changed, whose it is.

    ``indexed_at`` is the time of its update that the index knows.
    """

    id: str
    title: str
    at: datetime
    updated_at: datetime
    indexed_at: datetime
    user: str
    email: str
    organization: str


def code_artifact_list(visit: Visit, artifacts: Sequence[Published]) -> str:
    """The page of code artifacts that a request asks for."""
    asked = Parameters(visit.request, (*_FILTERS, "limit", "page"))
    parts, people = asked.many("organization_ids[]", _PARTS), asked.many("user_ids[]", _PEOPLE)
    limit = asked.integer("limit", 20, 1, 100)
    cursor = visit.cursor("code/artifacts", asked.text("page"))
    after = "" if cursor.after is None else str(cursor.after[0])
    wanted = (
        one
        for one in sorted(artifacts, key=lambda one: one.id)
        if one.id > after
        and visit.reaches(one.organization)
        and (not parts or one.organization in parts)
        and (not people or one.user in people)
        and _is_within(one.indexed_at, asked)
    )
    steps = (((one.id,), one) for one in wanted)
    return closed(visit, filled(visit, cursor, limit, steps, lambda one: _row(visit, one)), counts_more=True)


def _is_within(at: datetime, asked: Parameters) -> bool:
    after, lower, upper, last = (asked.moment(f"updated_at.{sign}") for sign in _SIGNS)
    early = (after is not None and at <= after) or (lower is not None and at < lower)
    late = (upper is not None and at >= upper) or (last is not None and at > last)
    return not (early or late)


def _row(visit: Visit, one: Published) -> str:
    canary = visit.render.canary
    return text_of({
        "id": one.id,
        "title": canary.text(one.title),
        "created_at": stamp(one.at),
        "updated_at": stamp(one.updated_at),
        "organization_uuid": one.organization,
        "user": {"id": one.user, "email_address": canary.mail(one.email)},
    })  # fmt: skip
