"""The order of a copy: files by rank and path, what is missing in its place."""

from agentaudit.adapters.compliance.reading_copy import ComplianceCopyReader
from agentaudit.model.base import UNSET, Instant, Unset, digest_of
from agentaudit.model.losses import Gap
from agentaudit.model.readings import SessionCounts, SessionRow
from agentaudit.model.tagfiles import ItemProvenance, ItemRow
from agentaudit.package.session import SessionHeld
from agentaudit.transcript.order import kept_instead, ordered

MESSAGES = "compliance/local/s000001/messages"
RETRIEVE = "compliance/local/s000001/session"


def item(walk: str, page: int, role: str = "answer", suffix: str = "json") -> ItemRow:
    """An answer of a walk."""
    return ItemRow(
        path=f"data/{walk}/{page:06d}.{suffix}",
        bytes=1,
        sha256=digest_of(b""),
        role="refusal" if role == "refusal" else "answer",
        media_type=None,
        content_encoding=None,
        provenance=ItemProvenance(
            row=1, walk=walk, page=page, ask=1, request_id=None, received_at=Instant("2026-01-01T00:00:00.000000Z")
        ),
    )


def gap(walk: str | Unset = UNSET, page: int | Unset = UNSET, index: int | Unset = UNSET) -> Gap:
    """Something missing at that place."""
    return Gap(kind="not_obtained", code="refused", basis="status", walk=walk, page=page, index=index)


def held(items: tuple[ItemRow, ...], gaps: tuple[Gap, ...]) -> SessionHeld:
    """A session that holds these."""
    row = SessionRow(
        session="s000001",
        family="local",
        id="clls_1",
        decision="kept",
        rule=None,
        listed=None,
        retrieved=None,
        envelope=None,
        disagree=(),
        outcome="incomplete",
        counts=SessionCounts(),
    )
    return SessionHeld("s000001", row, (), items, gaps)


def test_pages_stand_in_the_order_returned_with_the_lost_one_between_them() -> None:
    """A page that is not here stands between its neighbours; a second walk comes after the first."""
    first, third, again = item(MESSAGES, 1), item(MESSAGES, 3), item(f"{MESSAGES}02", 1)
    lost, cut = gap(MESSAGES, 2), gap(MESSAGES)
    steps = ordered(held((again, first, third), (lost, cut)), ComplianceCopyReader())
    assert steps == (first, lost, third, cut, again)


def test_a_gap_inside_a_page_belongs_to_its_message() -> None:
    """Content that the source withholds is told at its message, and not once more between the pages."""
    page = item(MESSAGES, 1)
    assert ordered(held((page,), (gap(MESSAGES, 1, 4),)), ComplianceCopyReader()) == (page,)


def test_files_without_messages_and_gaps_without_a_walk_have_a_place() -> None:
    """The retrieve call is no part of the copy; a gap that names no walk heads it."""
    page, nowhere = item(MESSAGES, 1), gap()
    steps = ordered(held((page, item(RETRIEVE, 1)), (nowhere,)), ComplianceCopyReader())
    assert steps == (nowhere, page)


def test_what_was_kept_in_the_place_of_a_page_is_found() -> None:
    """A refusal's body leads back from its gap; a gap without one leads nowhere."""
    refusal = item(MESSAGES, 2, "refusal", "refused")
    session = held((item(MESSAGES, 1), refusal), ())
    assert (kept_instead(session, gap(MESSAGES, 2)), kept_instead(session, gap(MESSAGES, 9))) == (refusal, None)
