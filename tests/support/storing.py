"""A small case and a synthetic store, preserved through the use case; and ways to look at what came of it."""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.progress import Progress, State
from agentaudit.acquire.request import PreserveBundle, ResumePreservation, Surroundings
from agentaudit.acquire.surveyed import survey_store
from agentaudit.cli.readers import page_readers
from agentaudit.format import layout
from agentaudit.model.actors import Said
from agentaudit.model.local import true_name
from agentaudit.model.results import SealedResult, SurveyResult
from agentaudit.model.selection import BundleSelection
from agentaudit.model.verdict import Verdict
from agentaudit.package.case import new_case_file, open_case
from agentaudit.package.disk import Disk
from agentaudit.sources.local.roots import Surrounding
from agentaudit.verify import verify_exhibit
from tests.support.around import ACTORS, hand, surroundings
from tests.support.clock import BEGIN

Rows = list[dict[str, object]]
Act = Callable[[State], None]

SEALED = "EX-0001"
PARTIAL = "EX-0001.partial"


class Acting:
    """A listener that acts on the newest state, as somebody else on the machine would; it gathers warnings."""

    def __init__(self, act: Act | None = None) -> None:
        """`act` is called with each state."""
        self._act = act or (lambda _state: None)
        self.warnings: list[str] = []

    def show(self, state: State) -> None:
        """Act."""
        self._act(state)

    def warn(self, sentence: str) -> None:
        """Remember."""
        self.warnings.append(sentence)


def once_copying(act: Callable[[], object], after: int = 0) -> Act:
    """An act that is done once, when copying has begun and so many bytes are copied."""
    done: list[bool] = []

    def acting(state: State) -> None:
        if not done and state.phase == "copying" and state.octets >= after:
            done.append(True)
            act()

    return acting


@dataclass(frozen=True)
class Storing:
    """A case folder, the roots of a store, and how to preserve the one into the other."""

    case: Path
    roots: tuple[Path, ...]

    @property
    def sealed(self) -> Path:
        """The first exhibit, sealed."""
        return self.case / SEALED

    @property
    def partial(self) -> Path:
        """The first exhibit, while it is open."""
        return self.case / PARTIAL

    def preserve(
        self,
        selection: BundleSelection | None = None,
        *,
        act: Act | None = None,
        progress: Progress | None = None,
        disk: Disk | None = None,
        around: Surroundings | None = None,
        workers: int = 1,
    ) -> SealedResult:
        """Preserve into the next exhibit; everything, unless another selection is given."""
        request = PreserveBundle(self.case, self.selection(selection), surrounding(), Said(), ("agentaudit",), workers)
        return preserve_bundle(request, around or surroundings(), progress or Acting(act), disk)

    def resume(
        self, exhibit: str = SEALED, *, act: Act | None = None, disk: Disk | None = None, workers: int = 1
    ) -> SealedResult:
        """Go on with an exhibit."""
        request = ResumePreservation(self.case, exhibit, surrounding(), Said(), ("agentaudit",), workers)
        return resume_preservation(request, surroundings(), Acting(act), disk)

    def survey(self, *, names: bool = False, selection: BundleSelection | None = None) -> SurveyResult:
        """The survey alone."""
        request = PreserveBundle(self.case, self.selection(selection), surrounding(), Said(), ("agentaudit",))
        return survey_store(request, names=names)

    def selection(self, given: BundleSelection | None = None) -> BundleSelection:
        """Everything in these roots, or what is given."""
        if given is not None:
            return given
        roots = tuple(true_name(os.fsencode(root)) for root in self.roots)
        return BundleSelection(agent="claude-code", roots=roots, everything=True)

    def elsewhere(self, folder: Path) -> "Storing":
        """The same store, another new case."""
        return storing(folder, *self.roots)


def surrounding(home: Path | None = None, config: Path | None = None) -> Surrounding:
    """A machine on which nothing is found but what is named."""
    return Surrounding(
        config_dir=os.fsencode(config) if config else None,
        home=os.fsencode(home) if home else None,
        user_id=os.getuid(),
        mounts=lambda: Path("/proc/self/mountinfo").read_bytes() if Path("/proc/self/mountinfo").exists() else None,
    )


def storing(folder: Path, *roots: Path) -> Storing:
    """A new case at `<folder>/case` for these roots."""
    folder.mkdir(parents=True, exist_ok=True)
    case = folder / "case"
    open_case(case, new_case_file("N-1", "Title", ACTORS, "", BEGIN), hand())
    return Storing(case, roots)


