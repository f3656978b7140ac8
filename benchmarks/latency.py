"""How long a collection waits: 200 sessions of 5 pages, 40 ms before each answer, 4 connections.

The limit is arithmetic: acquisition within 1.15 times `requests x latency / connections`, where `requests` are all
that the collection makes (the list, organisations, settings, a retrieve call and five pages a session), although the
first of them cannot run side by side. Acquisition is the whole process from its start to the last committed row;
sealing is told apart. The reference is a bare httpx loop on as many connections over the transcript pages alone,
against the same arithmetic for its own requests: what it needs above 1.00 is the machine's and the server's.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from benchmarks.bare import bare_loop
from benchmarks.collecting import Collection, collect, collections, transcript_targets
from benchmarks.measure import Run, ratios, runs, take_turns
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Spec, served

NAME = "latency"
CONNECTIONS = 4
LATENCY_MS = 40
PAGES = 5
TARGET = 1.15


def measure(folder: Path, *, quick: bool) -> Report:
    """Collect at a distance, next to a loop that keeps nothing."""
    sessions, rounds = (40, 1) if quick else (200, 3)
    with served(Spec("pages", sessions, PAGES, latency_ms=LATENCY_MS)) as source:
        targets = transcript_targets(collect(folder, source).exhibit)
        turns: dict[str, Callable[[], Collection | Run]] = {
            "ours": partial(collect, folder, source, connections=CONNECTIONS),
            "bare": partial(bare_loop, folder, source, targets, CONNECTIONS),
        }
        taken = take_turns(turns, rounds, warm=0)  # the collection above was the warm-up
    ours, bare = collections(taken["ours"]), runs(taken["bare"])
    times = tuple(one.acquisition_s / _least_s(one.requests) for one in ours)
    loop_times = tuple(one.wall_s / _least_s(len(targets)) for one in bare)
    return Report(
        NAME,
        (
            Line(
                "acquisition over requests x latency / connections",
                times,
                limit=None if quick else Limit("<=", TARGET),  # a short run is mostly start-up
                remark=f"{ours[0].requests} x {LATENCY_MS} ms / {CONNECTIONS} = {_least_s(ours[0].requests):.2f} s",
            ),
            Line("acquisition", tuple(one.acquisition_s for one in ours), "s"),
            Line("sealing", tuple(one.sealing_s for one in ours), "s"),
            Line("bare httpx loop over the same arithmetic", loop_times, remark=f"{len(targets)} requests"),
            Line("acquisition over the bare loop, a request each", ratios(times, loop_times)),
        ),
    )


def _least_s(requests: int) -> float:
    return requests * LATENCY_MS / 1000 / CONNECTIONS
