"""One record of a rollout as a piece of a working copy: which of the things it is, and what stands around it.

- An item of the conversation, an event of the program, a state that was in force, a compaction, or something unknown.
- Lines of older releases have no envelope: the item, or the head, is the line.
- What was in force is compared with what the same file said before.
"""

from typing import Final, TypeAlias

from agentaudit.adapters.codex.copied import Members, shown
from agentaudit.adapters.codex.copied_events import NOTES, event_blocks, event_facts, event_type
from agentaudit.adapters.codex.copied_items import ITEMS, item_blocks, item_facts
from agentaudit.adapters.codex.copied_states import (
    COMPACTED,
    SETTINGS,
    STATES,
    Standing,
    compacted_blocks,
    state_blocks,
)
from agentaudit.adapters.codex.lines import Line, line_of
from agentaudit.adapters.stores.told import Facts
from agentaudit.encoding.foreign import NotJson, decode, mapping
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.text import source_text
from agentaudit.model.workingcopy import Aside, Block, Message, Note, NotRead, Way

Told: TypeAlias = tuple[Facts, tuple[Block, ...], Note | Unset]

_ASIDES: Final = frozenset({"token_usage_record", "event_msg/token_count", "state"})
_ENVELOPE: Final = ("timestamp", "type", "payload")
_COMPACTIONS: Final = frozenset({"compaction", "context_compaction"})


class Rollout:
    """The records of one file, one after the other; `part` is its path in the exhibit."""

    def __init__(self, part: str) -> None:
        """Nothing was in force before the first record."""
        self._part = part
        self._before = Standing()

    def read(self, octets: bytes, way: Way, *, index: int, repeated: bool) -> Message | NotRead | Aside:
        """The piece that one record is; `way` leads to the whole of it."""
        try:
            record = decode(octets)
        except NotJson:
            return NotRead(part=self._part, reason="not_json", way=way)
        values, line = mapping(record), line_of(record)
        if values is None or line is None:
            return NotRead(part=self._part, reason="not_an_object", way=way)
        whole = Members(values, octets, way)
        payload = whole.inner("payload") if line.enveloped else whole
        word = _type(line, payload)
        if word in _ASIDES:
            return Aside(part=self._part, type=word, way=way)
        facts, blocks, note = self._told(line, whole, payload)
        return Message(
            part=self._part,
            page=None,
            index=index,
            type=source_text(word) if word else UNSET,
            id=UNSET if payload is None else payload.word("id"),
            role=UNSET if payload is None else payload.word("role"),
            created_at=whole.word("timestamp"),
            standing="not_stated",
            repeated=repeated,
            note=note,
            facts=(*facts, *(whole.facts(*_ENVELOPE) if line.enveloped else ())),
            blocks=blocks,
            way=way,
        )

    def _told(self, line: Line, whole: Members, payload: Members | None) -> Told:
        """What stands beside the texts of a record, its blocks, and what must not be overlooked."""
        kind, name = line.type or "", line.payload_type or ""
        item = name if line.enveloped and kind == "response_item" else "" if line.enveloped else kind
        if payload is None:
            return (), (_unknown(kind, whole.text_of("payload"), whole.way_to("payload")),), UNSET
        if item in ITEMS:
            return item_facts(payload), item_blocks(item, payload), "compaction" if item in _COMPACTIONS else UNSET
        if kind == "event_msg" and name != SETTINGS:
            return event_facts(payload), event_blocks(payload), NOTES.get(name, UNSET)
        if kind == COMPACTED:
            return payload.facts("message", "replacement_history"), compacted_blocks(payload), "compaction"
        state = name if name == SETTINGS else kind
        if state in {SETTINGS, *STATES}:
            changed = self._before.changed(state, payload.values)
            return changed, state_blocks(state, payload), "settings_changed" if changed else UNSET
        return (), (_unknown(item or name or kind, payload.text, payload.way),), UNSET


def _type(line: Line, payload: Members | None) -> str:
    """`response_item/message`, `event_msg/item_completed/CommandExecution`, or the one word of an older line."""
    if not line.enveloped:
        return line.type or ""
    inner = event_type(payload) if payload is not None else ""
    return "/".join(word for word in (line.type, inner) if word)


def _unknown(word: str, text: bytes | None, way: Way) -> Block:
    """What nobody here knows, as it stands."""
    return Block(kind="other", type=source_text(word), way=way, texts=shown(text))
