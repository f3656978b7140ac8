"""`agentaudit transcript`: one session as a working copy for reading, its content with it.

- The exhibit is checked first: faults end the command with 4, and nothing is written then.
- Content goes into files of a new folder; to the terminal only when that is asked for, line by line made safe.
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
from agentaudit.cli.readers import copy_readers
from agentaudit.cli.tables import hung
from agentaudit.cli.words import counted, sized
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.export.checked import Checked
from agentaudit.package.disk import SystemDisk
from agentaudit.transcript.opening import opened
from agentaudit.transcript.run import RENDERERS, Format, MakeTranscript, TranscribedResult, make_transcript

WIDTH = 100


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("transcript", transcript)


def transcript(
    context: typer.Context,
    exhibit: ExhibitArgument,
    *,
    session: Annotated[str, typer.Option(metavar="KEY_OR_ID", help="The session: its key (s000001) or its id.")],
    formats: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="FORMAT", help="md, html or jsonl; repeatable. Else md."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new folder; reports/R-NNNN of the case if left out.")
    ] = None,
    to_terminal: Annotated[
        bool, typer.Option("--to-terminal", help="Print the copy instead of writing it: CONTENT on your screen.")
    ] = False,
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
    """Make a working copy of one session for reading, with its content.

    EXHIBIT is a sealed exhibit. It is checked first: with faults nothing is copied (4). Every message and block
    states its provenance, what is shortened, and the way back to the raw bytes. A copy is never evidence. The same
    exhibit, checked against the same, gives the same bytes. Whom to trust is yours to say, as for `verify`; when it is
    said, nothing is copied from an exhibit that none of them signed, or stamped (4).
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    chosen = _formats(formats or [])
    _sensible(chosen, out, to_terminal=to_terminal, as_json=as_json)
    if not quiet:
        console.say("checking the exhibit before anything is copied")
    given = named(seal, allowed_signers, tsa_certificate, record_it=record_it)
    checked = Check(console, given, words, "copied from it").exhibit(exhibit)
    if to_terminal:
        _print(console, checked, session, chosen[0])
        return 0
    case, hand = case_around(exhibit, words, console)
    asked = MakeTranscript(case, checked, session, chosen, out, copy_readers())
    _tell(console, make_transcript(asked, hand, SystemDisk()), as_json=as_json, quiet=quiet)
    return 0


def _formats(words: list[str]) -> tuple[Format, ...]:
    """The formats asked for, in a fixed order; UsageFault for a word that is none."""
    strangers = [word for word in words if word not in RENDERERS]
    if strangers:
        raise UsageFault(f"--format: there is no format {strangers[0]!r}", f"one of {', '.join(RENDERERS)}")
    wanted = set(words or ("md",))
    return tuple(one for one in RENDERERS if one in wanted)


def _sensible(formats: tuple[Format, ...], out: Path | None, *, to_terminal: bool, as_json: bool) -> None:
    if not to_terminal:
        return
    if out is not None or as_json:
        raise UsageFault("--to-terminal writes no files", "leave out --out and --json, or --to-terminal")
    if len(formats) > 1 or formats == ("html",):
        raise UsageFault("--to-terminal prints one copy, as md or jsonl", "give one of these with --format")


def _print(console: Console, checked: Checked, session: str, chosen: Format) -> None:
    """The copy line by line; a line of JSON stays the same document with escapes for what is not ASCII."""
    with opened(checked, session, copy_readers()) as copy:
        for line in RENDERERS[chosen](copy):
            if chosen == "jsonl":
                console.document(line.removesuffix(b"\n"))
            else:
                console.result(line.decode().removesuffix("\n"))


def _tell(console: Console, result: TranscribedResult, *, as_json: bool, quiet: bool) -> None:
    """What was written for the person, the folder for what comes next."""
    if as_json:
        console.document(encode(result))
        return
    if not quiet:
        for line in _lines(result):
            console.say(line)
    console.result(result.path)


def _lines(result: TranscribedResult) -> Iterator[str]:
    if result.attention is not None:
        yield from hung("", result.attention, WIDTH)
    size = sized(sum(one.bytes for one in result.files))
    yield (
        f"copied {result.session} of {result.exhibit} as {', '.join(result.formats)}: "
        f"{counted(result.messages, 'message')}, {size}"
    )
    yield "it holds CONTENT and is no evidence: handle it like the exhibit"
    yield f"sha256sums.txt: {result.listing}"
    if result.custody_row is not None:
        yield f"recorded as row {result.custody_row} of the custody log"
    else:
        yield "recorded nowhere: there is no case around the exhibit"