def rows(exhibit: Path, name: str) -> Rows:
    """The rows of a tag file."""
    return [json.loads(line) for line in (exhibit / name).read_text(encoding="utf-8").splitlines()]


def journal(exhibit: Path, event: str) -> Rows:
    """The rows of the journal of that kind."""
    return [row for row in rows(exhibit, layout.JOURNAL) if row["event"] == event]


def entries(exhibit: Path) -> dict[str, dict[str, object]]:
    """The entries of the last survey by root and name; a name that is not UTF-8 by its hex."""
    found = rows(exhibit, layout.ENTRIES)
    last = max((int(str(row["survey"])) for row in found), default=0)
    return {f"{row['root']}/{_name(row['name'])}": row for row in found if row["survey"] == last}


def entry(exhibit: Path, name: str, root: str = "r1") -> dict[str, object]:
    """One entry."""
    return entries(exhibit)[f"{root}/{name}"]


def kept(exhibit: Path, name: str, root: str = "r1") -> Rows:
    """The rows of a kept file, one for each read."""
    number = entry(exhibit, name, root)["number"]
    return [row for row in journal(exhibit, "kept") if row["entry"] == number]


def copy_of(exhibit: Path, name: str, root: str = "r1") -> bytes:
    """The bytes of the last read of a file."""
    return (exhibit / _path(kept(exhibit, name, root)[-1])).read_bytes()


def is_kept(exhibit: Path, name: str, root: str = "r1") -> bool:
    """Whether a file has a copy."""
    return f"{root}/{name}" in entries(exhibit) and bool(kept(exhibit, name, root))


def gaps(exhibit: Path) -> dict[str, int]:
    """How much is missing, by code."""
    found: dict[str, int] = {}
    for row in rows(exhibit, layout.GAPS):
        found[str(row["code"])] = found.get(str(row["code"]), 0) + int(str(row.get("count", 1)))
    return found


def sessions(exhibit: Path) -> Rows:
    """The session bundles."""
    return rows(exhibit, layout.SESSIONS)


def verdict(exhibit: Path) -> Verdict:
    """What a check says."""
    return verify_exhibit(exhibit, readers=page_readers())


def is_intact(exhibit: Path) -> bool:
    """True when a check finds no fault and no fact that differs."""
    found = verdict(exhibit)
    return found.integrity == "intact" and not {code for code, _ in found.codes} & {"R001", "R002", "R003", "W001"}


def payload(exhibit: Path) -> dict[str, bytes]:
    """Every payload file but those set aside, by path."""
    return {
        path.relative_to(exhibit).as_posix(): path.read_bytes()
        for path in sorted((exhibit / layout.DATA).rglob("*"))
        if path.is_file() and not path.is_relative_to(exhibit / layout.SET_ASIDE)
    }


def comparable(exhibit: Path) -> dict[str, list[str]]:
    """The folds and readings without instants, numbers of rows and surveys, and what was set aside (law 3)."""
    last = max((int(str(row["survey"])) for row in rows(exhibit, layout.ENTRIES)), default=0)
    names = (layout.ITEMS, layout.ENTRIES, layout.WALKS, layout.GAPS, layout.SESSIONS)
    return {name: list(_comparable(exhibit / name, last)) for name in names}


def _comparable(path: Path, last: int) -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("role") == "set_aside" or row.get("survey", last) != last or row.get("ended") == "superseded":
            continue
        provenance = row.get("provenance") or {}
        for name in ("row", "kept_at", "survey"):
            provenance.pop(name, None)
        row.pop("survey", None)
        if "walk" in row:
            row["walk"] = row["walk"].rpartition("survey")[0]
        yield json.dumps(row, sort_keys=True)


def true_bytes(name: object) -> bytes:
    """The bytes of a true name in a row."""
    return bytes.fromhex(str(name["hex"])) if isinstance(name, dict) else str(name).encode()


def dict_of(value: object) -> dict[str, object]:
    """An object."""
    assert isinstance(value, dict)
    return value


def list_of(value: object) -> list[dict[str, object]]:
    """A list of objects."""
    assert isinstance(value, list)
    return value


def _path(row: dict[str, object]) -> str:
    item = row["item"]
    assert isinstance(item, dict)
    return str(item["path"])


def _name(name: object) -> str:
    return str(name["hex"]) if isinstance(name, dict) else str(name)
