"""A survey on a terminal: roots, sessions, what would be copied, what would stay out and by which rule."""

from collections.abc import Iterator

from agentaudit.cli.console import Console
from agentaudit.cli.tables import Column, pairs, table
from agentaudit.cli.words import counted, sized
from agentaudit.model.results import SurveyedRoot, SurveyedSession, SurveyResult
from agentaudit.model.storejournal import IndexCount
from agentaudit.model.text import SourceText, display

RULES = {
    "category_excluded": "by --exclude",
    "category_opt_in": "databases, settings or a shared store: --include takes it in",
    "credentials_bytes": "keys, or what cannot be looked into for keys, by their bytes",
    "credentials_inode": "credentials, by a hard link to them",
    "credentials_location": "credentials, by their place",
    "credentials_name": "credentials, by their name",
    "link": "links are never followed",
    "metadata_only": "caches, plugins and settings of the program: listed alone",
    "not_seen": "could not be looked at",
    "not_selected": "of other sessions or projects",
    "special": "no regular file",
}

_HOLES_TOLD = 1024 * 1024 * 1024

INSTALLED = {
    "package": "installed inside the root",
    "kept": "kept by the installer",
    "linked": "what the command leads to",
}


def tell_survey(console: Console, result: SurveyResult) -> None:
    """Print a survey."""
    for root in result.roots:
        console.result(_root(root))
    console.result("")
    if result.sessions:
        table(console, COLUMNS, tuple(_cells(session) for session in result.sessions))
        console.result("")
    pairs(console, tuple(_facts(result)))


COLUMNS = (
    Column("session", whole=True),
    Column("project", whole=True),
    Column("id", whole=True),
    Column("last change (UTC)", whole=True),
    Column("size", right=True),
    Column("agents", right=True),
    Column("spilled", right=True),
    Column("would copy", right=True),
    Column("notes"),
)


def _root(root: SurveyedRoot) -> str:
    if root.found == "reported":
        return f"  {root.root}  {_word(root.path)}  exists and was not asked for; name it with --root to survey it"
    kept = {True: "access times are kept", False: "reading changes access times", None: "access times: unknown"}
    kind = f"{root.file_system or 'file system unknown'}{', read-only' if root.read_only else ''}"
    facts = (root.found, kind, f"{root.entries:,} entries", kept[root.access_times_kept])
    return f"  {root.root}  {_word(root.path)}  {', '.join(facts)}"


def _cells(session: SurveyedSession) -> tuple[str, ...]:
    return (
        session.session,
        "-" if session.project is None else _word(session.project),
        _word(session.id),
        (session.modified_at or "")[:16].replace("T", " "),
        sized(session.bytes),
        f"{session.subagents:,}" if session.subagents else "",
        f"{session.spilled_results:,}" if session.spilled_results else "",
        sized(session.preserved_bytes) if session.preserved_files else "-",
        ", ".join(_notes(session)),
    )


def _notes(session: SurveyedSession) -> Iterator[str]:
    if session.transcript != "present":
        yield f"transcript {session.transcript}"
    if session.running:
        yield "a process says it runs"
    if session.also_in:
        yield f"also {', '.join(session.also_in)}"


def _facts(result: SurveyResult) -> Iterator[tuple[str, str]]:
    sparse = f", which take {sized(result.room_bytes)}: the rest are holes" if _is_sparse(result) else ""
    yield "would copy", f"{result.files:,} files, {sized(result.bytes)}{sparse}"
    for rule, count in result.left_out:
        yield "stays out", f"{count:,}  {RULES.get(rule, rule)}"
    if result.history_sessions_without_transcript:
        yield "other witnesses", f"{result.history_sessions_without_transcript:,} sessions only the history names"
    yield from (("listing caches", words) for words in _indexes(result.indexes))
    for release in result.installed:
        yield "installed", f"{release.root} {release.version}, {INSTALLED[release.where]}"
    for root, name, value in result.switches:
        yield "switch", f"{root} {name} = {value}"
    for session in result.missing_sessions:
        yield "not found", f"session {session}"
    for project in (*result.missing_projects, *result.absent_roots):
        yield "not found", _word(project)


def _is_sparse(result: SurveyResult) -> bool:
    """Whether so much of the files is holes that their sizes say nothing of the room."""
    return result.room_bytes < result.bytes // 2 and result.bytes - result.room_bytes > _HOLES_TOLD


def _indexes(counts: tuple[IndexCount, ...]) -> Iterator[str]:
    """What the listing caches of each root say, added up; those of no known form are a number too."""
    for root in dict.fromkeys(one.root for one in counts):
        here = [one for one in counts if one.root == root]
        listed, absent, unlisted = (
            sum(number or 0 for number in numbers)
            for numbers in zip(*((one.listed, one.absent, one.unlisted) for one in here), strict=True)
        )
        odd = sum(one.listed is None for one in here)
        told = f"{root} {counted(listed, 'session')} named, {absent:,} without a transcript"
        told += f"; {counted(unlisted, 'transcript')} not named"
        yield told + (f"; {counted(odd, 'cache')} of no known form" if odd else "")


def _word(name: SourceText) -> str:
    return display(name)
