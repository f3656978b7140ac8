"""`agentaudit collect-chats`: chats, and what lies beside them, into a new exhibit."""

from datetime import datetime
from typing import Annotated, Literal

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
from agentaudit.model.selection import ChatSelection, Window
from agentaudit.package.case import load_case

RATE = 300
USERS_MAX = 10
ORGANIZATIONS_MAX = 500
FILE_DEFAULT = 64 * 1024 * 1024
FILE_MOST = 256 * 1024 * 1024

CreatedFrom = Annotated[str | None, typer.Option(metavar="T", help="Chats that began at or after T.")]
CreatedUntil = Annotated[str | None, typer.Option(metavar="T", help="Chats that began before T.")]
UpdatedFrom = Annotated[str | None, typer.Option(metavar="T", help="Chats updated at or after T.")]
UpdatedUntil = Annotated[str | None, typer.Option(metavar="T", help="Chats updated before T.")]
Chats = Annotated[list[str] | None, typer.Option("--chat", metavar="ID", help="Only this chat; repeatable.")]
People = Annotated[list[str] | None, typer.Option("--user", metavar="ID", help="Only this person's; 10 at most.")]
Projects = Annotated[
    list[str] | None, typer.Option("--project", metavar="ID", help="Only in this project; needs --user.")
]
Organizations = Annotated[
    list[str] | None, typer.Option("--organization", metavar="UUID", help="Only this organisation's; repeatable.")
]
WithFiles = Annotated[bool, typer.Option("--with-files", help="Also the files that messages name, both ways.")]
WithArtifacts = Annotated[bool, typer.Option("--with-artifacts", help="Also each version that messages name.")]
WithCode = Annotated[
    bool, typer.Option("--with-code-artifacts", help="Also the list of code artifacts updated in the window.")
]
WithProjects = Annotated[
    str | None, typer.Option(metavar="named|listed", help="Also projects: those of the chats, or of the window too.")
]
FileMost = Annotated[
    int,
    typer.Option("--file-max-bytes", metavar="N", min=1, max=FILE_MOST, help="Larger files are a loss, and stated."),
]

_WORDS: dict[str | None, Literal["none", "named", "listed"]] = {None: "none", "named": "named", "listed": "listed"}


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("collect-chats", collect)


def collect(
    context: typer.Context,
    case: CaseArgument,
    *,
    chat: Chats = None,
    created_from: CreatedFrom = None,
    created_until: CreatedUntil = None,
    updated_from: UpdatedFrom = None,
    updated_until: UpdatedUntil = None,
    user: People = None,
    project: Projects = None,
    organization: Organizations = None,
    with_files: WithFiles = False,
    with_artifacts: WithArtifacts = False,
    with_code_artifacts: WithCode = False,
    with_projects: WithProjects = None,
    file_most: FileMost = FILE_DEFAULT,
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
    """Collect chats and their messages into a new exhibit of CASE.

    Tool input and output are asked for without a limit. Files, artifacts and projects are asked for where an option
    says so; else what messages name of them is counted. Their bytes are held against the digests that the source
    gives. Of code artifacts the source gives the list alone.
    """
    given = invocation(context)
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    way = reach(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)
    asked = Asking(case, way, KeyAsked(KEY, key_file, from_stdin=key_stdin), manner)
    created, updated = (created_from, created_until), (updated_from, updated_until)
    filters = (*created, *updated, user, project, organization)
    beside = (with_files, with_artifacts, with_code_artifacts, with_projects, file_most != FILE_DEFAULT)
    if resume is not None:
        if any((*filters, *beside)) or chat or dry_only:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return asked.resume(given, resume)
    if chat and any(filters):
        raise UsageFault("--chat names the chats; nothing else narrows them", "leave the others out")
    window_kind, window = chosen_window(created, updated, now())
    selection = ChatSelection(
        window_kind="update" if window_kind == "updated" else "creation",
        window=window,
        users=tuple(dict.fromkeys(user or ())),
        organizations=uuids(tuple(organization or ())),
        projects=tuple(dict.fromkeys(project or ())),
        chats=tuple(dict.fromkeys(chat or ())),
        with_files=with_files,
        with_artifacts=with_artifacts,
        with_code_artifacts=with_code_artifacts,
        with_projects=chosen_projects(with_projects, by_id=bool(chat or project)),
    )
    refuse_odd(selection)
    load_case(case)
    request = Collect(case, selection, None, ReadLimits(file_max_bytes=file_most), way, manner.said, given.argv)
    if dry_only:
        hidden = (*selection.users, *selection.projects, *selection.chats)
        return dry_run(given.console, request, as_json=as_json, hidden=hidden)
    return asked.collect(given, asked.keyed(given, request))


Bounds = tuple[str | None, str | None]


def chosen_window(created: Bounds, updated: Bounds, at: datetime) -> tuple[str, Window | None]:
    """Which time is bounded, and the window in UTC; both kinds at once, or an empty window, are refused (2)."""
    if any(created) and any(updated):
        raise UsageFault("chats are bounded by creation or by update, not by both", "give one of the windows")
    name, (begins, ends) = ("updated", updated) if any(updated) else ("created", created)
    if begins is None and ends is None:
        return name, None
    first = None if begins is None else understood(f"--{name}-from", begins, at, closes=False)
    last = None if ends is None else understood(f"--{name}-until", ends, at, closes=True)
    if first is not None and last is not None and first >= last:
        raise UsageFault(f"--{name}-from is not before --{name}-until", "give a window that begins before it ends")
    return name, Window(
        begins=None if first is None else instant_of(first), ends=None if last is None else instant_of(last)
    )


def chosen_projects(word: str | None, *, by_id: bool) -> Literal["none", "named", "listed"]:
    """Which projects are read; UsageFault (2) for another word, and for a list where chats or projects are named."""
    if word not in _WORDS:
        raise UsageFault("--with-projects takes `named` or `listed`", "named: those that the chats lie in")
    if by_id and word == "listed":
        raise UsageFault("chats or projects are named; none is listed beside them", "give --with-projects named")
    return _WORDS[word]


def refuse_odd(selection: ChatSelection) -> None:
    """Refuse (2) what the source would refuse: it is known before anything is asked."""
    if len(selection.users) > USERS_MAX:
        raise UsageFault(f"--user may be given {USERS_MAX} times at most", "collect the others into another exhibit")
    if selection.projects and not selection.users:
        raise UsageFault("--project needs --user", "name whose chats of the project are meant")
    if selection.with_code_artifacts:
        _refuse_odd_code(selection)
    if selection.users and selection.window_kind == "update":
        raise UsageFault("the source gives no person's chats by their update", "use --created-from, --created-until")


def _refuse_odd_code(selection: ChatSelection) -> None:
    if selection.chats or selection.projects:
        raise UsageFault(
            "chats or projects are named; code artifacts belong to neither", "collect their list into another exhibit"
        )
    if len(selection.organizations) > ORGANIZATIONS_MAX:
        raise UsageFault(
            f"code artifacts are listed for {ORGANIZATIONS_MAX} organisations at most",
            "collect the others into another exhibit",
        )
