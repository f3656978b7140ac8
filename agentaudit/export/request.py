"""What is asked of an export, and what it ends with.

- Every default is resolved; the exhibits were checked just before, and their verdicts are part of the request.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agentaudit.export.checked import Checked
from agentaudit.model.base import Digest, Frozen
from agentaudit.model.custody import Subject
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import Case

Format = Literal["json", "csv", "md", "html", "dat", "case"]

FORMATS: tuple[Format, ...] = ("json", "csv", "md", "html", "dat", "case")


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """An export: of which checked exhibits, in which formats, where to.

    `case` is None for an exhibit that travels without its case; then `out` names the new folder. `left_out` are the
    exhibits of the case that are not exported, each with the reason.
    """

    case: Case | None
    exhibits: tuple[Checked, ...]
    left_out: tuple[tuple[str, str], ...]
    formats: tuple[Format, ...]
    out: Path | None
    names: bool


class ExportFile(Frozen, frozen=True, kw_only=True):
    """export.json: what this export is, in every export whatever its formats; the head binds it to the custody log."""

    attention: tuple[str, ...]
    case: str | None
    custody_head: CustodyHead | None
    exhibits: tuple[Subject, ...]
    format: Literal["agentaudit-export/1"]
    formats: tuple[Format, ...]
    left_out: tuple[tuple[str, str], ...]
    made_by: str
    names_shown: bool


class ExportedFile(Frozen, frozen=True, kw_only=True):
    """One file of an export."""

    name: str
    bytes: int
    sha256: Digest


class ExportedResult(Frozen, frozen=True, kw_only=True):
    """An export was made: where it lies, the digest that stands for it, its files, and its row of the custody log."""

    result: Literal["exported"] = "exported"
    path: str
    listing: Digest
    formats: tuple[Format, ...]
    exhibits: tuple[Subject, ...]
    custody_head: CustodyHead | None
    custody_row: int | None
    attention: tuple[str, ...]
    files: tuple[ExportedFile, ...]
