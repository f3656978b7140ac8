"""`agentaudit collect-activities`: the organisation's activity feed of a closed window into a new exhibit."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

import click
import typer

from agentaudit.acquire.endpoint import VENDOR_ROOT
from agentaudit.acquire.request import Collect
from agentaudit.cli.acting import Manner
from agentaudit.cli.arguments import (
    AuthorityOption,
    CaseArgument,
    ClockNoteOption,
    ExaminerOption,
    JsonOption,
    NoteOption,
    QuietOption,
    invocation,
    plain,
    said,
)
from agentaudit.cli.asking import (
    ApiRoot,
    Asking,
    CaFile,
    Connections,
    DryRun,
    KeyAsked,
    KeyFile,
    KeyStdin,
    Proxy,
    Rate,
    Resume,
    dry_run,
)
from agentaudit.cli.keys import KEY
from agentaudit.cli.reach import reach
from agentaudit.cli.selecting import uuids
from agentaudit.cli.surroundings import now
from agentaudit.cli.times import understood
from agentaudit.errors import UsageFault
from agentaudit.model.base import instant_of
from agentaudit.model.limits import ReadLimits
from agentaudit.model.selection import ActivitySelection, Window
from agentaudit.package.case import load_case

LAG = timedelta(minutes=1)
RATE = 300


class OrderWord(StrEnum):
    """What `--order` takes."""

    NEWEST = "newest"
    OLDEST = "oldest"


From = Annotated[str | None, typer.Option("--from", metavar="T", help="Activities at or after T.")]
Until = Annotated[str | None, typer.Option("--until", metavar="T", help="Activities before T; a minute ago at most.")]
Types = Annotated[list[str] | None, typer.Option("--type", metavar="NAME", help="Only this type; repeatable.")]
WithoutTypes = Annotated[
    list[str] | None, typer.Option("--without-type", metavar="NAME", help="All but this type; repeatable.")
]
Actors = Annotated[list[str] | None, typer.Option("--user", metavar="ID", help="Only this person's; repeatable.")]
Organizations = Annotated[
    list[str] | None, typer.Option("--organization", metavar="UUID", help="Only this organisation's; repeatable.")
]
Order = Annotated[OrderWord, typer.Option("--order", metavar="newest|oldest", help="Which is asked for first.")]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("collect-activities", collect)


def collect(
    context: typer.Context,
    case: CaseArgument,
    *,
    begins: From = None,
    until: Until = None,
    types: Types = None,
    without_types: WithoutTypes = None,
    user: Actors = None,
    organization: Organizations = None,
    order: Order = OrderWord.NEWEST,
    api_root: ApiRoot = VENDOR_ROOT,
    key_file: KeyFile = None,
    key_stdin: KeyStdin = False,
    rate: Rate = RATE,
    connections: Connections = 1,
    ca_file: CaFile = None,
    proxy: Proxy = None,
    resume: Resume = None,
    dry_only: DryRun = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Collect the activity feed of a closed window into a new exhibit of CASE.

    The window ends a minute ago at the latest: what happens is in the feed only then, and who reads an open window
    chases the traces of its own reading. A Console Admin key reads the feed too.
    """
    given = invocation(context)
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    way = reach(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)
    asked = Asking(case, way, KeyAsked(KEY, key_file, from_stdin=key_stdin), manner)
    filters = (types, without_types, user, organization, begins, until)
    if resume is not None:
        if any(filters) or dry_only:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return asked.resume(given, resume)
    if types and without_types:
        raise UsageFault("--type and --without-type contradict each other", "give one of them")
    selection = ActivitySelection(
        window=closed_window(begins, until, now()),
        types=tuple(dict.fromkeys(types or ())),
        excluded_types=tuple(dict.fromkeys(without_types or ())),
        actors=tuple(dict.fromkeys(user or ())),
        organizations=uuids(tuple(organization or ())),
        order="desc" if order is OrderWord.NEWEST else "asc",
    )
    load_case(case)
    request = Collect(case, selection, None, ReadLimits(), way, manner.said, given.argv)
    if not quiet and not as_json:
        given.console.say(
            f"window: from {selection.window.begins or 'the beginning'} until {selection.window.ends} (UTC)"
        )
    if dry_only:
        return dry_run(given.console, request, as_json=as_json, hidden=selection.actors)
    return asked.collect(given, asked.keyed(given, request))


def closed_window(begins: str | None, until: str | None, at: datetime) -> Window:
    """The window in UTC; one that is still open, or that ends before it begins, is refused (2)."""
    latest = at - LAG
    ends = latest if until is None else understood("--until", until, at, closes=True)
    if ends > latest:
        raise UsageFault("--until is less than a minute ago: the feed is not there yet", "leave it out, or wait")
    first = None if begins is None else understood("--from", begins, at, closes=False)
    if first is not None and first >= ends:
        raise UsageFault("--from is not before --until", "give a window that begins before it ends")
    return Window(begins=None if first is None else instant_of(first), ends=instant_of(ends))
