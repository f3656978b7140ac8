"""`python -m benchmarks`: run them, print the table, keep the rounds as JSON.

- The exit status is 0 whatever was measured; with `--strict` it is 1 when a target was missed.
- A benchmark that cannot be run is told and counts as a miss; the others go on.
- Every child finds its byte code compiled, as an installed program does, whatever the caller's environment says; it
  lies in a folder of the run, and the rounds that are not counted fill it.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Protocol

from benchmarks import exporting, jsonl, latency, memory, otlp, pages, preserving, starting, verifying
from benchmarks.collecting import scratch
from benchmarks.measure import BenchmarkFault
from benchmarks.report import Report, machine, table, write_json

RESULTS = Path(__file__).parent / "results"


class Measure(Protocol):
    """What every benchmark offers: a folder to work in, whether to be quick."""

    def __call__(self, folder: Path, *, quick: bool) -> Report:
        """The lines that came of it."""
        ...


ALL: tuple[tuple[str, Measure], ...] = (
    *((one.NAME, one.measure) for one in (starting, latency, pages, memory, verifying, exporting, preserving)),
    (preserving.SMALL_NAME, preserving.measure_small),
    *((one.NAME, one.measure) for one in (jsonl, otlp)),
)
# Parts of the ones above, which run only when they are named.
PARTS: tuple[tuple[str, Measure], ...] = ((jsonl.TEXT_NAME, jsonl.measure_text),)


def main(argv: Sequence[str]) -> int:
    """Run what was asked for; the exit status."""
    given = _parser().parse_args(argv)
    chosen = [(name, measure) for name, measure in (*ALL, *PARTS) if name in given.only] if given.only else ALL
    with scratch(given.scratch) as compiled:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = str(compiled)
        reports = [_run(name, measure, given.scratch, quick=given.quick) for name, measure in chosen]
    print(f"\n{', '.join(f'{key} {value}' for key, value in machine().items())}\n")
    print(table(reports))
    path = write_json(RESULTS, reports, quick=given.quick)
    missed = sum(report.misses for report in reports) + sum(not report.lines for report in reports)
    print(f"\n{missed} missed; rounds in {path.relative_to(RESULTS.parent.parent)}")
    return 1 if missed and given.strict else 0


def _run(name: str, measure: Measure, where: Path, *, quick: bool) -> Report:
    print(f"{name} ...", file=sys.stderr, flush=True)
    start = time.perf_counter()
    try:
        with scratch(where) as folder:
            report = measure(folder, quick=quick)
    except BenchmarkFault as fault:
        print(f"{name} could not be measured: {fault}", file=sys.stderr)
        report = Report(name, ())
    took = time.perf_counter() - start
    print(f"{name}: {took:.0f} s", file=sys.stderr, flush=True)
    return replace(report, took_s=took)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="smaller worlds and fewer rounds, under two minutes")
    names = [name for name, _ in (*ALL, *PARTS)]
    parser.add_argument("--only", action="append", choices=names, help="this one; repeatable")
    parser.add_argument("--strict", action="store_true", help="end with 1 when a target is missed")
    parser.add_argument("--scratch", type=Path, default=Path(gettempdir()), help="where cases are made and removed")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
