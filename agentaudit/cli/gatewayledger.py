"""`agentaudit preserve-gateway-ledger`: what was saved of a Gateway's audit ledger, into a new exhibit."""

import tempfile
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.ledgerstaging import stage_state
from agentaudit.cli.acting import Manner
from agentaudit.cli.arguments import (
    AuthorityOption,
    CaseArgument,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NamesOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.handing import DryRunOption, Handing, PathsArgument, ResumeOption, handed_over
from agentaudit.errors import UsageFault
from agentaudit.package.case import load_case

StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state-dir", metavar="DIR", help="The Gateway's state folder: take the ledger out of its databases."
    ),
]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("preserve-gateway-ledger", preserve)


def preserve(
    context: typer.Context,
    case: CaseArgument,
    paths: PathsArgument = None,
    *,
    state_dir: StateOption = None,
    resume: ResumeOption = None,
    dry_run: DryRunOption = False,
    show_names: NamesOption = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Copy saved pages and explanations of a Gateway's audit ledger into a new exhibit of CASE.

    Bytes, times and metadata are kept, hashed in the same pass. Databases and openclaw.json hold keys and stay out;
    --state-dir takes the ledger's tables out of them, without the key, and records the digests of the originals.
    """
    given = invocation(context)
    handing = Handing(case, Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet))
    if resume is not None:
        if paths or dry_run or state_dir is not None:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return handing.resume(given, resume)
    if state_dir is None:
        selection = handed_over("gateway-ledger", paths)
        return handing.survey(given, selection, names=show_names) if dry_run else handing.preserve(given, selection)
    with tempfile.TemporaryDirectory(prefix="agentaudit-") as folder:
        load_case(case)
        stage_state(state_dir.expanduser().absolute(), Path(folder))
        selection = handed_over("gateway-ledger", [*(paths or ()), Path(folder)])
        return handing.survey(given, selection, names=show_names) if dry_run else handing.preserve(given, selection)
