"""What the pages of one session came to: its words in retrieve call and envelope, and its numbers.

- Messages are known again by short digests, which are held for one session at a time.
- A later retention placeholder of a session is a repetition, whatever its identifier (trap 8).
- Session-level `truncated` and clipped blocks are counted apart (trap 2).
"""

from collections import Counter

from agentaudit.adapters.compliance.messages import message_mark, withheld
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import Unset
from agentaudit.model.losses import Truncation
from agentaudit.model.readings import ProvenanceWords, RecordRow, SessionCounts, SessionSource, Word
from agentaudit.model.text import SourceText, display

_Provenance = tuple[SourceText | None, SourceText | None]


class Seen:
    """The messages of one session seen so far, to know one again."""

    __slots__ = ("_marks", "_retention", "session")

    def __init__(self, session: str = "") -> None:
        """Begin with none."""
        self.session = session
        self._marks: set[int] = set()
        self._retention = False

    def is_repeated(self, message: Json) -> bool:
        """True when this message, or this session's placeholder for what retention took, was there before."""
        loss = withheld(message)
        if loss is not None and loss.is_retention:
            known, self._retention = self._retention, True
            return known
        mark = message_mark(message)
        known = mark is not None and mark in self._marks
        if mark is not None:
            self._marks.add(mark)
        return known


class Transcript:
    """The running account of one session; `truncated` is what any envelope of it said."""

    __slots__ = ("_clipped", "_numbers", "_provenance", "envelope", "retrieved", "truncated")

    def __init__(self) -> None:
        """Begin with nothing read."""
        self.retrieved: SessionSource | None = None
        self.envelope: SessionSource | None = None
        self.truncated = False
        self._numbers: Counter[str] = Counter()
        self._clipped: Counter[str] = Counter()
        self._provenance: Counter[_Provenance] = Counter()

    def page(self, envelope: SessionSource | None) -> None:
        """Take a page's envelope; the last one read is the one that stands, unless one named another session."""
        self._numbers["pages"] += 1
        if envelope is not None:
            if self.envelope is None or isinstance(self.envelope.id, Unset):
                self.envelope = envelope
            self.truncated = self.truncated or envelope.truncated is True

    def message(self, row: RecordRow, truncations: tuple[Truncation, ...]) -> None:
        """Take one message: a repetition is counted as one and as nothing else; what is clipped is always counted."""
        self._clipped.update(truncation.by for truncation in truncations)
        if row.repeated:
            self._numbers["repeated"] += 1
            return
        self._numbers["messages"] += 1
        self._numbers.update(block.type for block in row.blocks if block.type in ("tool_use", "tool_result"))
        if isinstance(row.provenance, ProvenanceWords):
            self._provenance[_word(row.provenance.type), _word(row.provenance.reason)] += 1
        elif row.provenance is None:
            self._provenance[None, None] += 1

    @property
    def states_clipping(self) -> bool:
        """True when the source clipped something beyond the limit that we asked for, or may have."""
        return any(count for by, count in self._clipped.items() if by != "our_limit")

    def counts(self, gaps: int) -> SessionCounts:
        """The numbers of the session, with the gaps noted of it."""
        return SessionCounts(
            pages=self._numbers["pages"],
            messages=self._numbers["messages"],
            repeated=self._numbers["repeated"],
            tool_uses=self._numbers["tool_use"],
            tool_results=self._numbers["tool_result"],
            clipped_by_our_limit=self._clipped["our_limit"],
            clipped_by_server_limit=self._clipped["server_limit"],
            clipped_marker=self._clipped["marker"],
            clipped_undetermined=self._clipped["undetermined"],
            gaps=gaps,
            provenance=tuple((*words, count) for words, count in sorted(self._provenance.items(), key=_order)),
        )


def _word(word: Word) -> SourceText | None:
    return None if isinstance(word, Unset) else word


def _order(row: tuple[_Provenance, int]) -> tuple[str, ...]:
    """Null before every word."""
    return tuple("" if word is None else f" {display(word)}" for word in row[0])
