"""The messages of one preserved session with their content, from its transcripts, for a working copy.

- The form of a record is nobody's contract: what is a message is shown, everything else is named by its type.
- Lines end at 0x0A only. A line that is no object, or over the limit, is said to be here and not read.
- An input is the text that stands in the line, cut out of it unchanged. Pictures and other data are named by size.
- A record whose uuid was there before is marked as repeated: resumed sessions repeat records.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from agentaudit.adapters.claude_code.copied_facts import block_facts, input_texts, record_facts
from agentaudit.adapters.wholelines import whole_lines
from agentaudit.encoding.foreign import Json, NotJson, decode, entries, mapping
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.readings import InputState, Word
from agentaudit.model.tagfiles import ItemRow, WalkRow
from agentaudit.model.text import SourceText, source_text
from agentaudit.model.workingcopy import Aside, Block, BlockKind, Message, NotRead, Way

READER = "claude-code-copy/1"

_RANKS = {"transcript": 0, "transcript_copy": 1, "old_agent": 2, "subagent": 3, "workflow_agent": 4}
_MESSAGES = ("user", "assistant")
_KINDS: dict[str, BlockKind] = {
    "text": "text", "thinking": "thinking", "tool_use": "tool_use", "tool_result": "tool_result",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ClaudeCodeCopyReader:
    """This adapter, as a working copy knows it."""

    @property
    def name(self) -> str:
        """`claude-code-copy/1`."""
        return READER

    def reads(self, adapter: str) -> bool:
        """True for preserved stores of this agent."""
        return adapter.startswith("claude-code/")

    def rank(self, item: ItemRow) -> int | None:
        """The transcript first, then those of its agents; None for every other file of a session."""
        return None if item.facts is None else _RANKS.get(item.facts.role)

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> "ClaudeCodeCopy":
        """Begin; a preserved session needs no more than its files."""
        del session, walks
        return ClaudeCodeCopy()


class ClaudeCodeCopy:
    """One pass over the transcripts of one session."""

    def __init__(self) -> None:
        self._uuids: set[int] = set()

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead | Aside]:
        """The records of one file, in its order."""
        row = item.provenance.row if item.provenance is not None else None
        for number, offset, line in whole_lines(lines):
            way = Way(item=item.path, sha256=item.sha256, pointer="", request_id=None, row=row, line=number,
                      offset_bytes=offset)  # fmt: skip
            if line is None:
                yield NotRead(part=item.path, reason="over_limit", way=way)
            elif line.strip(b" \t\r\n"):
                yield self._record(line, item.path, way)

    def _record(self, line: bytes, part: str, way: Way) -> Message | NotRead | Aside:
        try:
            members = mapping(decode(line))
        except NotJson:
            return NotRead(part=part, reason="not_json", way=way)
        if members is None:
            return NotRead(part=part, reason="not_an_object", way=way)
        message = mapping(members.get("message"))
        if members.get("type") not in _MESSAGES or message is None:
            return Aside(part=part, type=_type(members), way=way)
        return Message(
            part=part,
            page=None,
            index=0 if isinstance(way.line, Unset) else way.line - 1,
            id=_word(members, "uuid"),
            role=_word(message, "role"),
            model=_word(message, "model"),
            created_at=_word(members, "timestamp"),
            standing="not_stated",
            repeated=self._is_repeated(members),
            facts=record_facts(members, message),
            blocks=_blocks(line, message.get("content"), way),
            way=way,
        )

    def _is_repeated(self, members: dict[str, Json]) -> bool:
        uuid = members.get("uuid")
        if not isinstance(uuid, str):
            return False
        known = hash(uuid) in self._uuids
        self._uuids.add(hash(uuid))
        return known


def _blocks(line: bytes, content: Json, way: Way) -> tuple[Block, ...]:
    if isinstance(content, str):
        return (Block(kind="text", type="text", way=_deeper(way, None), texts=(source_text(content),)),)
    blocks = entries(content) or []
    inputs = input_texts(line, len(blocks))
    return tuple(
        _block(mapping(block) or {}, _deeper(way, place), given)
        for place, (block, given) in enumerate(zip(blocks, inputs, strict=True))
    )


def _deeper(way: Way, block: int | None) -> Way:
    return msgspec.structs.replace(way, pointer="/message/content" if block is None else f"/message/content/{block}")


def _block(members: dict[str, Json], way: Way, given: str | None) -> Block:
    word = members.get("type")
    kind = _KINDS.get(word, "other") if isinstance(word, str) else "other"
    is_error = members.get("is_error", UNSET)
    return Block(
        kind=kind,
        type=_type(members),
        way=way,
        texts=tuple(source_text(text) for text in _texts(kind, members, given)),
        name=_word(members, "name"),
        id=_word(members, "id"),
        tool_use_id=_word(members, "tool_use_id"),
        is_error=is_error if isinstance(is_error, bool) or is_error is None else UNSET,
        input_state=_input_state(members, given) if kind == "tool_use" else UNSET,
        facts=block_facts(kind, members),
    )


def _texts(kind: BlockKind, members: dict[str, Json], given: str | None) -> Iterator[str]:
    """The texts of a block that are its content."""
    match kind:
        case "text" | "thinking":
            found = [members.get(kind)]
        case "tool_use":
            found = [given]
        case "tool_result":
            content = members.get("content")
            found = [content] if isinstance(content, str) else [_text_of(one) for one in entries(content) or []]
        case _:
            found = []
    yield from (text for text in found if isinstance(text, str))


def _text_of(item: Json) -> Json:
    members = mapping(item) or {}
    return members.get("text") if members.get("type") == "text" else None


def _input_state(members: dict[str, Json], given: str | None) -> InputState | Unset:
    if given is None:
        return UNSET
    return "empty" if members.get("input") in ({}, None, "") else "present"


def _word(members: dict[str, Json], name: str) -> Word:
    item = members.get(name, UNSET)
    if isinstance(item, str):
        return source_text(item)
    return None if item is None else UNSET


def _type(members: dict[str, Json]) -> SourceText:
    word = members.get("type")
    return source_text(word) if isinstance(word, str) else ""
