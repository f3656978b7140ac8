"""What chats and projects name: the projects that chats lie in, and what is stored beside them (sections 7.1 and 7.2).

- Numbers are drawn from who named a thing first: chats in the order of their numbers, then projects in theirs. So they
  are the same however many walks were under way at once.
- Walks and reading draw them with this code, from the same pages.
- A thing that is named twice is one thing. An artifact is asked for by its version.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from agentaudit.adapters.compliance.chatfacts import ATTACHMENTS, usable_id
from agentaudit.adapters.compliance.naming import Thing
from agentaudit.encoding.foreign import Json, mapping

OF_ATTACHMENTS: dict[str, Thing] = {"artifacts": "artifact", "files": "file", "generated_files": "generated"}
OF_PROJECTS: dict[str, Thing] = {"project_doc": "document", "project_file": "file"}


@dataclass(frozen=True, slots=True)
class Mention:
    """One thing that an entry names: which kind, by which id (None where it cannot be asked for), and where in it."""

    thing: Thing
    id: str | None
    pointer: str = ""


@dataclass(slots=True)
class _Namer:
    """What one chat or one project named, in order."""

    projects: dict[str, None] = field(default_factory=dict)
    things: dict[tuple[Thing, str], None] = field(default_factory=dict)


class Named:
    """All that was named so far, by the number of the chat or the project that named it."""

    def __init__(self) -> None:
        """Nothing was named yet."""
        self._chats: dict[int, _Namer] = {}
        self._listed: dict[str, None] = {}
        self._projects: dict[int, _Namer] = {}

    def chat(self, number: int, entry: Json) -> None:
        """Take what a list entry or an envelope says of the project that the chat lies in."""
        project = usable_id((mapping(entry) or {}).get("project_id"))
        if project is not None:
            self._chats.setdefault(number, _Namer()).projects.setdefault(project)

    def message(self, number: int, mentions: Iterable[Mention]) -> None:
        """Take what a message of the chat names."""
        _take(self._chats.setdefault(number, _Namer()), mentions)

    def listed(self, entry: Json) -> bool:
        """Take an entry of the list of projects; False for one that cannot be asked for."""
        identifier = usable_id((mapping(entry) or {}).get("id"))
        if identifier is not None:
            self._listed.setdefault(identifier)
        return identifier is not None

    def attachment(self, number: int, mention: Mention) -> None:
        """Take an attachment of a project."""
        _take(self._projects.setdefault(number, _Namer()), (mention,))

    def projects(self) -> tuple[str, ...]:
        """The ids of the projects, by number: those that chats lie in, then those that the list adds."""
        ids = (project for number in sorted(self._chats) for project in self._chats[number].projects)
        return tuple(dict.fromkeys((*ids, *self._listed)))

    def things(self, thing: Thing) -> tuple[tuple[str, str], ...]:
        """The ids of the things of a kind, by number, each with the key of the stream that named it first."""
        first: dict[str, str] = {}
        for key, namers in (("chat", self._chats), ("project", self._projects)):
            for number in sorted(namers):
                for kind, identifier in namers[number].things:
                    if kind == thing:
                        first.setdefault(identifier, f"{key}/{number:06d}")
        return tuple(first.items())


def mentions(message: Json) -> Iterator[Mention]:
    """What a message names: artifacts, then files, then generated files, each in the order returned."""
    members = mapping(message) or {}
    for name in ATTACHMENTS:
        some = members.get(name)
        for index, entry in enumerate(some if isinstance(some, list) else ()):
            thing = OF_ATTACHMENTS[name]
            identifier = (mapping(entry) or {}).get("version_id" if thing == "artifact" else "id")
            yield Mention(thing, usable_id(identifier), f"/{name}/{index}")


def attachment_of(entry: Json) -> Mention | None:
    """What an entry of a project's attachments is, by its `type`; None for a type that the documents do not name."""
    members = mapping(entry) or {}
    kind = members.get("type")
    thing = OF_PROJECTS.get(kind) if isinstance(kind, str) else None
    return None if thing is None else Mention(thing, usable_id(members.get("id")))


def _take(namer: _Namer, mentions: Iterable[Mention]) -> None:
    for mention in mentions:
        if mention.id is not None:
            namer.things.setdefault((mention.thing, mention.id))
