"""The guess that a text is no JSON Lines at all but JSON documents spread over lines, as a pretty-printer writes them.

- It begins with a first line that only breaks off, and dies at the first byte that no document allows.
- It keeps one reader and a few counts, whatever the size of the text.
- It is fed whole lines in their order: no token of JSON spans a line feed.
"""

from agentaudit.encoding.jsonl.grammar import Octets, Outcome, Reader, space_end
from agentaudit.encoding.jsonl.judging import BOM, kind_at
from agentaudit.model.framing import ValueKind


class Document:
    """Reads one text across its lines; `alive` while it may still be documents."""

    def __init__(self) -> None:
        """Begin before the text's first byte."""
        self.alive = True
        self.kinds: dict[ValueKind, int] = {}
        self._reader: Reader | None = None
        self._begun = False

    @property
    def values(self) -> int:
        """How many documents are complete."""
        return sum(self.kinds.values())

    @property
    def whole(self) -> bool:
        """True when the text so far is complete documents and nothing else."""
        return self.alive and self._reader is None and self.values > 0

    def feed(self, lines: Octets) -> None:
        """Read on in the lines that follow."""
        at = len(BOM) if not self._begun and lines.startswith(BOM) else 0
        self._begun = True
        while self.alive:
            if self._reader is None:
                at = space_end(lines, at)
                if at == len(lines):
                    return
            at = self._read(lines, at)
            if at == len(lines):
                return

    def _read(self, lines: Octets, at: int) -> int:
        """Read one document on; where it ends, or the end of the lines when it goes on behind them."""
        reader = self._reader
        if reader is None:
            reader = self._reader = Reader()
            self._kind = kind_at(lines, at)
        outcome = reader.read(lines, at)
        if outcome is Outcome.COMPLETE:
            self.kinds[self._kind] = self.kinds.get(self._kind, 0) + 1
            self._reader = None
        elif outcome is not Outcome.PREFIX or reader.at != len(lines):
            self.alive = False
        return reader.at
