"""One session of an agent, as its events tell it: kinds, processes, calls, gates, sweeps, marks, and findings.

- Memory is bounded by what is open: calls without a partner, kinds, and four bytes for each number of a counter.
- Events without a number are compared with the last `RECENT` ones only, to tell a duplicate.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from agentaudit.adapters.otlp.calls import DECISION, RESULT, Calls, Where
from agentaudit.adapters.otlp.dialects import Dialect
from agentaudit.adapters.otlp.events import Event
from agentaudit.adapters.otlp.gates import Gates
from agentaudit.adapters.otlp.processes import Process, Processes, print_of
from agentaudit.adapters.otlp.span import Span
from agentaudit.adapters.otlp.values import EXACT_MAX, Fields, number_of, text_of
from agentaudit.model.stream import PLACES_MAX, Place, StreamFinding

RECENT: Final = 4_096
KINDS_MAX: Final = 256
_SWEEP: Final = "retention_sweep"
_SETTLED: Final = "managed_settings_resolved"
_DELETED: Final = ("transcripts_deleted", "session_files_deleted", "artifacts_deleted")


class Producer:
    """One version of a service, and how many records it sent."""

    def __init__(self, name: str, version: str | None) -> None:
        """Begin with its first record."""
        self.name = name
        self.version = version
        self.records = 0


class Session:
    """One session, by the id that the agent gives it; `mark` counts what was seen of its events."""

    def __init__(self, dialect: Dialect, number: int, name: str) -> None:
        """Begin with its first event."""
        self.dialect = dialect
        self._counter = dialect.sequence
        self.key = f"session/{number:06d}"
        self.name = name
        self.events = 0
        self.kinds: dict[str, int] = {}
        self.producers: dict[Producer, int] = {}
        self.processes = Processes()
        self.calls = Calls(dialect)
        self.gates = Gates(dialect)
        self.marks: Counter[str] = Counter()
        self.sweeps: Counter[str] = Counter()
        self.swept: list[Where] = []
        self.installation: str | None = None
        self.span = Span()
        self._recent: dict[tuple[int, str, str | None], None] = {}

    def see(self, event: Event, where: Where, marks: set[str]) -> tuple[Process | None, int | None]:
        """Take an event; its process and its number there, where it has one. `marks` are added to."""
        kind, fields, moment, at = event.kind, event.fields, event.moment, event.at
        self.events += 1
        before = self.kinds.get(kind)
        if before is None:
            kind_told = kind if len(self.kinds) < KINDS_MAX else ""
            self.kinds[kind_told] = self.kinds.get(kind_told, 0) + 1
        else:
            self.kinds[kind] = before + 1
        self.span.meet(moment, at)
        order = number_of(fields.get(self._counter))
        if order is None or order < 0:
            process, order = None, None
            self._unnumbered(event, marks)
        else:
            mark = print_of(kind, at)
            process = self.processes.current
            if process is None or not process.follows(order, moment, at, mark):
                process, step = self.processes.take(order, moment, at, mark)
                if step != "next":
                    marks.add(step)
        if kind in self.gates.gated and self.gates.see(kind, fields):
            marks.add("redacted")
        if "duplicate" not in marks:
            self._content(kind, fields, where)
        return process, order

    def _unnumbered(self, event: Event, marks: set[str]) -> None:
        """Remember an event without a number; one like it among the recent ones makes it a duplicate."""
        moment = (event.moment, event.kind, text_of(event.fields.get(self.dialect.call)))
        if moment in self._recent:
            marks.add("duplicate")
        elif len(self._recent) >= RECENT:
            del self._recent[next(iter(self._recent))]
        self._recent[moment] = None

    def _content(self, kind: str, fields: Fields, where: Where) -> None:
        """What an event means, once."""
        if kind == DECISION:
            self.calls.decided(fields, where)
        elif kind == RESULT:
            self.calls.came(fields, where)
        elif kind == _SWEEP:
            self._sweep(fields, where)
        if self.installation is None:
            self.installation = text_of(fields.get("user.id"))

    def _sweep(self, fields: Fields, where: Where) -> None:
        self.sweeps["retention_sweeps"] += 1
        self.swept.append(where)
        for name in _DELETED:
            self.sweeps[name] = min(EXACT_MAX, self.sweeps[name] + max(0, number_of(fields.get(name)) or 0))

    def findings(self) -> Iterator[StreamFinding]:
        """What there is to say, by code."""
        calls = self.calls
        several: dict[str, Iterable[Where]] = {
            "accepted_without_result": calls.accepted.values(),
            "rejected_with_result": calls.rejected_with_result,
            "result_without_decision": calls.undecided.values(),
            "retention_sweep": self.swept,
        }
        found = [
            StreamFinding(code=code, count=len(places), places=tuple(map(place_of, places[:PLACES_MAX])))
            for code, wheres in several.items()
            if (places := sorted(wheres))
        ]
        found += [StreamFinding(code=f"events_{mark}", count=count) for mark, count in self.marks.items()]
        if len(self.processes.all) > 1:
            found.append(StreamFinding(code="sequence_reset", count=len(self.processes.all) - 1))
        if self.dialect.agent == "claude-code" and _SETTLED not in self.kinds:
            found.append(StreamFinding(code="no_settings_event", count=1))
        yield from sorted(found, key=lambda one: one.code)


def place_of(where: Where) -> Place:
    """A place out of its parts."""
    item, offset, *_ = where
    return Place(item=item, offset=offset, pointer=pointer_of(where))


def pointer_of(where: Where) -> str:
    """The JSON pointer of a record, which holds for the other encodings too."""
    return f"/resourceLogs/{where[2]}/scopeLogs/{where[3]}/logRecords/{where[4]}"
