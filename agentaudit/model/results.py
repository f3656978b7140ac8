"""What a command ends with, as `--json` prints it; each result is one frozen document."""

from typing import Literal

from agentaudit.model.base import Digest, Frozen
from agentaudit.model.journal import Counts, Outcome
from agentaudit.model.losses import GapCode, GapKind


class GapTotal(Frozen, frozen=True, kw_only=True):
    """How many things are missing for one reason; `count` sums the gaps' own counts."""

    kind: GapKind
    code: GapCode
    count: int


class SealedResult(Frozen, frozen=True, kw_only=True):
    """An exhibit was sealed: by `collect-sessions`, its `--resume`, or `seal`.

    `session_outcomes` counts kept sessions by outcome. `seal` commits to every byte (FORMAT.md, section 2).
    """

    result: Literal["sealed"] = "sealed"
    case: str
    exhibit: str
    path: str
    endpoint_class: str
    seal: Digest
    outcome: Outcome
    counts: Counts
    gaps: tuple[GapTotal, ...]
    session_outcomes: tuple[tuple[Outcome, int], ...]
    warnings: tuple[str, ...]
