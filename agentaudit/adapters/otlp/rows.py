"""The rows of streams that a ledger gives: services, sessions, processes, files, folders of rotated sets."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from agentaudit.adapters.otlp.filetally import FileTally
from agentaudit.adapters.otlp.ledger import Ledger, Service
from agentaudit.adapters.otlp.processes import Process
from agentaudit.adapters.otlp.sessions import Producer, Session
from agentaudit.adapters.otlp.telling import WORD_MAX
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.stream import OrderRun, StreamFinding, StreamRow
from agentaudit.model.text import SourceText, source_text

RUNS_MAX: Final = 1_000
"""Runs of a counter that a row names at most; how many there are is counted."""


def service_row(service: Service) -> StreamRow:
    """A service: how many records it sent, of which versions."""
    return StreamRow(
        stream=service.key,
        kind="service",
        name=source_text(service.name) if service.name else None,
        events=service.records,
        producers=_producers({one: one.records for one in service.producers.values()}),
        kinds=_kinds(service.kinds),
        findings=tuple(
            StreamFinding(code=f"events_{mark}", count=count) for mark, count in sorted(service.marks.items())
        ),
    )


def session_rows(ledger: Ledger) -> Iterator[StreamRow]:
    """Each session and each of its processes."""
    ends = _ends(ledger)
    for session in ledger.sessions:
        yield _session_row(session)
        for process in session.processes.all:
            yield _process_row(session, process, ends)


def _session_row(session: Session) -> StreamRow:
    counts = session.calls.counts + session.sweeps
    counts["processes"] = len(session.processes.all)
    counts["duplicates"] = session.marks["duplicate"]
    return StreamRow(
        stream=session.key,
        kind="session" if session.dialect.agent == "claude-code" else "conversation",
        name=source_text(session.name),
        events=session.events,
        first_at=_at(session.span.first_at),
        last_at=_at(session.span.last_at),
        producers=_producers(session.producers),
        kinds=_kinds(session.kinds),
        counts=_counts(counts),
        words=(
            ("agent", session.dialect.agent),
            *((f"observed.{name}", state) for name, state in session.gates.told()),
        ),
        findings=tuple(session.findings()),
    )


_Ends = dict[tuple[str | None, int], list[tuple[int, str, str]]]


def _ends(ledger: Ledger) -> _Ends:
    """Where processes end: by installation and last number, their time, session and key."""
    found: _Ends = {}
    for session in ledger.sessions:
        for process in session.processes.all:
            end = (process.last_moment, session.key, process.key)
            found.setdefault((session.installation, process.last), []).append(end)
    return found


def _process_row(session: Session, process: Process, ends: _Ends) -> StreamRow:
    runs = process.runs()
    told = tuple(islice(runs, RUNS_MAX))
    missing, more, before = 0, 0, None
    for run in (*told, *runs):
        missing += 0 if before is None else run.first - before - 1
        before, more = run.last, more + 1
    counts = Counter(missing=missing, runs=more, late=process.late, duplicates=process.duplicates)
    return StreamRow(
        stream=process.key,
        kind="process",
        within=session.key,
        events=process.events,
        first_at=_at(process.first_at),
        last_at=_at(process.last_at),
        counts=_counts(counts),
        words=_continues(session, process, ends),
        runs=told,
        findings=_process_findings(session, process, told, counts),
    )


def _process_findings(
    session: Session, process: Process, told: tuple[OrderRun, ...], counts: Counter[str]
) -> tuple[StreamFinding, ...]:
    found = {
        "sequence_backwards_in_time": process.backwards,
        "sequence_begins_late": process.first - session.dialect.first if told[0].first > session.dialect.first else 0,
        "sequence_gap": counts["missing"],
        "sequence_late": process.late,
    }
    return tuple(StreamFinding(code=code, count=count) for code, count in sorted(found.items()) if count > 0)


def _continues(session: Session, process: Process, ends: _Ends) -> tuple[tuple[str, SourceText], ...]:
    """The one process of another session of the same installation that ends where this one begins: a candidate."""
    if session.installation is None:
        return ()
    found = [
        key
        for moment, other, key in ends.get((session.installation, process.first - 1), ())
        if other != session.key and moment <= process.first_moment
    ]
    return (("may_continue", found[0]),) if len(found) == 1 else ()


def file_row(tally: FileTally, name: SourceText | None, within: str | None, rotated_at: str | None) -> StreamRow:
    """A file: its form, what was read of it, and what was not."""
    words: dict[str, SourceText] = {f"configured.{switch}": value for switch, value in tally.configured.items()}
    if tally.compression is not None:
        words["compression"] = tally.compression
    if rotated_at:
        words["rotated_at"] = rotated_at
    counts = Counter({key: count for key, count in tally.counts.items() if key != "events"})
    return StreamRow(
        stream=tally.key,
        kind="file",
        name=name,
        within=within,
        item=tally.item,
        form=tally.form,
        events=tally.counts["events"],
        first_at=_at(tally.span.first_at),
        last_at=_at(tally.span.last_at),
        counts=_counts(counts),
        words=tuple(sorted(words.items(), key=lambda pair: pair[0])),
        findings=tally.findings(),
    )


def _at(time: str) -> SourceText | Unset:
    """A time as the source wrote it; none where no event had one."""
    return source_text(time[:WORD_MAX]) if time else UNSET


def _producers(found: Mapping[Producer, int]) -> tuple[tuple[SourceText, SourceText | None, int], ...]:
    rows = sorted(found.items(), key=lambda pair: (pair[0].name, pair[0].version or ""))
    return tuple(
        (source_text(one.name), None if one.version is None else source_text(one.version), count)
        for one, count in rows
        if count
    )


def _kinds(found: Mapping[str, int]) -> tuple[tuple[SourceText, int], ...]:
    return tuple((source_text(kind), count) for kind, count in sorted(found.items()))


def _counts(found: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((name, count) for name, count in found.items() if count))
