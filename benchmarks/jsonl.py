"""How fast JSON Lines are checked, held against jq, an orjson loop and openssl, and what memory it takes.

One file of 1 GiB with lines of 1.1 KB, shaped like the records of a released agent (some 35 names, ids, counters, a
text), read from a warm page cache. In turns: `agentaudit verify-jsonl` (the exact verdict on each line, SHA-256, kinds
and types, duplicate keys in the head), `jq -R 'fromjson | empty'` (parses each line and keeps nothing), a loop in
Python that hashes and `orjson.loads` each line, and `openssl dgst -sha256`, which only hashes. Limits: jq takes at
least 15 times as long, the loop at least 4 times; below 64 MiB. One core alone is told beside it.

What bounds it: of 1 GiB, SHA-256 takes some 0.55 s, one process at a time, the copy out of the page cache 0.2 s, and
parsing 0.75 s: half of that is the parser itself, the rest some 0.3 us a line for its bytes object, the parser's
object, its `type` and the loop. Two processes share all of it (a relay: each reads, hashes and judges its own blocks,
and one hash goes from turn to turn), so it is half the sum, and a wait now and then for a turn. Before that stand the
interpreter and the imports, some 0.09 s on one core. Both targets ask for less than start-up and openssl together:
four times the loop is 1.1 times openssl. CPU seconds are told too, because they say the same on a busy machine.

Tried and kept: blocks in stretches of 96 KiB, which stay in the cache and below the size that the allocator maps (a
fifth of the parsing); slots of 4 MiB (a job costs some 50 us beside its lines); workers before the first byte. All of
that is still so for pipes, compressed texts and where no relay can be. A relay for large files (decision 0034): the
block is judged in the cache of the process that read it, which the worker of the former division could not (a fifth to
a third slower there). In turns with the former division, whole programs, it took as long in a good hour (1.12 s and
1.11 s, 8 rounds; openssl 0.83 s), 0.85 of its time in a middling hour
(openssl 0.94 to 1.2 s; 15 rounds), 0.73 to 0.86 in slow ones (openssl 1.7 to 2.7 s; 6 to 11 rounds each), and 0.94 and
0.95 with other work on one of the two cores (15 and 9 rounds), where what counts is the CPU in all (0.96). A bare
prototype of it took 0.74 and 0.80 in two of these: 0.04 s of start-up more in the program, then what a block costs
beside its lines, and the second look at the head. Events in the place of pipes for the turn, because a write to a pipe
draws its reader to the writer's core (not measured apart). Types that an earlier block had are counted in the next
without a second look at the first line of each (3 % of judging). Blocks of 2 MiB: with 1 MiB it took 1.01 to 1.10
times as long, with 4 MiB 0.93 to 1.01, for 2 MiB of memory more in each process. A relay is as fast as workers from 2
MiB on (0.77 to 0.95 of their time at 2 to 100 MiB; twelve files of 4, 8 and 16 MiB 0.80, 0.81 and 0.97), because it
needs neither the shared slots nor the modules of processes. Stretches of 256 KiB to 1 MiB in a relay took 0.94 of the
judging in one process and 1.15 to 1.3 in the other, whose allocator mapped each of them; with an allocator that was
kept from that, 0.97 of the whole (4 rounds), which is not worth the trick.

Tried and left: splitting a block with `bytes.split` (half a microsecond a line more than iterating over a BytesIO);
one parse of a whole stretch as an array (0.35 s a GiB against 0.47 line by line, but its elements become objects one
by one for 0.16 s, the longest line needs a pass of its own, and brackets that lines leave open and close again would
have to be kept from being taken for frames: a shared parse is only sound with a separator that no line can forge);
`map` in the place of the loop (the longest line costs what the loop did); `Counter.update` over the lines of a stretch
(1.00 of all CPU, 0.93 to 1.08 in 14 rounds on one core: what the loop saves, its list of lines loses in the cache;
with stretches of 48 and 32 KiB 1.05 and 1.06); `readline` of a shared map (as long as a copy and a BytesIO); mapping
the file (1.19 to 1.28 s for hashing alone where reading and hashing took 1.06, whatever the window, filled in advance
or not; and a truncated file would kill the process); having each process read the file for one that hashes (what is
judged must be what was hashed); having each process read into shared slots what it judges, piece by piece, and this
one hash all of it there (see below); msgspec's raw decoder (passes bytes that are no UTF-8, and needs a second pass
for huge integers); a binding with its own loop over lines (accepts NaN); the parser's kernels for AVX2 and SSE (1.1 to
1.3 times the parsing, one run each); slots of 2 and 1 MiB (1.00 and 1.07 of the time, 9 rounds); pieces of 128 and 64
KiB (1.02 and 1.04); a worker on every core (a third process only takes turns with the other two: a tenth more CPU);
key sets of every line (more than the parse itself; they are for `--keys`).

How near that is to what can be had: two bare prototypes, which read, hash, parse and count types and do nothing else
(no verdict, no exact reader, no command line), in turns with the program, 8 rounds on a busy machine, over `openssl
dgst`. The division of this program 1.10 (1.06 to 1.44), each process with blocks of its own 1.13 (1.05 to 2.09), the
program 1.26 (1.18 to 2.20), of which start-up is some 0.10. Four times the loop is 1.11, fifteen times jq is 1.21.

Then one line of 64 MB, which is judged by the exact reader and has to stay below four times its size, and the growth
from 10 MiB to 10 GiB, the largest through a pipe.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shutil import which

from benchmarks.collecting import PROGRAM
from benchmarks.measure import MIB, BenchmarkFault, Run, middle, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report

NAME = "jsonl"
TEXT_NAME = "jsonl-text"
JQ_TIMES = 15.0
LOOP_TIMES = 4.0
PEAK_MIB = 64.0
LONG_BYTES = 64_000_000
LONG_TIMES = 4.0
DIFFERENT = 2_000
_WORDS = (
    "the file was read",
    "naïve → value",
    'a \\"quoted\\" path',
    "def run(self):\\n\\treturn",
    "diff --git",
    "ok ✓",
)

_LOOP = """
import hashlib, orjson, sys
digest = hashlib.sha256()
with open(sys.argv[1], "rb") as lines:
    for line in lines:
        digest.update(line)
        orjson.loads(line)
