"""`agentaudit collect-sessions`: options to a frozen request, the run, the summary.

- Everything is judged before anything starts: a contradiction ends with status 2.
- A dry run needs no key and asks nothing.
- What talks to the source, and what reads packages, is imported once the arguments stand: a refusal is quick.
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.endpoint import VENDOR_ROOT
from agentaudit.acquire.request import Collect
from agentaudit.cli.acting import Manner, tell_window
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
from agentaudit.cli.idfile import ids_in_file
from agentaudit.cli.keys import KEY
from agentaudit.cli.reach import reach
from agentaudit.cli.selecting import Chosen, byte_limit, check, selection_of
from agentaudit.cli.surroundings import now
from agentaudit.errors import UsageFault
from agentaudit.model.limits import ByteLimits, ReadLimits
from agentaudit.model.selection import SessionSelection
from agentaudit.package.case import load_case

RATE = 300
CONNECTIONS = 4


class FamilyWord(StrEnum):
    """What `--family` takes."""

    LOCAL = "local"
    REMOTE = "remote"
    BOTH = "both"


Ids = Annotated[list[str] | None, typer.Option("--session", metavar="ID", help="This session; repeatable.")]
IdsFile = Annotated[Path | None, typer.Option(metavar="FILE", help="These sessions: one id a line.")]
FromExhibit = Annotated[
    str | None, typer.Option("--from", metavar="EXHIBIT", help="Sessions reviewed in an earlier exhibit.")
]
ActiveFrom = Annotated[str | None, typer.Option(metavar="T", help="Sessions with activity at or after T.")]
ActiveUntil = Annotated[str | None, typer.Option(metavar="T", help="Sessions with activity before T.")]
CreatedFrom = Annotated[str | None, typer.Option(metavar="T", help="First retained call at or after T.")]
CreatedUntil = Annotated[str | None, typer.Option(metavar="T", help="First retained call before T.")]
Users = Annotated[list[str] | None, typer.Option("--user", metavar="ID", help="Keep this user's; repeatable.")]
Surfaces = Annotated[
    list[str] | None, typer.Option("--surface", metavar="NAME", help="Keep this surface's; repeatable.")
]
Organizations = Annotated[
    list[str] | None, typer.Option("--organization", metavar="UUID", help="Keep this organisation's; repeatable.")
]
Family = Annotated[
    FamilyWord | None,
    typer.Option(metavar="local|remote|both", help="Users' machines (default), Anthropic-run, or both."),
]
ListOnly = Annotated[bool, typer.Option("--list-only", help="Metadata only, no transcript.")]
WithDirectory = Annotated[bool, typer.Option("--with-directory", help="Add the users of the organisations seen.")]
Witness = Annotated[
    bool, typer.Option("--witness", help="Keep what the activity feed says of these very requests; waits two minutes.")
]
InputMax = Annotated[str | None, typer.Option(metavar="N|max", help="Byte limit of tool inputs; max if left out.")]
ResultMax = Annotated[str | None, typer.Option(metavar="N|max", help="Byte limit of tool results; max if left out.")]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("collect-sessions", collect)


def collect(
    context: typer.Context,
    case: CaseArgument,
    *,
    session: Ids = None,
    sessions_from: IdsFile = None,
    from_exhibit: FromExhibit = None,
    active_from: ActiveFrom = None,
    active_until: ActiveUntil = None,
    created_from: CreatedFrom = None,
    created_until: CreatedUntil = None,
    user: Users = None,
    surface: Surfaces = None,
    organization: Organizations = None,
    family: Family = None,
    list_only: ListOnly = False,
    with_directory: WithDirectory = False,
    witness: Witness = False,
    tool_input_max_bytes: InputMax = None,
    tool_result_max_bytes: ResultMax = None,
    api_root: ApiRoot = VENDOR_ROOT,
    key_file: KeyFile = None,
    key_stdin: KeyStdin = False,
    rate: Rate = RATE,
    connections: Connections = CONNECTIONS,
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
    show_names: NamesOption = False,
) -> int:
    """Collect session transcripts of the Compliance API into a new exhibit of CASE.

    Without a choice every session that the key reaches is collected. A time T is RFC 3339 with an offset, a UTC
    date, or a duration back from now (7d, 36h, 90m). The key comes from --key-file, --key-stdin, or the variable
    ANTHROPIC_COMPLIANCE_ACCESS_KEY; it is never an argument, and only its fingerprint is recorded.

    Ends with 0 when all that was asked for and that the source gives is here, and with 3 when the exhibit is
    sealed but something could not be obtained.
    """
    given = invocation(context)
    chosen = Chosen(
        sessions=(*(session or ()), *(ids_in_file(sessions_from) if sessions_from else ())),
        reviewed=from_exhibit,
        active_from=active_from,
        active_until=active_until,
        created_from=created_from,
        created_until=created_until,
        users=tuple(user or ()),
        surfaces=tuple(surface or ()),
        organizations=tuple(organization or ()),
        family=family,
        list_only=list_only,
        with_directory=with_directory,
        witness=witness,
    )
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    way = reach(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)
    asked = Asking(case, way, KeyAsked(KEY, key_file, from_stdin=key_stdin), manner)
    if resume is not None:
        _refuse_choices(chosen, (tool_input_max_bytes, tool_result_max_bytes), dry=dry_only)
        return asked.resume(given, resume)
    limits = ByteLimits(
        tool_input_max_bytes=byte_limit("--tool-input-max-bytes", tool_input_max_bytes or "max"),
        tool_result_max_bytes=byte_limit("--tool-result-max-bytes", tool_result_max_bytes or "max"),
    )
    selection = _selection(case, chosen)
    request = Collect(case, selection, limits, ReadLimits(), way, manner.said, given.argv)
    if dry_only:
        hidden = () if show_names else tuple(session.id for session in selection.sessions)
        if not as_json:
            tell_window(given.console, selection)
        return dry_run(given.console, request, as_json=as_json, hidden=hidden)
    keyed = asked.keyed(given, request)
    if not quiet:
        tell_window(given.console, selection)
    return asked.collect(given, keyed, listed=list_only)


def _selection(case: Path, chosen: Chosen) -> SessionSelection:
    """What is asked for, with the moment of asking as the end of every duration."""
    if chosen.reviewed is not None:
        from agentaudit.cli.reviewing import selection_from  # noqa: PLC0415 - see above

        check(chosen)
        load_case(case)
        return selection_from(case, chosen.reviewed, chosen)
    selection = selection_of(chosen, now())
    load_case(case)
    return selection


def _refuse_choices(chosen: Chosen, limits: tuple[str | None, ...], *, dry: bool) -> None:
    """`--resume` goes on with what the exhibit's own journal asked for."""
    if chosen != Chosen() or limits != (None, None):
        raise UsageFault("--resume goes on with the exhibit's own selection and limits", "leave the others out")
    if dry:
        raise UsageFault("--dry-run shows how a new collection would begin, and --resume begins none", "leave one out")
