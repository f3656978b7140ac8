"""The custody log as an export tells it: every row, its digest, and the head that the export names.

- The log is judged before it is told: a broken chain, or a case file that it did not open, ends the export.
- A selection in a row is told like that of an exhibit; what may be a name is left out unless names are shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agentaudit.errors import PackageFault
from agentaudit.export.asked import asked
from agentaudit.export.document import CustodyLine
from agentaudit.export.facts import facts_of
from agentaudit.export.lines import Facts
from agentaudit.format import layout
from agentaudit.format.chain import CUSTODY_CODEC, Break, Link, links
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CustodyRow, ExhibitBegun, Exported, Handled
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import CASE_MAX_BYTES, load_case
from agentaudit.package.check_case import CustodyIndex, check_custody, index_custody
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree

TORN = "C013"
"""A torn last line never counted (FORMAT.md, section 10.2)."""

_ENVELOPE = frozenset({"seq", "at", "prev", "event", "actors", "host", "user", "tool", "selection", "subjects"})


@dataclass(frozen=True, slots=True)
class CustodyTold:
    """The rows, the head after them, and the index that exhibits are held against; `case` is the case's number."""

    case: str
    lines: tuple[CustodyLine, ...]
    head: CustodyHead
    index: CustodyIndex


def read_custody(case: Path, *, names: bool) -> CustodyTold:
    """The custody log of a case, judged; PackageFault (4) for a fault in it."""
    with Tree(case) as tree:
        found = tuple(_links(tree))
        digest = digest_of(tree.read(layout.CASE, CASE_MAX_BYTES))
    index = index_custody(found)
    for code, subject, _ in check_custody(index, digest):
        if code != TORN:
            raise PackageFault(f"{subject} has a fault ({code}), so nothing is exported", f"agentaudit verify {case}")
    lines = tuple(custody_line(link, names=names) for link in found if isinstance(link, Link))
    head = CustodyHead(seq=lines[-1].seq, digest=lines[-1].sha256)
    return CustodyTold(load_case(case).file.number, lines, head, index)


def _links(tree: Tree) -> Iterator[Link[CustodyRow] | Break]:
    try:
        yield from links(tree.lines(layout.CUSTODY, ROW_MAX), CUSTODY_CODEC, CustodyRow)
    except OSError:
        return


def custody_line(link: Link[CustodyRow], *, names: bool) -> CustodyLine:
    """One row as it is exported; the digest of its line leads back to it."""
    row = link.row
    return CustodyLine(
        seq=row.seq,
        at=row.at,
        event=dict(facts_of(row))["event"],
        actors=row.actors,
        host=row.host,
        user=row.user,
        tool=row.tool,
        facts=_about(row) + facts_of(row, skip=_ENVELOPE) + _selection(row, names=names),
        prev=row.prev,
        sha256=Digest(f"sha256:{link.sha256}"),
    )


def _about(row: CustodyRow) -> Facts:
    """The exhibits that a row is about, each with its seal."""
    subjects = row.subjects if isinstance(row, Handled | Exported) else ()
    return tuple((one.exhibit, one.seal or "no seal stated") for one in subjects)


def _selection(row: CustodyRow, *, names: bool) -> Facts:
    return asked(row.selection, names=names) if isinstance(row, ExhibitBegun) else ()
