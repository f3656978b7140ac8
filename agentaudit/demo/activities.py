"""The activity feed of the synthetic organisation: what people did, and every request to the API itself.

Laws:
    - Each request that a known key made is an activity with its request id (section 7.3).
    - An activity is in the feed only ``LAG`` after it happened (section 6).
    - ``after_id`` leads on in the order of the answer; ``before_id`` leads back; only one of them is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from agentaudit.demo.errors import invalid
from agentaudit.demo.ids import plain
from agentaudit.demo.jsontext import stamp, text_of
from agentaudit.demo.params import Parameters

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from agentaudit.demo.jsontext import Json
    from agentaudit.demo.visit import Visit
    from agentaudit.demo.wire import WireRequest

LAG = timedelta(seconds=30)
_MOST = 5_000
_TIMES = ("created_at.gt", "created_at.gte", "created_at.lt", "created_at.lte")
_MANY = ("activity_types[]", "exclude_activity_types[]", "actor_ids[]", "user_ids[]", "organization_ids[]")
_NAMES = (*_TIMES, *_MANY, "after_id", "before_id", "limit", "order")


@dataclass(frozen=True, slots=True)
class Activity:
    """One activity: when, of what type, by whom, in which organisation, and the fields of its type."""

    id: str
    at: datetime
    type: str
    actor: dict[str, Json]
    organization: str | None
    fields: tuple[tuple[str, Json], ...] = ()


def request_made(number: int, at: datetime, key: str, request: WireRequest, told: tuple[str, int]) -> Activity:
    """A request to the API as the activity that it is; `told` is its request id and the status of its answer."""
    actor: dict[str, Json] = {"type": "api_actor", "api_key_id": plain("apikey_", key), "user_agent": "someone"}
    fields: tuple[tuple[str, Json], ...] = (
        ("request_id", told[0]),
        ("request_method", request.method),
        ("url", request.target),
        ("status_code", told[1]),
        ("request_body", None),
    )
    return Activity(plain("activity_", "request", number), at, "compliance_api_accessed", actor, None, fields)


def activity_page(visit: Visit, activities: Sequence[Activity]) -> str:
    """The page of activities that a request asks for.

    Raises:
        Refusal: 400 for a parameter, or for an id that is no activity of this window.
    """
    asked = Parameters(visit.request, _NAMES)
    types, left_out = (asked.many(name, 500) for name in _MANY[:2])
    if types and left_out:
        raise invalid("activity_types[]", "cannot be combined with exclude_activity_types[]")
    if asked.text("after_id") and asked.text("before_id"):
        raise invalid("after_id", "cannot be combined with before_id")
    newest_first = asked.text("order") != "asc"
    rows = [one for one in activities if one.at <= visit.now - LAG and _is_wanted(one, asked)]
    rows.sort(key=lambda one: (one.at, one.id), reverse=newest_first)
    limit = asked.integer("limit", 100, 1, _MOST)
    rows, more = _part(rows, asked, limit)
    page = ",".join(text_of(_row(visit, one)) for one in rows)
    ends = (rows[0].id, rows[-1].id) if rows else (None, None)
    return f'{{"data":[{page}],"has_more":{text_of(more)},"first_id":{text_of(ends[0])},"last_id":{text_of(ends[1])}}}'


def _is_wanted(one: Activity, asked: Parameters) -> bool:
    after, lower, upper, last = (asked.moment(name) for name in _TIMES)
    types, left_out, actors, users, parts = (asked.many(name, 500) for name in _MANY)
    people = {*actors, *users}
    return (
        (after is None or one.at > after)
        and (lower is None or one.at >= lower)
        and (upper is None or one.at < upper)
        and (last is None or one.at <= last)
        and (not types or one.type in types)
        and one.type not in left_out
        and (not people or one.actor.get("user_id") in people)
        and (not parts or one.organization in parts)
    )


def _part(rows: list[Activity], asked: Parameters, limit: int) -> tuple[list[Activity], bool]:
    """At most ``limit`` rows behind the one named, or before it, and whether there are more that way."""
    ids = [one.id for one in rows]
    for name in ("after_id", "before_id"):
        token = asked.text(name)
        if token is None:
            continue
        if token not in ids:
            raise invalid(name, "is not a valid cursor")
        at = ids.index(token)
        if name == "after_id":
            return rows[at + 1 : at + 1 + limit], len(rows) > at + 1 + limit
        return rows[max(0, at - limit) : at], at > limit
    return rows[:limit], len(rows) > limit


def _row(visit: Visit, one: Activity) -> dict[str, Json]:
    canary = visit.render.canary
    told = {
        name: canary.text(value) if name == "title" and isinstance(value, str) else value for name, value in one.fields
    }
    return {
        "id": one.id,
        "created_at": stamp(one.at),
        "organization_id": None,
        "organization_uuid": one.organization,
        "actor": one.actor,
        "type": one.type,
        **told,
    }
