"""`agentaudit demo`: plays the script of the demo through this very command line."""

import io
import os
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import invocation, plain
from agentaudit.cli.keys import VARIABLE
from agentaudit.cli.main import main
from agentaudit.demo.run import run_demo
from agentaudit.errors import DestinationFault

TRIES = 1_000


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("demo", demo)


def demo(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", hidden=True)] = None,
) -> int:
    """Show the whole job on synthetic data, without a key.

    Serves a synthetic organisation on a port of this machine, runs the real commands on it, prints each before it
    runs, and ends in a verified case. DIR is an empty folder or one to make; without it, agentaudit-demo-N here.
    """
    console = invocation(context).console
    where = _made(folder)

    def run(argv: tuple[str, ...], key: str) -> int:
        return main(argv, console.beside(io.BytesIO(), {VARIABLE: key}))

    return run_demo(where, run, console.say)


def _made(folder: Path | None) -> Path:
    """The folder, made where it is not there; one that holds anything is refused (7)."""
    if folder is None:
        return _fresh()
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if any(folder.iterdir()):
            raise DestinationFault(f"{folder} is not empty", "name another folder: nothing is ever overwritten")
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise DestinationFault(f"cannot use {folder}: {reason}", "name a folder that can be made") from None
    return folder


def _fresh() -> Path:
    """A new folder below the current one, with the first number that is free."""
    for number in range(1, TRIES):
        path = Path(f"agentaudit-demo-{number}")
        try:
            path.mkdir(mode=0o700)
        except FileExistsError:
            continue
        except OSError as error:
            reason = os.strerror(error.errno or 0)
            raise DestinationFault(f"cannot make {path}: {reason}", "name a folder: agentaudit demo DIR") from None
        return path
    raise DestinationFault("there are too many demo folders here", "name a folder: agentaudit demo DIR")
