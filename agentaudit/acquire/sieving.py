"""What is held back from a copy while it is made, by whose files they are.

- A file is judged once when it is surveyed, and again as it is copied: what changed in between brings no key along.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol

from agentaudit.adapters.openclaw.extract import asked_for
from agentaudit.adapters.openclaw.withholding import LedgerSieve, Withheld
from agentaudit.model.selection import HandedOver, Keeper, StoreSelection
from agentaudit.model.survey import Parts, Seen
from agentaudit.sources.local.read import Reader, Unread


class Sieve(Protocol):
    """One file on its way: what it gives back may be written. Raises Withheld before it gives back what may not."""

    def feed(self, chunk: bytes | memoryview) -> bytes:
        """Take the next bytes; gives those that may be written, in order."""
        ...

    def finish(self) -> bytes:
        """The last byte was fed: the rest."""
        ...


def sieve_of(keeper: Keeper) -> Sieve | None:
    """The sieve for a copy of that keeper's; None where names and places decide alone.

    Whatever a selection can let in goes through: the survey has judged by the selection before.
    """
    return LedgerSieve() if keeper == "gateway-ledger" else None


def held_back(
    entries: Iterable[Seen], readers: Mapping[str, Reader], selection: StoreSelection
) -> frozenset[tuple[str, Parts]]:
    """The files, by root and path, whose bytes may not be packed; what cannot be read is judged when it is copied."""
    asked = asked_for(selection.included if isinstance(selection, HandedOver) else ())
    return frozenset(
        (seen.root, seen.parts)
        for seen in entries
        if seen.kind == "file" and _is_held_back(seen, readers[seen.root], LedgerSieve((asked,)))
    )


def _is_held_back(seen: Seen, reader: Reader, sieve: Sieve) -> bool:
    def take(chunk: memoryview) -> None:
        sieve.feed(chunk)

    try:
        if not isinstance(reader.read(seen, take), Unread):
            sieve.finish()
    except Withheld:
        return True
    return False
