"""What the databases say of rollouts, against the files: rows as they were read, never a path that is followed.

- `TABLES` says by family of database what is read: see `tables`.
- A path of a row is that of another host: what counts of it is its end, from `sessions` or `archived_sessions` on.
- A rollout that is shorter than its projection has lost lines. One that is longer is ahead of it, which is no fault.
- A row that has not the form of one is counted as odd and says nothing.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from agentaudit.adapters.codex.tables import EDGES, PROJECTED, THREADS, TURNS, Row, Table, TableRows
from agentaudit.adapters.stores.words import id_word
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.codex import ProjectionFacts, ThreadStanding
from agentaudit.model.survey import Parts

_Measure: TypeAlias = Literal["equal", "smaller", "larger", "unknown"]

STANDINGS_MAX: Final = 4_096

_HOMES: Final = frozenset({b"sessions", b"archived_sessions"})
_SEPARATOR: Final = re.compile(rb"[/\\]")
_ZST: Final = b".zst"
_LIMIT: Final = 2**53


@dataclass(frozen=True, slots=True)
class RolloutFile:
    """One rollout of the survey: its thread, its size uncompressed and the ordinal that would follow its last.

    Both are None where they are not known: the file was not read, or has no ordinals.
    """

    parts: Parts
    thread: str
    size_bytes: int | None = None
    next_ordinal: int | None = None


TABLES: Final[Mapping[str, tuple[Table, ...]]] = MappingProxyType(
    {"state": (THREADS, EDGES), "thread_history": (PROJECTED, TURNS)}
)


@dataclass(slots=True)
class _Said:
    """The usable rows: by thread its path and archived flag, its offsets, the ends of its turns; spawned threads."""

    listed: dict[str, tuple[bytes, bool | None]] = field(default_factory=dict)
    projected: dict[str, tuple[int, int]] = field(default_factory=dict)
    ends: dict[str, list[tuple[int | None, int | None]]] = field(default_factory=dict)
    children: set[str] = field(default_factory=set)
    odd: int = 0


class _Files:
    """The rollouts of the root, by thread, by the end of their path and by name."""

    def __init__(self, files: Iterable[RolloutFile]) -> None:
        self.by_thread: dict[str, list[RolloutFile]] = {}
        self.by_end: dict[Parts, RolloutFile] = {}
        self.by_name: dict[bytes, RolloutFile] = {}
        for one in files:
            self.by_thread.setdefault(id_word(one.thread), []).append(one)
            self.by_end.setdefault(_end(one.parts), one)
            self.by_name.setdefault(one.parts[-1].removesuffix(_ZST), one)


def compare(root: str, files: Iterable[RolloutFile], tables: Iterable[TableRows]) -> ProjectionFacts:
    """The standing of every thread of one root. Give it all rollouts of the survey, kept or not."""
    held, given = _Files(files), tuple(tables)
    said = _usable(given)
    names = held.by_thread.keys() | said.listed.keys() | said.projected.keys()
    listing = any(one.table == THREADS and one.present for one in given)
    standings = sorted((_standing(name, held, said) for name in names), key=_order)
    return ProjectionFacts(
        root=root,
        read=any(one.present and one.table in {THREADS, PROJECTED} for one in given),
        rows=sum(len(one.rows) for one in given),
        odd_rows=said.odd,
        cut=any(one.cut for one in given),
        threads=tuple(standings[:STANDINGS_MAX]),
        threads_beyond=max(0, len(standings) - STANDINGS_MAX),
        missing=sum(one.file == "missing" for one in standings),
        unlisted=sum(not one.listed for one in standings if one.files) if listing else 0,
        smaller=sum("smaller" in (one.size, one.ordinal) for one in standings),
        larger=sum("larger" in (one.size, one.ordinal) for one in standings),
        children_absent=tuple(sorted(said.children - said.listed.keys() - held.by_thread.keys())),
    )


def _usable(tables: Iterable[TableRows]) -> _Said:
    said = _Said()
    for one in tables:
        for row in one.rows:
            said.odd += not _take(said, one.table, row)
    return said


def _take(said: _Said, table: Table, row: Row) -> bool:
    """Take what a row says; False when it has not the form of one."""
    if len(row) != len(table.columns) or not isinstance(row[0], bytes):
        return False
    thread, first, second = _word(row[0]), row[1], row[-1]
    if table == THREADS:
        archived = bool(second) if isinstance(second, int) else None
        said.listed[thread] = (first if isinstance(first, bytes) else b"", archived)
        return isinstance(first, bytes)
    if table == EDGES:
        said.children.update([_word(first)] if isinstance(first, bytes) else ())
        return isinstance(first, bytes)
    size, ordinal = _counts(row)
    if table == TURNS:
        said.ends.setdefault(thread, []).append((size, ordinal))
        return True
    if size is None or ordinal is None:
        return False
    said.projected[thread] = (size, ordinal)
    return True


def _standing(thread: str, held: _Files, said: _Said) -> ThreadStanding:
    listed, projected = said.listed.get(thread), said.projected.get(thread)
    files = held.by_thread.get(thread, [])
    file, found = _find(listed[0], held) if listed else (UNSET, None)
    rollout = found or min(files, key=lambda one: (one.size_bytes is None, one.parts), default=None)
    size = rollout.size_bytes if rollout else None
    ordinal = rollout.next_ordinal if rollout else None
    return ThreadStanding(
        thread=thread,
        files=len(files),
        listed=listed is not None,
        projected=projected is not None,
        file=file,
        size=_measure(size, projected[0]) if projected else UNSET,
        file_bytes=size,
        projected_bytes=projected[0] if projected else None,
        ordinal=_measure(ordinal, projected[1]) if projected else UNSET,
        file_next_ordinal=ordinal,
        projected_next_ordinal=projected[1] if projected else None,
        turns_beyond=sum(_is_beyond(end, size, ordinal) for end in said.ends.get(thread, ())),
        archived=listed[1] if listed else None,
        archived_file=_end(rollout.parts)[0] == b"archived_sessions" if rollout else None,
    )


def _find(
    path: bytes, held: _Files
) -> tuple[Literal["present", "compressed", "elsewhere", "missing", "none"], RolloutFile | None]:
    """The file that a row names: its end is compared, and where that fails its name alone."""
    if not path:
        return "none", None
    end = _end(tuple(_SEPARATOR.split(path)))
    plain = (*end[:-1], end[-1].removesuffix(_ZST))
    for candidate in (end, plain):
        if candidate in held.by_end:
            return "present", held.by_end[candidate]
    packed = (*plain[:-1], plain[-1] + _ZST)
    if packed in held.by_end:
        return "compressed", held.by_end[packed]
    found = held.by_name.get(plain[-1])
    return ("missing", None) if found is None else ("elsewhere", found)


def _end(parts: Parts) -> Parts:
    """The path from its last folder of rollouts on; the name alone where it has none."""
    at = max((at for at, part in enumerate(parts) if part in _HOMES), default=len(parts) - 1)
    return parts[at:]


def _measure(file: int | None, projected: int) -> _Measure:
    if file is None:
        return "unknown"
    return "equal" if file == projected else "smaller" if file < projected else "larger"


def _is_beyond(end: tuple[int | None, int | None], size: int | None, ordinal: int | None) -> bool:
    """Whether a turn ends beyond the file; what is not known is not beyond."""
    offset, last = end
    return (offset is not None and size is not None and offset > size) or (
        last is not None and ordinal is not None and last >= ordinal
    )


def _counts(row: Row) -> tuple[int | None, int | None]:
    """The second and third column as numbers; None for what is none."""
    first, second = (one if isinstance(one, int) and 0 <= one < _LIMIT else None for one in row[1:3])
    return first, second


def _word(octets: bytes) -> str:
    return id_word(octets.decode("utf-8", "surrogateescape"))


def _order(one: ThreadStanding) -> tuple[bool, str]:
    """Differences first."""
    measures: tuple[_Measure | Unset, ...] = (one.size, one.ordinal)
    agrees = one.listed and one.file == "present" and not one.turns_beyond and all(m == "equal" for m in measures)
    return agrees, one.thread
