"""How many 100 KB pages a second become durable when the server does not keep anybody waiting.

Ours is the whole process of `agentaudit collect-sessions` on 4 connections; pages a second are transcript pages over
the time until the last committed row, and again over the whole run with sealing. It is held against two references:
a loop of `curl -o FILE` and `openssl dgst -sha256 FILE` a page (at least as many pages a second), and a bare httpx
loop with as many connections that keeps nothing (at least half as many). Each is a process of its own.
"""

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from benchmarks.bare import bare_loop
from benchmarks.collecting import Collection, collect, collections, transcript_targets
from benchmarks.measure import MIB, Run, ratios, run, runs, take_turns
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Served, Spec, served

NAME = "pages"
CONNECTIONS = 4
PAGE_BYTES = 100_000
SESSION_PAGES = 25

_LOOP = """
n=0
while read -r target; do
  n=$((n + 1))
  curl --silent --show-error --fail --header @headers.txt --output "curl/$n.json" "$target" || exit 1
  openssl dgst -sha256 "curl/$n.json" || exit 1
done < curl.txt
"""


def measure(folder: Path, *, quick: bool) -> Report:
    """The three in turns, as pages a second."""
    sessions, rounds, looped = (16, 1, 100) if quick else (80, 5, 300)
    with served(Spec("pages", sessions, SESSION_PAGES, PAGE_BYTES)) as source:
        first = collect(folder, source, connections=CONNECTIONS)
        targets = transcript_targets(first.exhibit)
        turns: dict[str, Callable[[], Collection | Run]] = {
            "ours": partial(collect, folder, source, connections=CONNECTIONS),
            "bare": partial(bare_loop, folder, source, targets, CONNECTIONS),
            "curl": partial(_curl_loop, folder, source, targets[:looped]),
        }
        taken = take_turns(turns, rounds)
    ours, pages = collections(taken["ours"]), len(targets)
    acquired = tuple(pages / one.acquisition_s for one in ours)
    sealed = tuple(pages / one.process.wall_s for one in ours)
    bare = tuple(pages / one.wall_s for one in runs(taken["bare"]))
    curl = tuple(looped / one.wall_s for one in runs(taken["curl"]))
    return Report(
        NAME,
        (
            Line("acquisition", acquired, "pages/s", remark=f"{pages} of {first.payload_bytes // pages:,} bytes"),
            Line("acquisition and sealing", sealed, "pages/s"),
            Line("curl and openssl dgst a page", curl, "pages/s"),
            Line("bare httpx loop", bare, "pages/s"),
            Line("acquisition over curl and openssl", ratios(acquired, curl), limit=Limit(">=", 1.0)),
            Line("acquisition over bare httpx", ratios(acquired, bare), limit=Limit(">=", 0.5)),
            Line("with sealing over curl and openssl", ratios(sealed, curl)),
            Line("with sealing over bare httpx", ratios(sealed, bare)),
            Line("CPU of collection and sealing a page", tuple(1000 * one.process.cpu_s / pages for one in ours), "ms"),
            Line("peak memory", tuple(one.process.peak_bytes / MIB for one in ours), "MiB"),
        ),
    )


def _curl_loop(folder: Path, source: Served, targets: Sequence[str]) -> Run:
    """A shell that fetches and hashes page by page; nothing of it is made durable."""
    shutil.rmtree(folder / "curl", ignore_errors=True)
    (folder / "curl").mkdir()
    (folder / "headers.txt").write_text(f"x-api-key: {source.key}\naccept-encoding: identity\n", encoding="ascii")
    (folder / "curl.txt").write_text("".join(f"{source.url}{target}\n" for target in targets), encoding="ascii")
    return run(("sh", "-c", _LOOP), cwd=folder)
