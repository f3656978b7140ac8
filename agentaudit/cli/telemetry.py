"""`agentaudit preserve-telemetry`: files of telemetry, as they reached the disk, into a new exhibit."""

from typing import Annotated

import click
import typer

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
from agentaudit.cli.handing import DryRunOption, Handing, PathsArgument, ResumeOption, categories, handed_over
from agentaudit.errors import UsageFault

IncludeOption = Annotated[
    list[str] | None,
    typer.Option("--include", metavar="CATEGORY", help="Take databases or settings in; repeatable."),
]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("preserve-telemetry", preserve)


def preserve(
    context: typer.Context,
    case: CaseArgument,
    paths: PathsArgument = None,
    *,
    include: IncludeOption = None,
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
    """Copy telemetry that was handed over into a new exhibit of CASE.

    Bytes, times and metadata are kept, hashed in the same pass, whatever the form. Events are read from OTLP output of
    Claude Code and Codex: JSON, Protocol Buffers, framed, compressed, rotated. Other forms are named. Private keys are
    denied by their bytes; databases and settings, which may hold tokens, stay out unless they are included.
    """
    given = invocation(context)
    handing = Handing(case, Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet))
    if resume is not None:
        if paths or dry_run or include:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return handing.resume(given, resume)
    selection = handed_over("telemetry", paths, categories("telemetry", include))
    return handing.survey(given, selection, names=show_names) if dry_run else handing.preserve(given, selection)
