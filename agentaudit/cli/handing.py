"""What every command that preserves handed-over files has: its paths, its run, its resumption, its dry run.

- Nothing is written where the files lie, and no link in a folder is followed.
- `--dry-run` surveys and shows; names are labels unless `--show-names`.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.kinds import kind_of
from agentaudit.acquire.request import PreserveBundle, ResumePreservation
from agentaudit.acquire.surveyed import survey_store
from agentaudit.cli.acting import Manner, acting
from agentaudit.cli.app import Invocation
from agentaudit.cli.preserve import surrounding
from agentaudit.cli.surveytable import tell_survey
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.local import true_name
from agentaudit.model.losses import Gap
from agentaudit.model.selection import Deposit, HandedOver
from agentaudit.package.case import load_case

PathsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="PATH...", help="Files and folders; a folder is taken with all that it holds."),
]
ResumeOption = Annotated[
    str | None, typer.Option("--resume", metavar="EXHIBIT", help="Go on with an interrupted exhibit.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Survey and show; copy nothing.")]


@dataclass(frozen=True, slots=True)
class Handing:
    """A run over handed-over files, its arguments judged; nothing has been read yet."""

    case: Path
    manner: Manner

    def preserve(self, given: Invocation, selection: HandedOver) -> int:
        """Copy the files into a new exhibit and seal it; the exit status."""
        request = self.request(given, selection)
        with acting(given.console, self.case, self.manner) as act:
            return act.sealed(preserve_bundle(request, act.around, act.progress))

    def survey(self, given: Invocation, selection: HandedOver, *, names: bool) -> int:
        """Show what would be copied and what would stay out; always 0."""
        load_case(self.case)
        result = survey_store(self.request(given, selection), names=names)
        if self.manner.as_json:
            given.console.document(encode(result))
        else:
            tell_survey(given.console, result)
        return 0

    def resume(self, given: Invocation, exhibit: str) -> int:
        """Go on with an interrupted exhibit of the case; the exit status."""
        request = ResumePreservation(self.case, exhibit, surrounding(), self.manner.said, given.argv)
        with acting(given.console, self.case, self.manner) as act:
            return act.sealed(resume_preservation(request, act.around, act.progress))

    def request(self, given: Invocation, selection: HandedOver, gaps: tuple[Gap, ...] = ()) -> PreserveBundle:
        """The preservation that is asked for; `gaps` are known before it begins."""
        return PreserveBundle(self.case, selection, surrounding(), self.manner.said, given.argv, gaps=gaps)


def handed_over(deposit: Deposit, paths: list[Path] | None, included: tuple[str, ...] = ()) -> HandedOver:
    """The selection; UsageFault (2) where no path was named."""
    if not paths:
        raise UsageFault("nothing was named", "name the files or folders that were handed over")
    names = tuple(true_name(os.fsencode(path.expanduser().absolute())) for path in paths)
    return HandedOver(deposit=deposit, paths=names, included=included)


def categories(deposit: Deposit, named: list[str] | None) -> tuple[str, ...]:
    """The categories that are to be let in, each once; UsageFault (2) for one that these files do not have."""
    known = kind_of(deposit).categories
    for name in named or ():
        if name not in known:
            raise UsageFault(f"--include {name} is no category", f"one of: {', '.join(sorted(known))}")
    return tuple(dict.fromkeys(named or ()))
