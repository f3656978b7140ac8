"""Listing caches of project folders, held against the transcripts that lie in the same folder.

- What lies on the disk is the list; a cache is a witness that is often stale, and how far it differs is a number.
- Nothing is opened here: a cache is read by whoever is handed in, after every entry was seen.
"""

from collections.abc import Callable, Iterator

from agentaudit.adapters.claude_code.roles import Placed
from agentaudit.adapters.claude_code.witnesses import listed_in
from agentaudit.encoding.foreign import Json
from agentaudit.model.storejournal import IndexCount
from agentaudit.model.survey import Parts, Seen
from agentaudit.model.text import SourceText


class Listings:
    """The caches and the transcripts of a survey, by root and folder."""

    def __init__(self) -> None:
        """Nothing is seen yet."""
        self._there: dict[tuple[str, Parts], set[SourceText]] = {}
        self._caches: list[tuple[int, Seen]] = []

    def see(self, number: int, seen: Seen, placed: Placed) -> None:
        """Take one entry; a transcript counts as there whatever kind of entry it is."""
        if placed.role == "transcript" and placed.session is not None:
            self._there.setdefault((seen.root, seen.parts[:-1]), set()).add(placed.session)
        elif placed.role == "index" and seen.kind == "file" and seen.look is not None:
            self._caches.append((number, seen))

    def counts(self, read: Callable[[Seen], Json]) -> Iterator[IndexCount]:
        """Each cache against its folder; `read` gives the value of a document, None for one that is none."""
        for number, seen in self._caches:
            there = frozenset(self._there.get((seen.root, seen.parts[:-1]), ()))
            yield _count(number, seen.root, listed_in(read(seen)), there)


def _count(number: int, root: str, listed: frozenset[str] | None, there: frozenset[SourceText]) -> IndexCount:
    if listed is None:
        return IndexCount(root=root, entry=number, listed=None, absent=None, unlisted=None)
    return IndexCount(
        root=root, entry=number, listed=len(listed), absent=len(listed - there), unlisted=len(there - listed)
    )
