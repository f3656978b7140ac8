"""`agentaudit extract`: one session without the rest, in a folder that proves where it comes from.

- The exhibit is checked first: faults end the command with 4, and nothing is written then.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
import typer

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
from agentaudit.cli.console import Console
from agentaudit.cli.extracted import behind
from agentaudit.cli.hands import hand_on
from agentaudit.cli.readers import page_readers
from agentaudit.cli.tables import hung
from agentaudit.cli.words import counted, sized
from agentaudit.encoding.canonical import encode
from agentaudit.errors import PackageFault
from agentaudit.export.opening import Checked
from agentaudit.extract.run import ExtractedResult, TakeOut, take_out
from agentaudit.package.case import load_case
from agentaudit.package.disk import SystemDisk
from agentaudit.review import is_case
from agentaudit.verify import verify_exhibit

WIDTH = 100


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("extract", extract)


def extract(
    context: typer.Context,
    exhibit: Annotated[Path, typer.Argument(metavar="EXHIBIT", hidden=True)],
    *,
    session: Annotated[str, typer.Option(metavar="KEY_OR_ID", help="The session: its key (s000001) or its id.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="A new folder for the extract.")],
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Hand over one session of an exhibit without the rest.

    EXHIBIT is a sealed exhibit. It is checked first: with faults nothing is taken out (4). The new folder holds the
    session's files as they are, the exhibit's manifests and signatures, and EXTRACT-VERIFY.txt, which says how to
    prove with stock tools that the files belong to the sealed exhibit. Other people's metadata stays behind.
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    if not quiet:
        console.say("checking the exhibit before anything is taken out")
    verdict = verify_exhibit(exhibit, readers=page_readers())
    if verdict.integrity != "intact":
        raise PackageFault(
            f"{exhibit} is not intact, so nothing is taken out of it", f"agentaudit verify {shlex.quote(str(exhibit))}"
        )
    around = exhibit.resolve().parent
    case = load_case(around) if is_case(around) else None
    hand = hand_on(case, words, console) if case is not None else None
    result = take_out(TakeOut(case, Checked(exhibit, verdict), session, to), hand, SystemDisk())
    _tell(console, result, as_json=as_json, quiet=quiet)
    return 0


def _tell(console: Console, result: ExtractedResult, *, as_json: bool, quiet: bool) -> None:
    """What was taken out for the person, the folder for what comes next."""
    if as_json:
        console.document(encode(result))
        return
    if not quiet:
        for line in _lines(result):
            console.say(line)
    console.result(result.path)


def _lines(result: ExtractedResult) -> Iterator[str]:
    if result.attention is not None:
        yield from hung("", result.attention, WIDTH)
    files = f"{counted(result.payload_files, 'file')}, {sized(result.payload_bytes)}"
    yield f"took {result.session} out of {result.exhibit}: {files}, with the seal's manifests"
    yield f"left behind: {behind(result.left_behind)}"
    if not result.attestations:
        yield "the exhibit is not signed: the extract rests on the seal as it was noted elsewhere"
    yield f"extract.json: {result.extract}"
    if result.custody_row is not None:
        yield f"recorded as row {result.custody_row} of the custody log"
    else:
        yield "recorded nowhere: there is no case around the exhibit"
