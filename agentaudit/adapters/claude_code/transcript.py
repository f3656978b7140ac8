"""The facts of a transcript, gathered record by record: counts, times, ids and names, never a word of content.

- A record is any line that is an object; nothing about it is required, and nothing unknown is refused.
- `see_line` gives what `see` gives, without making values of what a record holds; where its short cut does not fit,
  the tolerant reader is asked.
- Memory is bounded, whatever the transcript: see `words` and `lineage`.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from agentaudit.adapters.claude_code import ADAPTER
from agentaudit.adapters.claude_code.lineage import Lineage
from agentaudit.adapters.claude_code.recordtypes import type_word
from agentaudit.adapters.claude_code.spills import Naming, agent_in, named, named_in_message, named_in_result
from agentaudit.adapters.stores.times import Times
from agentaudit.adapters.stores.words import Tally, id_word, name_word, version_word
from agentaudit.encoding.envelope import Envelopes, Raw
from agentaudit.encoding.foreign import Json, NotJson, decode, mapping
from agentaudit.encoding.jsonl.broken import broken
from agentaudit.encoding.jsonl.grammar import Reader
from agentaudit.model.bundle import Capped, Spilled, TranscriptFacts
from agentaudit.model.framing import label_of

DISTINCT_MAX: Final = 1_024
NAMES_MAX: Final = 16_384

_CONVERSATION: Final = frozenset({"user", "assistant"})
_BOUNDARIES: Final = frozenset({"compact_boundary", "microcompact_boundary"})
_HINT: Final = b"tool-results"
_NOTHING: Final = Raw()


class Holder(msgspec.Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """What names an agent or a spilled file: the result of a tool, or what a progress record carries."""

    agent_id: str | None = None
    persisted_output_path: str | None = None
    persisted_output_size: int | None = None


class Record(msgspec.Struct, frozen=True, kw_only=True, rename="camel", gc=False):
    """The members of a record that facts are made of, and the raw text of those that name files and agents."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    is_sidechain: bool | None = None
    timestamp: str | None = None
    version: str | None = None
    cwd: str | None = None
    tool_use_result: Holder | str | list[Raw] | None = None
    message: Raw = _NOTHING
    data: Holder | str | list[Raw] | None = None


