"""How fast 1 GiB of payload is sealed and checked, held against sha256sum, openssl and bagit.

The exhibit is collected by the real command from pages of 100 KB; sealing is its process behind the last committed
row. Then `agentaudit verify --bytes-only` (digests, closed world, journal chain) takes turns with `openssl dgst
-sha256` over the same files in one process (which compares nothing), `sha256sum -c` over both manifests, and
`bagit.py --validate --processes 2`; all pinned to one core, then to two. Limits: at most 1.3 times openssl on one
core, less than openssl on two, and less than the other two always. The cost of the full `verify`, which rebuilds
every reading, is stated beside it. Everything is read from a warm page cache.
"""

import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from benchmarks.collecting import PROGRAM, Collection, collect
from benchmarks.measure import MIB, BenchmarkFault, Run, ratios, run, take_turns
from benchmarks.report import Limit, Line, Report
from benchmarks.serving import Spec, served

NAME = "verify"
PAGE_BYTES = 100_000
SESSION_PAGES = 128
PINS = (("one core", "0"), ("two cores", "0,1"))

_SUMS = "sha256sum --check --quiet --strict manifest-sha256.txt && sha256sum --check --quiet tagmanifest-sha256.txt"
_DGST = "xargs -d '\\n' openssl dgst -sha256 < ../files.txt"


def measure(folder: Path, *, quick: bool) -> Report:
    """Build the exhibit, then check it in turns on one core and on two."""
    sessions, rounds = (10, 2) if quick else (84, 4)
    if shutil.which("taskset") is None:
        raise BenchmarkFault("taskset is not here, and cores cannot be compared without it")
    with served(Spec("pages", sessions, SESSION_PAGES, PAGE_BYTES)) as source:
        built = collect(folder, source)
    _list_files(built.exhibit)
    lines = list(_built(built))
    for words, cores in PINS:
        lines.extend(_compared(words, take_turns(_contestants(built.exhibit, cores), rounds)))
    return Report(NAME, tuple(lines))


def _contestants(exhibit: Path, cores: str) -> Mapping[str, Callable[[], Run]]:
    bagit = Path(sys.executable).with_name("bagit.py")
    words: Mapping[str, Sequence[str | Path]] = {
        "ours": (PROGRAM, "verify", "--bytes-only", exhibit),
        "openssl": ("sh", "-c", _DGST),
        "sha256sum": ("sh", "-c", _SUMS),
        "bagit": (sys.executable, bagit, "--validate", "--quiet", "--processes", "2", exhibit),
        "full": (PROGRAM, "verify", exhibit),
    }
    return {name: partial(run, ("taskset", "-c", cores, *argv), cwd=exhibit) for name, argv in words.items()}


def _list_files(exhibit: Path) -> None:
    """The files of the exhibit beside it, for xargs."""
    names = sorted(path.relative_to(exhibit).as_posix() for path in exhibit.rglob("*") if path.is_file())
    (exhibit.parent / "files.txt").write_text("".join(f"{name}\n" for name in names), encoding="ascii")


def _built(built: Collection) -> Iterator[Line]:
    size = built.payload_bytes / MIB
    yield Line("payload", (size,), "MiB", remark=f"{built.requests:,} files")
    yield Line("acquisition", (built.acquisition_s,), "s")
    yield Line("sealing", (built.sealing_s,), "s")
    yield Line("sealing, payload a second", (size / built.sealing_s,), "MiB/s")


def _compared(words: str, taken: Mapping[str, Sequence[Run]]) -> Iterator[Line]:
    walls = {name: tuple(one.wall_s for one in several) for name, several in taken.items()}
    ours = walls["ours"]
    openssl = Limit("<=", 1.3) if words == "one core" else Limit("<", 1.0)
    yield Line(f"{words}: verify --bytes-only", ours, "s")
    yield Line(f"{words}: over openssl dgst", ratios(ours, walls["openssl"]), limit=openssl)
    yield Line(f"{words}: over sha256sum -c", ratios(ours, walls["sha256sum"]), limit=Limit("<", 1.0))
    yield Line(f"{words}: over bagit.py", ratios(ours, walls["bagit"]), limit=Limit("<", 1.0))
    yield Line(f"{words}: CPU of verify --bytes-only", tuple(one.cpu_s for one in taken["ours"]), "s")
    yield Line(f"{words}: CPU of openssl dgst", tuple(one.cpu_s for one in taken["openssl"]), "s")
    yield Line(f"{words}: full verify, readings rebuilt", walls["full"], "s")
    yield Line(f"{words}: full verify over --bytes-only", ratios(walls["full"], ours))
    yield Line(f"{words}: peak of full verify", tuple(one.peak_bytes / MIB for one in taken["full"]), "MiB")
