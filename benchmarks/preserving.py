"""How long it takes to preserve a local store, held against `cp -a`, a barrier, and `openssl dgst -sha256`.

The store has 200 sessions, 400 subagent transcripts and 600 spilled results, 1 GiB in all; each contestant writes into
a fresh destination on the same volume, and all of them are deleted when the benchmark is over: before ext4 takes an
inode it looks at every one that was deleted in the last minutes, so that a tree that is made where one was just removed
costs several times as much, whoever makes it. A full run takes 16 GiB of the volume. Theirs is `cp -a`, `sync -f` and
one openssl over the copies: bytes twice through one core. Ours is the whole command: start-up, survey, copy with
hashing in the same read, journal, barriers, folds, seal; once with framing and facts left out, once with every
transcript framed. The second store has 20,000 small files and is held against `cp -a` with `sync -f` alone, because
there the number of files is the cost and not their bytes.

What bounds it: one SHA-256 of each byte, one write of each byte, one barrier a group of 1,024 files or 64 MiB; with
framing, one parse of each line and one look at its envelope. Files are the unit of work of the processes that copy.
The barrier of a group runs beside the copying of the next one.

Then stores of the same shape from 10 MiB to 10 GiB, framed, once each, by two cores and by one: the cost is start-up
(some 0.4 s) and then a constant a byte. Memory grows with the number of files, by some 6.5 KB each (their entries,
plans and rows are held until they are sealed), and not with their bytes.

What bounds small files: the interpreter. A file is an entry with its row, a copy, a row of its own, and an item; the
journal is read back. In all processes a file takes some 190 to 270 us of processor, start-up left out, as the machine
is fast or slow. The bare calls of the system for its copy (open, stat, read, attributes, stat, stat by name, close;
create, write, times, close) take 30 us of a loop of Python in memory and 60 on ext4. By samples of all processes: the
copy 28 %, sealing 23 % (of which reading both rows back 7), survey and plan 12 %, staging both rows 11 %, start-up 7
%. Each pass over 20,000 files meets their values in no cache: timed one by one in small loops the same steps take
half of that. Copying, entry rows beside it, and reading back beside sealing use both cores; start-up, survey and most
of sealing one.

Tried and kept: jobs in batches to other processes (copying took 3.2 s, then 1.9), by their places and with short
answers (1.5); sealing from rows that are held, with the journal read back by another process (1.75 s, then 1.25),
payload made read-only when it is created (0.2 s of it), counters made once a bundle (0.15 s); one text a second for
times (7 us a look, then 3); comparing a file that holds still with the look that there is (18 us a read, then 13); a
second look at the end that visits what it has to (0.35 s, then 0.07); values that the collector does not go through
(a full pass took 0.14 s); copying while the rows of the survey are written (some 4 %); adapters loaded when they are
asked for.

Tried and left: a store surveyed by two processes (its entries would have to be pickled, 11 us each, where looking
takes 15); a threshold of the collector of 20,000 and none at all (nothing, once frozen values are left out); one
reading of bundles for copying and for sealing (some 4 %, but sealing draws from rows alone).
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.collecting import PROGRAM
from benchmarks.measure import MIB, Run, middle, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report
from benchmarks.stores import StoreSpec, make_store

NAME = "preserve"
SMALL_NAME = "small"
LARGE = StoreSpec(200, 3_400_000, 400, 700_000, 600, 190_000)
SMALL = StoreSpec(200, 2_000, 0, 0, 19_800, 1_500)
QUICK = (StoreSpec(40, 3_400_000, 80, 700_000, 120, 190_000), StoreSpec(40, 2_000, 0, 0, 3_960, 1_500))
LIMIT_S = 600.0
# In MiB. Each is made and preserved once; both take room, and the last is left out where there is none.
GROWTH = (10, 100, 1_024, 10_240)

_COPY = 'cp -a "$0" "$1" && sync -f "$1"'
_COPY_AND_HASH = _COPY + ' && find "$1" -type f -print0 | xargs -0 openssl dgst -sha256 > "$1.sums"'


def measure(folder: Path, *, quick: bool) -> Report:
    """The store of large files, each contestant in turn; then how the cost grows."""
    spec, rounds = (QUICK[0], 2) if quick else (LARGE, 3)
    return Report(NAME, (*_large(folder, spec, rounds), *_growth(folder, GROWTH[: 2 if quick else None])))


def measure_small(folder: Path, *, quick: bool) -> Report:
    """The store of small files, each contestant in turn."""
    return Report(SMALL_NAME, tuple(_small(folder, QUICK[1] if quick else SMALL, 2 if quick else 5)))


def _large(folder: Path, spec: StoreSpec, rounds: int) -> Iterator[Line]:
    turns = _contestants(folder, spec, _COPY_AND_HASH)
    found = take_turns(turns, rounds)
    yield Line("store", (spec.bytes / MIB,), "MiB", remark=f"{spec.files:,} files")
    yield Line("cp -a, sync, openssl", _walls(found["theirs"]), "s")
    for name, limit in (("unframed", 1.3), ("framed", 2.0)):
        yield Line(f"preserved, {name}", _walls(found[name]), "s", remark=_work(found[name]))
        against = ratios(_walls(found[name]), _walls(found["theirs"]))
        yield Line(f"{name}: times cp -a, sync, openssl", against, limit=Limit("<=", limit))
    yield Line("peak memory of a process", tuple(one.peak_bytes / MIB for one in found["framed"]), "MiB")


def _growth(folder: Path, sizes: tuple[int, ...]) -> Iterator[Line]:
    """Stores of the shape of the large one, ever larger: by two cores, and the same by one."""
    numbers = count(1)
    for size in sizes:
        if shutil.disk_usage(folder).free < 3.2 * size * MIB:  # the store and two copies
            continue
        place = folder / f"grown{size}"
        place.mkdir()
        make_store(place / "store", _scaled(LARGE, size))
        program: tuple[str | Path, ...] = (PROGRAM,)
        both = _preserve(place, place / "store", program, numbers)
        yield Line(f"{size:,} MiB, framed", (both.wall_s,), "s", remark=f"peak {both.peak_bytes / MIB:.0f} MiB")
        if shutil.which("taskset"):
            alone = _preserve(place, place / "store", ("taskset", "-c", "0", *program), numbers)
            yield Line(f"{size:,} MiB: one core over two", (alone.wall_s / both.wall_s,))


def _scaled(spec: StoreSpec, size: int) -> StoreSpec:
    """The same shape in so many MiB: fewer or more files of the same sizes."""
    part = size * MIB / spec.bytes
    return replace(
        spec,
        sessions=max(1, round(spec.sessions * part)),
        subagents=round(spec.subagents * part),
        spilled=round(spec.spilled * part),
    )


def _small(folder: Path, spec: StoreSpec, rounds: int) -> Iterator[Line]:
    turns = _contestants(folder, spec, _COPY)
    found = take_turns({name: turns[name] for name in ("theirs", "framed")}, rounds)
    yield Line("small files", (float(spec.files),), "files", remark=f"{spec.bytes / MIB:.0f} MiB")
    yield Line("cp -a, sync", _walls(found["theirs"]), "s")
    yield Line("preserved", _walls(found["framed"]), "s", remark=_work(found["framed"]))
    yield Line("times cp -a, sync", ratios(_walls(found["framed"]), _walls(found["theirs"])), limit=Limit("<=", 2.5))
    yield Line("peak memory of a process", tuple(one.peak_bytes / MIB for one in found["framed"]), "MiB")


def _contestants(folder: Path, spec: StoreSpec, shell: str) -> Mapping[str, Callable[[], Run]]:
    store, numbers = folder / "store", count(1)
    make_store(store, spec)
    return {
        "theirs": partial(_copy, folder, store, shell, numbers),
        "unframed": partial(_preserve, folder, store, (sys.executable, "-m", "benchmarks.unframed"), numbers),
        "framed": partial(_preserve, folder, store, (PROGRAM,), numbers),
    }


def _copy(folder: Path, store: Path, shell: str, numbers: Iterator[int]) -> Run:
    place = folder / f"copy{next(numbers)}"
    place.mkdir()
    return run(("sh", "-c", shell, store, place / "copy"), limit_s=LIMIT_S)


def _preserve(folder: Path, store: Path, program: tuple[str | Path, ...], numbers: Iterator[int]) -> Run:
    case = folder / f"case{next(numbers)}"
    people = ("--number", "B-1", "--title", "T", "--examiner", "E", "--authority", "A")
    run((PROGRAM, "open", case, *people))
    words = (*program, "preserve-local-bundle", case, "--root", store, "--all", "--quiet")
    return run(words, limit_s=LIMIT_S)


def _walls(runs: tuple[Run, ...]) -> tuple[float, ...]:
    return tuple(one.wall_s for one in runs)


def _work(runs: tuple[Run, ...]) -> str:
    return f"{middle([one.cpu_s for one in runs]):.1f} s of processors"
