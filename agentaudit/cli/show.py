"""`agentaudit show`: what a case or an exhibit holds, without content.

- It tells what the package says of itself and checks nothing: that is said at the end.
- Ids, users and organisations are printed only with `--show-names`.
"""

import shlex
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, assert_never

import click
import typer

from agentaudit.cli.arguments import JsonOption, NamesOption, PathArgument, invocation, plain
from agentaudit.cli.bundlerows import BundleShown, bundle_cells, bundle_columns, bundle_lines, bundle_shown
from agentaudit.cli.console import Console
from agentaudit.cli.sessionrows import SessionShown, cells, columns, name_lines, shown
from agentaudit.cli.streamrows import tell_streams
from agentaudit.cli.summary import banner, seal_groups
from agentaudit.cli.tables import Column, pairs, room, table
from agentaudit.cli.words import counted, minute, plainly, sized
from agentaudit.encoding.canonical import encode
from agentaudit.model.base import Frozen
from agentaudit.model.journal import Counts
from agentaudit.model.sessionrow import AnySession, BundleRow
from agentaudit.model.shown import (
    AnyAsked,
    BundlesShown,
    CaseShown,
    ExhibitShown,
    RootShown,
    SelectionShown,
    SiblingShown,
    StreamShown,
)
from agentaudit.model.text import display
from agentaudit.review import exhibit_sessions, exhibit_streams, is_case, show_case, show_exhibit

ROWS = 50

AnyShown: TypeAlias = SessionShown | BundleShown


class CaseResult(Frozen, frozen=True, kw_only=True):
    """A case, as `show --json` prints it."""

    result: Literal["case"] = "case"
    shown: CaseShown


class ExhibitResult(Frozen, frozen=True, kw_only=True):
    """An exhibit with every session seen, as `show --json` prints it; a partial one has no sessions yet."""

    result: Literal["exhibit"] = "exhibit"
    shown: ExhibitShown
    sessions: tuple[AnyShown, ...]
    streams: tuple[StreamShown, ...] = ()


def command() -> click.Command:
    """The command, built when it is run."""
    return plain("show", show)


def show(
    context: typer.Context,
    path: PathArgument,
    *,
    show_names: NamesOption = False,
    all_rows: Annotated[bool, typer.Option("--all", help=f"Print every session, not the first {ROWS}.")] = False,
    as_json: JsonOption = False,
) -> int:
    """Show what a case or an exhibit holds, without content.

    PATH is a case or one of its exhibits, sealed or partial. Ids, users and organisations are printed only with
    --show-names. What a package says is told, not checked: `agentaudit verify` checks it.
    """
    console = invocation(context).console
    if is_case(path):
        _case(console, show_case(path), path, as_json=as_json)
    else:
        _exhibit(console, path, None if all_rows else ROWS, as_json=as_json, show_names=show_names)
    return 0


def _case(console: Console, case: CaseShown, path: Path, *, as_json: bool) -> None:
    if as_json:
        console.document(encode(CaseResult(shown=case)))
        return
    file = case.case
    facts = (
        ("case", f"{file.number}  {file.title}"),
        ("opened at", file.opened_at),
        ("examiner", file.examiner),
        ("authority", file.authority),
        ("handling", file.handling or "not stated"),
        ("custody log", counted(case.custody_rows, "row")),
    )
    pairs(console, facts)
    console.result()
    if not case.exhibits:
        console.result("  no exhibits yet")
    else:
        headings = (Column("exhibit", whole=True), Column("state"), Column("source"), Column("begun (UTC)"),
                   Column("sessions", right=True), Column("messages", right=True), Column("outcome"))  # fmt: skip
        table(console, headings, [_exhibit_cells(one) for one in case.exhibits])
    seals = [(f"seal of {one.exhibit}", " ".join(seal_groups(one.seal))) for one in case.exhibits if one.seal]
    if seals:
        console.result()
        pairs(console, seals)
    console.say()
    console.say(f"next: agentaudit verify {shlex.quote(str(path))}")


def _exhibit_cells(one: ExhibitShown) -> tuple[str, ...]:
    known = one.counts is not None and one.state == "sealed"
    source = one.source or ""
    if one.endpoint_class in ("other", "loopback"):
        source = f"{source} ({one.endpoint_class}: not the vendor's)"
    if one.endpoint_class == "synthetic":
        source = f"{source} (synthetic)"
    return (
        one.exhibit,
        one.state,
        source,
        minute(one.begun_at or ""),
        f"{one.counts.sessions_kept:,}" if known and one.counts else "",
        f"{one.counts.messages:,}" if known and one.counts else "",
        plainly(one.outcome or ""),
    )


def _exhibit(console: Console, path: Path, most: int | None, *, as_json: bool, show_names: bool) -> None:
    one = show_exhibit(path, names=show_names)
    sealed = one.state == "sealed"
    rows = (_shown(row, names=show_names) for row in exhibit_sessions(path)) if sealed else iter(())
    streams = exhibit_streams(path, names=show_names) if sealed else iter(())
    if as_json:
        console.document(encode(ExhibitResult(shown=one, sessions=tuple(rows), streams=tuple(streams))))
        return
    for line in banner(one.endpoint_class or "vendor", console.width()):
        console.result(line)
    pairs(console, tuple(_facts(one)))
    _sessions(console, rows, most)
    tell_streams(console, streams, most)
    console.say()
    console.say(_next_step(path, one))


def _shown(row: AnySession, *, names: bool) -> AnyShown:
    return bundle_shown(row, names=names) if isinstance(row, BundleRow) else shown(row, names=names)


