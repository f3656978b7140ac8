"""How fast 1 GiB of payload is sealed and checked, held against sha256sum, openssl and bagit.

The exhibit is collected by the real command from pages of 1 MB; sealing is its process behind the last committed row.
Then `agentaudit verify --bytes-only` (digests, closed world, journal chain) takes turns with `openssl dgst -sha256`
over the same files in one process (which compares nothing), `sha256sum -c` over both manifests, and `bagit.py
--validate --processes 2`; all pinned to one core, then to two. Limits: at most 1.3 times openssl on one core, less
than openssl on two, and less than the other two always. The cost of the full `verify`, which rebuilds every reading,
is stated beside it, and so is a payload of 100 KB pages, where each file costs more than its bytes. Everything is
read from a warm page cache.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.collecting import PROGRAM, Collection, collect
from benchmarks.measure import MIB, BenchmarkFault, Run, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Spec, served

NAME = "verify"
LARGE = Spec("pages", 8, 128, 1_050_000)
SMALL = Spec("pages", 20, 128, 100_000)
QUICK = (Spec("pages", 2, 64, 1_050_000), Spec("pages", 4, 64, 100_000))
PINS = (("one core", "0"), ("two cores", "0,1"))

_SUMS = "sha256sum --check --quiet --strict manifest-sha256.txt && sha256sum --check --quiet tagmanifest-sha256.txt"
_DGST = "xargs -d '\\n' openssl dgst -sha256 < ../files.txt"


def measure(folder: Path, *, quick: bool) -> Report:
    """Build two exhibits, then check them in turns on one core and on two."""
    if shutil.which("taskset") is None:
        raise BenchmarkFault("taskset is not here, and cores cannot be compared without it")
    rounds = 2 if quick else 5
    large, small = (
        _build(folder / name, spec) for name, spec in zip("ab", QUICK if quick else (LARGE, SMALL), strict=True)
    )
    lines = list(_built(large))
    for words, cores in PINS:
        turns = _contestants(large.exhibit, cores)
        full = {"full": turns.pop("full")}
        compared = _compared(words, take_turns(turns, rounds), take_turns(full, 1, warm=0)["full"])
        # A small payload is mostly start-up: its figures are told and not judged.
        lines.extend(replace(line, limit=None) if quick else line for line in compared)
    for words, cores in PINS:
        turns = _contestants(small.exhibit, cores)
        lines.append(_beside(words, small, take_turns({name: turns[name] for name in ("ours", "openssl")}, rounds)))
    return Report(NAME, tuple(lines))


def _build(folder: Path, spec: Spec) -> Collection:
    folder.mkdir()
    with served(spec) as source:
        built = collect(folder, source)
    names = sorted(path.relative_to(built.exhibit).as_posix() for path in built.exhibit.rglob("*") if path.is_file())
    (built.exhibit.parent / "files.txt").write_text("".join(f"{name}\n" for name in names), encoding="ascii")
    return built


def _contestants(exhibit: Path, cores: str) -> dict[str, Callable[[], Run]]:
    bagit = Path(sys.executable).with_name("bagit.py")
    words: Mapping[str, Sequence[str | Path]] = {
        "ours": (PROGRAM, "verify", "--bytes-only", exhibit),
        "openssl": ("sh", "-c", _DGST),
        "sha256sum": ("sh", "-c", _SUMS),
        "bagit": (sys.executable, bagit, "--validate", "--quiet", "--processes", "2", exhibit),
        "full": (PROGRAM, "verify", exhibit),
    }
    return {name: partial(run, ("taskset", "-c", cores, *argv), cwd=exhibit) for name, argv in words.items()}


def _built(built: Collection) -> Iterator[Line]:
    size = built.payload_bytes / MIB
    yield Line("payload", (size,), "MiB", remark=f"{built.requests:,} files")
    yield Line("acquisition", (built.acquisition_s,), "s")
    yield Line("sealing", (built.sealing_s,), "s")
    yield Line("sealing, payload a second", (size / built.sealing_s,), "MiB/s")


def _compared(words: str, taken: Mapping[str, Sequence[Run]], full: Sequence[Run]) -> Iterator[Line]:
    walls = {name: tuple(one.wall_s for one in several) for name, several in taken.items()}
    ours = walls["ours"]
    openssl = Limit("<=", 1.3) if words == "one core" else Limit("<", 1.0)
    yield Line(f"{words}: verify --bytes-only", ours, "s")
    yield Line(f"{words}: over openssl dgst", ratios(ours, walls["openssl"]), limit=openssl)
    yield Line(f"{words}: over sha256sum -c", ratios(ours, walls["sha256sum"]), limit=Limit("<", 1.0))
    yield Line(f"{words}: over bagit.py", ratios(ours, walls["bagit"]), limit=Limit("<", 1.0))
    yield Line(f"{words}: CPU of verify --bytes-only", tuple(one.cpu_s for one in taken["ours"]), "s")
    yield Line(f"{words}: CPU of openssl dgst", tuple(one.cpu_s for one in taken["openssl"]), "s")
    yield Line(f"{words}: full verify, readings rebuilt", tuple(one.wall_s for one in full), "s")
    yield Line(f"{words}: peak of full verify", tuple(one.peak_bytes / MIB for one in full), "MiB")


def _beside(words: str, small: Collection, taken: Mapping[str, Sequence[Run]]) -> Line:
    walls = {name: tuple(one.wall_s for one in several) for name, several in taken.items()}
    size = f"{small.payload_bytes / MIB:.0f} MiB in {small.requests:,} files"
    return Line(f"{words}, 100 KB pages: over openssl dgst", ratios(walls["ours"], walls["openssl"]), remark=size)
