"""The bare loop: httpx on so many threads, one connection each, over known targets; bodies are read and dropped.

It is told its targets beforehand, so it never waits for a cursor and parses nothing: an upper bound of what a
client in this language and library can do, and the reference of two benchmarks.
"""

import os
import queue
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import Run, run
from benchmarks.serving import Served

KEY_VARIABLE = "AGENTAUDIT_BENCH_KEY"


def bare_loop(folder: Path, source: Served, targets: Sequence[str], connections: int) -> Run:
    """The loop as a process of its own."""
    listed = folder / "targets.txt"
    listed.write_text("".join(f"{source.url}{target}\n" for target in targets), encoding="ascii")
    words = (sys.executable, "-m", "benchmarks.bare", str(connections), listed)
    return run(words, env={KEY_VARIABLE: source.key})


def main(connections: int, listed: Path) -> int:
    """Ask for every target once; 1 when an answer was not a 200."""
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    for line in listed.read_text(encoding="ascii").splitlines():
        waiting.put(line)
    failed: list[int] = []
    threads = [threading.Thread(target=_ask, args=(waiting, failed)) for _ in range(connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 1 if failed else 0


def _ask(waiting: "queue.SimpleQueue[str]", failed: list[int]) -> None:
    import httpx  # noqa: PLC0415 - this module is imported by the parent, which must stay small

    headers = {"x-api-key": os.environ[KEY_VARIABLE], "accept-encoding": "identity"}
    with httpx.Client(headers=headers, trust_env=False) as client:
        while True:
            try:
                target = waiting.get_nowait()
            except queue.Empty:
                return
            with client.stream("GET", target) as response:
                for _ in response.iter_raw():
                    pass
                if response.status_code != 200:
                    failed.append(response.status_code)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2])))