class TranscriptReading:
    """What has been seen of one transcript; `stem` is the session that its name states, None where it states none."""

    def __init__(self, stem: str | None = None, uuids_max: int | None = None) -> None:
        """Nothing is seen yet; `uuids_max` bounds the memory for parents."""
        self._stem = stem
        self._lineage = Lineage() if uuids_max is None else Lineage(uuids_max)
        self._times = Times()
        self._records = self._conversation = self._sidechain = self._compactions = self._untyped = 0
        self._types, self._versions = Tally(DISTINCT_MAX), Tally(DISTINCT_MAX)
        self._sessions, self._cwds = Tally(DISTINCT_MAX), Tally(DISTINCT_MAX)
        self._agents, self._subagents = Tally(NAMES_MAX), Tally(NAMES_MAX)
        self._spilled: dict[str, int | None] = {}
        self._spilled_cut = False

    def see(self, record: Json) -> None:
        """One line's value; anything but an object is passed over: framing speaks of it."""
        members = mapping(record)
        if members is None:
            return
        self._note(_record_of(members))
        result = members.get("toolUseResult")
        self._name(agent_in(result), named_in_result(result))
        if members.get("type") == "progress":
            self._name(agent_in(members.get("data")), ())
        if members.get("type") == "user":
            self._name(None, named_in_message(members.get("message")))

    def see_line(self, line: bytes) -> None:
        """One line without its line feed; of a broken one each complete value counts: framing speaks of the rest."""
        record = _RECORDS.read(line)
        if record is None:
            self._see_slowly(line)
            return
        self._note(record)
        holder = record.tool_use_result
        if isinstance(holder, Holder):
            self._name(holder.agent_id, named(holder.persisted_output_path, holder.persisted_output_size))
        if record.type == "progress" and isinstance(record.data, Holder):
            self._name(record.data.agent_id, ())
        if record.type == "user" and _HINT in bytes(record.message):
            self._name(None, named_in_message(_value(record.message)))

    def _see_slowly(self, line: bytes) -> None:
        """What the short cut refused: a value of another form, or the complete values on a broken line."""
        value = _value(line)
        if value is not None:
            self.see(value)
            return
        for at in broken(line, 0, tail=False).values:
            reader = Reader()
            reader.read(line, at)
            self.see(_value(line[at : reader.at]))

    def facts(self) -> TranscriptFacts:
        """What was seen so far."""
        types = dict(self._types.counts(str))
        return TranscriptFacts(
            adapter=ADAPTER,
            records=self._records,
            versions=self._versions.counts(version_word),
            types=self._types.counts(type_word),
            untyped=self._untyped,
            first_record_at=self._times.first,
            last_record_at=self._times.last,
            untimed=self._times.untimed,
            time_reversals=self._times.reversals,
            sessions=len(self._sessions),
            session=self._sessions.first(id_word),
            own_session=None if self._stem is None else self._stem in self._sessions,
            agents=self._agents.words(id_word),
            conversation_records=sum(types.get(kind, 0) for kind in _CONVERSATION),
            sidechain_records=self._sidechain,
            duplicate_uuids=self._lineage.duplicates,
            dangling_parents=self._lineage.dangling,
            self_parents=self._lineage.selves,
            cyclic_records=self._lineage.cyclic,
            cwds=len(self._cwds),
            cwd_labels=self._cwds.words(label_of),
            spilled=tuple(Spilled(name=name, bytes=size) for name, size in sorted(self._spilled.items())),
            subagents=self._subagents.words(id_word),
            compactions=self._compactions,
            relocations=types.get("relocated", 0),
            continuations=types.get("continued-in", 0),
            capped=self._capped(),
        )

    def _note(self, record: Record) -> None:
        """Count one record's envelope."""
        self._records += 1
        if record.type is None:
            self._untyped += 1
        else:
            self._types.add(record.type)
            if record.subtype in _BOUNDARIES and record.type == "system":
                self._compactions += 1
        if record.is_sidechain:
            self._sidechain += 1
        self._times.see(record.timestamp)
        if record.uuid is not None:
            self._lineage.see(record.uuid, record.parent_uuid)
        if record.version is not None:
            self._versions.add(record.version)
        if record.session_id is not None:
            self._sessions.add(record.session_id)
        if record.agent_id is not None:
            self._agents.add(record.agent_id)
        if record.cwd is not None:
            self._cwds.add(record.cwd)

    def _name(self, agent: str | None, spilled: Iterable[Naming]) -> None:
        if agent:
            self._subagents.add(agent)
        for naming in spilled:
            name = name_word(naming.name)
            if name in self._spilled or len(self._spilled) < NAMES_MAX:
                self._spilled[name] = naming.size if naming.size is not None else self._spilled.get(name)
            else:
                self._spilled_cut = True

    def _capped(self) -> tuple[Capped, ...]:
        cut: tuple[tuple[Capped, bool], ...] = (
            ("versions", self._versions.cut),
            ("types", self._types.cut),
            ("sessions", self._sessions.cut),
            ("agents", self._agents.cut),
            ("subagents", self._subagents.cut),
            ("spilled", self._spilled_cut),
            ("cwds", self._cwds.cut),
            ("uuids", not self._lineage.known),
        )
        return tuple(name for name, was in cut if was)


_RECORDS: Final = Envelopes(Record)


def _record_of(members: dict[str, Json]) -> Record:
    """The same members, each as text where it is text."""
    return Record(
        type=_text(members, "type"),
        subtype=_text(members, "subtype"),
        uuid=_text(members, "uuid"),
        parent_uuid=_text(members, "parentUuid"),
        session_id=_text(members, "sessionId"),
        agent_id=_text(members, "agentId"),
        is_sidechain=members.get("isSidechain") is True,
        timestamp=_text(members, "timestamp"),
        version=_text(members, "version"),
        cwd=_text(members, "cwd"),
    )


def _text(members: dict[str, Json], key: str) -> str | None:
    word = members.get(key)
    return word if isinstance(word, str) else None


def _value(octets: bytes | Raw) -> Json:
    """The value of a text; None for one that is no JSON."""
    try:
        return decode(bytes(octets))
    except NotJson:
        return None
