"""`agentaudit preserve-gateway-ledger`: what was saved of a Gateway's audit ledger, into a new exhibit."""

import tempfile
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.ledgerstaging import stage_databases, stage_state
from agentaudit.adapters.openclaw.extract import CONTENT, IDENTITY_KEY, Asked, asked_for
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

DatabaseOption = Annotated[
    list[Path] | None,
    typer.Option("--database", metavar="FILE", help="A copied database, its -wal beside it; repeatable."),
]
KeyOption = Annotated[
    bool, typer.Option("--with-identity-key", help="Keep the key with which references can be guessed back to people.")
]
ContentOption = Annotated[
    bool, typer.Option("--with-content", help="Keep what reviewers were shown, and the agents' own transcripts.")
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
    database: DatabaseOption = None,
    identity_key: KeyOption = False,
    content: ContentOption = False,
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

    Bytes, times and metadata are kept, hashed in the same pass. What is no text, and what holds keys, stays out by its
    bytes; --state-dir and --database take the ledger's rows out of databases, without the key. Such a run is not
    resumed, for what it took lies in a folder that is gone: close it with `seal`.
    """
    given = invocation(context)
    handing = Handing(case, Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet))
    included = _included(identity_key=identity_key, content=content)
    if resume is not None:
        if paths or dry_run or state_dir is not None or database or included:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return handing.resume(given, resume)
    load_case(case)
    with tempfile.TemporaryDirectory(prefix="agentaudit-") as folder:
        staged = _staged(Path(folder), state_dir, tuple(database or ()), asked_for(included))
        selection = handed_over("gateway-ledger", [*(paths or ()), *staged], included)
        return handing.survey(given, selection, names=show_names) if dry_run else handing.preserve(given, selection)


def _included(*, identity_key: bool, content: bool) -> tuple[str, ...]:
    return tuple(word for word, asked in ((CONTENT, content), (IDENTITY_KEY, identity_key)) if asked)


def _staged(folder: Path, state: Path | None, databases: tuple[Path, ...], asked: Asked) -> tuple[Path, ...]:
    """The folder with what was taken out of databases; nothing where none was named."""
    if state is not None:
        stage_state(state.expanduser().absolute(), folder, asked)
    stage_databases((path.expanduser().absolute() for path in databases), folder, asked)
    return (folder,) if state is not None or databases else ()
