"""Raw bodies that an agent wrote to files, and the index of them: looked up by base name, never followed.

- A reference is a path on the machine that wrote it; only its last name counts, and only inside what was handed over.
- The files of an index lie in its own folder. A request without a response is an attempt that failed.
"""

from collections.abc import Iterator, Mapping
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.otlp.telling import ID_MAX, WORD_MAX
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place
from agentaudit.model.survey import Parts
from agentaudit.model.text import SourceText, source_text

Resolved: TypeAlias = Literal["resolved", "absent", "ambiguous"]
Folder: TypeAlias = tuple[str, Parts]
"""A root and the parts of a folder below it."""

_FILES: Final = ("request_file", "response_file")
_KEYS: Final[tuple[tuple[str, KeyName], ...]] = (
    ("message_id", "api_message"), ("message_uuid", "message"), ("request_id", "api_request"),
    ("session_id", "session"),
)  # fmt: skip
_WORDS: Final = ("model", "query_source")


def base_name(reference: str) -> str:
    """The last name of a path of any system."""
    return reference.replace("\\", "/").rpartition("/")[2]


class Names:
    """The base names of what was handed over, and in which folders each of them lies."""

    def __init__(self) -> None:
        """None yet."""
        self._folders: dict[bytes, set[Folder]] = {}

    def add(self, root: str, parts: Parts) -> None:
        """A file that was handed over."""
        self._folders.setdefault(parts[-1], set()).add((root, parts[:-1]))

    def clear(self) -> None:
        """Another survey begins."""
        self._folders.clear()

    def resolve(self, name: str, folder: Folder | None = None) -> Resolved:
        """Whether a name lies in that folder, or anywhere where none is given."""
        found = self._folders.get(name.encode("utf-8", "surrogateescape" if _encodable(name) else "replace"), set())
        if folder is not None:
            return "resolved" if folder in found else "absent"
        return "absent" if not found else "ambiguous" if len(found) > 1 else "resolved"


def _encodable(name: str) -> bool:
    try:
        name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return False
    return True


def named_files(members: Mapping[str, Json]) -> Iterator[str]:
    """The base names that a line of an index names."""
    for member in _FILES:
        name = members.get(member)
        if isinstance(name, str) and name:
            yield base_name(name)


def is_failed(members: Mapping[str, Json]) -> bool:
    """True for a line that names a request and no response."""
    return bool(members.get("request_file")) and not members.get("response_file")


def index_row(members: Mapping[str, Json], stream: str, place: Place, marks: tuple[str, ...]) -> EventRow:
    """A line of an index as an event, without the names of files."""
    at = members.get("timestamp")
    return EventRow(
        stream=stream,
        kind="raw_body_index",
        place=place,
        at=source_text(at[:WORD_MAX]) if isinstance(at, str) else UNSET,
        keys=tuple((key, word) for name, key in _KEYS if (word := _word(members.get(name), ID_MAX)) is not None),
        words=tuple((name, word) for name in _WORDS if (word := _word(members.get(name), WORD_MAX)) is not None),
        marks=marks,
    )


def _word(value: Json, longest: int) -> SourceText | None:
    return source_text(value) if isinstance(value, str) and 0 < len(value) <= longest else None
