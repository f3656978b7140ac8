"""Calls, results and events, joined by id and by nothing else.

- Place, order and time join nothing. An id that is null, absent or no text joins nothing either.
- A message that came again adds no call and no result.
- Where more than one call or result has an id, all are named and none is preferred. Of one call there may be any
  number of events.
- An event that has only an id of its own, and none that it calls a call's, is joined when a call has the same one.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import msgspec

from agentaudit.model.base import Unset, digest_of
from agentaudit.model.readings import Word
from agentaudit.model.text import SourceText
from agentaudit.model.workingcopy import Aside, Block, Join, Message, NotRead, Standing, Way
from agentaudit.transcript.document import Totals

Place = tuple[int, int]
Places = Mapping[SourceText, Sequence[Place]]

_JOINED = frozenset({"tool_use", "tool_result", "event"})
_NONE: Places = MappingProxyType({})
_NOWHERE = Way(item="", sha256=digest_of(b""), pointer="", request_id=None, row=None)

T = TypeVar("T", bound=str)


class Joins:
    """The first pass over a copy: every id with its places, and how much there is."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._calls: dict[SourceText, list[Place]] = {}
        self._results: dict[SourceText, list[Place]] = {}
        self._events: dict[SourceText, list[Place]] = {}
        self._numbers: Counter[str] = Counter()
        self._standings: Counter[Standing] = Counter()
        self._blocks: Counter[str] = Counter()
        self._clips: Counter[str] = Counter()
        self._asides: Counter[SourceText] = Counter()
        self._types: Counter[SourceText] = Counter()
        self._halves: list[Block] = []

    def see(self, piece: Message | NotRead | Aside) -> None:
        """Take the next piece."""
        match piece:
            case Message():
                self._message(piece)
            case Aside():
                self._asides[piece.type] += 1
            case _:
                self._numbers["not_read"] += 1

    def joined(self, message: Message, number: int) -> Message:
        """The message with its number, and each of its calls and results joined; ask after the first pass."""
        blocks = tuple(msgspec.structs.replace(one, join=self._join(one)) for one in message.blocks)
        return msgspec.structs.replace(message, number=number, blocks=blocks)

    def totals(self) -> Totals:
        """How much the first pass saw."""
        joins = (self._join(one) for one in self._halves)
        states = Counter[str](join.state for join in joins if join is not None)
        return Totals(
            messages=self._numbers["messages"],
            repeated=self._numbers["repeated"],
            not_read=self._numbers["not_read"],
            standings=_sorted(self._standings),
            blocks=_sorted(self._blocks),
            joins=_sorted(states),
            clips=_sorted(self._clips),
            asides=tuple(sorted(self._asides.items(), key=lambda pair: str(pair[0]))),
            types=tuple(sorted(self._types.items(), key=lambda pair: str(pair[0]))),
        )

    def _message(self, message: Message) -> None:
        number = self._numbers["messages"] + self._numbers["repeated"] + 1
        self._numbers["repeated" if message.repeated else "messages"] += 1
        if message.repeated:
            return
        self._standings[message.standing] += 1
        if isinstance(message.type, SourceText):
            self._types[message.type] += 1
        for place, block in enumerate(message.blocks):
            self._blocks[block.kind] += 1
            self._clips.update(clip.by for clip in block.clips)
            self._note(block, (number, place))

    def _note(self, block: Block, place: Place) -> None:
        """Only what a join needs is kept of a block: its kind and its ids."""
        if block.kind not in _JOINED:
            return
        self._halves.append(Block(kind=block.kind, type="", way=_NOWHERE, id=block.id, tool_use_id=block.tool_use_id))
        word = _id(block)
        if word is not None:
            found = {"tool_use": self._calls, "tool_result": self._results}.get(block.kind, self._events)
            found.setdefault(word, []).append(place)

    def _join(self, block: Block) -> Join | None:
        """What a call, a result or an event is joined to; None for any other block, and for an event of no call."""
        word = _id(block)
        match block.kind:
            case "tool_use":
                return _joined(self._calls, self._results, word, self._events)
            case "tool_result":
                return _joined(self._results, self._calls, word)
            case "event" if isinstance(block.tool_use_id, Unset) and (word is None or word not in self._calls):
                return None
            case "event":
                return _joined({}, self._calls, word)
            case _:
                return None


def _joined(ours: Places, theirs: Places, word: SourceText | None, events: Places = _NONE) -> Join:
    if word is None:
        return Join(state="no_id")
    own, other, seen = ours.get(word, ()), theirs.get(word, ()), tuple(events.get(word, ()))
    if not other:
        return Join(state="missing", events=seen)
    alone = len(other) == 1 and len(own) <= 1
    return Join(state="joined" if alone else "several", to=tuple(other), events=seen)


def _id(block: Block) -> SourceText | None:
    """The id by which a block is joined: that of a call, or the one that it says a call has."""
    word: Word = block.id if block.kind == "tool_use" else block.tool_use_id
    if block.kind == "event" and isinstance(word, Unset):
        word = block.id
    return None if word is None or isinstance(word, Unset) or word == "" else word


def _sorted(counts: "Counter[T]") -> tuple[tuple[T, int], ...]:
    return tuple(sorted(counts.items()))
