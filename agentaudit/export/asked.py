"""The one place that knows the sources: what was asked for, and which field of a foreign row means what.

- What this module does not know by name is told through its keys (`facts`), never left out.
- Without names no e-mail address, no true path, no name of a project or a folder leaves here.
"""

from collections.abc import Iterator
from typing import assert_never

from agentaudit.export.facts import facts_of
from agentaudit.export.lines import Facts, SessionLine, Way
from agentaudit.model.base import Frozen, Instant, Unset
from agentaudit.model.limits import MAX
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource, Word
from agentaudit.model.selection import BundleSelection, SessionSelection
from agentaudit.model.sessionrow import AnySession, BundleRow
from agentaudit.model.tagfiles import PackageFile
from agentaudit.model.text import SourceText, Unencodable, display

_TOLD = frozenset({
    "format", "case", "exhibit", "source", "adapter", "endpoint_class", "selection", "limits", "read_limits", "actors",
    "tool", "host", "network", "custody_head", "begun_at", "ended_at", "resumed", "outcome", "counts", "clock",
})  # fmt: skip
_BRIEFLY = frozenset({
    "bundle.project", "bundle.transcript", "entry.name", "facts.role", "preserved_bytes", "preserved_files",
    "provenance.before.modified_at", "provenance.before.size_bytes", "provenance.change", "provenance.root",
})  # fmt: skip
_KNOWN = frozenset({"session", "decision", "rule", "outcome", "first_record_at", "last_record_at", "gaps"})
_UNLIMITED = "max (the source's own, about 1 MiB)"


def asked(selection: Frozen, *, names: bool) -> Facts:
    """What an acquisition was asked for, as (what, value); a thing asked for several times stands several times."""
    match selection:
        case SessionSelection():
            return tuple(_sessions_asked(selection))
        case BundleSelection():
            return tuple(_bundles_asked(selection, names=names))
        case _:
            return facts_of(selection, names=names)


def window_asked(selection: Frozen) -> tuple[Instant | None, Instant | None]:
    """The window of time that was asked for: its begin and its end, None for an open end or for no window."""
    window = selection.window if isinstance(selection, SessionSelection) else None
    return (window.begins, window.ends) if window is not None else (None, None)


def _sessions_asked(asked_for: SessionSelection) -> Iterator[tuple[str, str]]:
    yield "What", "metadata only, no transcript" if asked_for.list_only else "transcripts"
    yield "Families", ", ".join(asked_for.families)
    if asked_for.window is not None:
        yield f"Window of {asked_for.window_kind}, from", asked_for.window.begins or "the beginning"
        yield f"Window of {asked_for.window_kind}, until", asked_for.window.ends or "the moment of asking"
    if asked_for.reviewed is not None:
        yield "Chosen from", f"{asked_for.reviewed.exhibit}, seal {asked_for.reviewed.seal}"
    yield from (("Session", one.id) for one in asked_for.sessions)
    yield from (("Kept of user", one) for one in asked_for.users)
    yield from (("Kept of surface", one) for one in asked_for.surfaces)
    yield from (("Kept of organisation", one) for one in asked_for.organizations)
    if asked_for.with_directory:
        yield "Beside it", "the users of the organisations seen"


def _bundles_asked(asked_for: BundleSelection, *, names: bool) -> Iterator[tuple[str, str]]:
    yield "What", f"local store of {asked_for.agent}"
    yield "Scope", "everything" if asked_for.everything else "what is named below"
    yield from (("Session", one) for one in asked_for.sessions)
    yield from (("Category left out", one) for one in asked_for.excluded)
    yield from (("Category let in", one) for one in asked_for.included)
    yield from _named("Root", asked_for.roots, names=names)
    yield from _named("Project", asked_for.projects, names=names)


def _named(what: str, words: tuple[SourceText, ...], *, names: bool) -> Iterator[tuple[str, str]]:
    if names:
        yield from ((what, display(word)) for word in words)
    elif words:
        yield f"{what}s", str(len(words))


def limit_facts(limits: Frozen | None, read_limits: Frozen | None) -> Facts:
    """The limits in force, as (name, value): what the source may clip, then what is taken in."""
    asked_for = facts_of(limits) if limits is not None else ()
    taken_in = facts_of(read_limits) if read_limits is not None else ()
    return tuple((key, _UNLIMITED if text == str(MAX) else text) for key, text in asked_for) + taken_in


