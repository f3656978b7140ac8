"""What a line holds that is not one JSON value: complete values, the begins of others, NUL bytes, in their order.

- After a break reading goes on at the nearest `{` before it: that is where a record that was written over begins.
- The search is bounded by a multiple of the line's length, whatever the line holds.
- The class follows from the pieces alone; what fits none of the known faults is `bad_json`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from agentaudit.encoding.jsonl.grammar import Octets, Outcome, Reader, space_end
from agentaudit.model.framing import FaultClass

PIECES_MAX = 100_000
VALUES_MAX = 256
CANDIDATES_MAX = 16
_BUDGET_FACTOR = 8
_BUDGET_LEAST = 65_536
_NULS = re.compile(rb"\0+")

Piece = Literal["value", "cut", "begun", "nul", "bad", "deep"]


@dataclass(frozen=True, slots=True)
class Broken:
    """The class of a broken line, its complete values (the first offsets, all counted), its NUL bytes between them."""

    fault: FaultClass
    values: tuple[int, ...]
    count: int
    nul_bytes: int


@dataclass(slots=True)
class _Walk:
    """The pieces so far, where the next begins, and how many bytes may still be read again."""

    text: Octets
    at: int
    budget: int
    pieces: list[tuple[Piece, int, int]] = field(default_factory=list)

    def read(self, at: int) -> tuple[Outcome, int]:
        """One value from `at`: how it ends, and where."""
        reader = Reader()
        outcome = reader.read(self.text, at)
        self.budget -= reader.at - at
        return outcome, reader.at

    def put(self, piece: Piece, end: int) -> None:
        self.pieces.append((piece, self.at, end))
        self.at = end


def broken(text: Octets, at: int, *, tail: bool) -> Broken:
    """Judge a line from `at` on, of which `judge` found that it is not one value; `tail`: no line feed ends it."""
    walk = _Walk(text, at, _BUDGET_FACTOR * len(text) + _BUDGET_LEAST)
    while _take(walk):
        pass
    values = [begin for piece, begin, _ in walk.pieces if piece == "value"]
    nul_bytes = sum(end - begin for piece, begin, end in walk.pieces if piece == "nul")
    fault = _class_of([piece for piece, _, _ in walk.pieces], tail=tail)
    return Broken(fault, tuple(values[:VALUES_MAX]), len(values), nul_bytes)


def _class_of(pieces: list[Piece], *, tail: bool) -> FaultClass:
    kinds = set(pieces)
    if "deep" in kinds:
        return "depth"
    if "bad" in kinds:
        return "bad_json"
    if kinds & {"cut", "begun"}:
        ends: FaultClass = "incomplete_tail" if tail else "cut"
        return "cut+object" if pieces[-1] == "value" else ends
    return _class_of_whole(pieces)


def _class_of_whole(pieces: list[Piece]) -> FaultClass:
    """The class of complete values and NUL bytes alone."""
    values = pieces.count("value")
    if values > 1:
        return "glued"
    if not values:
        return "nul_run"
    return "nul_prefix" if pieces[0] == "nul" else "nul_suffix"


def _take(walk: _Walk) -> bool:
    """Take one piece; false when nothing can follow it."""
    walk.at = space_end(walk.text, walk.at)
    if walk.at == len(walk.text):
        return False
    if len(walk.pieces) == PIECES_MAX:
        walk.put("bad", len(walk.text))
    elif walk.text[walk.at] == 0:
        walk.put("nul", _nul_end(walk.text, walk.at))
    else:
        _take_value(walk)
    return True


def _take_value(walk: _Walk) -> None:
    outcome, end = walk.read(walk.at)
    if outcome is Outcome.COMPLETE:
        walk.put("value", end)
    elif outcome is Outcome.WRONG:
        _resume(walk, end)
    else:
        walk.put("begun" if outcome is Outcome.PREFIX else "deep", len(walk.text))


def _resume(walk: _Walk, wrong: int) -> None:
    """After a break at `wrong`, go on where another value begins; where none does, the rest is bad."""
    if walk.at < wrong < len(walk.text) and walk.text[wrong] == 0:
        walk.put("cut", wrong)
        return
    for at in _candidates(walk, wrong):
        outcome, end = walk.read(at)
        if outcome is not Outcome.WRONG or end > wrong:
            walk.put("cut", at)
            return
    walk.put("bad", len(walk.text))


def _candidates(walk: _Walk, wrong: int) -> Iterator[int]:
    """The braces at or before the break, nearest first, as long as the budget lasts."""
    at = wrong + 1
    for _ in range(CANDIDATES_MAX):
        at = walk.text.rfind(b"{", walk.at + 1, at)
        if at < 0 or walk.budget <= 0:
            return
        yield at


def _nul_end(text: Octets, at: int) -> int:
    """Where the run of NUL bytes that begins there ends."""
    run = _NULS.match(text, at)
    return run.end() if run else at
