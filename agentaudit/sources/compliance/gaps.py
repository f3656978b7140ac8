"""What a walk says of what it did not get: one gap, and the word with which the walk ends.

- A gap holds no instant, no request-id and no count of attempts: the same answers give the same gap.
- What the source says it has not is `unavailable`; what was asked for and did not come is `not_obtained`.
- What may come on another day (an unreadable page, locked content, an undecided retention) is `not_obtained`.
"""

from dataclasses import dataclass
from typing import Literal

from agentaudit.adapters.answers import Unreadable
from agentaudit.model.base import UNSET, Unset
from agentaudit.model.journal import MissReason, Noted, WalkReason
from agentaudit.model.losses import Gap, GapCode, GapKind
from agentaudit.model.text import SourceText, source_text
from agentaudit.model.walk import Missed

_Basis = Literal["status", "field", "rule", "absence", "clock"]


@dataclass(frozen=True, slots=True)
class Where:
    """The place that a gap speaks of; `page` and `index` only where it speaks of one."""

    walk: str
    session: str | Unset = UNSET
    page: int | Unset = UNSET
    index: int | Unset = UNSET


@dataclass(frozen=True, slots=True)
class _Meaning:
    kind: GapKind
    code: GapCode
    ends: WalkReason


_OK = 200
_NOT_OBTAINED: dict[MissReason, tuple[GapCode, WalkReason]] = {
    "page_unreadable": ("page_unreadable_at_source", "refused"),
    "retention_overrides": ("retention_overrides", "refused"),
    "captured_content": ("captured_content_unreadable", "refused"),
    "cursor_refused": ("cursor_refused", "refused"),
    "refused": ("refused", "refused"),
    "server_error": ("refused", "refused"),
    "redirected": ("redirected", "refused"),
    "body_over_limit": ("body_over_limit", "failed"),
    "retries_exhausted": ("retries_exhausted", "failed"),
    "interrupted": ("interrupted", "interrupted"),
    "stale": ("messages_walk_expired", "expired"),
    "cursor_expired": ("messages_walk_expired", "expired"),
}


def end_of(missed: Missed) -> WalkReason:
    """The word with which a walk ends that was sent this."""
    return _meaning(missed).ends


def missed_gap(missed: Missed, where: Where, *, code: GapCode | None = None, kind: GapKind | None = None) -> Noted:
    """The gap of an answer that did not come; `code` and `kind` say it more exactly where the walk knows more."""
    meaning = _meaning(missed)
    if missed.reason == "captured_content":
        # Which of an organisation's sessions were asked for before the rest were spared depends on the connections.
        missed = Missed(missed.reason)
    # A 200 whose body did not come whole is no answer.
    status = UNSET if missed.status in (None, _OK) else missed.status
    basis: _Basis = "absence" if status is UNSET else "status"
    if missed.reason == "stale":
        basis = "clock"
    return _noted(
        kind or meaning.kind,
        code or meaning.code,
        basis,
        where,
        status=status,
        source=_words(("type", missed.error_type), ("error_code", missed.error_code)),
    )


def when_gone(why: Missed | Unreadable | None, code: GapCode) -> GapCode | None:
    """The code for something that is not found, where that is why; None where it is something else."""
    return code if isinstance(why, Missed) and why.reason == "session_not_found" else None


def is_over(why: Missed | Unreadable | None) -> bool:
    """True when nothing more is to be asked of a thing: it is not there, or the run is being closed."""
    return isinstance(why, Missed) and why.reason in ("session_not_found", "interrupted")


def unreadable_gap(unreadable: Unreadable, where: Where) -> Noted:
    """The gap of a page that came twice and could not be read; its subject is our word for why."""
    return _noted("not_obtained", "unreadable_answer", "field", where, subject=f"unreadable:{unreadable.reason}")


def stated_gap(code: GapCode, where: Where, reason: SourceText | Unset | None = UNSET) -> Noted:
    """The gap that a field of an answer states: unavailable at the source, with its reason where it gives one."""
    source = () if isinstance(reason, Unset) else (("reason", reason),)
    return _noted("unavailable", code, "field", where, source=source)


def ruled_gap(code: GapCode, walk: str, count: int = 1, *, session: str | Unset = UNSET) -> Noted:
    """What our own selection left out, counted once for a walk and rule; an empty walk for sessions asked by id."""
    return _noted("excluded", code, "rule", Where(walk, session), count=count)


def lost_gap(
    code: GapCode, where: Where, basis: _Basis, *, subject: SourceText | Unset = UNSET, count: int = 1
) -> Noted:
    """Something asked for that no answer will bring."""
    return _noted("not_obtained", code, basis, where, subject=subject, count=count)


def _meaning(missed: Missed) -> _Meaning:
    if missed.reason in ("session_not_found", "remote_not_found"):
        return _Meaning("unavailable", "session_not_found", "refused")
    if missed.reason == "job_not_found":
        return _Meaning("unavailable", "job_not_found", "refused")
    if missed.reason == "log_file_not_found":
        return _Meaning("unavailable", "log_file_not_found", "refused")
    code, ends = _NOT_OBTAINED[missed.reason]
    return _Meaning("not_obtained", code, ends)


def _words(*pairs: tuple[str, str | None]) -> tuple[tuple[str, SourceText | None], ...]:
    return tuple((name, source_text(word)) for name, word in pairs if word is not None)


def _noted(
    kind: GapKind,
    code: GapCode,
    basis: _Basis,
    where: Where,
    *,
    status: int | Unset = UNSET,
    subject: SourceText | Unset = UNSET,
    source: tuple[tuple[str, SourceText | None], ...] = (),
    count: int = 1,
) -> Noted:
    return Noted(
        gap=Gap(
            kind=kind,
            code=code,
            basis=basis,
            walk=where.walk or UNSET,
            page=where.page,
            index=where.index,
            session=where.session,
            subject=subject,
            status=status,
            source=source,
            count=count,
        )
    )
