"""`agentaudit open`: a new case in a new folder."""

import shlex
from typing import Annotated, Literal

import click
import typer

from agentaudit.cli.arguments import (
    CaseArgument,
    ClockNoteOption,
    JsonOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
)
from agentaudit.cli.console import Console
from agentaudit.cli.surroundings import host, now, tool
from agentaudit.cli.tables import pairs
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.actors import Actors
from agentaudit.model.base import Frozen
from agentaudit.model.custody import CaseFile
from agentaudit.package.case import Case, new_case_file, open_case, system_hand


class OpenedResult(Frozen, frozen=True, kw_only=True):
    """A case was opened: where it lies, and what case.json says."""

    result: Literal["opened"] = "opened"
    path: str
    case: CaseFile


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("open", open_)


def open_(
    context: typer.Context,
    case: CaseArgument,
    *,
    number: Annotated[str, typer.Option(metavar="N", help="The case's number.")],
    title: Annotated[str, typer.Option(metavar="T", help="What the case is about, without names.")],
    examiner: Annotated[str, typer.Option(metavar="E", help="Who answers for the case.")],
    authority: Annotated[str, typer.Option(metavar="A", help="Under which authority: an order, a policy, a ticket.")],
    handling: Annotated[str, typer.Option(metavar="CLASS", help="The handling class, as your people call it.")] = "",
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Open a case in a new folder.

    CASE is the folder to make, with case.json and the custody log in it. Every other command refuses a folder
    that is not a case.
    """
    for option, word in (
        ("--number", number),
        ("--title", title),
        ("--examiner", examiner),
        ("--authority", authority),
    ):
        if not word.strip():
            raise UsageFault(f"{option} is blank", "say it in a few words: it goes into every package")
    console = invocation(context).console
    actors = Actors(examiner=examiner, authority=authority, note=note, clock_note=clock_note)
    hand = system_hand(actors, host(case.parent, console.environ), tool(), now)
    opened = open_case(case, new_case_file(number, title, actors, handling, now()), hand)
    _tell(console, opened, as_json=as_json, quiet=quiet)
    return 0


def _tell(console: Console, case: Case, *, as_json: bool, quiet: bool) -> None:
    """The case's facts for the person, its path for what comes next."""
    if as_json:
        console.document(encode(OpenedResult(path=str(case.path), case=case.file)))
        return
    if not quiet:
        file = case.file
        pairs(
            console,
            (
                ("case", f"{file.number}  {file.title}"),
                ("opened at", file.opened_at),
                ("examiner", file.examiner),
                ("authority", file.authority),
                *((("handling", file.handling),) if file.handling else ()),
                ("next", f"agentaudit collect-sessions {shlex.quote(str(case.path))} --list-only"),
            ),
            err=True,
        )
    console.result(str(case.path))
