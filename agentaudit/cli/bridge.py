"""`agentaudit collect-bridge-audit`: the execution bridge's audit, over its API, from exports, or from its database.

- The token is never an argument and never in an address: it travels in one header.
- The bridge allows 240 requests a minute to each client; the pace stays below, so that its console keeps working.
"""

import re
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.request import Collect, PreserveBundle, Reach
from agentaudit.cli.acting import Manner, acting
from agentaudit.cli.app import Invocation
from agentaudit.cli.arguments import (
    AuthorityOption,
    CaseArgument,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NamesOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.asking import Asking, CaFile, DryRun, KeyAsked, Proxy, Resume, dry_run
from agentaudit.cli.keys import KeyPlace
from agentaudit.cli.preserve import surrounding
from agentaudit.cli.reach import reach
from agentaudit.cli.resuming import resume_either
from agentaudit.errors import UsageFault
from agentaudit.model.limits import ReadLimits
from agentaudit.model.selection import BridgeSelection, HandedOver
from agentaudit.package.case import load_case

ROOT = "http://127.0.0.1:8766"
RATE = 200
RATE_MAX = 230
CONNECTIONS = 2
TOKEN = KeyPlace("BRIDGE_TOKEN", "bridge token", "--token-file", "--token-stdin")

_JOB = re.compile(r"[A-Za-z0-9_.:-]{1,256}\Z")

Jobs = Annotated[list[str] | None, typer.Option("--job", metavar="ID", help="This job; repeatable. All otherwise.")]
Exports = Annotated[list[Path] | None, typer.Option("--export", metavar="FILE", help="An export file; repeatable.")]
Database = Annotated[
    Path | None, typer.Option("--database", metavar="PATH", help="A queue.sqlite, with its -wal beside it.")
]
Root = Annotated[str, typer.Option("--api-root", metavar="URL", help="The bridge's address; plain http on loopback.")]
TokenFile = Annotated[
    Path | None, typer.Option("--token-file", metavar="PATH", help="Read the token from a file that only you can read.")
]
TokenStdin = Annotated[bool, typer.Option("--token-stdin", help="Read the token from standard input.")]
Rate = Annotated[int, typer.Option("--requests-per-minute", metavar="N", help="Of the 240 that a client has.")]
Connections = Annotated[int, typer.Option("--connections", metavar="N", help="Jobs asked for at once.")]
NoPayloads = Annotated[
    bool, typer.Option("--without-payloads", help="Leave inputs and outputs out; the bridge leaves no mark of it.")
]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("collect-bridge-audit", collect)


def collect(
    context: typer.Context,
    case: CaseArgument,
    *,
    job: Jobs = None,
    export: Exports = None,
    database: Database = None,
    without_payloads: NoPayloads = False,
    api_root: Root = ROOT,
    token_file: TokenFile = None,
    token_stdin: TokenStdin = False,
    rate: Rate = RATE,
    connections: Connections = CONNECTIONS,
    ca_file: CaFile = None,
    proxy: Proxy = None,
    resume: Resume = None,
    dry_only: DryRun = False,
    show_names: NamesOption = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Collect the execution bridge's audit into a new exhibit of CASE.

    Jobs, attempts, audit entries and tools come over the bridge's API, or from export files, or from a copied
    database whose rows of tokens stay out. The token comes from --token-file, --token-stdin, or the variable
    BRIDGE_TOKEN; it needs the scope `read`, and sees its own client's jobs; the owner's sees all.
    """
    given = invocation(context)
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    way = _way(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)
    asked = Asking(case, way, KeyAsked(TOKEN, token_file, from_stdin=token_stdin), manner)
    jobs = _jobs(job)
    _refuse_mixture(jobs, export, database, resume, lonely=without_payloads or dry_only)
    if resume is not None:
        return resume_either(given, asked, resume)
    if export or database:
        return _preserve(given, asked, tuple(export or ()), database)
    request = Collect(
        case,
        BridgeSelection(jobs=jobs, payloads=not without_payloads),
        None,
        ReadLimits(),
        way,
        manner.said,
        given.argv,
    )
    load_case(case)
    if dry_only:
        return dry_run(given.console, request, as_json=as_json, hidden=() if show_names else jobs)
    return asked.collect(given, asked.keyed(given, request))


def _way(api_root: str, *, rate: int, connections: int, ca_file: Path | None, proxy: str | None) -> Reach:
    if not 1 <= rate <= RATE_MAX:
        raise UsageFault(
            f"--requests-per-minute is {rate}; the bridge allows 240 in a minute", f"give a number from 1 to {RATE_MAX}"
        )
    return reach(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)


def _jobs(named: list[str] | None) -> tuple[str, ...]:
    jobs = tuple(dict.fromkeys(named or ()))
    if not all(_JOB.match(one) for one in jobs):
        raise UsageFault("--job takes the id of a job", "it is a UUID; the bridge's console shows it")
    return jobs


def _refuse_mixture(
    jobs: tuple[str, ...], export: list[Path] | None, database: Path | None, resume: str | None, *, lonely: bool
) -> None:
    """API, exports, database and resumption are four ways, and a run goes one of them."""
    files = [bool(export), database is not None, resume is not None]
    if sum(files) > 1:
        raise UsageFault("--export, --database and --resume are ways of their own", "give one of them")
    if any(files) and (jobs or lonely):
        raise UsageFault("--job, --without-payloads and --dry-run belong to the API", "leave them out")


def _preserve(given: Invocation, asked: Asking, exports: tuple[Path, ...], database: Path | None) -> int:
    from agentaudit.acquire.bridgefiles import preserve_database, preserve_exports  # noqa: PLC0415 - see above

    nothing = HandedOver(deposit="bridge", paths=())
    request = PreserveBundle(asked.case, nothing, surrounding(), asked.manner.said, given.argv)
    with acting(given.console, asked.case, asked.manner) as act:
        if database is None:
            return act.sealed(preserve_exports(request, exports, act.around, act.progress))
        return act.sealed(preserve_database(request, database, act.around, act.progress))
