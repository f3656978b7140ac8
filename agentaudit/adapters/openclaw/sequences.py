"""What the ledger's own numbers say of what is here, and what they do not.

- Numbers rise by one for each act that the writer tried to insert. A hole is a hole and no deletion: a repeated act is
  ignored on insertion and SQLite spends a number on it all the same (measured: three inserts, one ignored, gave 1, 3).
- A lowest number above 1 is a head that was pruned, or that was never asked for.
- An event that came twice with the same content is an overlap; with other content it is a conflict.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from agentaudit.adapters.openclaw.events import sequence_of
from agentaudit.adapters.openclaw.tables import AUDIT_EVENTS, CAPS
from agentaudit.model.stream import PLACES_MAX, EventRow, OrderRun, Place, StreamFinding

RETENTION_DAYS: Final = 30
DAY_MS: Final = 86_400_000

_FINISH: Final = {"agent.run.started": "agent.run.finished", "tool.action.started": "tool.action.finished"}


class Sequences:
    """The numbers of one way of reading the ledger; events are taken as they come, in any order."""

    def __init__(self) -> None:
        """Nothing was seen."""
        self.events = 0
        self._seen: dict[int, tuple[str | None, Place]] = {}
        self._places: dict[str, list[Place]] = {}
        self._counts: dict[str, int] = {}
        self._open: dict[tuple[str, str, str], Place] = {}
        self._done: set[tuple[str, str, str]] = set()
        self._times: list[int] = []

    def take(self, row: EventRow) -> str | None:
        """Take one event; `duplicate` when it was here before, `conflict` when its number was, with another event."""
        self.events += 1
        self._note_run(row)
        if isinstance(row.at, str):
            at = int(row.at)
            self._times = [min([*self._times[:1], at]), max([*self._times[1:], at])]
        number = sequence_of(row)
        if number is None:
            return None
        said = row.id if isinstance(row.id, str) else None
        earlier = self._seen.setdefault(number, (said, row.place))
        if earlier[1] == row.place:
            return None
        mark = "duplicate" if earlier[0] == said else "conflict"
        self.note("overlap" if mark == "duplicate" else "sequence_conflict", row.place)
        return mark

    def note(self, code: str, place: Place | None) -> None:
        """Count what a check says, with its first places."""
        self._counts[code] = self._counts.get(code, 0) + 1
        places = self._places.setdefault(code, [])
        if place is not None and len(places) < PLACES_MAX:
            places.append(place)

    @property
    def first_at(self) -> int | None:
        """The earliest time, Unix ms."""
        return self._times[0] if self._times else None

    @property
    def last_at(self) -> int | None:
        """The latest time, Unix ms."""
        return self._times[1] if self._times else None

    def runs(self) -> tuple[OrderRun, ...]:
        """The unbroken rises of the numbers that are here."""
        return tuple(runs_of(sorted(self._seen)))

    def counts(self) -> tuple[tuple[str, int], ...]:
        """The numbers that a reader weighs; sorted."""
        numbers = sorted(self._seen)
        found = {"distinct": len(numbers), "retention_days": RETENTION_DAYS, "rows_cap": CAPS[AUDIT_EVENTS.name]}
        if numbers:
            found |= {"highest_sequence": numbers[-1], "lowest_sequence": numbers[0]}
            found["numbers_not_here"] = numbers[-1] - numbers[0] + 1 - len(numbers)
        if self.first_at is not None and self.last_at is not None:
            found["span_days"] = (self.last_at - self.first_at) // DAY_MS
        return tuple(sorted(found.items()))

    def findings(self) -> tuple[StreamFinding, ...]:
        """What the checks found, by code; asked once, after the last event."""
        runs = self.runs()
        for later in runs[1:]:
            self.note("hole", self._seen[later.first][1])
        if runs and runs[0].first > 1:
            self.note("pruned_head", self._seen[runs[0].first][1])
        for key in sorted(self._open.keys() - self._done):
            self.note("start_without_finish", self._open[key])
        return tuple(
            StreamFinding(code=code, count=count, places=tuple(self._places[code]))
            for code, count in sorted(self._counts.items())
        )

    def _note_run(self, row: EventRow) -> None:
        words, keys = dict(row.words), dict(row.keys)
        action, run = words.get("action"), keys.get("run")
        if not isinstance(action, str) or not isinstance(run, str):
            return
        call = keys.get("tool_call")
        who = call if isinstance(call, str) else ""
        if action in _FINISH:
            self._open.setdefault((run, who, _FINISH[action]), row.place)
        else:
            self._done.add((run, who, action))


def runs_of(numbers: Sequence[int]) -> Iterator[OrderRun]:
    """The unbroken rises of sorted, distinct numbers."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = number
        elif number != last + 1:
            yield OrderRun(first=first, last=last, events=last - first + 1)
            first = number
        last = number
    if first is not None and last is not None:
        yield OrderRun(first=first, last=last, events=last - first + 1)
