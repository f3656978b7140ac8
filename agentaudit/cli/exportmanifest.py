"""`agentaudit export-manifest`: from exhibits that were just checked, the manifest for the case file.

- The check comes first: faults end it with 4, a partial exhibit with 9; nothing is written then.
- Files go into a new folder; names of people and true paths only with `--show-names`.
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
    JsonOption,
    NoteOption,
    PathArgument,
    QuietOption,
    RecordOption,
    SealOption,
    SignersOption,
    TsaCertificateOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.checking import Check, named
from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.cli.readers import copy_readers
from agentaudit.cli.reviewing import exhibit_path
from agentaudit.cli.tables import hung
from agentaudit.cli.words import counted, sized
from agentaudit.encoding.canonical import encode
from agentaudit.errors import NotSealed, UsageFault
from agentaudit.export.checked import Checked
from agentaudit.export.request import FORMATS, ExportedResult, ExportManifest, Format
from agentaudit.export.run import export_manifest
from agentaudit.format import layout
from agentaudit.package.case import load_case
from agentaudit.package.disk import SystemDisk
from agentaudit.package.tree import resolved
from agentaudit.review import is_case

WIDTH = 100
LEFT_ALONE = "not asked for"
PARTIAL = "not sealed yet"


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("export-manifest", export)


def export(
    context: typer.Context,
    path: PathArgument,
    *,
    exhibit: Annotated[
        list[str] | None, typer.Option(metavar="EX-NNNN", help="This exhibit of the case; repeatable. All if left out.")
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format", metavar="FORMAT", help="json, csv, md, html, dat or case; repeatable. Else json and html."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A new folder; reports/R-NNNN of the case if left out.")
    ] = None,
    show_names: Annotated[
        bool, typer.Option("--show-names", help="Write e-mail addresses, true paths and command lines too.")
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
    """Export the manifest of sealed exhibits for a case file.

    PATH is a case or one sealed exhibit. It is checked first: with faults nothing is exported (4). The format dat
    writes the text of every session beside its load file; no other format holds content. The same exhibits and the
    same custody log, checked against the same, give the same bytes. Whom to trust is yours to say, as for `verify`;
    when it is said, nothing is exported from an exhibit that none of them signed, or stamped (4).
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    chosen = _formats(formats or [])
    if not quiet:
        console.say("checking before anything is exported")
    given = named(seal, allowed_signers, tsa_certificate, record_it=record_it)
    check = Check(console, given, words, "exported from it")
    asked = _asked(check, path, tuple(exhibit or ()), chosen, out, names=show_names)
    hand = hand_on(asked.case, words, console) if asked.case is not None else None
    result = export_manifest(asked, hand, SystemDisk(), copy_readers())
    _tell(console, result, as_json=as_json, quiet=quiet)
    return 0


def _formats(words: list[str]) -> tuple[Format, ...]:
    """The formats asked for, in a fixed order; UsageFault for a word that is none."""
    strangers = [word for word in words if word not in FORMATS]
    if strangers:
        raise UsageFault(f"--format: there is no format {strangers[0]!r}", f"one of {', '.join(FORMATS)}")
    wanted = set(words or ("json", "html"))
    return tuple(one for one in FORMATS if one in wanted)


def _asked(
    check: Check,
    path: Path,
    chosen: tuple[str, ...],
    formats: tuple[Format, ...],
    out: Path | None,
    *,
    names: bool,
) -> ExportManifest:
    if not is_case(path):
        if chosen:
            raise UsageFault("--exhibit chooses from a case, and this is an exhibit", "name the case, or leave it out")
        checked = check.exhibit(path)
        around = resolved(path).parent
        return ExportManifest(load_case(around) if is_case(around) else None, (checked,), (), formats, out, names=names)
    exhibits = _of_case(check, path, chosen)
    left_out = tuple(_left_out(path, {one.verdict.exhibit for one in exhibits}))
    return ExportManifest(load_case(path), exhibits, left_out, formats, out, names=names)


def _of_case(check: Check, path: Path, chosen: tuple[str, ...]) -> tuple[Checked, ...]:
    """The exhibits named, each checked; without names all of the case, and the case with them."""
    wanted = tuple(dict.fromkeys(chosen))
    if len(wanted) > 1 and check.given.seal is not None:
        raise UsageFault("--seal is that of one exhibit, and several were named", "name one exhibit")
    if wanted:
        return tuple(check.exhibit(exhibit_path(path, name)) for name in wanted)
    exhibits = check.case(path)
    if not exhibits:
        raise NotSealed(f"{path} holds no sealed exhibit", "collect one, or close a partial one with `agentaudit seal`")
    return exhibits


def _left_out(path: Path, told: set[str]) -> Iterator[tuple[str, str]]:
    """The exhibits of the case that this export does not tell of."""
    for name in sorted(entry.name for entry in path.iterdir() if layout.exhibit_number(entry.name) is not None):
        if name.endswith(layout.PARTIAL):
            yield name.removesuffix(layout.PARTIAL), PARTIAL
        elif name not in told:
            yield name, LEFT_ALONE


def _tell(console: Console, result: ExportedResult, *, as_json: bool, quiet: bool) -> None:
    """What was written for the person, the folder for what comes next."""
    if as_json:
        console.document(encode(result))
        return
    if not quiet:
        for line in _lines(result):
            console.say(line)
    console.result(result.path)


def _lines(result: ExportedResult) -> Iterator[str]:
    for words in result.attention:
        yield from hung("", words, WIDTH)
    names = ", ".join(one.exhibit for one in result.exhibits)
    size = sized(sum(one.bytes for one in result.files))
    yield f"exported {names} as {', '.join(result.formats)}: {counted(len(result.files), 'file')}, {size}"
    texts = sum(1 for one in result.files if one.name.startswith("texts/"))
    if texts:
        yield f"the {counted(texts, 'text')} beside the load file hold CONTENT: handle them like the exhibits"
    yield f"sha256sums.txt: {result.listing}"
    if result.custody_row is not None:
        yield f"recorded as row {result.custody_row} of the custody log"
    else:
        yield "recorded nowhere: there is no case around the exhibit"
