"""Whether pages were asked for with the cursors that pages gave."""

from array import array
from dataclasses import dataclass

import pytest

from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import Answered, Exchange, PayloadFile, WalkReason
from agentaudit.model.readings import UNREAD, Unread
from agentaudit.package.index import JournalIndex, WalkMarks
from agentaudit.verify.cursors import CursorCheck
from tests.golden import ScriptReading

Leads = str | Unread | None
Fed = tuple[str, int, int, str | None, Leads]


@dataclass
class _Mute:
    """A reading that says nothing of cursors."""

    feed = ScriptReading.feed
    sessions = ScriptReading.sessions
    coverage = ScriptReading.coverage


def _row(walk: str, page: int, ask: int, cursor: str | None) -> Answered:
    exchange = Exchange(
        method="GET",
        url="/",
        query=(),
        cursor=cursor,
        attempt=1,
        asked_at=Instant(""),
        elapsed_ms=0,
        status=200,
        headers=(),
        request_id=None,
        server_date=None,
        clock=None,
        http_version=None,
        peer=None,
        tls=None,
    )
    item = PayloadFile(path="data/x", bytes=0, sha256=digest_of(b""))
    return Answered(
        walk=walk,
        page=page,
        ask=ask,
        limits=None,
        exchange=exchange,
        content_encoding=None,
        media_type=None,
        item=item,
    )


def _codes(*fed: Fed, reason: WalkReason = "exhausted") -> list[tuple[str, str]]:
    check = CursorCheck()
    for walk, page, ask, cursor, leads in fed:
        check(_row(walk, page, ask, cursor), ScriptReading(last=leads))
    walks = {one[0]: WalkMarks(0, None, array("Q"), 0, reason) for one in fed}
    return [(code, walk) for code, walk, _ in check.rows(JournalIndex(walks=walks))]


@pytest.mark.parametrize(
    "fed",
    [
        (),
        (("a", 1, 1, None, None),),
        (("a", 1, 1, None, "c"), ("a", 2, 1, "c", None)),
        (("a", 1, 1, None, "c"), ("a", 2, 1, "c", None), ("b", 1, 1, None, None)),
        (("a", 1, 2, None, "c"), ("a", 1, 1, None, UNREAD), ("a", 2, 1, "c", None)),
        (("a", 1, 1, None, UNREAD), ("a", 2, 1, "anything", None)),
        (("a", 1, 1, None, "c"), ("a", 2, 2, "d", None), ("a", 2, 1, "c", UNREAD)),
        (("a", 1, 1, None, "c"), ("a", 2, 1, "c", UNREAD)),
    ],
)
def test_a_walk_that_follows_its_cursors_has_no_finding(fed: tuple[Fed, ...]) -> None:
    """Page by page, with pages asked twice, and pages that nobody can read."""
    assert _codes(*fed) == []


@pytest.mark.parametrize(
    "fed",
    [
        (("a", 1, 1, None, "c"), ("a", 2, 1, "d", None)),
        (("a", 1, 1, None, "c"), ("a", 2, 1, None, None)),
        (("a", 1, 1, None, None), ("a", 2, 1, "c", None)),
        (("a", 1, 1, None, "c"), ("a", 2, 1, "c", "d"), ("a", 3, 1, "c", None)),
    ],
)
def test_another_cursor_is_w003(fed: tuple[Fed, ...]) -> None:
    """A token that no answer gave, none where one was given, and one after the end."""
    assert _codes(*fed) == [("W003", "a")]


def test_an_exhausted_walk_that_leads_on_is_w005() -> None:
    """Every walk is judged at its end, the last one too."""
    fed: tuple[Fed, ...] = (("a", 1, 1, None, "c"), ("b", 1, 1, None, ""))
    assert _codes(*fed) == [("W005", "a"), ("W005", "b")]
    assert _codes(*fed, reason="expired") == []


def test_a_walk_that_the_journal_does_not_know_is_not_judged() -> None:
    """Its answers are the journal's fault, found elsewhere."""
    check = CursorCheck()
    check(_row("a", 1, 1, None), ScriptReading(last="c"))
    assert list(check.rows(JournalIndex())) == []


def test_a_reading_that_says_nothing_is_not_judged() -> None:
    """An adapter need not know cursors."""
    check = CursorCheck()
    check(_row("a", 1, 1, None), _Mute())
    check(_row("a", 2, 1, "stray"), _Mute())
    assert list(check.rows(JournalIndex())) == []


def test_pages_that_do_not_follow_each_other_are_not_compared() -> None:
    """A hole is W002, and what came before it says nothing of what comes after."""
    assert _codes(("a", 1, 1, None, "c"), ("a", 3, 1, "x", None)) == []
