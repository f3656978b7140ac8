"""The folds of the journal: items, walks, gaps, the clock and package.json (FORMAT.md, section 7).

- Pure: rows in, rows out; the order of the rows in the journal never shows in a fold.
- Items are ordered by path, walks by id, gaps by `gap_key`; a gap stated twice stands once.
- A walk's pages are the distinct page numbers that were answered with 200; its cursors those of every page
  with an answer of any status.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from agentaudit.encoding.canonical import encode
from agentaudit.model.base import Instant, Unset, instant_of, moment_of
from agentaudit.model.journal import Answered, Closed, Opened, Resumed, WalkBegan, WalkEnded
from agentaudit.model.local import Root
from agentaudit.model.losses import Gap
from agentaudit.model.tagfiles import ClockComparison, ItemProvenance, ItemRow, PackageFile, WalkRow

OK = 200


def answered_item(row: Answered) -> ItemRow:
    """The item of an answer: `answer` for a 200, `refusal` for any other status."""
    return ItemRow(
        path=row.item.path,
        bytes=row.item.bytes,
        sha256=row.item.sha256,
        role="answer" if row.exchange.status == OK else "refusal",
        media_type=row.media_type,
        content_encoding=row.content_encoding,
        provenance=ItemProvenance(
            row=row.seq,
            walk=row.walk,
            page=row.page,
            ask=row.ask,
            request_id=row.exchange.request_id,
            received_at=_received_at(row),
        ),
    )


def _received_at(row: Answered) -> Instant:
    """When the whole answer was here; the row's own instant where the sum is no instant of this calendar."""
    try:
        return instant_of(moment_of(row.exchange.asked_at) + timedelta(milliseconds=row.exchange.elapsed_ms))
    except (ValueError, OverflowError):
        return row.at


def set_aside_items(row: Resumed) -> tuple[ItemRow, ...]:
    """The items that a resumption set aside: files without a row, then a torn journal tail."""
    found = [(one.path, one.bytes, one.sha256) for one in row.set_aside]
    if row.torn_tail is not None:
        found.append((row.torn_tail.path, row.torn_tail.bytes, row.torn_tail.sha256))
    return tuple(
        ItemRow(
            path=path,
            bytes=size,
            sha256=digest,
            role="set_aside",
            media_type=None,
            content_encoding=None,
            provenance=None,
        )
        for path, size, digest in found
    )


def walk_row(began: WalkBegan, answers: Iterable[Answered], ended: WalkEnded | None) -> WalkRow:
    """The row of a walk from its beginning, its answers in any order, and its end (None while it has none)."""
    cursors: dict[int, tuple[int, str | None]] = {}
    pages: set[int] = set()
    for row in answers:
        first = cursors.get(row.page)
        if first is None or row.ask < first[0]:
            cursors[row.page] = (row.ask, row.exchange.cursor)
        if row.exchange.status == OK:
            pages.add(row.page)
    return WalkRow(
        walk=began.walk,
        kind=began.kind,
        session=began.session,
        parameters=began.parameters,
        limits=began.limits,
        cursors=tuple(cursors[page][1] for page in sorted(cursors)),
        pages=len(pages),
        records=ended.records if ended else None,
        ended=ended.reason if ended else None,
    )


def gap_key(gap: Gap) -> bytes:
    """The place of a gap: walk, page, index, session, code, then its canonical bytes; absent ones first.

    Parts end in NUL, so keys sort as bytes; `gap_line` gives the row back.
    """
    walk = "" if isinstance(gap.walk, Unset) else gap.walk
    page = 0 if isinstance(gap.page, Unset) else gap.page
    index = 0 if isinstance(gap.index, Unset) else gap.index
    session = "" if isinstance(gap.session, Unset) else gap.session
    place = f"{walk}\0{page:020d}\0{index:020d}\0{session}\0{gap.code}\0"
    return place.encode() + encode(gap)


def gap_line(key: bytes) -> bytes:
    """The canonical line of the gap that a `gap_key` was made from."""
    return key[key.rindex(b"\0") + 1 :] + b"\n"


def clock_comparison(offsets_ms: Sequence[int], bound_max_ms: int) -> ClockComparison | None:
    """The comparison over the offsets of all answers that named a date; None when none did.

    The median of an even number is the lower of the middle two.
    """
    if not offsets_ms:
        return None
    ordered = sorted(offsets_ms)
    return ClockComparison(
        answers=len(ordered),
        offset_min_ms=ordered[0],
        offset_median_ms=ordered[(len(ordered) - 1) // 2],
        offset_max_ms=ordered[-1],
        bound_max_ms=bound_max_ms,
    )


def package_file(
    opened: Opened, resumed: int, clock: ClockComparison | None, closed: Closed, roots: tuple[Root, ...] = ()
) -> PackageFile:
    """package.json from the first row, the number of resumptions, the clock, the last row, and a store's roots."""
    return PackageFile(
        format="agentaudit-package/1",
        case=opened.case,
        exhibit=opened.exhibit,
        source=opened.source,
        adapter=opened.adapter,
        endpoint_class=opened.endpoint_class,
        selection=opened.selection,
        limits=opened.limits,
        read_limits=opened.read_limits,
        actors=opened.actors,
        tool=opened.tool,
        host=opened.host,
        network=opened.network,
        custody_head=opened.custody_head,
        begun_at=opened.at,
        ended_at=closed.at,
        resumed=resumed,
        outcome=closed.outcome,
        counts=closed.counts,
        clock=clock,
        roots=roots,
    )
