"""The folds of the journal."""

import msgspec
import pytest

from agentaudit.encoding.canonical import encode_line
from agentaudit.format.folds import (
    answered_item,
    clock_comparison,
    gap_key,
    gap_line,
    package_file,
    set_aside_items,
    walk_row,
)
from agentaudit.model.base import Instant, digest_of
from agentaudit.model.journal import (
    Answered,
    Closed,
    Counts,
    Exchange,
    LossCounts,
    PayloadFile,
    Resumed,
    SetAside,
    TornTail,
    WalkBegan,
    WalkEnded,
)
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import ItemProvenance
from tests.support.around import ACTORS, HOST, TOOL
from tests.support.openings import opened_row

AT = Instant("2026-03-02T09:00:01.000000Z")


def _answer(
    page: int, ask: int = 1, status: int = 200, cursor: str | None = None, asked: str = "2026-03-02T09:00:00.000000Z"
) -> Answered:
    exchange = Exchange(
        method="GET",
        url="/",
        query=(),
        cursor=cursor,
        attempt=1,
        asked_at=Instant(asked),
        elapsed_ms=250,
        status=status,
        headers=(),
        request_id="r",
        server_date=None,
        clock=None,
        http_version=None,
        peer=None,
        tls=None,
    )
    item = PayloadFile(path=f"data/w/{page:06d}.json", bytes=2, sha256=digest_of(b"{}"))
    return Answered(
        seq=7,
        at=AT,
        walk="w",
        page=page,
        ask=ask,
        limits=None,
        exchange=exchange,
        content_encoding="gzip",
        media_type="application/json",
        item=item,
    )


def _began() -> WalkBegan:
    return WalkBegan(walk="w", kind="local_list", session=None, parameters=(("limit", "2"),), limits=None)


def test_an_answer_is_an_item_with_its_way_back() -> None:
    """The item of a 200 names its row, walk, page and ask, and when the whole answer was here."""
    item = answered_item(_answer(3))
    assert (item.path, item.bytes, item.role) == ("data/w/000003.json", 2, "answer")
    assert (item.media_type, item.content_encoding) == ("application/json", "gzip")
    assert isinstance(item.provenance, ItemProvenance)
    assert (item.provenance.row, item.provenance.walk, item.provenance.page, item.provenance.ask) == (7, "w", 3, 1)
    assert item.provenance.received_at == "2026-03-02T09:00:00.250000Z"


def test_an_answer_that_is_no_200_is_a_refusal() -> None:
    """A 404 whose body was kept is no answer."""
    assert answered_item(_answer(1, status=404)).role == "refusal"


@pytest.mark.parametrize("asked", ["yesterday", "2026-03-02T09:00:00", "9999-12-31T23:59:59.999999Z"])
def test_an_instant_that_is_none_gives_way_to_the_row(asked: str) -> None:
    """Where the sum is no instant of this calendar the row's own instant stands, and nothing is raised."""
    provenance = answered_item(_answer(1, asked=asked)).provenance
    assert isinstance(provenance, ItemProvenance)
    assert provenance.received_at == AT


def test_what_was_set_aside_is_an_item_without_provenance() -> None:
    """Files without a row and a torn tail become items of role set_aside."""
    row = Resumed(
        purpose="resume",
        actors=ACTORS,
        tool=TOOL,
        host=HOST,
        network=None,
        rows=3,
        set_aside=(SetAside(found="data/w/1", path="data/set-aside/000001", bytes=1, sha256=digest_of(b"1")),),
        torn_tail=TornTail(bytes=2, sha256=digest_of(b"22"), path="data/set-aside/tail-000001"),
    )
    items = set_aside_items(row)
    assert [item.path for item in items] == ["data/set-aside/000001", "data/set-aside/tail-000001"]
    assert {item.role for item in items} == {"set_aside"}
    assert {item.provenance for item in items} == {None}
    assert set_aside_items(msgspec.structs.replace(row, set_aside=(), torn_tail=None)) == ()


def test_a_walk_has_every_cursor_in_order_of_its_pages() -> None:
    """The cursor of a page is that of its first question, whatever the order of the answers and their status."""
    answers = [_answer(3, status=400, cursor="c"), _answer(2, 2, cursor="x"), _answer(2, cursor="b"), _answer(1)]
    ended = WalkEnded(walk="w", reason="refused", pages=2, records=9)
    row = walk_row(_began(), answers, ended)
    assert row.cursors == (None, "b", "c")
    assert (row.pages, row.records, row.ended) == (2, 9, "refused")
    assert walk_row(_began(), reversed(answers), ended) == row


def test_a_walk_without_an_end_says_so() -> None:
    """What is not known of an open walk is null."""
    row = walk_row(_began(), (), None)
    assert (row.cursors, row.pages, row.records, row.ended) == ((), 0, None, None)


def test_gaps_have_one_order() -> None:
    """Walk, page, index, session, code, then the bytes; absent ones come first."""
    bare = Gap(kind="excluded", code="other_surface", basis="rule")
    gaps = [
        bare,
        msgspec.structs.replace(bare, code="other_user"),
        msgspec.structs.replace(bare, session="s000001"),
        msgspec.structs.replace(bare, index=2),
        msgspec.structs.replace(bare, page=2),
        msgspec.structs.replace(bare, page=10),
        msgspec.structs.replace(bare, walk="a"),
        msgspec.structs.replace(bare, walk="a", count=2),
        msgspec.structs.replace(bare, walk="a/b", page=1),
    ]
    keys = [gap_key(gap) for gap in gaps]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(gaps)


def test_a_gap_comes_back_from_its_key() -> None:
    """The key ends in the canonical line of its gap."""
    gap = Gap(kind="not_obtained", code="refused", basis="status", walk="w", source=(("reason", None),))
    assert gap_line(gap_key(gap)) == encode_line(gap)


def test_the_clock_is_compared_over_all_answers() -> None:
    """Extremes, and the lower of the middle two."""
    clock = clock_comparison((5, -1, 3, 4), 500)
    assert clock is not None
    assert (clock.answers, clock.offset_min_ms, clock.offset_median_ms, clock.offset_max_ms) == (4, -1, 3, 5)
    assert clock.bound_max_ms == 500


def test_no_dated_answer_gives_no_comparison() -> None:
    """Nothing is said of a clock that nothing is known of."""
    assert clock_comparison((), 0) is None


def test_package_json_is_a_fold_of_first_and_last_row() -> None:
    """What was opened, how often it was resumed, what came of it."""
    counts = Counts(
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
    opened = msgspec.structs.replace(opened_row(), at=Instant("2026-03-02T09:00:00.000000Z"))
    package = package_file(opened, 2, None, Closed(at=AT, outcome="all_given", counts=counts))
    assert (package.begun_at, package.ended_at, package.resumed) == (opened.at, AT, 2)
    assert (package.case, package.exhibit, package.outcome) == ("N-1", "EX-0001", "all_given")
    assert package.custody_head == opened.custody_head
