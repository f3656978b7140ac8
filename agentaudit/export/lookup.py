"""Finding rows of items.jsonl without holding them: the file is sorted by path, so it can be halved.

- What is asked for mostly lies just behind what was asked for last: a few lines are read on before halving.
- Memory is one line. The file was verified: its order is that of the format (FORMAT.md, section 7.1).
"""

import os
from typing import BinaryIO

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import PackageFault
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS
from agentaudit.model.tagfiles import ItemProvenance, ItemRow
from agentaudit.package.derive import ROW_MAX
from agentaudit.package.tree import Tree

AHEAD = 8
BUFFER_BYTES = 8 * 1024


class ItemLookup:
    """The items of one exhibit by path; close it when the last was asked for."""

    def __init__(self, tree: Tree) -> None:
        """Open items.jsonl; OSError when it cannot be."""
        self._stream: BinaryIO = os.fdopen(tree.open(layout.ITEMS), "rb", BUFFER_BYTES)
        self._size = os.fstat(self._stream.fileno()).st_size
        self._row: ItemRow | None = None

    def close(self) -> None:
        """Let go of the file."""
        self._stream.close()

    def find(self, path: str) -> ItemRow | None:
        """The item of a payload path; None when no such file is in the package."""
        row = self._at_or_after(path)
        return row if row is not None and row.path == path else None

    def answer(self, walk: str, page: int) -> ItemRow | None:
        """The last answer that was kept for a page of a walk; None when none was."""
        stem = f"{layout.DATA}/{walk}/{page:06d}"
        found: ItemRow | None = None
        # `-` sorts before `.`: an answer to a page asked for again stands before the first one.
        row = self._at_or_after(f"{stem}-")
        while row is not None and row.path.startswith(stem) and row.path[len(stem)] in "-.":
            if found is None or _ask(row) > _ask(found):
                found = row
            row = self._next()
        return found

    def _at_or_after(self, path: str) -> ItemRow | None:
        if self._row is None or self._row.path > path:
            self._halve(path)
        for _ in range(AHEAD):
            if self._row is None or self._row.path >= path:
                return self._row
            self._next()
        if self._row is not None and self._row.path < path:
            self._halve(path)
        return self._row

    def _halve(self, path: str) -> None:
        """Go to the first row whose path is not below the given one."""
        low, high = 0, self._size
        while low < high:
            middle = (low + high) // 2
            self._stream.seek(max(0, middle - 1))
            if middle:
                self._stream.readline(ROW_MAX)
            row = self._next()
            if row is None or row.path >= path:
                high = middle
            else:
                low = self._stream.tell()
        self._stream.seek(low)
        self._next()

    def _next(self) -> ItemRow | None:
        line = self._stream.readline(ROW_MAX)
        self._row = _row(line) if line else None
        return self._row


def _ask(row: ItemRow) -> int:
    return row.provenance.ask if isinstance(row.provenance, ItemProvenance) else 0


def _row(line: bytes) -> ItemRow:
    try:
        row = LINE_CODECS[layout.ITEMS].decode(line[:-1])
    except NotCanonical:
        row = None
    if not isinstance(row, ItemRow):
        raise PackageFault("items.jsonl changed while it was read", "let nothing write to the exhibit")
    return row
