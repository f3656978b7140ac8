"""What one pass over a file of JSON Lines gives beside its bytes: framing, and the facts of its records.

- The same code draws the facts while a file is copied and while a preserved copy is checked.
- A line over the bound of the reader of facts is framed all the same, and named by no fact.
"""

from agentaudit.adapters.claude_code.transcript import TranscriptReading
from agentaudit.adapters.stores.cutting import LineCutter
from agentaudit.encoding.jsonl.framer import framing
from agentaudit.model.bundle import TranscriptFacts
from agentaudit.model.framing import FramingFacts


class LineFacts:
    """The facts of one file of JSON Lines, gathered chunk by chunk."""

    def __init__(self, stem: str | None) -> None:
        """`stem` is the session that the name of a transcript states."""
        self._framing = framing()
        self._reading = TranscriptReading(stem)
        self._cutter = LineCutter(self._reading.see_line)

    def feed(self, chunk: memoryview) -> None:
        """Take the next bytes."""
        self._framing.feed(chunk)
        self._cutter.feed(chunk)

    def finish(self) -> tuple[FramingFacts, TranscriptFacts]:
        """The text is at its end."""
        self._cutter.finish()
        return self._framing.finish().facts, self._reading.facts()
