"""The facts of a rollout, gathered line by line: counts, ordinals, times, ids and releases, never a word of content.

- A record is any line that is an object; nothing about it is required, and nothing unknown is refused.
- Lines of older releases have no envelope: a bare item has its own `type`, the head has an id and none.
- `see_line` gives what `see` gives, without making values of what a record holds; where its short cut does not fit,
  the tolerant reader is asked. A line of any length may be given; one that is not given is told by `see_unread`.
- Memory is bounded, whatever the rollout.
"""

from dataclasses import dataclass
from typing import Final, Literal

from agentaudit.adapters.codex import ADAPTER
from agentaudit.adapters.codex.lines import Line, Meta, line_in, line_of
from agentaudit.adapters.codex.ordinals import GAPS_MAX, Ordinals
from agentaudit.adapters.codex.words import line_word, mode_word, payload_word, source_word
from agentaudit.adapters.stores.times import Times
from agentaudit.adapters.stores.words import Tally, id_word, version_word
from agentaudit.encoding.foreign import Json
from agentaudit.model.codex import Capped, RolloutFacts
from agentaudit.model.text import SourceText, source_text

DISTINCT_MAX: Final = 1_024
THREADS_MAX: Final = 16_384

_TALKS: Final = frozenset({"event_msg/user_message", "event_msg/agent_message"})
_MESSAGES: Final = frozenset({"response_item/message", "message"})
_SPEAKERS: Final = frozenset({"user", "assistant"})
_BEGINS: Final = frozenset({"event_msg/task_started", "event_msg/turn_started"})
_ENDS: Final = frozenset({"event_msg/task_complete", "event_msg/turn_complete", "event_msg/turn_aborted"})
_ROLLED_BACK: Final = "event_msg/thread_rolled_back"


@dataclass(frozen=True, slots=True)
class Head:
    """The thread and the working folder that the first line of a rollout states."""

    thread: str | None
    folder: SourceText | None


class RolloutReading:
    """What has been seen of one rollout; `stem` is the thread that its name states, None where it states none."""

    def __init__(self, stem: str | None = None, gaps_max: int = GAPS_MAX) -> None:
        """Nothing is seen yet; `gaps_max` bounds the memory for ordinals."""
        self._stem = stem
        self._ordinals = Ordinals(gaps_max)
        self._times = Times()
        self._records = self._unread = self._untyped = self._enveloped = self._metas = 0
        self._talks = self._turns = self._compactions = self._rollbacks = 0
        self._types, self._payloads = Tally(DISTINCT_MAX), Tally(DISTINCT_MAX)
        self._versions, self._originators = Tally(DISTINCT_MAX), Tally(DISTINCT_MAX)
        self._sources, self._modes = Tally(DISTINCT_MAX), Tally(DISTINCT_MAX)
        self._threads, self._origins, self._parents = Tally(THREADS_MAX), Tally(THREADS_MAX), Tally(THREADS_MAX)

    def see(self, record: Json) -> None:
        """One line's value; anything but an object is counted as unread: framing speaks of it."""
        line = line_of(record)
        if line is None:
            self._unread += 1
        else:
            self._note(line)

    def see_line(self, line: bytes) -> None:
        """One line without its line feed; what is no JSON is counted as unread."""
        read = line_in(line)
        if read is None:
            self._unread += 1
        else:
            self._note(read)

    def see_unread(self) -> None:
        """One line that is not handed over, because it is longer than the limit or no JSON."""
        self._unread += 1

    def facts(self) -> RolloutFacts:
        """What was seen so far."""
        threads = self._threads
        return RolloutFacts(
            adapter=ADAPTER,
            records=self._records,
            unread=self._unread,
            form=self._form(),
            types=self._types.counts(line_word),
            payloads=self._payloads.counts(payload_word),
            untyped=self._untyped,
            ordinals=self._ordinals.facts(),
            session_metas=self._metas,
            thread=threads.first(id_word),
            own_thread=None if self._stem is None else self._stem in threads,
            threads=threads.words(id_word),
            forked_from=self._origins.words(id_word),
            parents=self._parents.words(id_word),
            versions=self._versions.counts(version_word),
            originators=self._originators.counts(id_word),
            sources=self._sources.counts(source_word),
            history_modes=self._modes.counts(mode_word),
            first_record_at=self._times.first,
            last_record_at=self._times.last,
            untimed=self._times.untimed,
            time_reversals=self._times.reversals,
            conversation_records=self._talks,
            turns_open=self._turns,
            compactions=self._compactions,
            rollbacks=self._rollbacks,
            capped=self._capped(),
        )

    def _note(self, line: Line) -> None:
        """Count one record."""
        self._records += 1
        self._enveloped += line.enveloped
        self._ordinals.see(line.ordinal)
        self._times.see(line.timestamp)
        if line.type is None:
            self._untyped += 1
        else:
            self._note_kind(line.type, line)
        if line.meta is not None:
            self._note_head(line.meta)

    def _note_kind(self, kind: str, line: Line) -> None:
        self._types.add(kind)
        self._compactions += kind == "compacted"
        if line.payload_type is not None:
            kind = f"{kind}/{line.payload_type}"
            self._payloads.add(kind)
        self._talks += kind in _TALKS or (kind in _MESSAGES and line.role in _SPEAKERS)
        self._turns += (kind in _BEGINS) - (kind in _ENDS)
        self._rollbacks += kind == _ROLLED_BACK

    def _note_head(self, meta: Meta) -> None:
        self._metas += 1
        for tally, word in (
            (self._threads, meta.id),
            (self._versions, meta.cli_version),
            (self._originators, meta.originator),
            (self._modes, meta.history_mode),
            (self._sources, meta.source),
            (self._origins, meta.forked_from),
            (self._parents, meta.parent),
        ):
            if word is not None:
                tally.add(word)

    def _form(self) -> Literal["enveloped", "bare", "mixed", "none"]:
        if not self._records:
            return "none"
        if self._enveloped == self._records:
            return "enveloped"
        return "mixed" if self._enveloped else "bare"

    def _capped(self) -> tuple[Capped, ...]:
        cut: tuple[tuple[Capped, bool], ...] = (
            ("types", self._types.cut),
            ("payloads", self._payloads.cut),
            ("threads", self._threads.cut),
            ("forked_from", self._origins.cut),
            ("parents", self._parents.cut),
            ("versions", self._versions.cut),
            ("originators", self._originators.cut),
            ("sources", self._sources.cut),
            ("history_modes", self._modes.cut),
            ("ordinals", not self._ordinals.known),
        )
        return tuple(name for name, was in cut if was)


def head_of(line: bytes) -> Head | None:
    """What the first line of a rollout says for a selection, never for a terminal; None when it is no head."""
    read = line_in(line)
    if read is None or read.meta is None:
        return None
    folder = read.meta.cwd
    return Head(read.meta.id, None if folder is None else source_text(folder))
