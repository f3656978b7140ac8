"""The options that commands share, and how a function becomes a plain command.

- The four words of the people (`--examiner`, `--authority`, `--note`, `--clock-note`) are the same everywhere.
- An empty word of a person is refused: it would stand in the package as if somebody had signed nothing.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ParamSpec

import click
import typer

from agentaudit.cli.app import Invocation
from agentaudit.errors import UsageFault
from agentaudit.model.actors import Said

P = ParamSpec("P")

# Arguments are told in a command's own text: click from 8.5 on drops the help that typer gives them.
CaseArgument = Annotated[Path, typer.Argument(metavar="CASE", hidden=True)]
PathArgument = Annotated[Path, typer.Argument(metavar="PATH", hidden=True)]
ExhibitArgument = Annotated[Path, typer.Argument(metavar="EXHIBIT", hidden=True)]
ExaminerOption = Annotated[str | None, typer.Option(metavar="NAME", help="Who acts; the case's if left out.")]
AuthorityOption = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Under which authority; the case's if left out.")
]
NoteOption = Annotated[str, typer.Option(metavar="TEXT", help="A note for the package and the custody log.")]
ClockNoteOption = Annotated[str, typer.Option(metavar="TEXT", help="What you know about this machine's clock.")]
TsaCertificateOption = Annotated[
    list[Path] | None,
    typer.Option("--tsa-certificate", metavar="FILE", help="A time-stamping authority that is trusted; repeatable."),
]
SealOption = Annotated[
    str | None, typer.Option("--seal", metavar="HEX", help="The seal as noted; spaces in it are passed over.")
]
SignersOption = Annotated[
    Path | None,
    typer.Option(
        "--allowed-signers", metavar="FILE", help="Whose signatures are trusted, in the form of ssh-keygen(1)."
    ),
]
RecordOption = Annotated[bool, typer.Option("--record", help="Append the verdict to the custody log.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Show no progress and no summary.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]
NamesOption = Annotated[bool, typer.Option("--show-names", help="Print ids and names of people too.")]


def plain(name: str, function: Callable[P, int]) -> click.Command:
    """The function as a command: its signature the options, its docstring the help, its result the exit status."""
    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command(name)(function)
    return typer.main.get_command(app)


def invocation(context: typer.Context) -> Invocation:
    """What the command line was given beside the options."""
    given = context.obj
    if not isinstance(given, Invocation):
        raise TypeError("a command runs inside the command line")
    return given


def said(examiner: str | None, authority: str | None, note: str, clock_note: str) -> Said:
    """The people's words; blank ones are refused (2)."""
    for option, word in (("--examiner", examiner), ("--authority", authority)):
        if word is not None and not word.strip():
            raise UsageFault(f"{option} is blank", "give a name, or leave the option out to use the case's")
    return Said(examiner=examiner, authority=authority, note=note, clock_note=clock_note)
