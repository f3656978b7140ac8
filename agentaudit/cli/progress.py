"""What a long run shows: a live line on a terminal, a line now and then in a pipe, nothing when quiet.

- Warnings are collected whatever the mode, and shown once each, above the live line.
- Nothing here knows a name, an id or content: a state holds counts and our own words.
"""

from collections import deque
from collections.abc import Callable

from agentaudit.acquire.progress import State
from agentaudit.cli.console import Console
from agentaudit.cli.words import counted, seconds, sized

REDRAW_MS = 100
PIPE_MS = 10_000
RATE_MS = 10_000
BAR = 20


class LineProgress:
    """A listener that draws the newest state on the console."""

    def __init__(self, console: Console, monotonic_ms: Callable[[], int], *, quiet: bool) -> None:
        """Draw on the console; `monotonic_ms` paces the drawing."""
        self._console = console
        self._now = monotonic_ms
        self._quiet = quiet
        self._every = REDRAW_MS if console.interactive else PIPE_MS
        self._drawn: int | None = None if console.interactive else monotonic_ms()
        self._seen: deque[tuple[int, int]] = deque()
        self._warned: list[str] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """Every warning once, in the order in which it came."""
        return tuple(self._warned)

    def show(self, state: State) -> None:
        """Take the newest state; draw it when it is time."""
        now = self._now()
        self._remember(now, state)
        if self._quiet or (self._drawn is not None and now - self._drawn < self._every):
            return
        self._drawn = now
        line = sentence(state, self._rate())
        if self._console.interactive:
            self._console.redraw(line)
        else:
            self._console.say(line)

    def warn(self, sentence: str) -> None:
        """Take a warning; the same one is shown once."""
        if sentence in self._warned:
            return
        self._warned.append(sentence)
        self._console.say(f"warning: {sentence}")

    def clear(self) -> None:
        """Leave the live line empty."""
        if self._console.interactive and not self._quiet:
            self._console.redraw("")

    def _remember(self, now: int, state: State) -> None:
        self._seen.append((now, state.pages - state.replayed))
        while now - self._seen[0][0] > RATE_MS:
            self._seen.popleft()

    def _rate(self) -> float:
        (began, before), (ends, after) = self._seen[0], self._seen[-1]
        return 1000 * (after - before) / (ends - began) if ends > began else 0.0


def sentence(state: State, rate: float) -> str:
    """One line: phase, done of how many, pages, bytes, rate (pages a second), and what is waited for."""
    done = "" if state.tasks_total is None else f": {state.tasks_done:,} of {state.tasks_total:,}"
    parts = (
        f"{state.phase}{done}",
        counted(state.pages, state.unit),
        sized(state.octets) if state.octets_total is None else _bar(state.octets, state.octets_total),
        f"{rate:.1f} {state.unit}s/s" if rate else "",
        f"{state.replayed:,} from the journal" if state.replayed else "",
        f"{state.retries:,} retries" if state.retries else "",
        f"waiting: {state.waiting} ({seconds(state.wait_ms)})" if state.waiting else "",
    )
    return ", ".join(part for part in parts if part)


def _bar(octets: int, total: int) -> str:
    """`[#####...............] 1.2 GB of 4.8 GB`; what grew meanwhile does not overflow it."""
    full = BAR if not total else min(BAR, BAR * octets // total)
    return f"[{'#' * full}{'.' * (BAR - full)}] {sized(octets)} of {sized(total)}"
