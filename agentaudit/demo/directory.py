"""The directory: organisations, their members, their effective settings (section 7.4).

Laws:
    - These lists have ``has_more`` beside ``next_page``; session lists have not.
    - Only present members are listed; whoever left is gone at once.
    - An organisation outside the key's reach is answered like one that does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from agentaudit.demo.errors import Documented, refused
from agentaudit.demo.ids import plain
from agentaudit.demo.jsontext import Json, object_of, stamp, text_of
from agentaudit.demo.pages import closed, filled
from agentaudit.demo.params import Parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentaudit.demo.people import Key
    from agentaudit.demo.tenant import Tenant
    from agentaudit.demo.visit import Visit

T = TypeVar("T")


def organization_list(visit: Visit, tenant: Tenant) -> str:
    """The organisations that the key reaches, oldest first."""
    parts = tuple(sorted(tenant.readable(visit.key), key=lambda part: part.created_at))
    return paged(visit, "organizations", parts, visit.render.organization, (1000, 1000))


def user_list(visit: Visit, tenant: Tenant, uuid: str) -> str:
    """The members of one organisation by the date they joined.

    Raises:
        Refusal: 404 for an organisation that the key does not reach; what the real one says is not documented.
    """
    if tenant.organization(uuid) is None or not visit.reaches(uuid):
        raise refused(Documented.NOT_FOUND)
    return paged(visit, f"users/{uuid}", tenant.members(uuid), visit.render.user, (500, 1000))


def settings(visit: Visit, tenant: Tenant, uuid: str, keys: tuple[Key, ...]) -> str:
    """The effective settings of an organisation: typed rows, then the keys without their secrets.

    The exact layout of a row is not documented; a type, a value and a source stand for it.

    Raises:
        Refusal: 404 for an unknown organisation or one outside the key's reach.
    """
    Parameters(visit.request, ())
    part = tenant.organization(uuid)
    if part is None or not visit.reaches(uuid):
        raise refused(Documented.SETTINGS_NOT_FOUND)
    periods: Mapping[str, Json] = {"all": {"type": "fixed", "duration": 72, "timescale": "month"}}
    banner = visit.render.canary.text("Work is recorded for the audit office.")
    rows: tuple[Mapping[str, Json], ...] = (
        {"type": "data_retention_periods", "value": periods, "source": "organization"},
        {"type": "notice_text", "value": banner, "source": "organization"},
    )
    table = [_key_row(key, visit) for key in keys]
    return object_of(
        ("organization_uuid", text_of(part.uuid)),
        ("data", text_of(rows)),
        ("api_keys", text_of(table)),
        *visit.render.surplus("envelope"),
    )


def _key_row(key: Key, visit: Visit) -> Mapping[str, Json]:
    return {
        "id": plain("apikey_", key.name),
        "name": visit.render.canary.text(key.name),
        "scopes": sorted(key.scopes),
        "is_active": key.active,
        "created_at": stamp(visit.now.replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)),
        "created_by_id": plain("user_", "ada"),
        "expires_at": None,
    }


def paged(
    visit: Visit,
    scope: str,
    items: tuple[T, ...],
    render: Callable[[T], str],
    bounds: tuple[int, int],
    *,
    filters: tuple[str, ...] = (),
) -> str:
    """A page of a list that leads on by ``page`` and says ``has_more``; ``bounds`` are the limit's default and most."""
    asked = Parameters(visit.request, (*filters, "limit", "page"))
    default, highest = bounds
    limit, token = asked.integer("limit", default, 1, highest), asked.text("page")
    cursor = visit.cursor(scope, token)
    match cursor.after:
        case (int() as done,):
            begin = max(0, done - visit.repeats_item)
        case _:
            begin = 0
    steps = (((index + 1,), items[index]) for index in range(begin, len(items)))
    return closed(visit, filled(visit, cursor, limit, steps, render), counts_more=True)
