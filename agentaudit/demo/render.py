"""JSON of sessions, messages, organisations and users, with exactly the documented members (sections 2, 3, 7.4).

Laws:
    - Local and remote objects differ as documented: remote ones have no type, model or provenance.
    - The envelope of a transcript blanks what it blanks: the address, and for remote sessions two members more.
    - Members that nobody documented come last, when a test asked for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from agentaudit.demo.content import Showing, server_marker, shown
from agentaudit.demo.jsontext import Json, stamp, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from agentaudit.demo.canary import Canary
    from agentaudit.demo.people import Organization, User
    from agentaudit.demo.retention import LocalView
    from agentaudit.demo.sessions import LocalMessage, RemoteMessage, RemoteSession
    from agentaudit.demo.truncate import Caps

Place: TypeAlias = Literal["envelope", "session", "message", "block", "provenance", "organization", "user"]


@dataclass(frozen=True, slots=True)
class Extra:
    """A member that no documentation names, and the kind of object that it appears in."""

    place: Place
    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders values as JSON text, with what a test planted."""

    canary: Canary
    extras: tuple[Extra, ...] = ()

    def local_session(self, view: LocalView, email: str | None, *, listed: bool) -> str:
        """A local session: nine members; ``listed`` shows the lagging ``updated_at`` (section 2.1)."""
        session = view.session
        body: Mapping[str, Json] = {
            "type": "compliance_local_session",
            "id": session.id,
            "organization_uuid": session.organization_uuid,
            "workspace_id": session.workspace_id,
            "user": {"id": session.user_id, "email_address": self._mail(email)},
            "product_surface": session.product_surface,
            "created_at": stamp(view.created_at),
            "updated_at": stamp(view.listed_updated_at if listed else view.updated_at),
            "truncated": view.truncated,
        }
        return self._closed("session", body)

    def remote_session(self, session: RemoteSession, mail: Callable[[str], str | None], *, envelope: bool) -> str:
        """A remote session: ten members, no type; the envelope blanks three of them (section 3)."""
        started = None if envelope or session.started_by is None else self._person(session.started_by, mail)
        user: Json = None
        if session.user_id is not None:
            user = {"id": session.user_id, "email_address": None} if envelope else self._person(session.user_id, mail)
        body: Mapping[str, Json] = {
            "id": session.id,
            "organization_uuid": session.organization_uuid,
            "user": user,
            "agent_id": session.agent_id,
            "started_by_user": started,
            "status": session.status,
            "created_at": stamp(session.created_at),
            "updated_at": stamp(session.updated_at),
            "product_surface": session.product_surface,
            "claude_project_id": None if envelope else session.claude_project_id,
        }
        return self._closed("session", body)

    def local_message(self, message: LocalMessage, at: datetime, caps: Caps) -> str:
        """A local message: seven members; provenance blanks the model, unavailable content the content."""
        kind = message.provenance
        provenance: Json = None
        content: list[Mapping[str, Json]] = []
        if kind is not None:
            members: Mapping[str, Json] = {"type": kind.type, "reason": kind.reason}
            provenance = self._extended("provenance", members)
            content.extend(server_marker(kind.type))
        if kind is None or kind.type != "content_unavailable":
            how = Showing(caps, self.canary, marks_gaps=True)
            content.extend(self._block(one) for block in message.content for one in shown(block, how))
        body: Mapping[str, Json] = {
            "type": "compliance_local_session_message",
            "id": message.id,
            "role": message.role,
            "model": message.model if kind is None and message.role == "assistant" else None,
            "created_at": stamp(at),
            "provenance": provenance,
            "content": content,
        }
        return self._closed("message", body)

    def remote_message(self, message: RemoteMessage, at: datetime, caps: Caps) -> str:
        """A remote message: six members; unavailable content is empty (section 3.2)."""
        how = Showing(caps, self.canary, marks_gaps=False)
        blocks = () if message.content_unavailable else message.content
        body: Mapping[str, Json] = {
            "id": message.id,
            "role": message.role,
            "created_at": stamp(at),
            "content": [self._block(one) for block in blocks for one in shown(block, how)],
            "sent_by_user_id": message.sent_by_user_id,
            "content_unavailable": message.content_unavailable,
        }
        return self._closed("message", body)

    def organization(self, part: Organization) -> str:
        """An organisation of the directory; its time has ``+00:00`` where others have ``Z`` (section 4)."""
        body: Mapping[str, Json] = {
            "uuid": part.uuid,
            "name": self.canary.text(part.name),
            "created_at": part.created_at.isoformat(),
        }
        return self._closed("organization", body)

    def user(self, user: User) -> str:
        """A member of an organisation; the member is ``email`` here (section 7.4)."""
        body: Mapping[str, Json] = {
            "id": user.id,
            "email": self._mail(user.email),
            "full_name": self.canary.text(user.full_name),
            "organization_role": user.role,
            "created_at": stamp(user.created_at),
        }
        return self._closed("user", body)

    def surplus(self, place: Place) -> tuple[tuple[str, str], ...]:
        """The undocumented members of one kind of object, as names and JSON text."""
        return tuple((extra.name, text_of(extra.value)) for extra in self.extras if extra.place == place)

    def _person(self, user_id: str, mail: Callable[[str], str | None]) -> Mapping[str, Json]:
        return {"id": user_id, "email_address": self._mail(mail(user_id))}

    def _mail(self, address: str | None) -> str | None:
        return None if address is None else self.canary.mail(address)

    def _block(self, block: Mapping[str, Json]) -> Mapping[str, Json]:
        return self._extended("block", block)

    def _closed(self, place: Place, body: Mapping[str, Json]) -> str:
        return text_of(self._extended(place, body))

    def _extended(self, place: Place, body: Mapping[str, Json]) -> Mapping[str, Json]:
        if not self.extras:
            return body
        return {**body, **{extra.name: extra.value for extra in self.extras if extra.place == place}}
