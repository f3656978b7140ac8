"""`agentaudit extract`: one session without the rest, in a folder that proves where it comes from.

- The exhibit is checked first: faults end the command with 4, and nothing is written then.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.cli.arguments import (
    AuthorityOption,
    ClockNoteOption,
    ExaminerOption,
    ExhibitArgument,
    JsonOption,
    NoteOption,
    QuietOption,
    RecordOption,
    SealOption,
    SignersOption,
    TsaCertificateOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.checking import Check, case_around, named
from agentaudit.cli.console import Console
from agentaudit.cli.extracted import behind
from agentaudit.cli.tables import hung
from agentaudit.cli.words import counted, sized
from agentaudit.encoding.canonical import encode
from agentaudit.extract.run import ExtractedResult, TakeOut, take_out
from agentaudit.package.disk import SystemDisk

WIDTH = 100


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("extract", extract)


def extract(
    context: typer.Context,
    exhibit: ExhibitArgument,
    *,
    session: Annotated[str, typer.Option(metavar="KEY_OR_ID", help="The session: its key (s000001) or its id.")],
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="A new folder for the extract.")],
    seal: SealOption = None,
    allowed_signers: SignersOption = None,
    tsa_certificate: TsaCertificateOption = None,
    record_it: RecordOption = False,
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
    prove with stock tools that the files belong to the sealed exhibit. Other people's metadata stays behind. Whom to
    trust is yours to say, as for `verify`; when it is said, nothing is taken out of an exhibit that none of them
    signed, or stamped (4).
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    if not quiet:
        console.say("checking the exhibit before anything is taken out")
    given = named(seal, allowed_signers, tsa_certificate, record_it=record_it)
    checked = Check(console, given, words, "taken out of it").exhibit(exhibit)
    case, hand = case_around(exhibit, words, console)
    result = take_out(TakeOut(case, checked, session, to), hand, SystemDisk())
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
