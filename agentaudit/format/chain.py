"""Hash-chained JSON Lines: the journal and the custody log share these rules (FORMAT.md, section 4).

- Line n+1 holds in `prev` the SHA-256 of line n with its LF; the first holds 64 zeros.
- `seq` counts from 1 without holes.
- A line is canonical and ends with LF; what follows the last LF is a torn tail, never a row.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Generic, TypeVar

import msgspec

from agentaudit.encoding.canonical import Codec, NotCanonical
from agentaudit.model.base import Frozen
from agentaudit.model.custody import CustodyEvent, CustodyRow
from agentaudit.model.event import Event
from agentaudit.model.journal import ZERO, Act

JOURNAL_CODEC = Codec(Event)
CUSTODY_CODEC = Codec(CustodyEvent)

Row = TypeVar("Row", bound=Act | CustodyRow)


class Link(msgspec.Struct, Generic[Row], frozen=True, gc=False):
    """One line of a chain: its row, where it lies, the digest of its bytes."""

    row: Row
    offset: int
    length: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Break:
    """Where a chain stops being one: line number from 1, byte offset, and which rule is broken."""

    line: int
    offset: int
    rule: str


def links(lines: Iterable[bytes], codec: Codec, kind: type[Row]) -> Iterator[Link[Row] | Break]:
    """Each line of a chain as a `Link`; the first fault as a `Break`, after which nothing follows.

    Lines come with their LF. Rules named: `torn` (no LF), `canonical`, `seq`, `prev`.
    """
    offset, prev = 0, ZERO
    for seq, line in enumerate(lines, 1):
        rule, row = _row(line, codec, kind)
        if row is not None and rule is None:
            rule = "seq" if row.seq != seq else "prev" if row.prev != prev else None
        if rule is not None or row is None:
            yield Break(seq, offset, rule or "canonical")
            return
        prev = sha256(line).hexdigest()
        yield Link(row, offset, len(line), prev)
        offset += len(line)


def _row(line: bytes, codec: Codec, kind: type[Row]) -> tuple[str | None, Row | None]:
    if not line.endswith(b"\n"):
        return "torn", None
    try:
        row: Frozen = codec.decode(line[:-1])
    except NotCanonical:
        return "canonical", None
    return (None, row) if isinstance(row, kind) else ("canonical", None)
