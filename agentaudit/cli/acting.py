"""How a command that seals an exhibit runs: surroundings, progress, warnings, summary, exit status.

- The live line is gone before anything else is written, also when the run ends in an error.
- A case folder that others can read is warned about; the host's row of the journal records it.
"""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from agentaudit.acquire.request import Surroundings
from agentaudit.cli.console import Console
from agentaudit.cli.progress import LineProgress
from agentaudit.cli.summary import summary
from agentaudit.cli.surroundings import surroundings
from agentaudit.encoding.canonical import encode
from agentaudit.model.actors import Said
from agentaudit.model.results import SealedResult
from agentaudit.model.selection import SessionSelection

INCOMPLETE = 3
SUMMARY_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Manner:
    """What the people say about the act, and how its result is told."""

    said: Said
    as_json: bool
    quiet: bool


@dataclass(frozen=True, slots=True)
class Acting:
    """A run that stands: its surroundings, its listener, and where its result goes."""

    console: Console
    around: Surroundings
    progress: LineProgress
    manner: Manner

    def sealed(self, result: SealedResult, *, listed: bool = False) -> int:
        """Tell the result; 0, or 3 for an exhibit that is sealed and incomplete. `listed`: only a list was asked."""
        self.progress.clear()
        heard = dict.fromkeys((*self.progress.warnings, *result.warnings))
        told = msgspec.structs.replace(result, warnings=tuple(heard))
        if self.manner.as_json:
            self.console.document(encode(told))
        else:
            self._tell(told, listed=listed)
        return INCOMPLETE if told.outcome == "incomplete" else 0

    def _tell(self, result: SealedResult, *, listed: bool) -> None:
        """The summary for the person, and the exhibit's path as the result."""
        for sentence in result.warnings:
            self.progress.warn(sentence)
        if not self.manner.quiet:
            step = _next_step(Path(result.path), listed=listed)
            for line in summary(result, step, min(SUMMARY_WIDTH, self.console.width(err=True))):
                self.console.say(line)
        self.console.result(result.path)


@contextmanager
def acting(console: Console, case: Path, manner: Manner) -> Iterator[Acting]:
    """The run's surroundings while it lasts; its live line ends with it."""
    with surroundings(console, case) as around:
        progress = LineProgress(console, around.monotonic_ms, quiet=manner.quiet)
        console.watch(progress)
        try:
            if around.host.case_folder_open_to_others:
                progress.warn(f"the case folder {case} can be read by others; chmod 700 keeps it to you")
            yield Acting(console, around, progress, manner)
        finally:
            progress.clear()
            console.watch(None)


def _next_step(exhibit: Path, *, listed: bool) -> str:
    """After a list its review, after a collection its check."""
    if listed:
        return f"agentaudit show {shlex.quote(str(exhibit))} --show-names"
    return f"agentaudit verify {shlex.quote(str(exhibit.parent))}"


def tell_window(console: Console, selection: SessionSelection) -> None:
    """Print how the window was understood, in UTC."""
    if selection.window is not None:
        begins = selection.window.begins or "the beginning"
        ends = selection.window.ends or "now"
        console.say(f"window of {selection.window_kind}: from {begins} until {ends} (UTC)")
