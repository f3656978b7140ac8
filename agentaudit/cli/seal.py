"""`agentaudit seal`: close an interrupted exhibit as it stands."""

from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.closing import seal_partial
from agentaudit.acquire.request import SealPartial
from agentaudit.cli.acting import Manner, acting
from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
    said,
)


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("seal", seal)


def seal(
    context: typer.Context,
    partial: Annotated[Path, typer.Argument(metavar="PARTIAL", hidden=True)],
    *,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Close an interrupted exhibit as it stands, without asking its source again.

    PARTIAL is the folder that ends in .partial. What was asked for and is not here becomes a gap, so the outcome
    is incomplete and the exit status 3.
    """
    given = invocation(context)
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    with acting(given.console, partial.parent, manner) as act:
        return act.sealed(seal_partial(SealPartial(partial, manner.said, given.argv), act.around, act.progress))
