"""One session as `show` tells it: what the source says of it, how much is here, what is lost.

- Where list, retrieve call and envelope differ, the retrieve call speaks first: its times are exact.
- Names (id, user, organisation) are separate, and absent unless asked for.
"""

from collections.abc import Iterable, Iterator

from agentaudit.cli.tables import Column
from agentaudit.cli.words import counted, minute, plainly
from agentaudit.model.base import Frozen
from agentaudit.model.journal import Outcome
from agentaudit.model.readings import SessionCounts, SessionRow, SessionSource, Word
from agentaudit.model.selection import Family
from agentaudit.model.text import Unencodable, display


class SessionNames(Frozen, frozen=True, kw_only=True):
    """Who and what a session is at its source; null where the source did not say."""

    id: str
    user_id: str | None
    user_email_address: str | None
    started_by_user_id: str | None
    organization_uuid: str | None


class SessionShown(Frozen, frozen=True, kw_only=True, tag_field="kind", tag="compliance_session"):
    """One session; `truncated_at_source` is the source's mark on the session, never a count of clipped blocks."""

    session: str
    family: Family
    surface: str | None
    created_at: str | None
    updated_at: str | None
    decision: str
    rule: str | None
    outcome: Outcome | None
    truncated_at_source: bool
    counts: SessionCounts
    names: SessionNames | None


def shown(row: SessionRow, *, names: bool) -> SessionShown:
    """The session of a row of sessions.jsonl."""
    said = tuple(one for one in (row.retrieved, row.envelope, row.listed) if one is not None)
    return SessionShown(
        session=row.session,
        family=row.family,
        surface=_first(one.product_surface for one in said),
        created_at=_first(one.created_at for one in said),
        updated_at=_first(one.updated_at for one in said),
        decision=row.decision,
        rule=row.rule,
        outcome=row.outcome,
        truncated_at_source=any(one.truncated is True for one in said),
        counts=row.counts,
        names=_names(row, said) if names else None,
    )


WIDE = 110

_WIDE_COLUMNS = (
    Column("session", whole=True),
    Column("surface"),
    Column("first call (UTC)"),
    Column("last call (UTC)"),
    Column("pages", right=True),
    Column("messages", right=True),
    Column("outcome and losses"),
)
_NARROW_COLUMNS = (
    Column("session", whole=True),
    Column("surface"),
    Column("last call", whole=True),
    Column("messages", right=True),
    Column("outcome and losses"),
)


def columns(width: int) -> tuple[Column, ...]:
    """The headings that a terminal of this width has room for."""
    return _WIDE_COLUMNS if width >= WIDE else _NARROW_COLUMNS


def cells(one: SessionShown, width: int) -> tuple[str, ...]:
    """One row under `columns` of the same width; a narrow one leaves out pages, first calls and hours."""
    surface, first, last = (
        f"{one.family} {one.surface or '-'}",
        minute(one.created_at or "-"),
        minute(one.updated_at or "-"),
    )
    messages, state = f"{one.counts.messages:,}", _state(one)
    if width < WIDE:
        return one.session, surface, last[:10], messages, state
    return one.session, surface, first, last, f"{one.counts.pages:,}", messages, state


def name_lines(one: SessionShown) -> Iterator[str]:
    """Who and what a session is, a fact a line: an id is never folded, so that it can be copied."""
    if one.names is None:
        return
    names, margin = one.names, " " * len(one.session)
    yield f"  {one.session}  id            {names.id}"
    person = " ".join(word for word in (names.user_id, names.user_email_address) if word)
    yield f"  {margin}  user          {person or '-'}"
    if names.started_by_user_id:
        yield f"  {margin}  started by    {names.started_by_user_id}"
    yield f"  {margin}  organisation  {names.organization_uuid or '-'}"


def losses(one: SessionShown) -> tuple[str, ...]:
    """The kinds of loss apart, the source's mark on the session beside them."""
    counts = one.counts
    rows = (
        (counts.clipped_by_our_limit, "block", " clipped by our limit"),
        (counts.clipped_by_server_limit, "block", " clipped by the server"),
        (counts.clipped_undetermined, "block", " clipped"),
        (counts.clipped_marker, "marker", ""),
        (counts.gaps, "gap", ""),
    )
    told = tuple(f"{counted(count, noun)}{more}" for count, noun, more in rows if count)
    return (*told, "truncated at source") if one.truncated_at_source else told


def _state(one: SessionShown) -> str:
    """The outcome, or our decision where nothing was asked for, and the losses."""
    word = one.outcome or (f"{one.decision}: {one.rule}" if one.rule else one.decision)
    return ", ".join((plainly(word), *losses(one)))


def _names(row: SessionRow, said: tuple[SessionSource, ...]) -> SessionNames:
    return SessionNames(
        id=display(row.id),
        user_id=_first(one.user_id for one in said),
        user_email_address=_first(one.user_email_address for one in said),
        started_by_user_id=_first(one.started_by_user_id for one in said),
        organization_uuid=_first(one.organization_uuid for one in said),
    )


def _first(words: Iterable[Word]) -> str | None:
    """The first text among what the source says; None where it says null, or nothing."""
    return next((display(word) for word in words if isinstance(word, str | Unencodable)), None)
