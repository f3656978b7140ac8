"""One child process measured from outside: wall, CPU seconds, peak memory; and contestants that take turns.

- Peak memory is the largest single process of the child's family, as wait4 states it. The kernel counts the
  parent's pages until the exec, so the parent has to stay small: it imports nothing of what it measures.
- A child is bounded in time and is killed by its own id.
- Before each measured run the system's dirty pages are written out: nobody pays for another's.
"""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import TypeVar

T = TypeVar("T")

LIMIT_S = 300.0
MIB = 1024 * 1024
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


class BenchmarkFault(Exception):
    """A contestant did not do its work, so there is nothing to measure."""


@dataclass(frozen=True, slots=True)
class Run:
    """One child: its span on the system's clock and on ours, CPU seconds, peak bytes, what it printed."""

    began: float
    ended: float
    wall_s: float
    cpu_s: float
    peak_bytes: int
    stdout: bytes


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    accept: tuple[int, ...] = (0,),
    limit_s: float = LIMIT_S,
) -> Run:
    """Run a child to its end; `env` is added to ours. Raises BenchmarkFault for a status that is not accepted."""
    words = [str(word) for word in argv]
    with TemporaryFile() as out, TemporaryFile() as err:
        began, start = time.time(), time.perf_counter()
        child = subprocess.Popen(
            words, cwd=cwd, env={**os.environ, **(env or {})}, stdin=subprocess.DEVNULL, stdout=out, stderr=err
        )
        status, usage = _wait(child, limit_s)
        wall, ended = time.perf_counter() - start, time.time()
        if status not in accept:
            err.seek(0)
            tail = err.read().decode(errors="replace")[-2000:]
            raise BenchmarkFault(f"{words[0]} ended with {status} after {wall:.1f} s\n{tail}")
        out.seek(0)
        return Run(began, ended, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _RSS_UNIT, out.read())


def _wait(child: subprocess.Popen[bytes], limit_s: float) -> tuple[int, resource.struct_rusage]:
    """Reap the child with its usage; one that outlives the limit is killed."""
    guard = threading.Timer(limit_s, child.kill)
    guard.start()
    try:
        _, word, usage = os.wait4(child.pid, 0)
    finally:
        guard.cancel()
    child.returncode = os.waitstatus_to_exitcode(word)
    return child.returncode, usage


def take_turns(contestants: Mapping[str, Callable[[], T]], rounds: int, warm: int = 1) -> dict[str, tuple[T, ...]]:
    """Each contestant once a round, in the order given; the results of the first `warm` rounds are dropped."""
    taken: dict[str, list[T]] = {name: [] for name in contestants}
    for number in range(warm + rounds):
        for name, contestant in contestants.items():
            os.sync()
            result = contestant()
            if number >= warm:
                taken[name].append(result)
    return {name: tuple(results) for name, results in taken.items()}


def runs(results: Iterable[object]) -> tuple[Run, ...]:
    """Those results that are bare processes."""
    return tuple(one for one in results if isinstance(one, Run))


def ratios(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, ...]:
    """Ours over theirs, round by round."""
    return tuple(one / other for one, other in zip(ours, theirs, strict=True))


def middle(values: Sequence[float]) -> float:
    """The median."""
    return float(median(values))
