"""The ordinals of a rollout: whether its records count 0, 1, 2 ... to its end, and what lacks where they do not.

- An ordinal above the one that is expected opens a gap; one that lies in a gap fills it and is late; any other that is
  below the expected one is a repeat.
- Memory is bounded: beyond `GAPS_MAX` open gaps nothing is said of what is missing, repeated or late.
- An ordinal is an integer from 0 below 2^53; anything else is odd.
"""

from bisect import bisect_right
from typing import Final, Literal

from agentaudit.encoding.foreign import Json
from agentaudit.model.codex import OrdinalFacts

GAPS_MAX: Final = 4_096
SHOWN_MAX: Final = 64
_LIMIT: Final = 2**53


class Ordinals:
    """The ordinals seen so far; `known` is false once there were too many gaps."""

    __slots__ = ("_first", "_gaps", "_last", "_late", "_limit", "_numbered", "_odd", "_repeats", "_unnumbered", "known")

    def __init__(self, limit: int = GAPS_MAX) -> None:
        self.known = True
        self._limit = limit
        self._first: int | None = None
        self._last = -1
        self._gaps: list[tuple[int, int]] = []
        self._numbered = self._unnumbered = self._odd = self._repeats = self._late = 0

    def see(self, ordinal: Json) -> None:
        """One record's ordinal; None when it has none."""
        if ordinal is None:
            self._unnumbered += 1
            return
        if not isinstance(ordinal, int) or isinstance(ordinal, bool) or not 0 <= ordinal < _LIMIT:
            self._odd += 1
            return
        self._numbered += 1
        if self._first is None:
            self._first = ordinal
        if ordinal <= self._last:
            self._see_again(ordinal)
            return
        if ordinal > self._last + 1:
            self._open((self._last + 1, ordinal - 1))
        self._last = ordinal

    def facts(self) -> OrdinalFacts:
        """What was seen so far."""
        return OrdinalFacts(
            state=self._state(),
            numbered=self._numbered,
            unnumbered=self._unnumbered,
            odd=self._odd,
            first=self._first,
            last=None if self._first is None else self._last,
            missing=sum(last - first + 1 for first, last in self._gaps) if self.known else None,
            gaps=tuple(self._gaps[:SHOWN_MAX]),
            repeats=self._repeats if self.known else None,
            late=self._late if self.known else None,
        )

    def _state(self) -> Literal["contiguous", "broken", "partly", "unnumbered", "empty"]:
        if not self._numbered:
            return "broken" if self._odd else "unnumbered" if self._unnumbered else "empty"
        if self._gaps or self._repeats or self._late or self._odd or not self.known:
            return "broken"
        return "partly" if self._unnumbered else "contiguous"

    def _open(self, gap: tuple[int, int]) -> None:
        if len(self._gaps) >= self._limit:
            self.known = False
            return
        self._gaps.append(gap)

    def _see_again(self, ordinal: int) -> None:
        """An ordinal below the expected one: it fills a gap, or was there before."""
        at = bisect_right(self._gaps, (ordinal, _LIMIT)) - 1
        first, last = self._gaps[at] if at >= 0 else (_LIMIT, -1)
        if not first <= ordinal <= last:
            self._repeats += 1
            return
        self._late += 1
        rest = [(first, ordinal - 1), (ordinal + 1, last)]
        self._gaps[at : at + 1] = [gap for gap in rest if gap[0] <= gap[1]]