def reach_facts(package: PackageFile, *, names: bool) -> Facts:
    """How the source was reached, and whatever else package.json says of where it lay (the roots of a local store)."""
    over = facts_of(package.network) if package.network is not None else ()
    return over + facts_of(package, skip=_TOLD, names=names)


def gap_pointer(adapter: str, gap: Gap) -> str | None:
    """Where in its page a gap is stated; None for the whole page, or for a source whose pages are not built so."""
    if not adapter.startswith("compliance/"):
        return None
    if gap.code == "session_call_cap":
        return "/session/truncated"
    return f"/data/{gap.index}" if isinstance(gap.index, int) else None


def gap_subject(adapter: str, gap: Gap, *, names: bool) -> SourceText | None:
    """What a gap is about: a word of ours or an identifier; for a local store it may be a path or a project's name."""
    if isinstance(gap.subject, Unset):
        return None
    nameless = adapter.startswith("compliance/") or gap.code == "session_absent"
    return gap.subject if names or nameless else None


def session_line(exhibit: str, row: AnySession, said: tuple[tuple[str, Way], ...], *, names: bool) -> SessionLine:
    """One row of sessions.jsonl as an export tells it; `said` are the ways to what `sources_of` gives."""
    match row:
        case SessionRow():
            return _compliance_line(exhibit, row, said, names=names)
        case BundleRow():
            return _bundle_line(exhibit, row, names=names)
        case _:
            assert_never(row)


def _bundle_line(exhibit: str, row: BundleRow, *, names: bool) -> SessionLine:
    """The session bundle of a local store; its times are those of its records, as whoever wrote them says."""
    return SessionLine(
        exhibit=exhibit,
        session=row.session,
        family=None,
        id=row.bundle.session,
        decision=row.decision,
        rule=row.rule,
        outcome=row.outcome,
        surface=None,
        status=None,
        created_at=row.first_record_at,
        updated_at=row.last_record_at,
        truncated_at_source=False,
        user_id=None,
        user_email_address=None,
        started_by_user_id=None,
        agent_id=None,
        organization_uuid=None,
        workspace_id=None,
        claude_project_id=None,
        disagree=(),
        counts=SessionCounts(gaps=row.gaps),
        said=(),
        more=facts_of(row, skip=_KNOWN, names=names),
    )


def briefly(more: Facts) -> Facts:
    """Of what another source says beside the common facts, the part for a document for people; the rest is in JSON."""
    return tuple((key, text) for key, text in more if key in _BRIEFLY)


def sources_of(row: AnySession) -> tuple[tuple[str, SessionSource], ...]:
    """What speaks of a session, the most exact first; nothing for a source without such answers."""
    if not isinstance(row, SessionRow):
        return ()
    three = (("retrieved", row.retrieved), ("envelope", row.envelope), ("listed", row.listed))
    return tuple((name, one) for name, one in three if one is not None)


def _compliance_line(exhibit: str, row: SessionRow, said: tuple[tuple[str, Way], ...], *, names: bool) -> SessionLine:
    spoken = tuple(source for _, source in sources_of(row))
    return SessionLine(
        exhibit=exhibit,
        session=row.session,
        family=row.family,
        id=row.id,
        decision=row.decision,
        rule=row.rule,
        outcome=row.outcome,
        surface=_first(one.product_surface for one in spoken),
        status=_first(one.status for one in spoken),
        created_at=_first(one.created_at for one in spoken),
        updated_at=_first(one.updated_at for one in spoken),
        truncated_at_source=any(one.truncated is True for one in spoken),
        user_id=_first(one.user_id for one in spoken),
        user_email_address=_first(one.user_email_address for one in spoken) if names else None,
        started_by_user_id=_first(one.started_by_user_id for one in spoken),
        agent_id=_first(one.agent_id for one in spoken),
        organization_uuid=_first(one.organization_uuid for one in spoken),
        workspace_id=_first(one.workspace_id for one in spoken),
        claude_project_id=_first(one.claude_project_id for one in spoken),
        disagree=row.disagree,
        counts=row.counts,
        said=said,
        more=(),
    )


def _first(words: Iterator[Word]) -> str | None:
    """The first text; null, absent and wrong types say nothing."""
    return next((display(word) for word in words if isinstance(word, str | Unencodable)), None)
