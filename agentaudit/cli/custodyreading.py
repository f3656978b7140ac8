"""A chain of custody as it is read for showing: of a case, or of the copies beside an exhibit that travelled alone."""

from dataclasses import dataclass
from pathlib import Path

from agentaudit.errors import DestinationFault
from agentaudit.format import layout
from agentaudit.format.chain import CUSTODY_CODEC, Link
from agentaudit.format.codes import finding
from agentaudit.model.base import Digest, digest_of
from agentaudit.model.custody import CaseFile, CustodyRow, ExhibitSealed, SealedFound
from agentaudit.model.finding import Finding
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import load_case
from agentaudit.package.check_case import check_custody, index_custody
from agentaudit.package.handover import read_travelling
from agentaudit.package.rows import read_log
from agentaudit.review import is_case


@dataclass(frozen=True, slots=True)
class Chain:
    """The case, its rows up to the first fault, the head after them, and what is wrong."""

    case: CaseFile
    rows: tuple[CustodyRow, ...]
    head: CustodyHead | None
    findings: tuple[Finding, ...]

    @property
    def is_faulty(self) -> bool:
        """True when a fault is an error: a torn last line is none."""
        return any(one.severity == "error" for one in self.findings)

    def sealed(self) -> tuple[str, ...]:
        """The exhibits that the log holds a seal of, in the order of their sealing."""
        rows = (row for row in self.rows if isinstance(row, ExhibitSealed | SealedFound))
        return tuple(dict.fromkeys(row.exhibit for row in rows))


def read_chain(path: Path) -> Chain:
    """The chain at a path; DestinationFault (7) where there is neither a case nor a travelling exhibit."""
    if is_case(path):
        return _of_case(path)
    came = read_travelling(path)
    if came is None or came.case is None:
        raise DestinationFault(
            f"{path} is neither a case nor an exhibit with the copies of one beside it", "name the case's folder"
        )
    place = layout.travelling_names(came.exhibit)[1]
    return Chain(came.case, came.rows, came.head, tuple(finding("C019", place, fault) for fault in came.faults))


def _of_case(path: Path) -> Chain:
    case = load_case(path)
    found = tuple(read_log(path / layout.CUSTODY, CUSTODY_CODEC, CustodyRow))
    index = index_custody(found)
    wrong = check_custody(index, digest_of((path / layout.CASE).read_bytes()))
    rows = tuple(link.row for link in found if isinstance(link, Link))
    lines = index.lines
    head = CustodyHead(seq=len(lines), digest=Digest(f"sha256:{lines[-1]}")) if lines else None
    return Chain(case.file, rows, head, tuple(finding(code, subject, detail) for code, subject, detail in wrong))
