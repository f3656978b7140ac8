"""What one pass over a text of JSON Lines of a home gives: framing, and of a rollout the facts of its records.

- The same code draws the facts while a file is copied, from a compressed copy, and while a preserved copy is checked.
- A line over the bound of the reader of facts is framed all the same, and counted as unread.
"""

from agentaudit.adapters.codex.roles import ROLLOUTS
from agentaudit.adapters.codex.rollout import RolloutReading
from agentaudit.adapters.stores.cutting import LineCutter
from agentaudit.encoding.jsonl.framer import framing
from agentaudit.model.codex import RolloutFacts
from agentaudit.model.framing import FramingFacts


class HomeLineFacts:
    """The facts of one text, gathered chunk by chunk."""

    def __init__(self, role: str, stem: str | None) -> None:
        """`stem` is the thread that the name of a rollout states."""
        self._framing = framing()
        self._reading = RolloutReading(stem) if role in ROLLOUTS else None
        reading = self._reading
        self._cutter = None if reading is None else LineCutter(reading.see_line, reading.see_unread)

    def feed(self, chunk: memoryview | bytes) -> None:
        """Take the next bytes."""
        self._framing.feed(chunk)
        if self._cutter is not None:
            self._cutter.feed(chunk)

    def finish(self) -> tuple[FramingFacts, RolloutFacts | None]:
        """The text is at its end."""
        if self._cutter is not None:
            self._cutter.finish()
        return self._framing.finish().facts, None if self._reading is None else self._reading.facts()
