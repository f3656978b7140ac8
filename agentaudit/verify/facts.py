"""Whether the facts of preserved files are those of their bytes (FORMAT.md, section 7.7).

- The copy is read again, piece by piece, by the code that read the original; memory stays flat.
- Its bytes were hashed before: here nothing is asked but what follows from them.
- What no reading can draw again is not judged.
"""

from collections.abc import Iterator

from agentaudit.format.readings import FactReading, Reading
from agentaudit.model.journal import Answered
from agentaudit.model.storejournal import Kept
from agentaudit.package.check import Row
from agentaudit.package.tree import Tree

PIECE_BYTES = 1024 * 1024


class FactCheck:
    """A watch over one reading; call it with each kept file after it was fed."""

    def __init__(self, tree: Tree) -> None:
        """`tree` is the exhibit whose files are read."""
        self._tree = tree
        self._differ: list[str] = []

    def __call__(self, row: Answered | Kept, reading: Reading) -> None:
        """Take a row; a file with facts is read again."""
        if not isinstance(row, Kept) or not isinstance(reading, FactReading):
            return
        recheck = reading.recheck(row)
        if recheck is None:
            return
        with self._tree.stream(row.item.path) as stream:
            while octets := stream.read(PIECE_BYTES):
                recheck.feed(memoryview(octets))
        if not recheck.agrees():
            self._differ.append(row.item.path)

    def rows(self) -> Iterator[Row]:
        """After the last file: the findings."""
        for path in self._differ:
            yield "R003", path, ""
