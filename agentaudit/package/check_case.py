"""The case: its custody log against what lies in its folder, judged without touching a disk.

- A begun exhibit is sealed or partial; a sealed one has its row; nothing else lies in a case.
- An exhibit knows the head of the custody log at its beginning: a log that lacks that row was cut or rewritten.
- A finding here is a row: code, subject, detail.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from agentaudit.format import layout
from agentaudit.format.attestations import chain_name
from agentaudit.format.chain import Break, Link
from agentaudit.model.base import Digest
from agentaudit.model.custody import CaseOpened, CustodyRow, ExhibitBegun, ExhibitSealed, SealedFound, Signed, Stamped
from agentaudit.model.journal import CustodyHead
from agentaudit.package.check import Row

_BREAKS = {"torn": "C013", "canonical": "C001", "seq": "C002", "prev": "C002"}


@dataclass(slots=True)
class CustodyIndex:
    """What one pass over the custody log found."""

    first: CustodyRow | None = None
    opened: int = 0
    begun: list[str] = field(default_factory=list)
    seals: dict[str, set[Digest]] = field(default_factory=dict)
    attested: dict[str, dict[str, Digest]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    broken: Break | None = None

    def holds(self, head: CustodyHead) -> bool:
        """True when the log has that very row at that number."""
        return 1 <= head.seq <= len(self.lines) and head.digest == f"sha256:{self.lines[head.seq - 1]}"


@dataclass(frozen=True, slots=True)
class CaseFolder:
    """What lies in a case: sealed and partial exhibits by number's name, empty partials, and whatever else."""

    sealed: frozenset[str]
    partial: frozenset[str]
    empty: frozenset[str]
    strange: tuple[str, ...]


def index_custody(links: Iterable[Link[CustodyRow] | Break]) -> CustodyIndex:
    """One pass over the log, up to its first fault."""
    index = CustodyIndex()
    for link in links:
        if isinstance(link, Break):
            index.broken = link
            break
        row = link.row
        index.first = index.first or row
        index.lines.append(link.sha256)
        match row:
            case CaseOpened():
                index.opened += 1
            case ExhibitBegun():
                index.begun.append(row.exhibit)
            case ExhibitSealed() | SealedFound():
                index.seals.setdefault(row.exhibit, set()).add(row.seal)
            case Signed():
                index.attested.setdefault(row.exhibit, {})[row.file] = row.sha256
            case Stamped():
                kept = index.attested.setdefault(row.exhibit, {})
                kept.update({row.file: row.sha256, chain_name(row.file): row.chain_sha256})
            case _:
                pass
    return index


def check_custody(index: CustodyIndex, case_digest: Digest | None) -> Iterator[Row]:
    """The chain, its first row, and the case file that this row names (None when it is no case file)."""
    if index.broken is not None:
        at = index.broken
        yield _BREAKS[at.rule], f"{layout.CUSTODY}:{at.line}", f"{at.rule}, at byte {at.offset}"
    if isinstance(index.first, CaseOpened):
        if index.first.case_digest != case_digest:
            yield "C003", layout.CASE, ""
    elif index.broken is None or index.broken.rule == "torn" or index.lines:
        yield "C004", layout.CUSTODY, ""
    if index.opened > 1:
        yield "C004", layout.CUSTODY, "it opens twice"


def check_folder(index: CustodyIndex, folder: CaseFolder) -> Iterator[Row]:
    """Every exhibit that was begun is here, and every one that is here was begun."""
    begun = set(index.begun)
    for name in folder.strange:
        yield "C009", name, ""
    for name in sorted(begun - folder.sealed - folder.partial):
        yield "C005", name, ""
    for name in sorted((folder.sealed | folder.partial) - begun - folder.empty):
        yield "C008", name, ""
    twice = {name for name in begun if index.begun.count(name) > 1} | (folder.sealed & folder.partial)
    for name in sorted(twice):
        yield "C012", name, ""
    for name in sorted((folder.partial - folder.sealed) & (begun | folder.empty)):
        yield "C011", name, "empty" if name in folder.empty else ""
    for name in sorted((folder.sealed & begun) - index.seals.keys()):
        yield "C006", name, ""


def check_exhibit(
    index: CustodyIndex, name: str, seal: Digest | None, known: CustodyHead | None, is_ours: bool | None
) -> Iterator[Row]:
    """One sealed exhibit against the log: its seal, the custody row that it knows, and the case that it names.

    `known` and `is_ours` are None when the exhibit is not intact: then what it says of itself is not used.
    """
    noted = index.seals.get(name)
    if noted and noted != {seal}:
        yield "C007", name, ""
    if known is not None and not index.holds(known):
        yield "C010", name, f"row {known.seq}"
    if is_ours is False:
        yield "C014", name, ""


def check_attestations(index: CustodyIndex, name: str, found: Mapping[str, Digest | None]) -> Iterator[Row]:
    """What lies beside an exhibit's seal against what the log says was laid there, by file and digest."""
    kept = index.attested.get(name, {})
    for file, digest in kept.items():
        if file not in found:
            yield "C015", f"{name}/{file}", ""
        elif found[file] != digest:
            yield "C016", f"{name}/{file}", ""
    for file in sorted(found.keys() - kept.keys()):
        yield "C017", f"{name}/{file}", ""


def check_heads(index: CustodyIndex, heads: Iterable[tuple[str, CustodyHead]]) -> Iterator[Row]:
    """Every custody row that an export names is in the log; `heads` are (where it is named, the row)."""
    for place, head in heads:
        if not index.holds(head):
            yield "C018", place, f"row {head.seq}"
