"""Finding rows of a sorted tag file without holding them: the file can be halved.

- What is asked for mostly lies just behind what was asked for last: a few lines are read on before halving.
- Memory is one line. The file was verified: its order is that of the format (FORMAT.md, sections 7.1 and 7.2).
"""

import os
from collections.abc import Callable
from typing import BinaryIO, Generic, TypeVar

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.base import Frozen
from agentaudit.model.tagfiles import ItemProvenance, ItemRow, WalkRow
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree

AHEAD = 8
BUFFER_BYTES = 8 * 1024

Row = TypeVar("Row", bound=Frozen)


class SortedRows(Generic[Row]):
    """The rows of one tag file by the key that it is sorted by; close it when the last was asked for."""

    def __init__(self, tree: Tree, name: str, kind: type[Row], key: Callable[[Row], str]) -> None:
        """Open the file; OSError when it cannot be."""
        self._stream: BinaryIO = os.fdopen(tree.open(name), "rb", BUFFER_BYTES)
        self._size = os.fstat(self._stream.fileno()).st_size
        self._name, self._kind, self._key = name, kind, key
        self._row: Row | None = None

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def find(self, key: str) -> Row | None:
        """The row of a key; None when there is none."""
        row = self.at_or_after(key)
        return row if row is not None and self._key(row) == key else None

    def at_or_after(self, key: str) -> Row | None:
        """The first row whose key is not below the given one; None behind the last."""
        if self._row is None or self._key(self._row) > key:
            self._halve(key)
        for _ in range(AHEAD):
            if self._row is None or self._key(self._row) >= key:
                return self._row
            self.next()
        if self._row is not None and self._key(self._row) < key:
            self._halve(key)
        return self._row

    def next(self) -> Row | None:
        """The row behind the one that was given last."""
        line = self._stream.readline(ROW_MAX)
        self._row = self._decoded(line) if line else None
        return self._row

    def _halve(self, key: str) -> None:
        """Go to the first row whose key is not below the given one."""
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            self._stream.seek(max(0, middle - 1))
            if middle:
                self._stream.readline(ROW_MAX)
            row = self.next()
            if row is None or self._key(row) >= key:
                high = middle
            else:
                low = self._stream.tell()
        self._stream.seek(low)
        self.next()

    def _decoded(self, line: bytes) -> Row:
        try:
            row = LINE_CODECS[self._name].decode(line[:-1])
        except NotCanonical:
            row = None
        if not isinstance(row, self._kind):
            raise PackageFault(f"{self._name} changed while it was read", "let nothing write to the exhibit")
        return row


class ItemLookup(SortedRows[ItemRow]):
    """The items of one exhibit by path."""

    def __init__(self, tree: Tree) -> None:
        """Open items.jsonl."""
        super().__init__(tree, layout.ITEMS, ItemRow, lambda row: row.path)

    def answer(self, walk: str, page: int) -> ItemRow | None:
        """The last answer that was kept for a page of a walk; None when none was."""
        stem = f"{layout.DATA}/{walk}/{page:06d}"
        found: ItemRow | None = None
        # `-` sorts before `.`: an answer to a page asked for again stands before the first one.
        row = self.at_or_after(f"{stem}-")
        while row is not None and row.path.startswith(stem) and row.path[len(stem)] in "-.":
            if found is None or _ask(row) > _ask(found):
                found = row
            row = self.next()
        return found


def walk_lookup(tree: Tree) -> SortedRows[WalkRow]:
    """The walks of one exhibit by id."""
    return SortedRows(tree, layout.WALKS, WalkRow, lambda row: row.walk)


def _ask(row: ItemRow) -> int:
    return row.provenance.ask if isinstance(row.provenance, ItemProvenance) else 0
