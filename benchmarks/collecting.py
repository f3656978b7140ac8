"""The real commands on a case of their own: open, collect, verify; and what the journal says of a collection.

- A collection is the whole process of `agentaudit collect-sessions`: interpreter, imports, requests, sealing.
- Acquisition ends with the last journal row before `closed`; sealing is everything behind it, exit included.
- Counts come from the journal, not from what the synthetic organisation was built with.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import quote

from benchmarks.measure import BenchmarkFault, Run, run
from benchmarks.serving import Served

PROGRAM = Path(sys.executable).with_name("agentaudit")
RATE = "600000"


@dataclass(frozen=True, slots=True)
class Collection:
    """One collection: its process, where its exhibit lies, when acquisition ended, what was asked and kept."""

    process: Run
    exhibit: Path
    acquired: float
    requests: int
    transcript_pages: int
    payload_bytes: int

    @property
    def acquisition_s(self) -> float:
        """From the start of the process until the last thing acquired was committed."""
        return self.acquired - self.process.began

    @property
    def sealing_s(self) -> float:
        """From there to the end of the process."""
        return self.process.ended - self.acquired


@contextmanager
def scratch(where: Path) -> Iterator[Path]:
    """A folder that is gone afterwards."""
    folder = Path(mkdtemp(prefix="agentaudit-bench-", dir=where))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def collect(folder: Path, source: Served, options: Sequence[str] = (), *, connections: int = 4) -> Collection:
    """Collect into a new case below the folder; an older one of this function is removed before."""
    case = folder / "case"
    shutil.rmtree(case, ignore_errors=True)
    said = ("--number", "B-1", "--title", "Benchmark", "--examiner", "B. Bench", "--authority", "none needed")
    run((PROGRAM, "open", case, *said, "--quiet"))
    words = (PROGRAM, "collect-sessions", case, "--api-root", source.url, "--requests-per-minute", RATE)
    key = {"ANTHROPIC_COMPLIANCE_ACCESS_KEY": source.key}
    process = run((*words, "--connections", str(connections), "--quiet", *options), env=key)
    return _told(process, case / "EX-0001")


def collections(results: Iterable[object]) -> tuple[Collection, ...]:
    """Those results that are collections."""
    return tuple(one for one in results if isinstance(one, Collection))


def transcript_targets(exhibit: Path) -> tuple[str, ...]:
    """Path and query of every transcript page of an exhibit, in the order of the journal."""
    return tuple(_target(row["exchange"]) for row in _answers(exhibit) if _is_transcript(row))


def _target(exchange: object) -> str:
    match exchange:
        case {"url": str(url), "query": [*pairs]}:
            query = "&".join(f"{quote(str(name), safe='')}={quote(str(value), safe='')}" for name, value in pairs)
            return f"/v1/{url.partition('/v1/')[2]}?{query}"
        case _:
            raise BenchmarkFault("the journal holds an answer without its question")


def _told(process: Run, exhibit: Path) -> Collection:
    requests = pages = payload = 0
    for row in _answers(exhibit):
        requests += 1
        pages += _is_transcript(row)
        item = row["item"]
        payload += int(item["bytes"]) if isinstance(item, dict) else 0
    return Collection(process, exhibit, _acquired(exhibit), requests, pages, payload)


def _acquired(exhibit: Path) -> float:
    """The instant of the last row that is not `closed`, in seconds of the system's clock."""
    last = ""
    for row in _rows(exhibit):
        if row["event"] != "closed":
            last = str(row["at"])
    if not last:
        raise BenchmarkFault(f"{exhibit} has no journal")
    return datetime.fromisoformat(last).timestamp()


def _answers(exhibit: Path) -> Iterator[dict[str, object]]:
    return (row for row in _rows(exhibit) if row["event"] == "answered")


def _rows(exhibit: Path) -> Iterator[dict[str, object]]:
    with (exhibit / "agentaudit" / "journal.jsonl").open("rb") as stream:
        for line in stream:
            row: object = json.loads(line)
            if isinstance(row, dict):
                yield row


def _is_transcript(row: dict[str, object]) -> bool:
    return "/messages/" in str(row["item"])
