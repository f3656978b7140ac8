"""Streams and events of a sibling source as an export tells them.

- Without names no id of the source leaves here; kinds, words of closed vocabularies, times, numbers and findings do.
"""

from agentaudit.export.lines import EventLine, Facts, StreamLine, Way
from agentaudit.model.stream import EventRow, StreamRow, Word
from agentaudit.model.text import SourceText, Unencodable, display


def stream_line(exhibit: str, row: StreamRow, way: Way, *, names: bool) -> StreamLine:
    """One row of streams.jsonl."""
    producers = tuple(("producer", _producer(*one)) for one in row.producers)
    kinds = tuple((f"kind {display(kind)}", str(count)) for kind, count in row.kinds)
    counts = tuple((name, str(count)) for name, count in row.counts)
    words = tuple((name, display(word)) for name, word in row.words)
    runs = tuple(("run", f"{run.first} to {run.last}, {run.events} here") for run in row.runs)
    return StreamLine(
        exhibit=exhibit,
        stream=row.stream,
        kind=row.kind,
        within=row.within,
        name=row.name if names else None,
        form=row.form,
        events=row.events,
        first_at=_text(row.first_at),
        last_at=_text(row.last_at),
        findings=tuple((finding.code, finding.count) for finding in row.findings),
        more=(*producers, *kinds, *counts, *words, *runs),
        way=way,
    )


def event_line(exhibit: str, row: EventRow, way: Way, *, names: bool) -> EventLine:
    """One row of events.jsonl."""
    return EventLine(
        exhibit=exhibit,
        stream=row.stream,
        kind=row.kind,
        at=_text(row.at),
        order=row.order if isinstance(row.order, int) else None,
        id=_text(row.id) if names else None,
        keys=_pairs(row.keys) if names else (),
        words=_pairs(row.words),
        numbers=row.numbers,
        marks=row.marks,
        offset=row.place.offset,
        table_row=row.place.row if isinstance(row.place.row, int) else None,
        way=way,
    )


def _pairs(pairs: tuple[tuple[str, SourceText], ...]) -> Facts:
    return tuple((name, display(word)) for name, word in pairs)


def _producer(name: SourceText, version: SourceText | None, events: int) -> str:
    return f"{display(name)} {display(version) if version is not None else 'of unknown version'}: {events}"


def _text(word: Word) -> str | None:
    return display(word) if isinstance(word, str | Unencodable) else None
