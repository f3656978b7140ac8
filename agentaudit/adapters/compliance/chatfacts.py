"""What walks and reading of chats both tell of an entry, so that they tell the same (compliance reference, 7.1).

- A chat's number is its place among the distinct ids of the list, or of those that were asked for.
- An id that UTF-8 cannot hold cannot be asked for, and one of dots alone would lead elsewhere: neither is an id.
"""

from agentaudit.encoding.foreign import Json, mapping

ATTACHMENTS = ("artifacts", "files", "generated_files")


class ChatNumbers:
    """The numbers of chats, from 1, in the order in which they were named or seen."""

    def __init__(self, named: tuple[str, ...] = ()) -> None:
        """Begin with the chats that were asked for by id."""
        self._numbers = {identifier: number for number, identifier in enumerate(dict.fromkeys(named), 1)}

    def see(self, entry: Json) -> str | None:
        """The id of a listed chat, numbered when it is new; None for an entry without one."""
        identifier = chat_id(entry)
        if identifier is not None:
            self._numbers.setdefault(identifier, len(self._numbers) + 1)
        return identifier

    def number(self, identifier: str) -> int:
        """The number of a chat that was seen."""
        return self._numbers[identifier]

    def ids(self) -> tuple[str, ...]:
        """The ids, by number."""
        return tuple(self._numbers)


def chat_id(entry: Json) -> str | None:
    """The id of a chat object."""
    return usable_id((mapping(entry) or {}).get("id"))


def usable_id(identifier: Json) -> str | None:
    """An id as it can stand in a path; None for anything else."""
    if not isinstance(identifier, str) or identifier in ("", ".", ".."):
        return None
    try:
        identifier.encode()
    except UnicodeEncodeError:
        return None
    return identifier


def is_deleted(entry: Json) -> bool:
    """Whether a chat says that its user deleted it."""
    return isinstance((mapping(entry) or {}).get("deleted_at"), str)


def attached(message: Json) -> dict[str, int]:
    """How many files, generated files and artifacts a message names; kinds without one are left out."""
    members = mapping(message) or {}
    lists = {name: members.get(name) for name in ATTACHMENTS}
    return {name: len(some) for name, some in lists.items() if isinstance(some, list) and some}
