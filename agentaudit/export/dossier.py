"""What the renderings are given: facts at hand, and rows that can be walked through again and again.

- A rendering is a pure function: a dossier in, files out, piece by piece. It opens nothing and knows no clock.
- Rows come one at a time: an export of any length fits the same memory.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from agentaudit.export.document import CustodyLine, ExhibitFacts, ExportFacts
from agentaudit.export.lines import (
    EntryLine,
    EventLine,
    GapLine,
    ItemLine,
    SessionLine,
    StreamLine,
    TruncationLine,
    WalkLine,
)


class ExhibitRows(Protocol):
    """The rows of one exhibit; each call begins anew."""

    def items(self) -> Iterator[ItemLine]:
        """Each payload file, by path."""
        ...

    def sessions(self) -> Iterator[SessionLine]:
        """Each session, by key."""
        ...

    def truncations(self) -> Iterator[TruncationLine]:
        """Each clipped thing, in the order read."""
        ...

    def gaps(self) -> Iterator[GapLine]:
        """Each gap, by its place."""
        ...

    def entries(self) -> Iterator[EntryLine]:
        """Each directory entry of a local store, by survey and number; none for an API."""
        ...

    def streams(self) -> Iterator[StreamLine]:
        """Each stream of a sibling source, by its key; none for transcripts and stores."""
        ...

    def events(self) -> Iterator[EventLine]:
        """Each event of a sibling source, in the order read."""
        ...

    def walks(self) -> Iterator[WalkLine]:
        """Each walk, by its id."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """One exhibit: its facts and its rows."""

    facts: ExhibitFacts
    rows: ExhibitRows


@dataclass(frozen=True, slots=True)
class Dossier:
    """All that an export tells of."""

    facts: ExportFacts
    parts: tuple[Part, ...]
    custody: tuple[CustodyLine, ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """One file of an export: its name in the export's folder, and its bytes piece by piece."""

    name: str
    pieces: Iterable[bytes]


Renderer: TypeAlias = Callable[[Dossier], Iterable[Rendered]]
