"""Who is whose parent: uuids that come again, parents that are not there, records on a cycle.

- None of it is a fault: resumed sessions repeat records, and compaction cuts chains.
- Memory is bounded: a uuid is kept as 64 bits of hash, and beyond `UUIDS_MAX` of them nothing more is said.
- Every walk over parents ends, whatever they name.
"""

from typing import Final

UUIDS_MAX: Final = 262_144


class Lineage:
    """The parents of the uuids seen so far; `known` is false once there were too many."""

    __slots__ = ("_duplicates", "_forward", "_limit", "_parents", "_selves", "known")

    def __init__(self, limit: int = UUIDS_MAX) -> None:
        self.known = True
        self._limit = limit
        self._parents: dict[int, int | None] = {}
        self._duplicates = 0
        self._selves = 0
        self._forward = False

    def see(self, uuid: str, parent: str | None) -> None:
        """One record; of a uuid that comes again the first parent counts."""
        key = hash(uuid)
        parents = self._parents
        if key in parents:
            self._duplicates += 1
            return
        if len(parents) >= self._limit:
            self.known = False
            return
        above = None if parent is None else hash(parent)
        if above == key:
            self._selves += 1
        elif above is not None and above not in parents:
            self._forward = True
        parents[key] = above

    @property
    def duplicates(self) -> int | None:
        """Records whose uuid was there before."""
        return self._duplicates if self.known else None

    @property
    def selves(self) -> int | None:
        """Records that are their own parent."""
        return self._selves if self.known else None

    @property
    def dangling(self) -> int | None:
        """Distinct parents that are no record here."""
        if not self.known:
            return None
        return len({above for above in self._parents.values() if above is not None and above not in self._parents})

    @property
    def cyclic(self) -> int | None:
        """Records on a cycle of two or more; there is none where every parent stood before its child."""
        if not self.known:
            return None
        return self._on_cycles() if self._forward else 0

    def _on_cycles(self) -> int:
        """Each record is walked once: a walk stops at what an earlier walk or itself has been to."""
        walked: set[int] = set()
        cyclic = 0
        for start in self._parents:
            at: int | None = start
            way: list[int] = []
            while at is not None and at in self._parents and at not in walked:
                walked.add(at)
                way.append(at)
                at = self._parents[at]
            if at is not None and at in way[:-1]:
                cyclic += len(way) - way.index(at)
        return cyclic
