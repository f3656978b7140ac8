"""What every command that asks an API has: its options for the way and the key, its run, its resumption.

- The key is read last, when nothing else can be wrong any more; it never stands in the command line.
- What talks to the source is imported once the arguments stand: a refusal is quick.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from agentaudit.acquire.request import Collect, Reach, ResumeCollection
from agentaudit.cli.acting import Manner, acting
from agentaudit.cli.app import Invocation
from agentaudit.cli.console import Console
from agentaudit.cli.keys import KeyPlace, read_key
from agentaudit.errors import UsageFault
from agentaudit.format import layout
from agentaudit.package.case import load_case

ApiRoot = Annotated[str, typer.Option(metavar="URL", help="The API's address; https only.")]
KeyFile = Annotated[Path | None, typer.Option(metavar="PATH", help="Read the key from a file that only you can read.")]
KeyStdin = Annotated[bool, typer.Option("--key-stdin", help="Read the key from standard input.")]
Rate = Annotated[int, typer.Option("--requests-per-minute", metavar="N", help="Of the 600 that all clients share.")]
Connections = Annotated[int, typer.Option(metavar="N", help="Sessions paged at once.")]
Resume = Annotated[str | None, typer.Option(metavar="EXHIBIT", help="Go on with an interrupted exhibit.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Ask nothing: print the first requests.")]
CaFile = Annotated[Path | None, typer.Option(metavar="FILE", help="Trust these authorities instead of the usual.")]
Proxy = Annotated[str | None, typer.Option(metavar="URL", help="Go through this proxy; none otherwise.")]


@dataclass(frozen=True, slots=True)
class KeyAsked:
    """Where the key of this run is to be read: the API's usual place, or the file or standard input that was named."""

    place: KeyPlace
    file: Path | None
    from_stdin: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """A run that asks an API, its arguments judged; nothing has been asked yet."""

    case: Path
    way: Reach
    key: KeyAsked
    manner: Manner

    def keyed(self, given: Invocation, request: Collect) -> Collect:
        """The request with its key."""
        return replace(request, reach=self._reach(given))

    def collect(self, given: Invocation, request: Collect, *, listed: bool = False) -> int:
        """Collect and seal; the exit status. `listed`: only a list was asked for."""
        from agentaudit.acquire.collect import collect  # noqa: PLC0415 - see above

        with acting(given.console, self.case, self.manner) as act:
            return act.sealed(collect(request, act.around, act.progress), listed=listed)

    def resume(self, given: Invocation, exhibit: str) -> int:
        """Go on with an interrupted exhibit of the case; the exit status."""
        load_case(self.case)
        if layout.exhibit_number(exhibit) is None:
            raise UsageFault("--resume takes the number of an exhibit of the case", "for example --resume EX-0002")
        request = ResumeCollection(self.case, exhibit, self._reach(given), self.manner.said, given.argv)
        from agentaudit.acquire.collect import resume_collection  # noqa: PLC0415 - see above

        with acting(given.console, self.case, self.manner) as act:
            return act.sealed(resume_collection(request, act.around, act.progress))

    def _reach(self, given: Invocation) -> Reach:
        key = read_key(given.console, self.key.file, place=self.key.place, from_stdin=self.key.from_stdin)
        if any(key.appears_in(word.encode()) for word in given.argv):
            raise UsageFault(
                "the key stands in the command line, which is recorded", "delete that key, and make another"
            )
        return replace(self.way, key=key)


def dry_run(console: Console, request: Collect, *, as_json: bool, hidden: tuple[str, ...]) -> int:
    """Print the requests that a collection would begin with; always 0."""
    from agentaudit.cli import dryrun  # noqa: PLC0415 - see above

    return dryrun.dry_run(console, request, as_json=as_json, hidden=hidden)
