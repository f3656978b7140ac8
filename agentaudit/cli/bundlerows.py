"""One session bundle of a local store as `show` tells it: what is here, what its records say, what it lacks.

- Names (project folder, id) are labels, the same as in a survey, and stand beside only where they were asked for.
- Times are the records' own, never those of files; framing counts lines, and a loss is no framing.
"""

from collections.abc import Iterator

from agentaudit.cli.tables import Column
from agentaudit.cli.words import counted, minute, plainly, sized
from agentaudit.model.base import Frozen, Instant, Unset
from agentaudit.model.framing import FaultClass, label_of
from agentaudit.model.journal import Outcome
from agentaudit.model.sessionrow import BundleRow
from agentaudit.model.text import SourceText, display

WIDE = 150
_VERSIONS = 2


class BundleNames(Frozen, frozen=True, kw_only=True):
    """The true names of a bundle; `nested` is the path of a root inside the root."""

    id: SourceText
    project: SourceText | None
    nested: SourceText | None


class BundleShown(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="local_bundle"):
    """One session bundle; absent ones are counts of what its transcripts name and the store lacks.

    A count is None when the transcripts were not read. `project_cwds` counts the working folders that the records of
    the whole project folder name.
    """

    session: str
    root: str
    project: str | None
    id: str
    decision: str
    rule: str | None
    outcome: Outcome | None
    transcript: str
    files: int
    bytes: int
    versions: tuple[tuple[str, int], ...]
    first_record_at: Instant | None
    last_record_at: Instant | None
    framing: tuple[tuple[FaultClass, int], ...]
    gaps: int
    newer_siblings: int
    spilled_absent: int | None
    spilled_unnamed: int | None
    subagents_absent: int | None
    also_in: tuple[str, ...]
    running: tuple[int, ...]
    project_cwds: int | None
    names: BundleNames | None


def bundle_shown(row: BundleRow, *, names: bool) -> BundleShown:
    """The session of a row of sessions.jsonl."""
    bundle = row.bundle
    return BundleShown(
        session=row.session,
        root=bundle.root,
        project=None if bundle.project is None else label_of(display(bundle.project)),
        id=label_of(display(bundle.session)),
        decision=row.decision,
        rule=row.rule,
        outcome=row.outcome,
        transcript=bundle.transcript,
        files=row.preserved_files,
        bytes=row.preserved_bytes,
        versions=row.versions,
        first_record_at=row.first_record_at,
        last_record_at=row.last_record_at,
        framing=row.framing,
        gaps=row.gaps,
        newer_siblings=bundle.newer_siblings,
        spilled_absent=_count(bundle.spilled_absent),
        spilled_unnamed=_count(bundle.spilled_unnamed),
        subagents_absent=_count(bundle.subagents_absent),
        also_in=bundle.also_in,
        running=bundle.running,
        project_cwds=None if isinstance(bundle.project_cwds, Unset) else bundle.project_cwds,
        names=_names(row) if names else None,
    )


_WIDE_COLUMNS = (
    Column("session", whole=True),
    Column("project", whole=True),
    Column("size", right=True),
    Column("files", right=True),
    Column("versions", whole=True),
    Column("first record (UTC)", whole=True),
    Column("last record (UTC)", whole=True),
    Column("framing"),
    Column("outcome and losses"),
)
_NARROW_COLUMNS = (
    Column("session", whole=True),
    Column("project", whole=True),
    Column("size", right=True),
    Column("last record", whole=True),
    Column("framing, outcome and losses"),
)


def bundle_columns(width: int) -> tuple[Column, ...]:
    """The headings that a terminal of this width has room for."""
    return _WIDE_COLUMNS if width >= WIDE else _NARROW_COLUMNS


def bundle_cells(one: BundleShown, width: int) -> tuple[str, ...]:
    """One row under `bundle_columns` of the same width; a narrow one leaves out files, versions and first records."""
    head = (one.session, one.project or "-", sized(one.bytes))
    last, found, state = minute(one.last_record_at or "-"), framing_words(one.framing), ", ".join(_state(one))
    if width < WIDE:
        return *head, last[:10], ", ".join(word for word in (found, state) if word)
    return *head, f"{one.files:,}", _versions(one), minute(one.first_record_at or "-"), last, found, state


def bundle_lines(one: BundleShown) -> Iterator[str]:
    """The true names of a bundle, a fact a line: a name is never folded, so that it can be copied."""
    if one.names is None:
        return
    margin = " " * len(one.session)
    yield f"  {one.session}  id       {display(one.names.id)}"
    yield f"  {margin}  project  {'-' if one.names.project is None else display(one.names.project)}"
    if one.names.nested is not None:
        yield f"  {margin}  inside   {display(one.names.nested)}"


def framing_words(found: tuple[tuple[FaultClass, int], ...]) -> str:
    """`2 cut, 1 glued`: lines by class; empty where no line has a finding."""
    return ", ".join(f"{count:,} {fault}" for fault, count in found)


def _versions(one: BundleShown) -> str:
    """The releases that wrote it: all of them while they are few, else the first and the number of the others."""
    names = [name for name, _ in one.versions]
    more = len(names) - _VERSIONS
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_VERSIONS])} and {more} more"


def _state(one: BundleShown) -> Iterator[str]:
    """The outcome, or our decision where nothing was asked for; then what lacks, and what stands beside it."""
    yield plainly(one.outcome or (f"{one.decision}: {one.rule}" if one.rule else one.decision))
    if one.transcript != "present":
        yield f"transcript {one.transcript}"
    rows = ((one.spilled_absent, "spilled result"), (one.subagents_absent, "subagent"))
    yield from (f"{counted(count, noun)} named and absent" for count, noun in rows if count)
    if one.spilled_unnamed:
        yield f"{counted(one.spilled_unnamed, 'spilled result')} that nothing names"
    if one.gaps:
        yield counted(one.gaps, "gap")
    if one.also_in:
        yield f"same id as {', '.join(one.also_in)}"
    if one.project_cwds is not None and one.project_cwds > 1:
        yield f"its project folder stands for {one.project_cwds:,} working folders"
    if one.running:
        yield "a process says it writes it"


def _count(names: tuple[SourceText, ...] | tuple[str, ...] | Unset) -> int | None:
    return None if isinstance(names, Unset) else len(names)


def _names(row: BundleRow) -> BundleNames:
    bundle = row.bundle
    nested = None if isinstance(bundle.nested, Unset) else bundle.nested
    return BundleNames(id=bundle.session, project=bundle.project, nested=nested)
