"""The parent organisation that everything hangs on: its parts, its people, its sessions.

Laws:
    - An address is known only to a key that reads an organisation the person is in (section 2.1).
    - A person's identifier outlives their membership.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentaudit.demo import people
from agentaudit.demo.shelf import HeldLocals, HeldRemotes

if TYPE_CHECKING:
    from agentaudit.demo.people import Key, Organization, User
    from agentaudit.demo.shelf import LocalShelf


class Tenant:
    """Organisations, users and sessions; tests change them through the world."""

    def __init__(self, held: LocalShelf | None = None) -> None:
        self.organizations: tuple[Organization, ...] = people.organizations()
        self.users: tuple[User, ...] = people.users(self.organizations)
        self.locals: LocalShelf = HeldLocals() if held is None else held
        self.remotes = HeldRemotes()

    def organization(self, uuid: str) -> Organization | None:
        """The organisation of this UUID."""
        return next((part for part in self.organizations if part.uuid == uuid), None)

    def uuids(self, names: tuple[str, ...]) -> frozenset[str]:
        """The UUIDs behind names that are UUIDs or ``org_`` forms; unknown names are dropped (section 3.1)."""
        return frozenset(part.uuid for part in self.organizations if part.uuid in names or part.org_id in names)

    def readable(self, key: Key) -> tuple[Organization, ...]:
        """The organisations that a key reaches."""
        return tuple(part for part in self.organizations if not key.reach or part.uuid in key.reach)

    def email(self, user_id: str, key: Key) -> str | None:
        """The address of a person, or None when they are in no organisation that the key reads."""
        person = next((user for user in self.users if user.id == user_id), None)
        if person is None:
            return None
        reached = {part.uuid for part in self.readable(key)}
        return person.email if reached.intersection(person.memberships) else None

    def members(self, uuid: str) -> tuple[User, ...]:
        """The present members of an organisation by the date they joined."""
        found = (user for user in self.users if uuid in user.memberships)
        return tuple(sorted(found, key=lambda user: (user.created_at, user.id)))
