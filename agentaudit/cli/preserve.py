"""`agentaudit preserve-local-bundle`: copy an agent's local session store into a new exhibit.

- The agent is never started, and nothing is written in its store.
- `--dry-run` surveys and shows; names are labels unless `--show-names`.
"""

import os
import sys
from pathlib import Path
from typing import Annotated, get_args

import click
import typer

from agentaudit.acquire.bundle import preserve_bundle, resume_preservation
from agentaudit.acquire.kinds import kind_of
from agentaudit.acquire.request import PreserveBundle, ResumePreservation
from agentaudit.acquire.surveyed import survey_store
from agentaudit.cli.acting import Manner, acting
from agentaudit.cli.app import Invocation
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
from agentaudit.cli.surveytable import tell_survey
from agentaudit.encoding.canonical import encode
from agentaudit.errors import UsageFault
from agentaudit.model.local import true_name
from agentaudit.model.selection import Agent, BundleSelection
from agentaudit.package.case import load_case
from agentaudit.sources.local.roots import Surrounding

AGENTS: tuple[Agent, ...] = get_args(Agent)
MANAGED = {
    "linux": "/etc/claude-code",
    "darwin": "/Library/Application Support/ClaudeCode",
    "win32": r"C:\Program Files\ClaudeCode",
}
_MOUNTS = Path("/proc/self/mountinfo")

RootOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--root",
        metavar="DIR",
        readable=False,  # whether it may be read is for the source to say, and no matter of how it was typed
        help="A root of the store; repeatable. Else CLAUDE_CONFIG_DIR or CODEX_HOME, else ~/.claude or ~/.codex.",
    ),
]
SessionOption = Annotated[
    list[str] | None, typer.Option("--session", metavar="ID", help="Preserve this session; repeatable.")
]
ProjectOption = Annotated[
    list[str] | None,
    typer.Option("--project", metavar="NAME", help="Preserve a project: its path, folder name or label; repeatable."),
]
AllOption = Annotated[bool, typer.Option("--all", help="Preserve every session.")]
ExcludeOption = Annotated[
    list[str] | None, typer.Option("--exclude", metavar="CATEGORY", help="Leave a category out; repeatable.")
]
IncludeOption = Annotated[
    list[str] | None, typer.Option("--include", metavar="CATEGORY", help="Take a shared category in; repeatable.")
]
AgentOption = Annotated[str, typer.Option("--agent", metavar="NAME", help="Whose store: claude-code or codex.")]
ResumeOption = Annotated[
    str | None, typer.Option("--resume", metavar="EXHIBIT", help="Go on with an interrupted exhibit.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Survey and show; copy nothing.")]
NamesOption = Annotated[bool, typer.Option("--show-names", help="Show names instead of labels in the survey.")]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("preserve-local-bundle", preserve)


def preserve(
    context: typer.Context,
    case: CaseArgument,
    *,
    root: RootOption = None,
    session: SessionOption = None,
    project: ProjectOption = None,
    everything: AllOption = False,
    exclude: ExcludeOption = None,
    include: IncludeOption = None,
    agent: AgentOption = "claude-code",
    resume: ResumeOption = None,
    dry_run: DryRunOption = False,
    show_names: NamesOption = False,
    examiner: ExaminerOption = None,
    authority: AuthorityOption = None,
    note: NoteOption = "",
    clock_note: ClockNoteOption = "",
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> int:
    """Copy an agent's local session store into a new exhibit of CASE.

    Bytes, times and metadata are kept, hashed in the same pass; transcripts are checked as JSON Lines. All that is
    keyed by a selected session is preserved; what is left out is listed with its rule. Credentials are denied.
    """
    given = invocation(context)
    words = said(examiner, authority, note, clock_note)
    manner = Manner(words, as_json=as_json, quiet=quiet)
    if resume is not None:
        _alone(root, session, project, exclude, include, everything=everything, dry_run=dry_run)
        return _resume(given, case, resume, manner)
    whose = _agent(agent)
    selection = BundleSelection(
        agent=whose,
        roots=tuple(true_name(os.fsencode(path.expanduser())) for path in root or ()),
        sessions=tuple(session or ()),
        projects=tuple(true_name(os.fsencode(name)) for name in project or ()),
        everything=everything or (dry_run and not session and not project),
        excluded=_categories("--exclude", exclude, whose),
        included=_categories("--include", include, whose),
    )
    _check(selection, dry_run=dry_run)
    request = PreserveBundle(case, selection, surrounding(), words, given.argv)
    if dry_run:
        return _survey(given, request, manner, names=show_names)
    with acting(given.console, case, manner) as act:
        return act.sealed(preserve_bundle(request, act.around, act.progress))


def surrounding() -> Surrounding:
    """Where this user's store would lie on this machine."""
    config, codex = os.environ.get("CLAUDE_CONFIG_DIR"), os.environ.get("CODEX_HOME")
    databases = os.environ.get("CODEX_SQLITE_HOME")
    return Surrounding(
        config_dir=os.fsencode(config) if config else None,
        codex_home=os.fsencode(codex) if codex else None,
        codex_sqlite_home=os.fsencode(databases) if databases else None,
        home=os.fsencode(Path.home()),
        user_id=os.getuid() if hasattr(os, "getuid") else None,
        managed=os.fsencode(MANAGED.get(sys.platform, MANAGED["linux"])),
        mounts=lambda: _MOUNTS.read_bytes() if _MOUNTS.exists() else None,
    )


def _survey(given: Invocation, request: PreserveBundle, manner: Manner, *, names: bool) -> int:
    load_case(request.case)
    result = survey_store(request, names=names)
    if manner.as_json:
        given.console.document(encode(result))
    else:
        tell_survey(given.console, result)
    return 0


def _resume(given: Invocation, case: Path, exhibit: str, manner: Manner) -> int:
    request = ResumePreservation(case, exhibit, surrounding(), manner.said, given.argv)
    with acting(given.console, case, manner) as act:
        return act.sealed(resume_preservation(request, act.around, act.progress))


def _alone(*options: list[Path] | list[str] | None, everything: bool, dry_run: bool) -> None:
    if any(options) or everything or dry_run:
        raise UsageFault("--resume goes on with the exhibit's own selection", "leave the other options out")


def _agent(name: str) -> Agent:
    for agent in AGENTS:
        if name == agent:
            return agent
    raise UsageFault(f"--agent {name} is not known", f"one of: {', '.join(AGENTS)}")


def _categories(option: str, names: list[str] | None, agent: Agent) -> tuple[str, ...]:
    known = kind_of(agent).categories
    for name in names or ():
        if name not in known:
            raise UsageFault(f"{option} {name} is no category", f"one of: {', '.join(sorted(known))}")
    return tuple(dict.fromkeys(names or ()))


def _check(selection: BundleSelection, *, dry_run: bool) -> None:
    chosen = bool(selection.sessions or selection.projects)
    if chosen and selection.everything:
        raise UsageFault("--all and a choice of sessions or projects contradict each other", "give one of them")
    if not chosen and not selection.everything and not dry_run:
        raise UsageFault("nothing is selected", "give --session, --project or --all; --dry-run shows what is there")
    both = set(selection.excluded) & set(selection.included)
    if both:
        raise UsageFault(f"{min(both)} is excluded and included", "give one of them")
