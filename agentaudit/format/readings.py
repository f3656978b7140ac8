"""What verification and sealing ask of an adapter, so that the package names no source.

- A `PageReader` is found by the name that the journal's `opened` row holds; each is of a stated version.
- A `Reading` is fed the answers of a package in the order of their payload paths and gives content-free rows.
- A reading that another version made is not rebuilt, and that is said.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from agentaudit.model.journal import Answered, Opened
from agentaudit.model.losses import Gap, Truncation
from agentaudit.model.readings import RecordRow, Unread
from agentaudit.model.sessionrow import AnySession
from agentaudit.model.storejournal import DatabaseCopied, Entry, Kept, ProjectionCompared, StoreFacts, ThreadLinked
from agentaudit.model.stream import EventRow, PayloadFeed, StreamRow
from agentaudit.model.tagfiles import CoverageLimit, WalkRow


class Reading(Protocol):
    """One pass over the raw pages of one exhibit."""

    def feed(self, row: Answered, body: bytes) -> tuple[tuple[RecordRow, ...], tuple[Truncation, ...]]:
        """The records and truncations of one answer, in the order returned; an unreadable body gives none."""
        ...

    def sessions(self, walks: Iterable[WalkRow], gaps: Iterable[Gap]) -> Iterator[AnySession]:
        """After the last answer: each session seen, by session key."""
        ...

    def coverage(self) -> tuple[CoverageLimit, ...]:
        """The coded limits of this kind of source, narrowed to this exhibit, by code."""
        ...


@runtime_checkable
class CursorReading(Protocol):
    """A reading that also says where the page fed last leads; without it, cursors are not checked.

    A reading that can do it simply has this method beside its others.
    """

    def next_cursor(self) -> str | Unread | None:
        """The `next_page` of the answer fed last: a token, None when null or absent, `UNREAD` when unreadable."""
        ...


@runtime_checkable
class StoreReading(Reading, Protocol):
    """A reading of a preserved store: it is shown each entry and each kept file, and opens none of them."""

    def entry(self, entry: Entry) -> None:
        """Take one directory entry, in the order of the survey."""
        ...

    def store(self, row: StoreFacts) -> None:
        """Take what files of the store say of it, after the entries."""
        ...

    def kept(self, row: Kept) -> None:
        """Take one kept file, in the order of the payload paths."""
        ...


@runtime_checkable
class DatabaseReading(StoreReading, Protocol):
    """A reading of a store that keeps databases beside its sessions: it is shown what was found of them."""

    def database(self, row: DatabaseCopied) -> None:
        """Take one go at the files of a database, after the kept files."""
        ...

    def projection(self, row: ProjectionCompared) -> None:
        """Take what the databases of a root say of its sessions."""
        ...

    def linked(self, row: ThreadLinked) -> None:
        """Take what one session names as its origin and spawner."""
        ...


@runtime_checkable
class EventReading(Reading, Protocol):
    """A reading that makes events and streams of answers, or of kept files whose bytes it is fed with.

    `events` and `clipped` are asked after each answer, each piece and each finished file, and give what came since:
    so memory stays flat. A reading of kept files is a `StoreReading` too, and is told a file's row before its bytes.
    """

    def payload(self, row: Kept) -> PayloadFeed | None:
        """What the bytes of a kept file are to be fed to; None for a file that is not read.

        It is not asked about an earlier copy of a file that was read again: the last copy counts.
        """
        ...

    def events(self) -> Iterator[EventRow]:
        """The events that were completed since the last call, in the order of their places."""
        ...

    def clipped(self) -> Iterator[Truncation]:
        """The truncations that were seen since the last call; `session` is the stream's key."""
        ...

    def streams(self) -> Iterator[StreamRow]:
        """After the last answer or file: each stream, by its key."""
        ...


class Recheck(Protocol):
    """The facts of one preserved file, drawn from its bytes again."""

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes of the copy."""
        ...

    def agrees(self) -> bool:
        """After the last byte: whether the journalled facts are those of these bytes."""
        ...


@runtime_checkable
class FactReading(StoreReading, Protocol):
    """A reading that can draw the facts in a row of a kept file from its copy again; without it they are not checked.

    A reading that can do it simply has this method beside its others.
    """

    def recheck(self, row: Kept) -> Recheck | None:
        """What the bytes of the copy are to be fed to; None for a file that has no such facts."""
        ...


class PageReader(Protocol):
    """An adapter, as the package knows it: `name` is `<source>/<version>`."""

    @property
    def name(self) -> str:
        """The name as it stands in the journal."""
        ...

    def open(self, opened: Opened, walks: Iterable[WalkRow]) -> Reading:
        """Begin a reading of the exhibit that this row opened; `walks` in the order of their ids."""
        ...
