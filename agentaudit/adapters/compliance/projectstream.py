"""One project: what its list entry and its detail say of it, an event for each attachment and each collaborator.

- Name, description and instructions are content: they stay in the page.
- The detail counts its attachments: another number than were listed is found.
"""

from collections import Counter
from collections.abc import Iterator

from agentaudit.adapters.compliance.chatfacts import chat_id, is_deleted, usable_id
from agentaudit.adapters.compliance.fields import natural
from agentaudit.adapters.compliance.findings import Findings
from agentaudit.adapters.compliance.named import attachment_of
from agentaudit.adapters.compliance.naming import Part
from agentaudit.adapters.compliance.pages import Page
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place, StreamRow, Word
from agentaudit.model.text import SourceText, display, source_text

_GRANTEES: dict[str, tuple[str, KeyName | None]] = {
    "user": ("user_id", "user"),
    "group": ("group_id", None),
    "organization": ("organization_uuid", "organization"),
    "organization_role": ("organization_role", None),
}
_ROLES = frozenset({"admin", "editor", "owner", "viewer"})
_COUNTS = ("attachments_count", "chats_count")


class ProjectStream:
    """One project as it is fed."""

    def __init__(self, number: int, name: str | None) -> None:
        """`name` is its id, where it is known."""
        self._key = f"project/{number:06d}"
        self._name = name
        self._project: dict[str, Json] = {}
        self._detail = ""
        self._listed = False
        self._parts: Counter[Part] = Counter()
        self._kinds: Counter[SourceText] = Counter()
        self._findings = Findings()
        self._state: str | None = None
        self._lost: dict[str, str] = {}

    def listed(self, entry: Json, place: Place) -> None:
        """Take the project's entry of the list."""
        if self._listed:
            self._findings.add("listed_again", place)
        self._listed = True
        self._note(mapping(entry) or {}, place)

    def about(self, found: Json, item: str) -> None:
        """Take its detail."""
        place = Place(item=item)
        if self._name is not None and chat_id(found) not in (None, self._name):
            self._findings.add("other_project", place)
            return
        self._detail = item
        self._note(mapping(found) or {}, place)

    def take(self, part: Part, page: Page, item: str) -> Iterator[EventRow]:
        """Take a page of attachments or of collaborators: an event each, in the order returned."""
        for index, entry in enumerate(page.data):
            place = Place(item=item, pointer=f"/data/{index}")
            members = mapping(entry)
            if members is None:
                self._findings.add("not_an_object", place)
                continue
            self._parts[part] += 1
            yield self._attachment(members, place) if part == "attachments" else self._grantee(members, place)

    def lost(self, part: Part, code: str) -> None:
        """The source did not give it, or a part of it: why."""
        if part == "about":
            self._state = "gone" if code == "project_not_found" else code
        else:
            self._lost[part] = code

    def row(self) -> StreamRow:
        """The project."""
        numbers = ((name, natural(self._project.get(name))) for name in _COUNTS)
        counted = {name: number for name, number in numbers if number is not None}
        stated = counted.get("attachments_count")
        if (
            self._detail
            and "attachments" not in self._lost
            and stated is not None
            and stated != self._parts["attachments"]
        ):
            self._findings.add("attachments_count_differs", Place(item=self._detail, pointer="/attachments_count"))
        return StreamRow(
            stream=self._key,
            kind="project",
            name=None if self._name is None else source_text(self._name),
            events=sum(self._kinds.values()),
            kinds=tuple(sorted(self._kinds.items(), key=lambda one: display(one[0]))),
            counts=tuple(sorted(counted.items())),
            words=self._words(),
            findings=self._findings.rows(),
        )

    def _words(self) -> tuple[tuple[str, SourceText], ...]:
        found: dict[str, Json] = {
            **self._lost,
            "organization": self._project.get("organization_uuid"),
            "user": (mapping(self._project.get("user")) or {}).get("id"),
            "state": "deleted" if is_deleted(self._project) else self._state,
        }
        return tuple((name, source_text(word)) for name, word in sorted(found.items()) if isinstance(word, str))

    def _note(self, members: dict[str, Json], place: Place) -> None:
        if is_deleted(members) and not is_deleted(self._project):
            self._findings.add("deleted_by_user", place)
        self._project |= {name: item for name, item in members.items() if item is not None}

    def _attachment(self, members: dict[str, Json], place: Place) -> EventRow:
        mention = attachment_of(members)
        kind = self._kind(members, is_known=mention is not None)
        if mention is None:
            self._findings.add("unknown_attachment", place)
        elif mention.id is None:
            self._findings.add("unusable_id", place)
        identifier = None if mention is None else mention.id
        return self._event(kind, place, identifier, key="file", at=members.get("created_at"))

    def _grantee(self, members: dict[str, Json], place: Place) -> EventRow:
        word = members.get("type")
        name, key = _GRANTEES.get(word if isinstance(word, str) else "", ("", None))
        kind = self._kind(members, is_known=bool(name))
        if not name:
            self._findings.add("unknown_collaborator", place)
        role = members.get("role")
        words = (("role", role),) if isinstance(role, str) and role in _ROLES else ()
        identifier = usable_id(members.get(name)) if name else None
        return self._event(kind, place, identifier, key=key, at=members.get("granted_at"), words=words)

    def _kind(self, members: dict[str, Json], *, is_known: bool) -> str:
        word = members.get("type")
        return word if is_known and isinstance(word, str) else "unknown"

    def _event(
        self,
        kind: str,
        place: Place,
        identifier: str | None,
        *,
        key: KeyName | None,
        at: Json,
        words: tuple[tuple[str, SourceText], ...] = (),
    ) -> EventRow:
        self._kinds[kind] += 1
        keys: dict[KeyName, SourceText] = {} if self._name is None else {"project": source_text(self._name)}
        if identifier is not None and key is not None:
            keys[key] = source_text(identifier)
        when: Word = source_text(at) if isinstance(at, str) else UNSET
        return EventRow(
            stream=self._key,
            kind=kind,
            place=place,
            id=UNSET if identifier is None else source_text(identifier),
            at=when,
            keys=tuple(sorted(keys.items())),
            words=words,
        )
