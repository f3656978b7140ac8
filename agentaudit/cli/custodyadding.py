"""`agentaudit custody add`: what people did with exhibits, as a row of the custody log."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import click
import typer

from agentaudit.attest.handing import Handling, add_citing, add_received, add_with_copy
from agentaudit.attest.handing import add as add_plainly
from agentaudit.cli.arguments import (
    AuthorityOption,
    CaseArgument,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NoteOption,
    QuietOption,
    invocation,
    said,
)
from agentaudit.cli.console import Console
from agentaudit.cli.hands import hand_on
from agentaudit.cli.summary import seal_groups
from agentaudit.cli.surroundings import now
from agentaudit.cli.tables import pairs
from agentaudit.cli.times import understood
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.base import Digest, Frozen, instant_of
from agentaudit.model.custody import HandlingAct
from agentaudit.model.journal import CustodyHead
from agentaudit.package.case import Case, Hand, load_case
from agentaudit.verify.opening import noted_seal

ACTS: dict[str, HandlingAct] = {
    "transferred": "transferred",
    "received": "received",
    "copied": "copied",
    "opened": "opened",
    "returned": "returned",
    "disposed": "disposed",
    "note": "noted",
}


class AddedResult(Frozen, frozen=True, kw_only=True):
    """An act was added: its row is the head of the chain now; `copy` is where a copy went."""

    result: Literal["custody_added"] = "custody_added"
    case: str
    act: HandlingAct
    custody_head: CustodyHead
    copy: str | None


@dataclass(frozen=True, slots=True)
class Beside:
    """What an act has beside its words: an exhibit that came, a head and a seal as noted, a place for a copy."""

    handover: Path | None
    head: Digest | None
    seal: Digest | None
    copy_to: Path | None

    def check(self, handling: Handling) -> None:
        """UsageFault (2) for what makes no sense together."""
        came = self.handover is not None or self.head is not None
        if came and handling.act not in ("received", "returned"):
            raise UsageFault("--handover and --head are for what comes from another case", "use --event received")
        if self.handover is not None and (self.head is not None or self.seal is not None or handling.exhibits):
            raise UsageFault("--handover says it all", "leave out --head, --seal and --exhibit")
        if self.seal is not None and (self.head is None or len(handling.exhibits) != 1):
            raise UsageFault("--seal belongs to one --exhibit of another case", "give --exhibit and --head with it")
        if self.copy_to is not None and handling.act not in ("transferred", "copied"):
            raise UsageFault("--copy-to is for what leaves this case", "use --event transferred, or copied")


def add(
    context: typer.Context,
    case: CaseArgument,
    *,
    event: Annotated[str, typer.Option(click_type=click.Choice(tuple(ACTS)), help="What was done.")],
    exhibit: Annotated[
        list[str] | None, typer.Option(metavar="EX-NNNN", help="With which exhibit; repeatable. None: the case.")
    ] = None,
    to: Annotated[str, typer.Option(metavar="NAME", help="Who has it now.")] = "",
    from_: Annotated[str, typer.Option("--from", metavar="NAME", help="Who had it before.")] = "",
    medium: Annotated[str, typer.Option(metavar="TEXT", help="On what it travels: a disk by its label, a bag.")] = "",
    place: Annotated[str, typer.Option(metavar="TEXT", help="Where it was done.")] = "",
    happened: Annotated[
        str | None, typer.Option("--happened-at", metavar="TIME", help="When it was done, if not now.")
    ] = None,
    handover: Annotated[
        Path | None, typer.Option(metavar="EXHIBIT", help="What came, with the copies beside it: cites its chain.")
    ] = None,
    head: Annotated[str | None, typer.Option(metavar="HEX", help="The sender's custody head, as noted.")] = None,
    seal: Annotated[str | None, typer.Option(metavar="HEX", help="The seal of what came, as noted.")] = None,
    copy_to: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Copy the exhibit there, with case and custody files beside it.")
    ] = None,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Append what people did to the custody log of a case.

    CASE is the case's folder. What is appended stays: a slip is put right by another row.
    """
    console = invocation(context).console
    words = said(examiner, authority, note, clock_note)
    handling = Handling(
        act=ACTS[event],
        exhibits=tuple(exhibit or ()),
        giver=from_,
        receiver=to,
        medium=medium,
        place=place,
        happened_at=instant_of(understood("--happened-at", happened, now(), closes=False)) if happened else None,
    )
    beside = Beside(handover, noted_seal(head), noted_seal(seal), copy_to)
    beside.check(handling)
    opened = load_case(case)
    now_head = _append(opened, handling, beside, hand_on(opened, words, console))
    _tell(console, opened, handling, now_head, copy_to, as_json=as_json, quiet=quiet)
    return 0


def _append(case: Case, handling: Handling, beside: Beside, hand: Hand) -> CustodyHead:
    if beside.handover is not None:
        return add_received(case, handling, beside.handover, hand)
    if beside.head is not None:
        return add_citing(case, handling, beside.head, beside.seal, hand)
    if beside.copy_to is not None:
        return add_with_copy(case, handling, beside.copy_to, hand)
    return add_plainly(case, handling, hand)


def _tell(
    console: Console,
    case: Case,
    handling: Handling,
    head: CustodyHead,
    copy: Path | None,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """The row's number and the head for the person: the head is worth noting elsewhere."""
    if as_json:
        place = str(copy) if copy is not None else None
        result = AddedResult(case=case.file.number, act=handling.act, custody_head=head, copy=place)
        console.document(encode(result))
        return
    if not quiet:
        first, second = seal_groups(head.digest)
        copied = (("copy", str(copy)),) if copy is not None else ()
        rows = (("added", f"{handling.act}, row {head.seq}"), ("custody head", first), ("", second), *copied)
        pairs(console, rows, err=True)
    console.result(head.digest.removeprefix("sha256:"))
