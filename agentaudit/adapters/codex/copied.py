"""One record on its way into a working copy: its members as values and as the text in which they stand.

- A text is cut out of the record unchanged; where it cannot be cut, there is none, and the raw bytes must be looked at.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from agentaudit.adapters.stores.told import Facts, told
from agentaudit.encoding.envelope import Envelopes, Raw
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.readings import Word
from agentaudit.model.text import SourceText, source_text
from agentaudit.model.workingcopy import Way

_MEMBERS = Envelopes(dict[str, Raw], shallow=True)
_LISTED = Envelopes(list[Raw], shallow=True)


@dataclass(frozen=True, slots=True)
class Members:
    """An object of a record: its members, the text that it stands in, and the way to it."""

    values: dict[str, Json]
    text: bytes | None
    way: Way

    def inner(self, name: str) -> "Members | None":
        """A member that is an object; None when it is none."""
        values = mapping(self.values.get(name))
        return None if values is None else Members(values, self.text_of(name), self.way_to(name))

    def word(self, name: str) -> Word:
        """A member that is a text, or null; anything else counts as absent."""
        item = self.values.get(name, UNSET)
        if isinstance(item, str):
            return source_text(item)
        return None if item is None else UNSET

    def text_of(self, name: str) -> bytes | None:
        """A member as it stands there."""
        found = None if self.text is None else _MEMBERS.read(self.text)
        return bytes(found[name]) if found is not None and name in found else None

    def texts_in(self, name: str) -> Iterator[bytes]:
        """Each value of a member that is a list, as it stands there."""
        text = self.text_of(name)
        found = None if text is None else _LISTED.read(text)
        yield from (bytes(one) for one in found or ())

    def way_to(self, name: str, number: int | None = None) -> Way:
        """The way to a member, or to one value in it."""
        escaped = name.replace("~", "~0").replace("/", "~1")
        deeper = "" if number is None else f"/{number}"
        return msgspec.structs.replace(self.way, pointer=f"{self.way.pointer}/{_safe(escaped)}{deeper}")

    def facts(self, *but: str) -> Facts:
        """The members in few words, those left out that are shown elsewhere."""
        return tuple(pair for name, item in self.values.items() if name not in but for pair in told(name, item))


def shown(text: bytes | None) -> tuple[SourceText, ...]:
    """A text of a record as the only text of a block; none when it could not be cut out."""
    return () if text is None else (text.decode("utf-8", "replace"),)


def type_of(members: dict[str, Json]) -> SourceText:
    """The word that an object calls itself by; empty when it has none."""
    word = members.get("type")
    return source_text(word) if isinstance(word, str) else ""


def _safe(name: str) -> str:
    return name.encode("utf-8", "replace").decode()
