"""Whether memory stays flat: a list of 100,000 sessions, and one session of 100,000 messages, below 200 MiB.

Measured is the peak of resident memory of the whole process that collects and seals (as wait4 states it), and of
`agentaudit verify` on the result, which rebuilds every reading. The same at 10,000 shows what grows: the difference
is also told as bytes a session or a message. There is no reference tool; the limit is absolute.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.collecting import PROGRAM, Collection, collect
from benchmarks.measure import MIB, Run, run
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Spec, served

NAME = "memory"
TARGET_MIB = 200.0
SESSION_PAGE_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class _Pair:
    """One size: the collection and the verification of what came of it."""

    count: int
    collected: Collection
    verified: Run


def measure(folder: Path, *, quick: bool) -> Report:
    """Two sizes of each shape; both are told, the large one is held against the limit."""
    counts = (2_000, 20_000) if quick else (10_000, 100_000)
    lists = [_pair(folder, Spec("list", count), ("--list-only",)) for count in counts]
    transcripts = [_pair(folder, Spec("session", count, page_bytes=SESSION_PAGE_BYTES), ()) for count in counts]
    return Report(NAME, (*_lines("sessions listed", lists), *_lines("messages of one session", transcripts)))


def _pair(folder: Path, spec: Spec, options: tuple[str, ...]) -> _Pair:
    with served(spec) as source:
        collected = collect(folder, source, options)
    return _Pair(spec.count, collected, run((PROGRAM, "verify", collected.exhibit)))


def _lines(what: str, pairs: list[_Pair]) -> Iterator[Line]:
    small, large = pairs
    for act, few, many in (
        ("collect", small.collected.process, large.collected.process),
        ("verify", small.verified, large.verified),
    ):
        limit = Limit("<", TARGET_MIB)
        yield Line(f"{act}: peak at {large.count:,} {what}", (many.peak_bytes / MIB,), "MiB", limit)
        yield Line(f"{act}: peak at {small.count:,}", (few.peak_bytes / MIB,), "MiB")
        each = (many.peak_bytes - few.peak_bytes) / (large.count - small.count)
        yield Line(f"{act}: growth for each one more", (each,), "bytes")
        yield Line(f"{act}: wall at {large.count:,}", (many.wall_s,), "s")
