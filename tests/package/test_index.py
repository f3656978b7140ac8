"""One pass over a journal."""

import msgspec
import pytest

from agentaudit.format.chain import JOURNAL_CODEC, Break, links
from agentaudit.model.base import Digest, Instant, digest_of
from agentaudit.model.journal import (
    Act,
    Answered,
    Clock,
    Closed,
    Counts,
    Exchange,
    LossCounts,
    Noted,
    PayloadFile,
    PeerSeen,
    Resumed,
    SetAside,
    Unanswered,
    WalkBegan,
    WalkEnded,
    WalkReason,
)
from agentaudit.model.limits import ByteLimits
from agentaudit.model.losses import Gap
from agentaudit.package.index import NOWHERE, Agrees, ItemMark, JournalIndex, index_journal
from tests.forge import chained
from tests.support.around import ACTORS, HOST, TOOL
from tests.support.openings import opened_row

AT = Instant("2026-03-02T09:00:00.000000Z")
COUNTS = Counts(
    items=0,
    payload_bytes=0,
    walks=0,
    pages=0,
    sessions_seen=0,
    sessions_kept=0,
    sessions_excluded=0,
    messages=0,
    losses=LossCounts(),
)
OPENED = msgspec.structs.replace(opened_row(), at=AT)
CLOSED = Closed(at=AT, outcome="all_given", counts=COUNTS)
OTHER = ByteLimits(tool_input_max_bytes=1, tool_result_max_bytes=1)


def _exchange(status: int | None = 200, offset_ms: int | None = None) -> Exchange:
    return Exchange(
        method="GET",
        url="/",
        query=(),
        cursor=None,
        attempt=1,
        asked_at=AT,
        elapsed_ms=1,
        status=status,
        headers=(),
        request_id=None,
        server_date=None,
        clock=None if offset_ms is None else Clock(offset_ms=offset_ms, bound_ms=abs(offset_ms)),
        http_version=None,
        peer=None,
        tls=None,
    )


def _answer(walk: str, page: int, limits: ByteLimits | None = None, status: int = 200) -> Answered:
    return Answered(
        at=AT,
        walk=walk,
        page=page,
        ask=1,
        limits=limits,
        exchange=_exchange(status, 4),
        content_encoding=None,
        media_type=None,
        item=PayloadFile(path=f"data/{walk}/{page:06d}.json", bytes=2, sha256=digest_of(b"{}")),
    )


def _began(walk: str, limits: ByteLimits | None = None) -> WalkBegan:
    return WalkBegan(at=AT, walk=walk, kind="local_list", session=None, parameters=(), limits=limits)


def _ended(walk: str, reason: WalkReason = "exhausted", pages: int = 1) -> WalkEnded:
    return WalkEnded(at=AT, walk=walk, reason=reason, pages=pages, records=0)


def _index(*rows: Act, agrees: Agrees | None = None) -> JournalIndex:
    lines = chained(rows).splitlines(keepends=True)
    return index_journal(links(lines, JOURNAL_CODEC, Act), agrees)


def _codes(*rows: Act) -> list[str]:
    return [remark.code for remark in _index(OPENED, *rows, CLOSED).remarks]


def test_a_sound_journal_has_no_remark() -> None:
    """Items and walks come out in the order of the folds, whatever the order of the rows."""
    index = _index(OPENED, _began("b"), _began("a"), _answer("b", 1), _answer("a", 1), _ended("b"), _ended("a"), CLOSED)
    assert index.remarks == []
    assert [mark.path for mark in index.items] == ["data/a/000001.json", "data/b/000001.json"]
    assert list(index.walks) == ["a", "b"]
    assert (index.rows, index.resumed, index.broken) == (8, 0, None)
    assert index.clock is not None
    assert index.clock.answers == 2


def test_what_was_set_aside_is_an_item_of_its_row() -> None:
    """Each file of a resumption has its place in the row; rows of peers change nothing."""
    aside = SetAside(found="data/w/1", path="data/set-aside/000001", bytes=1, sha256=digest_of(b"1"))
    resumed = Resumed(
        at=AT,
        purpose="seal",
        actors=ACTORS,
        tool=TOOL,
        host=HOST,
        network=None,
        rows=1,
        set_aside=(aside, msgspec.structs.replace(aside, path="data/set-aside/000002")),
        torn_tail=None,
    )
    peer = PeerSeen(at=AT, certificate_sha256=digest_of(b"c"), certificate_der_base64="")
    index = _index(OPENED, peer, resumed, CLOSED)
    assert index.resumed == 1
    assert [mark.part for mark in index.items] == [0, 1]
    assert len({mark.offset for mark in index.items}) == 1


def test_a_gap_stated_twice_stands_once() -> None:
    """Gaps are a set, in one order."""
    late = Gap(kind="excluded", code="other_user", basis="rule", walk="b")
    early = Gap(kind="excluded", code="other_user", basis="rule", walk="a")
    index = _index(OPENED, *(Noted(at=AT, gap=gap) for gap in (late, early, late)), CLOSED)
    assert [b'"walk":"a"' in key for key in index.gaps] == [True, False]


