"""Calls and results, joined by tool-use id and by nothing else.

- Place, order and time join nothing. An id that is null, absent or no text joins nothing either.
- A message that came again adds no call and no result.
- Where more than one call or result has an id, all are named and none is preferred.
"""

from collections import Counter
from typing import TypeVar

import msgspec

from agentaudit.model.base import Unset
from agentaudit.model.readings import Word
from agentaudit.model.text import SourceText
from agentaudit.model.workingcopy import Aside, Block, BlockKind, Join, Message, NotRead, Standing
from agentaudit.transcript.document import Totals

Place = tuple[int, int]

T = TypeVar("T", bound=str)


class Joins:
    """The first pass over a copy: every id with its places, and how much there is."""

    def __init__(self) -> None:
        """Begin with nothing seen."""
        self._calls: dict[SourceText, list[Place]] = {}
        self._results: dict[SourceText, list[Place]] = {}
        self._numbers: Counter[str] = Counter()
        self._standings: Counter[Standing] = Counter()
        self._blocks: Counter[str] = Counter()
        self._clips: Counter[str] = Counter()
        self._asides: Counter[SourceText] = Counter()
        self._halves: list[tuple[BlockKind, SourceText | None]] = []

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
        blocks = tuple(msgspec.structs.replace(one, join=self._join(one.kind, _id(one))) for one in message.blocks)
        return msgspec.structs.replace(message, number=number, blocks=blocks)

    def totals(self) -> Totals:
        """How much the first pass saw."""
        joins = (self._join(kind, word) for kind, word in self._halves)
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
        )

    def _message(self, message: Message) -> None:
        number = self._numbers["messages"] + self._numbers["repeated"] + 1
        self._numbers["repeated" if message.repeated else "messages"] += 1
        if message.repeated:
            return
        self._standings[message.standing] += 1
        for place, block in enumerate(message.blocks):
            self._blocks[block.kind] += 1
            self._clips.update(clip.by for clip in block.clips)
            self._note(block, (number, place))

    def _note(self, block: Block, place: Place) -> None:
        if block.kind not in ("tool_use", "tool_result"):
            return
        found = self._calls if block.kind == "tool_use" else self._results
        word = _id(block)
        self._halves.append((block.kind, word))
        if word is not None:
            found.setdefault(word, []).append(place)

    def _join(self, kind: BlockKind, word: SourceText | None) -> Join | None:
        if kind not in ("tool_use", "tool_result"):
            return None
        if word is None:
            return Join(state="no_id")
        ours, theirs = self._calls.get(word, []), self._results.get(word, [])
        if kind == "tool_result":
            ours, theirs = theirs, ours
        if not theirs:
            return Join(state="missing")
        alone = len(theirs) == 1 and len(ours) <= 1
        return Join(state="joined" if alone else "several", to=tuple(theirs))


def _id(block: Block) -> SourceText | None:
    word: Word = block.id if block.kind == "tool_use" else block.tool_use_id
    return None if word is None or isinstance(word, Unset) or word == "" else word


def _sorted(counts: "Counter[T]") -> tuple[tuple[T, int], ...]:
    return tuple(sorted(counts.items()))
