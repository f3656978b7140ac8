"""What a working copy asks of an adapter: which files hold a session's messages, and what stands in them.

- An adapter is pure: bytes in, pieces out. It is found by the name that the exhibit's journal holds.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from agentaudit.model.tagfiles import ItemRow, WalkRow
from agentaudit.model.workingcopy import Aside, Message, NotRead

LINE_MAX = 64 * 1024 * 1024
"""A longer line comes in several pieces, of which only the last ends in LF."""


class CopyReading(Protocol):
    """One pass over the files of one session, in their order."""

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead | Aside]:
        """What one file holds, in its order; `lines` are all its bytes, split after each LF and at `LINE_MAX`."""
        ...


class CopyReader(Protocol):
    """An adapter, as a working copy knows it."""

    @property
    def name(self) -> str:
        """`<source>-copy/<version>`: it stands in every copy."""
        ...

    def reads(self, adapter: str) -> bool:
        """True for the exhibits of an adapter of that name."""
        ...

    def rank(self, item: ItemRow) -> int | None:
        """Where a file of the session stands in the copy: by rank, then by path; None for one without messages."""
        ...

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> CopyReading:
        """Begin with the session of that key."""
        ...