def test_every_dated_attempt_counts_for_the_clock() -> None:
    """Answers that were retried tell the server's time too."""
    unanswered = Unanswered(
        at=AT,
        walk="a",
        page=1,
        ask=1,
        exchange=_exchange(503, -9),
        failure="status",
        error_type=None,
        error_code=None,
        body_bytes=0,
        body_sha256=digest_of(b""),
        next="retry",
        missed=None,
        wait_ms=0,
    )
    index = _index(OPENED, _began("a"), unanswered, _answer("a", 1), _ended("a"), CLOSED)
    assert index.clock is not None
    assert (index.clock.answers, index.clock.offset_min_ms, index.clock.bound_max_ms) == (2, -9, 9)


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ((), ["J004", "J005"]),
        ((CLOSED,), ["J004"]),
        ((OPENED,), ["J005"]),
        ((OPENED, OPENED, CLOSED), ["J004"]),
        ((OPENED, CLOSED, _began("a")), ["J005", "W001"]),
        ((OPENED, CLOSED, CLOSED), ["J005"]),
        ((msgspec.structs.replace(OPENED, at=Instant("now")), CLOSED), ["J001", "J010"]),
        ((msgspec.structs.replace(OPENED, at=Instant("2027-03-02T09:00:00.000000Z")), CLOSED), ["J010"]),
    ],
)
def test_first_and_last_row_and_the_clock(rows: tuple[Act, ...], codes: list[str]) -> None:
    """A journal opens once and first, closes once and last, and does not run backwards."""
    assert [remark.code for remark in _index(*rows).remarks] == codes


@pytest.mark.parametrize(
    ("rows", "codes"),
    [
        ((_began("a"),), ["W001"]),
        ((_began("a"), _ended("a", "interrupted", 0)), []),
        ((_began("a"), _ended("a", "interrupted", 0), _answer("a", 1), _ended("a")), []),
        ((_began("a"), _began("a"), _ended("a", pages=0)), ["W006"]),
        ((_ended("a", pages=0),), ["W006"]),
        ((_began("a"), _ended("a", pages=0), _ended("a", pages=0)), ["W006"]),
        ((_answer("a", 1),), ["W006"]),
        ((_began("a"), _ended("a", pages=0), _answer("a", 1)), ["W006"]),
        ((_began("a"), _answer("a", 2), _ended("a")), ["W002"]),
        ((_began("a"), _answer("a", 1), _answer("a", 3), _ended("a")), ["W002"]),
        ((_began("a"), _answer("a", 1), _answer("a", 1), _answer("a", 2), _ended("a")), []),
        ((_began("a"), _answer("a", 1), _ended("a", pages=2)), ["W002"]),
        ((_began("a", OTHER), _answer("a", 1, OTHER), _ended("a")), ["W004"]),
        ((_began("a", ByteLimits()), _answer("a", 1, ByteLimits()), _ended("a")), []),
        ((_began("a", ByteLimits()), _answer("a", 1, OTHER), _ended("a")), ["W004"]),
        ((_began("a", ByteLimits()), _answer("a", 1, None, 404), _ended("a", "refused", 0)), []),
    ],
)
def test_walks_begin_go_on_and_end(rows: tuple[Act, ...], codes: list[str]) -> None:
    """Each rule about a walk has its code, and a sound walk has none."""
    assert _codes(*rows) == codes


def test_a_payload_file_that_nobody_agrees_about_is_remarked() -> None:
    """The caller knows the manifest; the index asks about every file that a row names."""
    asked: list[tuple[str, int, Digest]] = []

    def agrees(path: str, size: int, digest: Digest) -> bool:
        asked.append((path, size, digest))
        return path.startswith("data/a/")

    rows = (OPENED, _began("a"), _began("b"), _answer("a", 1), _answer("b", 1), _ended("a"), _ended("b"), CLOSED)
    index = _index(*rows, agrees=agrees)
    assert [(remark.code, remark.subject) for remark in index.remarks] == [("J006", "data/b/000001.json")]
    assert asked[0] == ("data/a/000001.json", 2, digest_of(b"{}"))


def test_an_exchange_beyond_the_format_is_remarked() -> None:
    """An instant that is none; an integer beyond 2^53-1 is no row at all (see the codec's law)."""
    exchange = msgspec.structs.replace(_exchange(), asked_at=Instant("then"))
    row = msgspec.structs.replace(_answer("a", 1), exchange=exchange)
    assert _codes(_began("a"), row, _ended("a")) == ["J001"]


def test_a_break_ends_the_pass() -> None:
    """What stands behind a break has no place, and its absence is not remarked."""
    index = index_journal([Break(1, 0, "canonical")])
    assert index.broken == Break(1, 0, "canonical")
    assert index.remarks == []


def test_marks_sort_by_path() -> None:
    """Then by where the row lies, and an open walk has no end."""
    assert min(ItemMark("b", 1), ItemMark("a", 9), ItemMark("a", 2)) == ItemMark("a", 2)
    assert _index(OPENED, _began("a")).walks["a"].ended == NOWHERE