print(digest.hexdigest())
"""


def measure(folder: Path, *, quick: bool) -> Report:
    """The comparison, the long line, the growth."""
    path = folder / "lines.jsonl"
    lines = [*_text(path, quick=quick), *_long(folder), *_growth(folder, path, quick=quick)]
    return Report(NAME, tuple(lines))


def measure_text(folder: Path, *, quick: bool) -> Report:
    """The comparison alone: what is looked at when something was changed."""
    return Report(TEXT_NAME, tuple(_text(folder / "lines.jsonl", quick=quick)))


def _text(path: Path, *, quick: bool) -> Iterator[Line]:
    """Write the text, and have everybody read it."""
    if which("jq") is None or which("openssl") is None:
        raise BenchmarkFault("jq and openssl are needed to compare with")
    size, rounds = (128 * MIB, 2) if quick else (1024 * MIB, 3)
    write_lines(path, size)
    yield from _compared(path, take_turns(_contestants(path), rounds))


def write_lines(path: Path, octets: int) -> None:
    """At least so many bytes of records, the last one whole."""
    block = "".join(f"{_record(number)}\n" for number in range(DIFFERENT)).encode()
    with path.open("wb") as out:
        for _ in range(octets // len(block) + 1):
            out.write(block)


def _record(number: int) -> str:
    """One record of about 1.1 KB; numbers make ids and texts differ."""
    kind = ("assistant", "user", "assistant", "attachment")[number % 4]
    text = " ".join(_WORDS[(number * 7 + at) % len(_WORDS)] for at in range(8 + number % 9)).replace('\\"', '"')
    row = {
        "parentUuid": _uuid(number), "isSidechain": number % 5 == 0,
        "message": {
            "id": f"msg_{number:024}", "type": "message", "role": "assistant", "model": "made-up-model-1",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {
                "input_tokens": number * 7919 % 99_991, "cache_creation_input_tokens": number % 977,
                "cache_read_input_tokens": 0, "output_tokens": number % 811,
                "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
                "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": "standard",
            },
        },
        "requestId": f"req_{number:022}", "requestedModel": "made-up-model-1", "type": kind, "uuid": _uuid(number + 1),
        "timestamp": f"2026-03-01T{number % 24:02}:{number % 60:02}:00.{number % 1000:03}Z", "effort": "medium",
        "userType": "external", "entrypoint": "cli", "cwd": "/home/u/project", "sessionId": _uuid(7),
        "version": "2.1.300", "gitBranch": "main",
    }  # fmt: skip
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def _uuid(number: int) -> str:
    return f"{number * 2654435761 % 2**32:08x}-0000-4000-8000-{number:012x}"


def _contestants(path: Path) -> Mapping[str, Callable[[], Run]]:
    ours = (PROGRAM, "verify-jsonl", "--quiet", path)
    words: Mapping[str, Sequence[str | Path]] = {
        "ours": ours,
        "openssl": ("openssl", "dgst", "-sha256", path),
        "loop": (sys.executable, "-c", _LOOP, path),
        "jq": ("jq", "-R", "fromjson | empty", path),
        **({"one core": ("taskset", "-c", "0", *ours)} if which("taskset") else {}),
    }
    return {name: partial(run, argv) for name, argv in words.items()}


def _compared(path: Path, taken: Mapping[str, Sequence[Run]]) -> Iterator[Line]:
    walls = {name: tuple(one.wall_s for one in several) for name, several in taken.items()}
    ours, size = walls["ours"], path.stat().st_size / MIB
    with path.open("rb") as lines:
        several = [len(line) for line, _ in zip(lines, range(DIFFERENT), strict=False)]
    yield Line("text", (size,), "MiB", remark=f"lines of {sum(several) / len(several):,.0f} bytes")
    yield Line("verify-jsonl", ours, "s")
    yield Line("jq over verify-jsonl", ratios(walls["jq"], ours), limit=Limit(">=", JQ_TIMES))
    yield Line("orjson loop with hashing over verify-jsonl", ratios(walls["loop"], ours), limit=Limit(">=", LOOP_TIMES))
    yield Line("verify-jsonl over openssl dgst", ratios(ours, walls["openssl"]))
    yield Line("peak", tuple(one.peak_bytes / MIB for one in taken["ours"]), "MiB", Limit("<", PEAK_MIB))
    yield Line("CPU, all processes", tuple(one.cpu_s for one in taken["ours"]), "s")
    for name in ("openssl", "loop", "jq"):
        yield Line(f"CPU of {name}", tuple(one.cpu_s for one in taken[name]), "s")
    if "one core" in walls:
        yield Line("on one core", walls["one core"], "s")
        yield Line("two cores, times as fast as one", ratios(walls["one core"], ours))


def _long(folder: Path) -> Iterator[Line]:
    path = folder / "long.jsonl"
    piece = b"A1b2C3d4e5F6+/==\\n" * 10_000
    with path.open("wb") as out:
        out.write(b'{"type":"user","image":"')
        for _ in range(LONG_BYTES // len(piece)):
            out.write(piece)
        out.write(b'"}\n')
    size = path.stat().st_size
    checked = run((PROGRAM, "verify-jsonl", "--quiet", path))
    yield Line("one line of 64 MB", (checked.wall_s,), "s")
    yield Line("its peak over its size", (checked.peak_bytes / size,), limit=Limit("<", LONG_TIMES))


def _growth(folder: Path, path: Path, *, quick: bool) -> Iterator[Line]:
    for size in (10, 100):
        small = folder / f"{size}.jsonl"
        write_lines(small, size * MIB)
        runs = [run((PROGRAM, "verify-jsonl", "--quiet", small)) for _ in range(3)]
        yield Line(f"{size} MiB", tuple(one.wall_s for one in runs), "s", remark=_peak(runs))
    many = 2 if quick else 10
    words = " ".join(["cat", *["lines.jsonl"] * many, "|", f'"{PROGRAM}"', "verify-jsonl", "--quiet", "-"])
    piped = run(("sh", "-c", words), cwd=folder, limit_s=900.0)
    total = many * path.stat().st_size / MIB
    yield Line(f"{total:,.0f} MiB through a pipe", (piped.wall_s,), "s", remark=_peak([piped]))


def _peak(runs: Sequence[Run]) -> str:
    return f"peak {middle([one.peak_bytes / MIB for one in runs]):.0f} MiB"
