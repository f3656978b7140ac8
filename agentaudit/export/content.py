"""What the texts of an export ask of an adapter: which files hold messages, and what stands in them.

- An adapter is pure: bytes in, pieces out. It belongs to the exhibits of the adapters that it says it reads.
- An exhibit that none reads gives no texts; nobody guesses at its content.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from agentaudit.model.tagfiles import ItemRow, WalkRow
from agentaudit.model.workingcopy import Aside, Message, NotRead


class ContentReading(Protocol):
    """One pass over the files of one session, in their order."""

    def feed(self, item: ItemRow, lines: Iterable[bytes]) -> Iterator[Message | NotRead | Aside]:
        """What one file holds, in its order; `lines` are all its bytes, split after each LF at the latest."""
        ...


class ContentReader(Protocol):
    """An adapter, as the texts know it."""

    def reads(self, adapter: str) -> bool:
        """True for the exhibits of an adapter of that name."""
        ...

    def rank(self, item: ItemRow) -> int | None:
        """Where a file of the session stands: by rank, then by path; None for one without messages."""
        ...

    def open(self, session: str, walks: tuple[WalkRow, ...]) -> ContentReading:
        """Begin with the session of that key."""
        ...