def _next_step(path: Path, one: ExhibitShown) -> str:
    """A sealed exhibit can be checked; a partial one goes on, or is closed as it stands."""
    if one.state == "sealed":
        return f"told, not checked; next: agentaudit verify {shlex.quote(str(path))}"
    case = shlex.quote(str(path.parent))
    goes_on = f"agentaudit {_command(one.selection)} {case} --resume {one.exhibit}"
    return f"next: {goes_on}, or agentaudit seal {shlex.quote(str(path))}"


def _command(asked: AnyAsked | None) -> str:
    """The command that goes on with such an exhibit."""
    match asked:
        case BundlesShown():
            return "preserve-local-bundle"
        case SiblingShown():
            return asked.command
        case SelectionShown() | None:
            return "collect-sessions"
        case _:
            assert_never(asked)


def _facts(one: ExhibitShown) -> Iterator[tuple[str, str]]:
    yield "exhibit", f"{one.exhibit}  {one.state}"
    yield "source", one.source or ""
    yield "begun at", one.begun_at or ""
    yield "ended at", one.ended_at or "not yet"
    if one.actors is not None:
        yield "examiner", one.actors.examiner
        yield "authority", one.actors.authority
    if one.selection is not None:
        yield "asked for", asked_for(one.selection)
    yield from (("root", _root(root)) for root in one.roots)
    if one.limits is not None:
        inputs, results = _limit(one.limits.tool_input_max_bytes), _limit(one.limits.tool_result_max_bytes)
        yield "byte limits", f"tool inputs {inputs}, tool results {results}"
    if one.counts is not None:
        yield _obtained(one, one.counts)
    if one.resumed:
        yield "resumed", counted(one.resumed, "time")
    if one.outcome is not None:
        yield "outcome", plainly(one.outcome)
    if one.seal is not None:
        first, second = seal_groups(one.seal)
        yield "seal", first
        yield "", second


def _obtained(one: ExhibitShown, counts: Counts) -> tuple[str, str]:
    """What is here: files of a store, pages of an API."""
    if not counts.pages and not isinstance(one.selection, SelectionShown):
        return "files", f"{counts.items:,}, {sized(counts.payload_bytes)}"
    return "pages", f"{counts.pages:,} in {counted(counts.walks, 'walk')}, {sized(counts.payload_bytes)}"


def _root(root: RootShown) -> str:
    """A root without its path, unless names were asked for."""
    kept = {True: "access times kept", False: "reading changed access times", None: "access times: unknown"}
    facts = [root.root, root.label if root.path is None else display(root.path), plainly(root.found)]
    if root.found != "reported":
        facts += [root.file_system or "file system unknown", *(["read-only"] if root.read_only else [])]
        facts.append(kept[root.access_times_kept])
    return f"{facts[0]}  {facts[1]}  {', '.join(facts[2:])}"


def _sessions(console: Console, rows: Iterable[AnyShown], most: int | None) -> None:
    rows = iter(rows)
    page = list(islice(rows, most))
    if not page:
        return
    console.result()
    width = room(console, err=False)
    of_store = [row for row in page if isinstance(row, BundleShown)]
    of_api = [row for row in page if isinstance(row, SessionShown)]
    if of_store:
        table(console, bundle_columns(width), [bundle_cells(row, width) for row in of_store])
    if of_api:
        table(console, columns(width), [cells(row, width) for row in of_api])
    if any(row.names for row in page):
        console.result()
    for row in page:
        for line in bundle_lines(row) if isinstance(row, BundleShown) else name_lines(row):
            console.result(line)
    left = sum(1 for _ in rows)
    if left:
        console.result()
        console.result(f"  {left:,} more sessions: --all prints them")


def asked_for(asked: AnyAsked) -> str:
    """The selection in one sentence, people, ids and projects as numbers."""
    match asked:
        case BundlesShown():
            return ", ".join(_asked_of_store(asked))
        case SelectionShown():
            return ", ".join(_asked_of_api(asked))
        case SiblingShown():
            return ", ".join(f"{what}: {text}" for what, text in asked.asked)
        case _:
            assert_never(asked)


def _asked_of_store(asked: BundlesShown) -> Iterator[str]:
    yield f"{asked.agent}: {'every session' if asked.everything else 'chosen sessions'}"
    if asked.sessions:
        yield f"{counted(asked.sessions, 'session')} by id"
    if asked.projects:
        yield counted(asked.projects, "project")
    yield counted(asked.roots, "named root") if asked.roots else "the root of this user"
    yield from (f"with {name}" for name in asked.included)
    yield from (f"without {name}" for name in asked.excluded)


def _asked_of_api(asked: SelectionShown) -> tuple[str, ...]:
    parts = [" and ".join(asked.families), "list only" if asked.list_only else "transcripts"]
    if asked.window_kind != "none":
        parts.append(f"{asked.window_kind} from {asked.begins or 'the beginning'} until {asked.ends or 'then'}")
    if asked.sessions:
        parts.append(f"{counted(asked.sessions, 'session')} by id")
    if asked.reviewed:
        parts.append(f"reviewed in {asked.reviewed}")
    if asked.users:
        parts.append(counted(asked.users, "user"))
    if asked.organizations:
        parts.append(counted(asked.organizations, "organisation"))
    return (*parts, *(f"surface {name}" for name in asked.surfaces))


def _limit(octets: int) -> str:
    return f"{octets:,}" if octets > 0 else "max"
