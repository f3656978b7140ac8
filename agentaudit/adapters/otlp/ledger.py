"""All that the files together tell: services, sessions, their processes; and the rows of events on the way.

- A service that is none of our agents is counted, and nothing of its records is looked at.
- Sessions and services get their numbers in the order in which they come.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import msgspec

from agentaudit.adapters.otlp.bodies import base_name
from agentaudit.adapters.otlp.calls import Where
from agentaudit.adapters.otlp.dialects import DIALECTS, AgentName, Dialect, agent_of
from agentaudit.adapters.otlp.events import Event, clippings, event_of, may_be_clipped
from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.processes import Process
from agentaudit.adapters.otlp.sessions import Producer, Session, place_of, pointer_of
from agentaudit.adapters.otlp.telling import Telling
from agentaudit.adapters.otlp.values import Document, LogRecord, ResourceLogs, fields_of, text_of
from agentaudit.model.losses import Truncation
from agentaudit.model.stream import EventRow

NAME_MAX: Final = 256
SESSIONS_MAX: Final = 100_000
"""Sessions of which the state is held; the events of further ones are told of their service."""


class Service:
    """One value of `service.name`, and what it sent, by its version."""

    def __init__(self, number: int, name: str) -> None:
        """Begin with its first record."""
        self.key = f"service/{number:06d}"
        self.name = name
        self.producers: dict[str | None, Producer] = {}
        self.kinds: Counter[str] = Counter()
        self.marks: Counter[str] = Counter()

    @property
    def records(self) -> int:
        """How many records it sent."""
        return sum(one.records for one in self.producers.values())

    def of(self, version: str | None) -> Producer:
        """The producer of that version."""
        found = self.producers.get(version)
        if found is None:
            found = self.producers[version] = Producer(self.name, version)
        return found


class _Sent(msgspec.Struct, frozen=True, gc=False):
    """Where records come from: the file, the service with its version; of an agent, its sessions and their rows."""

    file: FileTally
    service: Service
    producer: Producer
    dialect: Dialect
    session: str
    sessions: dict[str | None, Session]
    telling: Telling


class Ledger:
    """The state of one reading; `rows` false leaves the rows of events out, `sessions_max` bounds the memory."""

    def __init__(self, *, rows: bool = True, sessions_max: int = SESSIONS_MAX) -> None:
        """Nothing was read."""
        self.rows = rows
        self.sessions_max = sessions_max
        self.services: dict[str, Service] = {}
        self.sessions: list[Session] = []
        self.processes = 0
        self._events: list[EventRow] = []
        self._clipped: list[Truncation] = []
        self._of: dict[AgentName, tuple[dict[str | None, Session], Telling]] = {
            one.agent: ({}, Telling(one)) for one in DIALECTS
        }

    def events(self) -> Iterator[EventRow]:
        """The rows since the last call."""
        rows, self._events = self._events, []
        yield from rows

    def clipped(self) -> Iterator[Truncation]:
        """The truncations since the last call."""
        rows, self._clipped = self._clipped, []
        yield from rows

    def add(self, row: EventRow) -> None:
        """A row that another reader made."""
        if self.rows:
            self._events.append(row)

    def document(self, file: FileTally, offset: int, document: Document) -> None:
        """Take one document of a file."""
        counts = file.counts
        counts["documents"] += 1
        if document.resourceMetrics is not None:
            counts["metrics_documents"] += 1
        if document.resourceSpans is not None:
            counts["traces_documents"] += 1
        for place, resource in enumerate(document.resourceLogs or ()):
            self._resource(file, offset, place, resource)

    def _resource(self, file: FileTally, offset: int, number: int, resource: ResourceLogs) -> None:
        known = fields_of(None if resource.resource is None else resource.resource.attributes)
        name = (text_of(known.get("service.name")) or "")[:NAME_MAX]
        version = text_of(known.get("service.version"))
        version = version and version[:NAME_MAX]
        service = self.services.get(name) or self._service(name)
        producer, dialect = service.of(version), agent_of(name)
        sent = None
        if dialect is not None:
            sent = _Sent(file, service, producer, dialect, dialect.session, *self._of[dialect.agent])
        for place, scope in enumerate(resource.scopeLogs or ()):
            records = scope.logRecords
            if not records:
                continue
            producer.records += len(records)
            file.counts["records"] += len(records)
            if sent is None:
                file.counts["other_records"] += len(records)
                continue
            file.counts["events"] += len(records)
            for at, record in enumerate(records):
                self._record(sent, record, (file.item, offset, number, place, at))

    def _service(self, name: str) -> Service:
        service = self.services[name] = Service(len(self.services) + 1, name)
        return service

    def _record(self, sent: _Sent, record: LogRecord, where: Where) -> None:
        event = event_of(sent.dialect, record)
        fields = event.fields
        marks: set[str] = set()
        sent.file.span.meet(event.moment, event.at)
        if not event.known:
            marks.add("unknown_kind")
        if event.dropped:
            marks.add("dropped_attributes")
        named = fields.get(sent.session)
        session = None if named is None else sent.sessions.get(named.stringValue)
        if session is None:
            session = self._session(sent, None if named is None else named.stringValue, marks)
        if session is None:
            order, stream = None, sent.service.key
            sent.service.kinds[event.kind if event.known else ""] += 1
        else:
            session.producers[sent.producer] = session.producers.get(sent.producer, 0) + 1
            process, order = session.see(event, where, marks)
            stream = session.key if process is None else process.key or self._key(process)
        if may_be_clipped(fields):
            self._clip(event, stream, where, marks)
        if "body_ref" in fields:
            _refer(sent.file, fields["body_ref"].stringValue or "", where, marks)
        if marks:
            (sent.service if session is None else session).marks.update(marks)
        if self.rows:
            self._events.append(sent.telling.row(event, stream, place_of(where), order, marks))

    def _session(self, sent: _Sent, name: str | None, marks: set[str]) -> Session | None:
        """The session that is named for the first time; None for no name, one that is no id, or one too many."""
        if not name or len(name) > NAME_MAX:
            marks.add("session_over_limit" if name else "no_session")
            return None
        if len(self.sessions) >= self.sessions_max:
            marks.add("sessions_over_limit")
            return None
        session = sent.sessions[name] = Session(sent.dialect, len(self.sessions) + 1, name)
        self.sessions.append(session)
        return session

    def _key(self, process: Process) -> str:
        self.processes += 1
        process.key = f"process/{self.processes:06d}"
        return process.key

    def _clip(self, event: Event, stream: str, where: Where, marks: set[str]) -> None:
        for name, basis, octets in clippings(event.fields):
            marks.add("cut")
            self._clipped.append(
                Truncation(
                    session=stream,
                    walk="telemetry",
                    page=0,
                    item=where[0],
                    pointer=pointer_of(where),
                    block_type=name,
                    by="marker",
                    basis=("flag",) if basis == "flag" else ("suffix",),
                    kept_bytes=octets,
                    limit_bytes=None,
                    raise_parameter=None,
                )
            )


def _refer(file: FileTally, reference: str, where: Where, marks: set[str]) -> None:
    """Look up the file that a record refers to."""
    state = file.refer(base_name(reference), where[1], pointer_of(where))
    if state != "resolved":
        marks.add(f"body_{state}")
