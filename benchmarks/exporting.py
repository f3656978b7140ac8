"""What an export of 100,000 payload files costs: time, memory, and whether both grow as they should.

A case is collected from small pages, at two sizes a factor of ten apart. Measured is the whole process of `agentaudit
export-manifest` with every format but the load file, check included, and beside it the process of the check alone:
the difference, in CPU seconds, is the export. Limits: an export of ten times as many files costs at most thirteen
times as much (linear, with room for noise), and its process is at most 64 MiB above the check's at either size (flat).
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.collecting import PROGRAM, RATE
from benchmarks.measure import MIB, Run, run
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Served, Spec, served

NAME = "export"
PAGES = 100
PAGE_BYTES = 4_000
GROWTH = 13.0
ABOVE_MIB = 64.0
ROUNDS = 2
LIMIT_S = 880.0
"""The synthetic organisation ends after 900 s."""

_FORMATS = tuple(word for name in ("json", "csv", "md", "html", "case") for word in ("--format", name))


@dataclass(frozen=True, slots=True)
class _Size:
    """One size: its files, and the two processes, round by round."""

    files: int
    verified: tuple[Run, ...]
    exported: tuple[Run, ...]
    written_bytes: int

    @property
    def export_s(self) -> tuple[float, ...]:
        """CPU seconds of the export without its check."""
        return tuple(both.cpu_s - check.cpu_s for both, check in zip(self.exported, self.verified, strict=True))

    @property
    def above(self) -> tuple[float, ...]:
        """Peak memory above that of the check alone, in MiB."""
        pairs = zip(self.exported, self.verified, strict=True)
        return tuple((both.peak_bytes - check.peak_bytes) / MIB for both, check in pairs)


def measure(folder: Path, *, quick: bool) -> Report:
    """Two sizes, a factor of ten apart."""
    sessions = (10, 100) if quick else (100, 1_000)
    small, large = (_size(folder, number, 1 if quick else ROUNDS) for number in sessions)
    return Report(NAME, tuple(_lines(small, large)))


def _size(folder: Path, sessions: int, rounds: int) -> _Size:
    with served(Spec("pages", sessions, PAGES, PAGE_BYTES)) as source:
        case = _collected(folder, source)
    verified, exported, written = [], [], 0
    for number in range(rounds):
        out = folder / f"export-{number}"
        verified.append(run((PROGRAM, "verify", case), limit_s=LIMIT_S))
        argv: Sequence[str | Path] = (PROGRAM, "export-manifest", case, *_FORMATS, "--out", out, "--quiet")
        exported.append(run(argv, limit_s=LIMIT_S))
        written = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
        shutil.rmtree(out)
    files = sum(1 for path in (case / "EX-0001" / "data").rglob("*") if path.is_file())
    return _Size(files, tuple(verified), tuple(exported), written)


def _collected(folder: Path, source: Served) -> Path:
    """A case of one exhibit; a hundred thousand pages take longer than other benchmarks allow a process."""
    case = folder / "case"
    shutil.rmtree(case, ignore_errors=True)
    said = ("--number", "B-1", "--title", "Benchmark", "--examiner", "B. Bench", "--authority", "none needed")
    run((PROGRAM, "open", case, *said, "--quiet"))
    words = (PROGRAM, "collect-sessions", case, "--api-root", source.url, "--requests-per-minute", RATE, "--quiet")
    run(words, env={"ANTHROPIC_COMPLIANCE_ACCESS_KEY": source.key}, limit_s=LIMIT_S)
    return case


def _lines(small: _Size, large: _Size) -> Iterator[Line]:
    growth = tuple(one / other for one, other in zip(large.export_s, small.export_s, strict=True))
    more = f"{large.files / small.files:.1f} times as many files"
    for one in (large, small):
        remark = f"{one.written_bytes / MIB:.0f} MiB written"
        yield Line(f"CPU of exporting {one.files:,} files, without the check", one.export_s, "s", remark=remark)
        yield Line(
            f"whole export of {one.files:,} files, check included", tuple(each.wall_s for each in one.exported), "s"
        )
        peaks = tuple(each.peak_bytes / MIB for each in one.exported)
        yield Line(f"peak at {one.files:,} files", peaks, "MiB")
        yield Line(f"peak at {one.files:,} files above the check's", one.above, "MiB", Limit("<=", ABOVE_MIB))
    yield Line("growth of the export's cost", growth, limit=Limit("<=", GROWTH), remark=more)
