"""One chat: what its list entry and its pages say of it, an event for each message and for each thing that it names."""

from collections import Counter
from collections.abc import Iterator

from agentaudit.adapters.compliance.chatclips import is_cut
from agentaudit.adapters.compliance.chatfacts import attached, chat_id, is_deleted
from agentaudit.adapters.compliance.findings import Findings
from agentaudit.adapters.compliance.named import Mention, mentions
from agentaudit.adapters.compliance.pages import Page
from agentaudit.encoding.foreign import Json, mapping
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, KeyName, Place, StreamRow, Word
from agentaudit.model.text import SourceText, display, source_text

BLOCKS = frozenset({"text", "tool_use", "tool_result"})

_WORDS = (("model", "model"), ("organization", "organization_uuid"), ("project", "project_id"))


class ChatStream:
    """One chat as it is fed; it holds the ids of its messages, for what comes twice."""

    def __init__(self, number: int, name: str | None) -> None:
        """`name` is the id that it was asked for by, where it is known."""
        self._key = f"chat/{number:06d}"
        self._name = name
        self._chat: dict[str, Json] = {}
        self._ids: set[str] = set()
        self._kinds: Counter[SourceText] = Counter()
        self._counts: Counter[str] = Counter()
        self._findings = Findings()
        self._first_at: Word = UNSET
        self._last_at: Word = UNSET

    def listed(self, entry: Json, place: Place) -> None:
        """Take the chat's entry of the list; it may come twice, the later one holds."""
        if self._chat:
            self._findings.add("listed_again", place)
        self._note(mapping(entry) or {}, place)

    def take(self, page: Page, item: str) -> Iterator[EventRow]:
        """Take one page of messages: an event each, then one for each thing that it names, in the order returned."""
        envelope = mapping(page.session) or {}
        named = chat_id(envelope)
        if self._name is not None and named is not None and named != self._name:
            self._findings.add("other_chat", Place(item=item, pointer="/id"))
        else:
            self._note(envelope, Place(item=item))
        for index, entry in enumerate(page.data):
            place = Place(item=item, pointer=f"/chat_messages/{index}")
            members = mapping(entry)
            if members is None:
                self._findings.add("not_an_object", place)
            else:
                yield (event := self._event(members, place))
                for mention in mentions(members):
                    yield self._mention(mention, event.id, place)

    def row(self) -> StreamRow:
        """The chat."""
        words = {word: item for word, name in _WORDS if isinstance(item := self._chat.get(name), str)}
        user = (mapping(self._chat.get("user")) or {}).get("id")
        if isinstance(user, str):
            words["user"] = user
        if is_deleted(self._chat):
            words["state"] = "deleted"
        return StreamRow(
            stream=self._key,
            kind="chat",
            name=None if self._name is None else source_text(self._name),
            events=sum(self._kinds.values()),
            first_at=self._first_at,
            last_at=self._last_at,
            kinds=tuple(sorted(self._kinds.items(), key=lambda one: display(one[0]))),
            counts=tuple(sorted(self._counts.items())),
            words=tuple((name, source_text(word)) for name, word in sorted(words.items())),
            findings=self._findings.rows(),
        )

    def _note(self, members: dict[str, Json], place: Place) -> None:
        if is_deleted(members) and not is_deleted(self._chat):
            self._findings.add("deleted_by_user", place)
        self._chat |= {name: item for name, item in members.items() if item is not None}

    def _event(self, members: dict[str, Json], place: Place) -> EventRow:
        role = members.get("role")
        kind: SourceText = source_text(role) if isinstance(role, str) else "unknown"
        at, identifier = _text(members, "created_at"), _text(members, "id")
        self._kinds[kind] += 1
        if isinstance(at, str):
            self._first_at = at if self._first_at is UNSET else self._first_at
            self._last_at = at
        else:
            self._findings.add("no_time", place)
        blocks, files = members.get("content"), attached(members)
        types = Counter(_type(block) for block in blocks) if isinstance(blocks, list) else Counter[str]()
        marks = tuple(sorted((*self._marks(identifier, types, place), *_signs(blocks))))
        self._counts.update(files)
        return EventRow(
            stream=self._key,
            kind=kind,
            place=place,
            id=identifier,
            at=at,
            keys=self._keys(identifier),
            numbers=tuple(sorted({**types, **files}.items())),
            marks=marks,
        )

    def _mention(self, mention: Mention, message: Word, place: Place) -> EventRow:
        """A file, a generated file or an artifact that a message names: its id, and which message."""
        kind = mention.pointer.split("/")[1]
        self._kinds[kind] += 1
        at = Place(item=place.item, pointer=place.pointer + mention.pointer)
        keys = dict(self._keys(message))
        if mention.id is None:
            self._findings.add("unusable_id", at)
        else:
            keys["artifact" if mention.thing == "artifact" else "file"] = source_text(mention.id)
        named: Word = UNSET if mention.id is None else source_text(mention.id)
        return EventRow(stream=self._key, kind=kind, place=at, id=named, keys=tuple(sorted(keys.items())))

    def _keys(self, identifier: Word) -> tuple[tuple[KeyName, SourceText], ...]:
        found: dict[KeyName, SourceText] = {}
        if self._name is not None:
            found["chat"] = source_text(self._name)
        if not (identifier is None or identifier is UNSET):
            found["message"] = identifier
        return tuple(sorted(found.items()))

    def _marks(self, identifier: Word, types: Counter[str], place: Place) -> Iterator[str]:
        if not isinstance(identifier, str):
            self._findings.add("no_id", place)
        elif identifier in self._ids:
            self._findings.add("repeated", place)
            yield "repeated"
        else:
            self._ids.add(identifier)
        if not types:
            yield "without_content"
        if "unknown_blocks" in types:
            self._findings.add("unknown_block", place)
            yield "unknown_block"


def _signs(blocks: Json) -> Iterator[str]:
    """Our marks for what blocks say of themselves: shortened, or with thinking that was left out."""
    some = blocks if isinstance(blocks, list) else ()
    if any(is_cut(block) for block in some):
        yield "cut"
    if any((mapping(block) or {}).get("thinking_redacted") is True for block in some):
        yield "thinking_redacted"


def _type(block: Json) -> str:
    word = (mapping(block) or {}).get("type")
    return f"{word}_blocks" if isinstance(word, str) and word in BLOCKS else "unknown_blocks"


def _text(members: dict[str, Json], name: str) -> Word:
    item = members.get(name, UNSET)
    if isinstance(item, str):
        return source_text(item)
    return None if item is None else UNSET
