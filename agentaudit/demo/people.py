"""Who is in the synthetic organisation: its parts, its people, its keys.

Laws:
    - A user without a membership has left: the directory forgets them at once, their sessions stay (section 7.4).
    - A key's secret is put together at run time from plain words, so that no scanner mistakes it for a real one.
    - A key's family is its prefix; only what the table holds is accepted (section 1.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from agentaudit.demo.ids import plain, uuid_of

USER_DATA = "read:compliance_user_data"
_READERS = (USER_DATA, "read:compliance_activities", "read:compliance_org_data")


@dataclass(frozen=True, slots=True)
class Organization:
    """One linked organisation of the parent: its UUID, its ``org_`` form, its name, when it was made."""

    uuid: str
    org_id: str
    name: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class User:
    """A person; ``memberships`` are the UUIDs of the organisations they are in, empty after they left."""

    id: str
    email: str
    full_name: str
    role: str
    created_at: datetime
    memberships: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """A key: its secret, its scopes, the organisations it reaches (empty: all), and whether it is still active."""

    name: str
    secret: str
    scopes: frozenset[str]
    reach: tuple[str, ...] = ()
    active: bool = True


def organizations() -> tuple[Organization, ...]:
    """The two linked organisations of the demo."""
    founded = datetime(2023, 5, 4, 9, 30, tzinfo=UTC)
    names = ("Harbour & Sons Holding", "Harbour Logistics")
    return tuple(
        Organization(uuid_of("organization", name), plain("org_", name), name, founded.replace(year=2023 + number))
        for number, name in enumerate(names)
    )


def users(parts: tuple[Organization, ...]) -> tuple[User, ...]:
    """Five people: three in the first organisation, one in the second, one who has left."""
    first, second = parts[0].uuid, parts[1].uuid
    rows = (
        ("ada", "Ada Marsh", "primary_owner", (first,)),
        ("bruno", "Bruno Keller", "developer", (first,)),
        ("chioma", "Chioma Osei", "user", (first, second)),
        ("dmitri", "Dmitri Vale", "claude_code_user", (second,)),
        ("erin", "Erin Quist", "user", ()),
    )
    joined = datetime(2024, 2, 1, 8, 0, tzinfo=UTC)
    return tuple(
        User(plain("user_", name), f"{name}@harbour.example", full, role, joined.replace(month=2 + number), parts_in)
        for number, (name, full, role, parts_in) in enumerate(rows)
    )


def keys(parts: tuple[Organization, ...]) -> tuple[Key, ...]:
    """The key table: one name for each situation that a collector can meet."""
    return (
        Key("reader", _secret("api01", "reader"), frozenset(_READERS)),
        Key("auditor", _secret("api01", "auditor"), frozenset({"read:org_audit"})),
        Key("content-only", _secret("api01", "content-only"), frozenset({USER_DATA})),
        Key("one-organization", _secret("api01", "one-organization"), frozenset(_READERS), (parts[0].uuid,)),
        Key("can-delete", _secret("api01", "can-delete"), frozenset({*_READERS, "delete:compliance_user_data"})),
        Key("deactivated", _secret("api01", "deactivated"), frozenset(_READERS), (), active=False),
        Key("admin", _secret("admin01", "feed-only"), frozenset({"read:compliance_activities"})),
        Key("model", _secret("api03", "model-calls"), frozenset()),
    )


def _secret(family: str, words: str) -> str:
    return f"sk-ant-{family}-demo-{words}"
