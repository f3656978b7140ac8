"""One stored thing: what its metadata says of it, its bytes, and whether they agree.

- File names, titles and stated types are the users' words: they stay in the answers.
- Of bytes that were asked for twice the later ones hold; what was found of either stays found.
"""

from agentaudit.adapters.answers import Unreadable, read_object
from agentaudit.adapters.compliance.findings import Findings
from agentaudit.adapters.compliance.naming import Part, Thing
from agentaudit.adapters.compliance.stored import Stated, judge, read_stated
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.journal import Answered
from agentaudit.model.stream import Place, StreamKind, StreamRow, Word
from agentaudit.model.text import source_text

_KINDS: dict[Thing, StreamKind] = {
    "artifact": "artifact", "document": "document", "file": "file", "generated": "file",
}  # fmt: skip
_LINKS = (("claude_chat_ids", "chats"), ("message_ids", "messages"))


class ThingStream:
    """One thing as it is fed."""

    def __init__(self, thing: Thing, number: int, name: str | None, within: str | None) -> None:
        """`name` is the id by which it was asked for, `within` the stream that named it first, where they are known."""
        self._thing: Thing = thing
        self._number = number
        self._name = name
        self._within = within
        self._stated = Stated()
        self._created_at: Word = UNSET
        self._counts: dict[str, int] = {}
        self._answer: tuple[int, str] | None = None
        self._findings = Findings()
        self._words: dict[str, str] = {"of": thing}

    def about(self, found: Json, item: str) -> None:
        """Take its metadata."""
        members = mapping(found) or {}
        self._compare(members, item)
        self._stated = read_stated(found)
        at = members.get("created_at")
        if isinstance(at, str):
            self._created_at = source_text(at)
        if self._stated.size_bytes is not None:
            self._counts["stated_bytes"] = self._stated.size_bytes
        for member, name in _LINKS:
            some = members.get(member)
            if isinstance(some, list):
                self._counts[name] = len(some)

    def content(self, row: Answered, body: bytes) -> None:
        """Take an answer with its bytes; they may come in two answers, in any order."""
        verdict = judge(self._thing, body, row.exchange.headers, self._stated)
        for doubt in verdict.doubts:
            self._findings.add(doubt, Place(item=row.item.path))
        if self._thing == "document":
            found = read_object(body, row.content_encoding)
            self._compare({} if isinstance(found, Unreadable) else mapping(found) or {}, row.item.path)
        self._answer = max(self._answer or (0, ""), (row.ask, row.item.path))

    def _compare(self, members: dict[str, Json], item: str) -> None:
        named = members.get("version_id" if self._thing == "artifact" else "id")
        if self._name is not None and isinstance(named, str) and named != self._name:
            self._findings.add("other_thing", Place(item=item))

    def lost(self, part: Part, code: str) -> None:
        """The source did not give it, or its metadata alone, or not as it was stated: why."""
        if code == "content_not_found":
            self._words["state"] = "gone"
        else:
            self._words["state" if part == "content" else "about"] = code

    def row(self) -> StreamRow:
        """The thing."""
        return StreamRow(
            stream=f"{self._thing}/{self._number:06d}",
            kind=_KINDS[self._thing],
            name=None if self._name is None else source_text(self._name),
            within=self._within,
            item=None if self._answer is None else self._answer[1],
            first_at=self._created_at,
            last_at=self._created_at,
            counts=tuple(sorted(self._counts.items())),
            words=tuple(sorted(self._words.items())),
            findings=self._findings.rows(),
        )
