"""The lazy table of commands: a name, one sentence for the help, and the module that is imported only to run it.

- `agentaudit --help` costs click and this table.
- Every command module offers `command()`; a command returns its exit status.
- Help is plain text, without markup and completion.
"""

from dataclasses import dataclass
from importlib import import_module
from typing import ClassVar

import click

from agentaudit import __version__
from agentaudit.cli.console import Console

SUMMARY = """Collect the records of AI coding agents as evidence, and check what was collected.

A case is a folder. Each collection adds one sealed exhibit to it: the bytes as they were received, a journal
of every request, and what is known to be missing."""

EPILOG = """Exit status: 0 done, 2 arguments, 3 incomplete, 4 faults found, 5 refused by the source,
6 unreachable, 7 destination, 8 no package, 9 not sealed, 130 or 143 interrupted, 1 a bug."""


@dataclass(frozen=True, slots=True)
class Invocation:
    """What a command is given beside its options: its terminal, and the command line as it was typed."""

    console: Console
    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the table."""

    module: str
    sentence: str


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run, and listed from the table."""

    table: ClassVar[dict[str, Entry]] = {
        "demo": Entry("demo", "Show the whole job on synthetic data, without a key."),
        "open": Entry("open", "Open a case in a new folder."),
        "collect-sessions": Entry("collect", "Collect session transcripts into a new exhibit."),
        "preserve-local-bundle": Entry("preserve", "Copy an agent's local session store into a new exhibit."),
        "collect-chats": Entry("chats", "Collect chats and their messages into a new exhibit."),
        "collect-activities": Entry("activities", "Collect the activity feed of a closed window."),
        "preserve-telemetry": Entry("telemetry", "Copy telemetry that was handed over into a new exhibit."),
        "collect-bridge-audit": Entry("bridge", "Collect the audit of an execution bridge into a new exhibit."),
        "collect-openai-logs": Entry("openailogs", "Collect OpenAI's compliance logs, of Codex among others."),
        "show": Entry("show", "Show what a case or an exhibit holds, without content."),
        "verify": Entry("verify", "Check a case or an exhibit."),
        "corroborate": Entry("corroborate", "Find a collection's requests in an activity feed."),
        "verify-jsonl": Entry("verifyjsonl", "Check the framing of JSON Lines files, without content."),
        "export-manifest": Entry("exportmanifest", "Export the manifest of sealed exhibits for a case file."),
        "sign": Entry("sign", "Sign the seal of an exhibit with an SSH key."),
        "timestamp": Entry("timestamp", "Have the seal of an exhibit stamped by an authority."),
        "custody": Entry("custody", "Show the chain of custody, add to it, print its form."),
        "transcript": Entry("transcript", "Make a working copy of one session for reading."),
        "extract": Entry("extract", "Hand over one session without the rest."),
        "playbook": Entry("playbook", "Show how an investigation is run, step by step."),
        "seal": Entry("seal", "Close an interrupted exhibit as it stands."),
        "docs": Entry("docs", "Print a document that explains a package."),
    }

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module; None for a name that is not in the table."""
        del ctx
        entry = self.table.get(cmd_name)
        if entry is None:
            return None
        built: click.Command = import_module(f"agentaudit.cli.{entry.module}").command()
        return built

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the table without importing anything."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.sentence) for name, entry in self.table.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The exit statuses, wrapped like the rest."""
        del ctx
        formatter.write_paragraph()
        formatter.write_text(" ".join(EPILOG.split()))


def group() -> click.Group:
    """The command line's root."""
    root = LazyGroup(name="agentaudit", help=SUMMARY, no_args_is_help=True)
    root.params.append(
        click.Option(
            ["--version"], is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
        )
    )
    return root


def _version(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked and isinstance(ctx.obj, Invocation):
        ctx.obj.console.result(f"agentaudit {__version__}")
        ctx.exit()
