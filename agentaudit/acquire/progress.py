"""What a long run tells about itself; silent by default.

- The state is a value that is replaced, never a stream of text; drawing it is the command line's affair.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class State:
    """Where a run stands: phase, tasks done of how many (None while unknown), pages and bytes made durable.

    `replayed` counts pages taken from the journal instead of the source. `waiting` says for what nothing moves
    (`rate limit`, `retry 2 of 6: ...`), and `wait_ms` for how long. `unit` names what `pages` counts; `octets_total` is
    known where there is a survey.
    """

    phase: str
    tasks_done: int = 0
    tasks_total: int | None = None
    pages: int = 0
    octets: int = 0
    replayed: int = 0
    retries: int = 0
    waiting: str = ""
    wait_ms: int = 0
    unit: str = "page"
    octets_total: int | None = None


class Progress(Protocol):
    """A listener that is told the newest state; called often, from one thread."""

    def show(self, state: State) -> None:
        """Take the newest state."""
        ...

    def warn(self, sentence: str) -> None:
        """Take a warning: one sentence without evidence, names or secrets."""
        ...


class Silent:
    """The listener that says nothing."""

    def show(self, state: State) -> None:
        """Take the newest state and say nothing."""

    def warn(self, sentence: str) -> None:
        """Take a warning and say nothing."""
