"""What is in a case or an exhibit, without content: the step between a list walk and a collection.

- It reads what a package says and judges nothing: checking is the affair of `verify`.
- Ids, people and paths of the source are told only when asked for.
- A package is hostile input: every line has a bound, links are not followed, rows come one at a time.
- An exhibit that is not sealed is told from its journal, as far as the journal goes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import assert_never

from agentaudit.encoding.canonical import NotCanonical
from agentaudit.errors import NotAPackage, NotSealed
from agentaudit.format import layout
from agentaudit.format.codecs import LINE_CODECS, PACKAGE_CODEC
from agentaudit.model.custody import ExhibitBegun
from agentaudit.model.framing import label_of
from agentaudit.model.journal import Opened
from agentaudit.model.local import Root
from agentaudit.model.readings import SessionRow
from agentaudit.model.selection import BundleSelection, Selection, SessionSelection, SiblingSelection
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
from agentaudit.model.stream import StreamRow, Word
from agentaudit.model.tagfiles import PackageFile
from agentaudit.model.text import Unencodable, display
from agentaudit.package.case import Case, load_case, seal_of
from agentaudit.package.derive import derive_indexed, read_index
from agentaudit.package.tree import Tree, resolved

ROW_MAX = 16 * 1024 * 1024
"""A longer row of sessions.jsonl, or a longer package.json, is none of ours."""


def is_case(path: Path) -> bool:
    """True when the folder holds a case.json."""
    return (path / layout.CASE).is_file()


def show_case(path: Path) -> CaseShown:
    """The case at a path; raises as `load_case` does."""
    case = load_case(path)
    rows = 0
    begun: set[str] = set()
    for row in case.rows():
        rows += 1
        if isinstance(row, ExhibitBegun):
            begun.add(row.exhibit)
    return CaseShown(case=case.file, custody_rows=rows, exhibits=tuple(_exhibits(case, begun)))


def _exhibits(case: Case, begun: set[str]) -> Iterator[ExhibitShown]:
    folders = {
        name.removesuffix(layout.PARTIAL): name
        for name in sorted((entry.name for entry in case.path.iterdir()), reverse=True)
        if layout.exhibit_number(name) is not None
    }
    for name in sorted(begun | folders.keys(), key=lambda word: (len(word), word)):
        if name in folders:
            yield _shown(case.path / folders[name])
        else:
            yield ExhibitShown(exhibit=name, state="missing")


def _shown(path: Path) -> ExhibitShown:
    try:
        return show_exhibit(path)
    except NotAPackage:
        return ExhibitShown(exhibit=path.name, state="unreadable")


def show_exhibit(path: Path, *, names: bool = False) -> ExhibitShown:
    """One exhibit, sealed or partial, with paths of the source where `names`.

    Raises `NotAPackage` (8) for anything else.
    """
    root = resolved(path)
    try:
        with Tree(root) as tree:
            return _partial(tree, names=names) if root.name.endswith(layout.PARTIAL) else _sealed(tree, names=names)
    except OSError:
        raise _no_package(path) from None


def exhibit_sessions(path: Path) -> Iterator[AnySession]:
    """Each row of a sealed exhibit's sessions.jsonl, in its order.

    Raises `NotSealed` (9) for a partial exhibit, `NotAPackage` (8) where a row is none.
    """
    if resolved(path).name.endswith(layout.PARTIAL):
        raise NotSealed(f"{path} is not sealed, so its sessions are not known yet", "go on with --resume, or seal it")
    codec = LINE_CODECS[layout.SESSIONS]
    try:
        with Tree(path) as tree:
            for line in tree.lines(layout.SESSIONS, ROW_MAX):
                row = codec.decode(line.removesuffix(b"\n"))
                if not isinstance(row, SessionRow | BundleRow):
                    raise _no_package(path)
                yield row
    except (OSError, NotCanonical):
        raise _no_package(path) from None


def exhibit_streams(path: Path, *, names: bool) -> Iterator[StreamShown]:
    """Each stream of a sealed exhibit as it may be shown, in its order; NotAPackage (8) where a row is none."""
    codec = LINE_CODECS[layout.STREAMS]
    try:
        with Tree(path) as tree:
            for line in tree.lines(layout.STREAMS, ROW_MAX):
                row = codec.decode(line.removesuffix(b"\n"))
                if not isinstance(row, StreamRow):
                    raise _no_package(path)
                yield _stream(row, names=names)
    except (OSError, NotCanonical):
        raise _no_package(path) from None


def _stream(row: StreamRow, *, names: bool) -> StreamShown:
    return StreamShown(
        stream=row.stream,
        kind=row.kind,
        within=row.within,
        form=row.form,
        name=row.name if names else None,
        events=row.events,
        first_at=_time(row.first_at),
        last_at=_time(row.last_at),
        counts=row.counts,
        findings=tuple((finding.code, finding.count) for finding in row.findings),
    )


def _time(word: Word) -> str | None:
    return display(word) if isinstance(word, str | Unencodable) else None


def _sealed(tree: Tree, *, names: bool) -> ExhibitShown:
    try:
        facts = PACKAGE_CODEC.decode(tree.read(layout.PACKAGE, ROW_MAX).removesuffix(b"\n"))
    except NotCanonical:
        raise _no_package(tree.root) from None
    if not isinstance(facts, PackageFile):
        raise _no_package(tree.root)
    return ExhibitShown(
        exhibit=facts.exhibit,
        state="sealed",
        seal=seal_of(tree.root),
        source=facts.source,
        endpoint_class=facts.endpoint_class,
        begun_at=facts.begun_at,
        ended_at=facts.ended_at,
        actors=facts.actors,
        selection=_selection(facts.selection),
        roots=_roots(facts.roots, names=names),
        limits=facts.limits,
        resumed=facts.resumed,
        outcome=facts.outcome,
        counts=facts.counts,
    )


def _partial(tree: Tree, *, names: bool) -> ExhibitShown:
    index = read_index(tree)
    if index.opened is None:
        raise _no_package(tree.root)
    opened: Opened = index.opened
    derived = derive_indexed(tree, index, opened, None, sinks={})
    return ExhibitShown(
        exhibit=opened.exhibit,
        state="partial",
        source=opened.source,
        endpoint_class=opened.endpoint_class,
        begun_at=opened.at,
        actors=opened.actors,
        selection=_selection(opened.selection),
        roots=_roots(tuple(index.roots), names=names),
        limits=opened.limits,
        resumed=index.resumed,
        counts=derived.counts,
    )


def _selection(asked: Selection) -> AnyAsked:
    match asked:
        case BundleSelection():
            return _bundles(asked)
        case SessionSelection():
            return _sessions(asked)
        case SiblingSelection():
            return SiblingShown(command=asked.command(), asked=asked.told())
        case _:
            assert_never(asked)


def _bundles(asked: BundleSelection) -> BundlesShown:
    return BundlesShown(
        agent=asked.agent,
        roots=len(asked.roots),
        sessions=len(asked.sessions),
        projects=len(asked.projects),
        everything=asked.everything,
        excluded=asked.excluded,
        included=asked.included,
    )


def _sessions(asked: SessionSelection) -> SelectionShown:
    return SelectionShown(
        families=asked.families,
        window_kind=asked.window_kind,
        begins=asked.window.begins if asked.window else None,
        ends=asked.window.ends if asked.window else None,
        sessions=len(asked.sessions),
        users=len(asked.users),
        surfaces=asked.surfaces,
        organizations=len(asked.organizations),
        list_only=asked.list_only,
        reviewed=asked.reviewed.exhibit if asked.reviewed else None,
    )


def _roots(roots: tuple[Root, ...], *, names: bool) -> tuple[RootShown, ...]:
    return tuple(
        RootShown(
            root=one.root,
            label=label_of(display(one.path)),
            path=one.path if names else None,
            found=one.found,
            file_system=one.file_system,
            read_only=one.read_only,
            access_times_kept=one.access_times_kept,
        )
        for one in roots
    )


def _no_package(path: Path) -> NotAPackage:
    return NotAPackage(f"{path} is not an exhibit that this program can read", "look at it with `agentaudit verify`")
