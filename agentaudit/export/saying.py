"""What the rows of each source say, as an export tells it: the other of the two places that know the sources.

- Which field of a foreign row means what; where a gap points; what of a row may be a name.
- Without names no e-mail address, no true path, no name of a project leaves here.
"""

from collections.abc import Iterator
from typing import assert_never

from agentaudit.export.facts import facts_of
from agentaudit.export.lines import Facts, SessionLine, Way
from agentaudit.model.base import Unset
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource, Word
from agentaudit.model.sessionrow import AnySession, BundleRow
from agentaudit.model.text import SourceText, Unencodable, display

_KNOWN = frozenset({"session", "decision", "rule", "outcome", "first_record_at", "last_record_at", "gaps"})
_BRIEFLY = frozenset({
    "bundle.project", "bundle.transcript", "entry.name", "facts.role", "preserved_bytes", "preserved_files",
    "provenance.before.modified_at", "provenance.before.size_bytes", "provenance.change", "provenance.root",
})  # fmt: skip


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
