"""`agentaudit preserve-gateway-ledger`: a Gateway's audit ledger, saved, out of databases, or asked for.

- What is taken for an exhibit lies in a private folder of ours until it is preserved, and nowhere else.
- No secret is an argument here, nor of the Gateway's command.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click
import typer

from agentaudit.acquire.bundle import preserve_bundle
from agentaudit.acquire.ledgerlive import Live
from agentaudit.acquire.ledgerstaging import stage_databases, stage_state
from agentaudit.adapters.openclaw.extract import CONTENT, IDENTITY_KEY, Asked, asked_for
from agentaudit.cli.acting import Acting, Manner, acting
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
from agentaudit.cli.handing import DryRunOption, Handing, PathsArgument, ResumeOption, handed_over
from agentaudit.errors import UsageFault
from agentaudit.model.losses import Gap
from agentaudit.package.case import load_case
from agentaudit.sources.openclaw.command import OUTPUT_MAX, SECONDS_MAX, GatewayCommand, find_command

StateOption = Annotated[
    Path | None,
    typer.Option(
        "--state-dir", metavar="DIR", help="The Gateway's state folder: take the ledger out of its databases."
    ),
]

DatabaseOption = Annotated[
    list[Path] | None,
    typer.Option("--database", metavar="FILE", help="A copied database, its -wal beside it; repeatable."),
]
KeyOption = Annotated[
    bool, typer.Option("--with-identity-key", help="Keep the key with which references can be guessed back to people.")
]
ContentOption = Annotated[
    bool, typer.Option("--with-content", help="Keep what reviewers were shown, and the agents' own transcripts.")
]

LiveOption = Annotated[
    bool, typer.Option("--live", help="Ask a running Gateway with its command `openclaw audit`, page by page.")
]
ExplainOption = Annotated[bool, typer.Option("--explain", help="With --live: the explanation of each run too.")]
OpenclawOption = Annotated[
    Path | None, typer.Option("--openclaw", metavar="FILE", help="With --live: the command, if it is not on the PATH.")
]


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("preserve-gateway-ledger", preserve)


def preserve(
    context: typer.Context,
    case: CaseArgument,
    paths: PathsArgument = None,
    *,
    state_dir: StateOption = None,
    database: DatabaseOption = None,
    live: LiveOption = False,
    explain: ExplainOption = False,
    openclaw: OpenclawOption = None,
    identity_key: KeyOption = False,
    content: ContentOption = False,
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
    """Preserve a Gateway's audit ledger in a new exhibit of CASE.

    PATH takes saved pages and explanations; what is no text, and what holds keys, stays out by its bytes. --state-dir
    and --database take the ledger's rows out of databases, without the key. --live asks a running Gateway with its own
    command. What is taken so lies in a folder that is gone at the end: such a run is not resumed, `seal` closes it.
    """
    given = invocation(context)
    handing = Handing(case, Manner(said(examiner, authority, note, clock_note), as_json=as_json, quiet=quiet))
    included = _included(identity_key=identity_key, content=content)
    taking = _Taking(
        state_dir, tuple(database or ()), asked_for(included), _lively(openclaw, live=live, explain=explain)
    )
    if resume is not None:
        if paths or dry_run or included or taking.anything:
            raise UsageFault("--resume goes on with the exhibit's own selection", "leave the others out")
        return handing.resume(given, resume)
    load_case(case)
    with tempfile.TemporaryDirectory(prefix="agentaudit-") as name:
        folder, scratch = Path(name) / "taken", Path(name) / "scratch"
        for place in (folder, scratch):
            place.mkdir(mode=0o700)
        selection = handed_over("gateway-ledger", [*(paths or ()), *taking.places(folder)], included)
        if dry_run:
            taking.refuse_live()
            taking.databases(folder)
            return handing.survey(given, selection, names=show_names)
        with acting(given.console, case, handing.manner) as act:
            taking.databases(folder)
            gaps = taking.ask(act, folder, scratch)
            return act.sealed(preserve_bundle(handing.request(given, selection, gaps), act.around, act.progress))


def _included(*, identity_key: bool, content: bool) -> tuple[str, ...]:
    return tuple(word for word, asked in ((CONTENT, content), (IDENTITY_KEY, identity_key)) if asked)


@dataclass(frozen=True, slots=True)
class _Lively:
    """That a running Gateway is asked: with which command, and whether for explanations too."""

    command: Path | None
    explain: bool


def _lively(command: Path | None, *, live: bool, explain: bool) -> _Lively | None:
    if not live and (explain or command is not None):
        raise UsageFault("--explain and --openclaw belong to --live", "give --live, or leave them out")
    return _Lively(command, explain) if live else None


@dataclass(frozen=True, slots=True)
class _Taking:
    """What is taken of a Gateway before it is preserved, and what comes along."""

    state: Path | None
    copied: tuple[Path, ...]
    asked: Asked
    live: _Lively | None

    @property
    def anything(self) -> bool:
        """Whether anything is taken at all."""
        return self.state is not None or bool(self.copied) or self.live is not None

    def places(self, folder: Path) -> tuple[Path, ...]:
        """The folder of what is taken, where anything is."""
        return (folder,) if self.anything else ()

    def refuse_live(self) -> None:
        """A dry run asks nothing of a Gateway; UsageFault (2)."""
        if self.live is not None:
            raise UsageFault("--dry-run asks nothing of a Gateway", "leave out --dry-run or --live")

    def databases(self, folder: Path) -> None:
        """Write the extracts and their notes."""
        if self.state is not None:
            stage_state(self.state.expanduser().absolute(), folder, self.asked)
        stage_databases((path.expanduser().absolute() for path in self.copied), folder, self.asked)

    def ask(self, act: Acting, folder: Path, scratch: Path) -> tuple[Gap, ...]:
        """Ask a running Gateway; what was not obtained."""
        if self.live is None:
            return ()
        environ = act.console.environ
        place = find_command(self.live.command, environ)
        command = GatewayCommand(place, environ, scratch, act.around.stop, SECONDS_MAX, OUTPUT_MAX)
        return Live(command, folder, act.around.now, act.progress, explain=self.live.explain).collect()
