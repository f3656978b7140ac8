"""`agentaudit collect-openai-logs`: OpenAI's compliance logs over their API, or from downloaded files.

- The key is never an argument. It goes to the API alone: files lie at signed addresses, which are asked without it.
- A run asks the API or takes files, and never both: an exhibit speaks of one way.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

import click
import typer

from agentaudit.acquire.endpoint import OPENAI_ROOT
from agentaudit.acquire.request import Collect
from agentaudit.adapters.openai_logs.records import CODEX_LOG
from agentaudit.cli.acting import Manner
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
from agentaudit.cli.asking import ApiRoot, Asking, CaFile, DryRun, KeyAsked, KeyFile, KeyStdin, Proxy, Resume, dry_run
from agentaudit.cli.handing import Handing, categories, handed_over
from agentaudit.cli.keys import KeyPlace
from agentaudit.cli.reach import reach
from agentaudit.cli.resuming import resume_either
from agentaudit.cli.surroundings import now
from agentaudit.cli.times import understood
from agentaudit.errors import UsageFault
from agentaudit.model.base import Instant, instant_of
from agentaudit.model.limits import ReadLimits
from agentaudit.model.selection import OpenAiLogSelection
from agentaudit.package.case import load_case

RATE = 120
FILE_MAX_BYTES = 128 * 1024 * 1024
FILE_MOST = 256 * 1024 * 1024
RETAINED = timedelta(days=31)
KEY = KeyPlace("COMPLIANCE_API_KEY", "key of OpenAI's Compliance API")

_EVENT_TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,63}\Z")
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}\Z")
_ORGANIZATION = "org-"

Paths = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[PATH]...", help="Downloaded files, with saved pages of their list; instead of the API."),
]
Workspace = Annotated[str | None, typer.Option(metavar="ID", help="The logs of this ChatGPT workspace.")]
Organization = Annotated[str | None, typer.Option(metavar="ID", help="The logs of this API organisation (org-...).")]
EventTypes = Annotated[
    list[str] | None,
    typer.Option("--event-type", metavar="TYPE", help="Files of this type; repeatable. CODEX_LOG otherwise."),
]
Include = Annotated[
    list[str] | None, typer.Option("--include", metavar="CATEGORY", help="With PATH: take settings in too.")
]
EndedAfter = Annotated[
    str | None, typer.Option(metavar="T", help="Files whose window ended after T; 31 days back otherwise.")
]
FileMaxBytes = Annotated[
    int,
    typer.Option("--file-max-bytes", metavar="N", min=1, max=FILE_MOST, help="Larger files are a loss, and stated."),
]
Rate = Annotated[int, typer.Option("--requests-per-minute", metavar="N", help="Questions to the API, evenly.")]
Connections = Annotated[int, typer.Option(metavar="N", help="Files asked for at once.")]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("collect-openai-logs", collect)


def collect(
    context: typer.Context,
    case: CaseArgument,
    paths: Paths = None,
    *,
    workspace: Workspace = None,
    organization: Organization = None,
    event_type: EventTypes = None,
    ended_after: EndedAfter = None,
    include: Include = None,
    file_most: FileMaxBytes = FILE_MAX_BYTES,
    api_root: ApiRoot = OPENAI_ROOT,
    key_file: KeyFile = None,
    key_stdin: KeyStdin = False,
    rate: Rate = RATE,
    connections: Connections = 2,
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
    """Collect OpenAI's compliance logs into a new exhibit of CASE.

    Lists are walked to their end, and each file is fetched and held against the size and digest that its list states.
    With PATH, files that were downloaded before are preserved instead: private keys and databases among them are
    denied by their bytes, and settings stay out unless they are included. The key comes from --key-file, --key-stdin,
    or the variable COMPLIANCE_API_KEY.
    """
    given = invocation(context)
    manner = Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet)
    way = reach(api_root, rate=rate, connections=connections, ca_file=ca_file, proxy=proxy)
    asked = Asking(case, way, KeyAsked(KEY, key_file, from_stdin=key_stdin), manner)
    named = (workspace, organization, event_type, ended_after)
    if resume is not None:
        if paths or any(named) or include or dry_only:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return resume_either(given, asked, resume)
    if paths:
        if any(named) or key_file is not None or key_stdin:
            raise UsageFault("files are taken as they are: nothing is asked", "give PATH, or what belongs to the API")
        files = handed_over("openai-logs", paths, categories("openai-logs", include))
        handing = Handing(case, manner)
        return handing.survey(given, files, names=show_names) if dry_only else handing.preserve(given, files)
    if include:
        raise UsageFault("--include speaks of files that are handed over", "give PATH, or leave it out")
    kind, owner = chosen_owner(workspace, organization)
    selection = OpenAiLogSelection(
        owner_kind=kind, owner=owner, event_types=event_types(event_type), after=_after(ended_after)
    )
    limits = ReadLimits(file_max_bytes=file_most)
    request = Collect(case, selection, None, limits, way, manner.said, given.argv)
    load_case(case)
    if dry_only:
        return dry_run(given.console, request, as_json=as_json, hidden=() if show_names else (owner,))
    return asked.collect(given, asked.keyed(given, request))


def chosen_owner(workspace: str | None, organization: str | None) -> tuple[Literal["workspace", "organization"], str]:
    """Whose logs are meant; UsageFault (2) for none, for both, and for what is no id."""
    if (workspace is None) == (organization is None):
        raise UsageFault(
            "it is not said whose logs are meant", "give --workspace, or --organization, or downloaded files"
        )
    owner = workspace or organization or ""
    if not _OWNER.match(owner) or owner.startswith(_ORGANIZATION) != (organization is not None):
        raise UsageFault(
            "that is no id of this kind", "the id of an organisation begins with org-, that of a workspace does not"
        )
    return ("workspace" if organization is None else "organization"), owner


def event_types(named: list[str] | None) -> tuple[str, ...]:
    """The event types, that of Codex where none was named; UsageFault (2) for what is none."""
    types = tuple(dict.fromkeys(named or (CODEX_LOG,)))
    if not all(_EVENT_TYPE.match(one) for one in types):
        raise UsageFault("--event-type takes a type of the source", "for example CODEX_LOG, or CODEX_SECURITY_LOG")
    return types


def _after(text: str | None) -> Instant:
    at = now()
    return instant_of(at - RETAINED if text is None else understood("--ended-after", text, at, closes=False))
