"""`agentaudit custody`: the chain of a case, what is added to it by hand, and the form that people sign.

- `custody CASE` shows; `custody add CASE` appends; `custody form CASE` prints. A case that is named like a verb is
  given with a folder in front: `./add`.
"""

import shlex
from typing import Annotated, Literal

import click
import typer

from agentaudit.cli.arguments import JsonOption, PathArgument, invocation, plain
from agentaudit.cli.custodyadding import add
from agentaudit.cli.custodyform import form
from agentaudit.cli.custodyreading import Chain, read_chain
from agentaudit.cli.custodyrows import event_of, exhibits_of, told
from agentaudit.cli.summary import seal_groups
from agentaudit.cli.tables import Column, pairs, table
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.base import Frozen
from agentaudit.model.custody import CaseFile, CustodyEvent, CustodyRow
from agentaudit.model.finding import Finding
from agentaudit.model.journal import CustodyHead

FAULTS = 4

_HELP = """Show the chain of custody of a case, add to it, or print its form.

CASE is a case, or an exhibit that travelled alone with the copies beside it. `custody CASE` shows every act with who,
when and on what. `custody add CASE` appends what people did. `custody form CASE` prints the form that they sign."""


class CustodyResult(Frozen, frozen=True, kw_only=True):
    """The chain, as `custody --json` prints it; `findings` say what is wrong with it, rows end at the first fault."""

    result: Literal["custody"] = "custody"
    case: CaseFile
    head: CustodyHead | None
    rows: tuple[CustodyEvent, ...]
    findings: tuple[Finding, ...]


class _Verbs(click.Group):
    """A group whose verb may be left out: it is then `show`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """A first word that is no verb, an option too, is what `show` is given."""
        if args and args[0] not in (*self.commands, "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


def command() -> click.Command:
    """The command, built when it is run."""
    group = _Verbs(name="custody", help=_HELP, no_args_is_help=True)
    for name, function in (("show", show), ("add", add), ("form", print_form)):
        group.add_command(plain(name, function), name)
    return group


def show(context: typer.Context, path: PathArgument, *, as_json: JsonOption = False) -> int:
    """Show the chain of custody, one act a line.

    PATH is a case, or an exhibit that travelled alone with the copies beside it. Ends with 4 for a chain with faults.
    """
    console = invocation(context).console
    chain = read_chain(path)
    if as_json:
        rows = tuple(row for row in chain.rows if isinstance(row, CustodyEvent))
        result = CustodyResult(case=chain.case, head=chain.head, rows=rows, findings=chain.findings)
        console.document(encode(result))
        return FAULTS if chain.is_faulty else 0
    first, second = seal_groups(chain.head.digest) if chain.head else ("none", "")
    facts = (("case", f"{chain.case.number}  {chain.case.title}"), ("custody head", first), ("", second))
    pairs(console, facts)
    console.result()
    headings = (
        Column("row", right=True),
        Column("at (UTC)", whole=True),
        Column("act", whole=True),
        Column("on", whole=True),
        Column("by"),
        Column("what the row says"),
    )
    table(console, headings, [_cells(row) for row in chain.rows])
    for one in chain.findings:
        console.result()
        console.result(f"  {one.code} {one.severity}: {one.subject}: {one.detail}")
    console.say()
    console.say(f"next: agentaudit verify {shlex.quote(str(path))}")
    return FAULTS if chain.is_faulty else 0


def _cells(row: CustodyRow) -> tuple[str, ...]:
    at = row.at[:19].replace("T", " ")
    return str(row.seq), at, event_of(row), ", ".join(exhibits_of(row)), row.actors.examiner, told(row)


def print_form(
    context: typer.Context,
    path: PathArgument,
    *,
    exhibit: Annotated[
        list[str] | None, typer.Option(metavar="EX-NNNN", help="These exhibits; all that are sealed if left out.")
    ] = None,
) -> int:
    """Print the form that people sign, as plain text.

    PATH is a case, or an exhibit that travelled alone with the copies beside it. What the log knows is filled in;
    what only a person can say is a blank line.
    """
    console = invocation(context).console
    chain: Chain = read_chain(path)
    if chain.is_faulty or chain.head is None:
        raise UsageFault(f"the chain of {path} has faults, so no form is made of it", f"agentaudit verify {path}")
    sealed = chain.sealed()
    wanted = tuple(dict.fromkeys(exhibit or sealed))
    unknown = [name for name in wanted if name not in sealed]
    if unknown:
        raise UsageFault(f"{unknown[0]} is not a sealed exhibit of this case", f"one of {', '.join(sealed)}")
    for line in form(chain.case, chain.head, chain.rows, wanted):
        console.result(line)
    return 0
