"""The synthetic organisation in a process of its own, as its parent sees it.

- It listens on loopback only, says where on its first line, and ends with its standard input or after its life:
  no parent that dies leaves it behind.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from benchmarks.measure import BenchmarkFault

GRACE_S = 30


@dataclass(frozen=True, slots=True)
class Spec:
    """What is served: `pages`, so many sessions x pages x bytes; a `list` of n sessions; a `session` of n messages."""

    kind: Literal["pages", "list", "session"]
    count: int
    pages: int = 1
    page_bytes: int = 4_000
    latency_ms: int = 0


@dataclass(frozen=True, slots=True)
class Served:
    """Where the organisation answers, and the synthetic key that it takes."""

    url: str
    key: str


@contextmanager
def served(spec: Spec) -> Iterator[Served]:
    """The organisation answers while the context is open; its process is ended by its own id."""
    words = [sys.executable, "-m", "benchmarks.organisation", spec.kind]
    words += [str(number) for number in (spec.count, spec.pages, spec.page_bytes, spec.latency_ms)]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield _where(child)
    finally:
        try:
            child.communicate(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _where(child: subprocess.Popen[bytes]) -> Served:
    line: object = json.loads((child.stdout.readline() if child.stdout else b"") or b"null")
    match line:
        case {"url": str(url), "key": str(key)}:
            return Served(url, key)
        case _:
            raise BenchmarkFault("the synthetic organisation did not start")
