"""From the command line to an exit status: one match over everything that can go wrong.

- An error is two lines on standard error: what could not be done to what, and the next step.
- A bug ends with status 1 and shows the types and places of its frames, never a message or a value:
  either may hold evidence.
- A key is never an argument: one that looks like a key is refused before anything is parsed or echoed.
"""

import gc
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from types import TracebackType
from typing import TextIO

import click

import agentaudit
from agentaudit.cli.app import Invocation, group
from agentaudit.cli.console import Console
from agentaudit.errors import AgentAuditError, UsageFault

BUG = 1
USAGE = 2
SIGINT = 130

_GC_OBJECTS = 10_000

_HOME = Path(agentaudit.__file__).parent.parent
_KEY_LIKE = re.compile(r"sk-ant-[a-z]+[0-9]+-[A-Za-z0-9_-]{6}")
_PASSWORD_LIKE = re.compile(r"://[^/\s]*:[^/\s]*@")


def entry() -> None:
    """The installed command: run on the process's own streams, and exit."""
    # What a command imports is many small objects and no garbage: looked through rarely while it comes, and not once
    # more on the way out.
    gc.set_threshold(_GC_OBJECTS)
    stdin = sys.stdin or _nowhere("r", os.O_RDONLY)
    # A result without a place to go is a fault: this one is opened so that writing to it fails.
    out = sys.stdout or _nowhere("w", os.O_RDONLY)
    err = sys.stderr or _nowhere("w", os.O_WRONLY)
    for stream in (out, err):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    status = main(sys.argv[1:], Console(out, err, stdin.buffer, os.environ))
    _flush(out, err)
    gc.freeze()
    sys.exit(status)


def _nowhere(mode: str, flags: int) -> TextIO:
    """A stream on the null device, for one that the process was started without.

    It takes the number that is free: no file of a case comes to stand where other programs write their messages.
    """
    return io.TextIOWrapper(io.FileIO(os.open(os.devnull, flags), mode), encoding="utf-8")


def main(argv: Sequence[str], console: Console) -> int:
    """Run one command line and give its exit status; nothing but the interpreter's own exits gets out."""
    try:
        return _run(argv, console)
    except (KeyboardInterrupt, click.Abort):
        return _fail(console, "interrupted", "", SIGINT)
    except Exception as error:  # noqa: BLE001 - the one place: what went wrong becomes a status here
        return _told(error, console)


def _told(error: Exception, console: Console) -> int:
    """Say what went wrong; the exit status."""
    match error:
        case AgentAuditError():
            status = _fail(console, error.message, error.hint, error.exit_status)
        case click.exceptions.NoArgsIsHelpError():
            status = _help(console, error)
        case click.UsageError():
            status = _fail(console, error.format_message(), _usage_hint(error), USAGE)
        case click.exceptions.Exit():
            status = error.exit_code
        case _:
            status = _bug(console, error)
    return status


def _run(argv: Sequence[str], console: Console) -> int:
    _refuse_unrecordable(argv)
    root = group()
    given = Invocation(console, ("agentaudit", *argv))
    with redirect_stdout(_Door(console)), root.make_context("agentaudit", list(argv), obj=given) as context:
        status = root.invoke(context)
    return status if isinstance(status, int) else 0


class _Door(io.TextIOBase):
    """Standard output for what the option parser prints: help goes through the one door too."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def write(self, text: str, /) -> int:
        """Print it; TypeError for bytes, by which the parser tells a stream of text."""
        if not isinstance(text, str):
            raise TypeError("text is printed here")
        if text:
            self._console.print(text)
        return len(text)


def _refuse_unrecordable(argv: Sequence[str]) -> None:
    """The command line goes into the journal: it must be text, and it must not be a secret."""
    for place, word in enumerate(argv, 1):
        if _KEY_LIKE.search(word):
            raise UsageFault(
                f"argument {place} looks like a key, and a key is never an argument: shells and systems keep those",
                "delete that key where it was made; give the next one by --key-file, --key-stdin or the environment",
            )
        if _PASSWORD_LIKE.search(word):
            raise UsageFault(
                f"argument {place} is an address with a user and a password: a command line is no place for either",
                "leave them out, and change that password: shells and systems keep command lines",
            )
        try:
            word.encode()
        except UnicodeEncodeError:
            raise UsageFault(
                f"argument {place} is not UTF-8, so it could not be recorded", "name it by a path that is UTF-8"
            ) from None


def _fail(console: Console, message: str, hint: str, status: int) -> int:
    console.say(f"agentaudit: {message}")
    if hint:
        console.say(f"next: {hint}")
    return status


def _help(console: Console, error: click.UsageError) -> int:
    """A command line without arguments: the help, on standard error."""
    for line in error.format_message().splitlines():
        console.say(line)
    return USAGE


def _usage_hint(error: click.UsageError) -> str:
    return f"{error.ctx.command_path} --help" if error.ctx is not None else ""


def _bug(console: Console, error: Exception) -> int:
    console.say(f"agentaudit: a bug in this program: {type(error).__name__}")
    for place in _places(error.__traceback__):
        console.say(f"  at {place}")
    console.say("next: report the lines above; they hold no evidence, no name and no key")
    return BUG


def _places(trace: TracebackType | None) -> list[str]:
    """`file:line` of each frame, innermost last; files by their place in their package, never on this machine."""
    places: list[str] = []
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        parts = path.parts[-2:]
        if path.is_relative_to(_HOME):
            parts = path.relative_to(_HOME).parts
        places.append(f"{'/'.join(parts)}:{trace.tb_lineno}")
        trace = trace.tb_next
    return places


def _flush(*streams: TextIO) -> None:
    """Flush what is left; what cannot be written was told, and must not turn the exit status into another."""
    for stream in streams:
        try:
            stream.flush()
        except OSError:
            # The interpreter flushes once more at its end: let that go nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
