"""`agentaudit playbook list|show`: investigations as data, printed as they are shipped."""

from collections.abc import Iterator
from typing import Annotated, Literal

import click
import typer

from agentaudit.cli.arguments import JsonOption, invocation
from agentaudit.cli.console import Console
from agentaudit.cli.tables import hung
from agentaudit.encoding.canonical import encode
from agentaudit.model.base import Frozen
from agentaudit.playbook.shelf import Playbook, load, names

WIDTH = 100


class PlaybookListed(Frozen, frozen=True, kw_only=True):
    """One playbook of the list."""

    name: str
    title: str
    question: str


class ListResult(Frozen, frozen=True, kw_only=True):
    """The playbooks, as `playbook list --json` prints them."""

    result: Literal["playbooks"] = "playbooks"
    playbooks: tuple[PlaybookListed, ...]


class ShowResult(Frozen, frozen=True, kw_only=True):
    """One playbook, as `playbook show --json` prints it."""

    result: Literal["playbook"] = "playbook"
    name: str
    playbook: Playbook


def command() -> click.Command:
    """The command, built when it is run."""
    app = typer.Typer(
        name="playbook",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Show how an investigation is run, step by step.",
        no_args_is_help=True,
    )
    app.command("list")(list_playbooks)
    app.command("show")(show_playbook)
    return typer.main.get_command(app)


def list_playbooks(context: typer.Context, *, as_json: JsonOption = False) -> int:
    """List the playbooks, each with its question."""
    console = invocation(context).console
    books = {name: load(name) for name in names()}
    if as_json:
        rows = (PlaybookListed(name=name, title=book.title, question=book.question) for name, book in books.items())
        console.document(encode(ListResult(playbooks=tuple(rows))))
        return 0
    width = max(len(name) for name in books) + 2
    for name, book in books.items():
        for line in hung(name.ljust(width), book.title, min(WIDTH, console.width())):
            console.result(line)
    return 0


def show_playbook(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", hidden=True)],
    *,
    as_json: JsonOption = False,
) -> int:
    """Print one playbook.

    NAME is one of those that `agentaudit playbook list` prints. Words in capitals in its commands stand for what
    only you know.
    """
    console = invocation(context).console
    book = load(name)
    if as_json:
        console.document(encode(ShowResult(name=name, playbook=book)))
        return 0
    for line in _lines(console, book):
        console.result(line)
    return 0


def _lines(console: Console, book: Playbook) -> Iterator[str]:
    width = min(WIDTH, console.width())
    yield book.title
    yield "=" * len(book.title)
    for label, text in (("Question", book.question), ("Authority", book.authority)):
        yield ""
        yield from hung(f"{label}: ", text, width)
    for number, step in enumerate(book.steps, 1):
        yield ""
        yield from hung(f"{number}. ", step.do, width)
        yield from (f"     {line}" for command_line in step.run for line in command_line.splitlines())
        yield from hung("   -> ", step.result, width)
    for label, points in (
        ("What the result shows", book.shows),
        ("What it CANNOT show", book.cannot_show),
        ("What corroborates it", book.corroborates),
        ("What changes evidence on the way", book.changes_evidence),
    ):
        yield ""
        yield label
        for point in points:
            yield from hung("  - ", point, width)
