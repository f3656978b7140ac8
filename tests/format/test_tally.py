"""Counts and outcome."""

from typing import Literal

import msgspec
import pytest

from agentaudit.format.tally import Tally
from agentaudit.model.base import digest_of
from agentaudit.model.journal import WalkReason
from agentaudit.model.losses import Gap, GapKind, Truncation
from agentaudit.model.readings import RecordRow, SessionCounts, SessionRow, SessionSource
from agentaudit.model.tagfiles import ItemRow, WalkRow


def _walk(ended: WalkReason | None) -> WalkRow:
    return WalkRow(
        walk="w",
        kind="local_list",
        session=None,
        parameters=(),
        limits=None,
        cursors=(None,),
        pages=3,
        records=1,
        ended=ended,
    )


def _cut(by: Literal["our_limit", "server_limit", "marker", "undetermined"]) -> Truncation:
    return Truncation(
        session="s",
        walk="w",
        page=1,
        item="data/w/000001.json",
        pointer="",
        block_type="text",
        by=by,
        basis=("flag",),
        kept_bytes=1,
        limit_bytes=None,
        raise_parameter=None,
    )


def _gap(kind: GapKind, count: int = 1) -> Gap:
    return Gap(kind=kind, code="refused", basis="status", count=count)


def _session(
    decision: Literal["kept", "excluded", "undecided"],
    listed: SessionSource | None = None,
    envelope: SessionSource | None = None,
) -> SessionRow:
    return SessionRow(
        session="s",
        family="local",
        id="i",
        decision=decision,
        rule=None,
        listed=listed,
        retrieved=None,
        envelope=envelope,
        disagree=(),
        outcome=None,
        counts=SessionCounts(),
    )


def test_nothing_is_all_given() -> None:
    """An exhibit without rows lacks nothing, and counts nothing."""
    tally = Tally()
    assert tally.outcome() == "all_given"
    assert tally.counts().items == 0


def test_each_number_counts_its_own_rows() -> None:
    """Items, walks, sessions by decision and messages are counted apart."""
    tally = Tally()
    for size in (3, 4):
        item = ItemRow(
            path="data/x",
            bytes=size,
            sha256=digest_of(b""),
            role="set_aside",
            media_type=None,
            content_encoding=None,
            provenance=None,
        )
        tally.item(item)
    tally.walk(_walk("exhausted"))
    for decision in ("kept", "kept", "excluded", "undecided"):
        tally.session(_session(decision))
    for repeated in (False, True, False):
        tally.record(RecordRow(session="s", walk="w", page=1, index=0, item="data/x", pointer="", repeated=repeated))
    counts = tally.counts()
    assert (counts.items, counts.payload_bytes, counts.walks, counts.pages) == (2, 7, 1, 3)
    assert (counts.sessions_seen, counts.sessions_kept, counts.sessions_excluded) == (4, 2, 1)
    assert counts.messages == 2


def test_a_session_that_any_answer_calls_truncated_counts_once() -> None:
    """The list, the retrieve call and the envelope may say it; an absent word is no word."""
    tally = Tally()
    said = SessionSource(item="data/x", pointer="", truncated=True)
    silent = SessionSource(item="data/x", pointer="")
    for listed, envelope in ((said, said), (silent, said), (silent, None), (None, None)):
        tally.session(_session("kept", listed, envelope))
    assert tally.losses().sessions_truncated_at_source == 2


@pytest.mark.parametrize("ended", [None, "interrupted", "failed"])
def test_a_broken_walk_makes_the_exhibit_incomplete(ended: WalkReason | None) -> None:
    """A walk without an end, or with one that was not its own, lost something."""
    tally = Tally()
    tally.walk(_walk(ended))
    assert tally.outcome() == "incomplete"


@pytest.mark.parametrize("ended", ["exhausted", "refused", "unreadable", "expired", "cursor_repeated"])
def test_another_end_alone_does_not(ended: WalkReason) -> None:
    """What else ends a walk is said by its gap, not by its end."""
    tally = Tally()
    tally.walk(_walk(ended))
    assert tally.outcome() == "all_given"


def test_not_obtained_outweighs_every_other_loss() -> None:
    """A gap of ours makes the outcome incomplete, whatever the source lacks."""
    tally = Tally()
    tally.gap(_gap("unavailable"))
    tally.gap(_gap("not_obtained", count=0))
    assert tally.outcome() == "incomplete"


@pytest.mark.parametrize(
    ("by", "outcome"),
    [
        ("our_limit", "all_given"),
        ("server_limit", "all_given_with_losses"),
        ("marker", "all_given_with_losses"),
        ("undetermined", "all_given_with_losses"),
    ],
)
def test_only_our_own_limit_leaves_all_given(
    by: Literal["our_limit", "server_limit", "marker", "undetermined"], outcome: str
) -> None:
    """Clipping by our limit is counted beside the outcome; any other clipping is a loss of the source."""
    tally = Tally()
    tally.truncation(_cut(by))
    losses = tally.losses()
    clipped = (
        losses.clipped_by_our_limit
        + losses.clipped_by_server_limit
        + losses.clipped_marker
        + losses.clipped_undetermined
    )
    assert (tally.outcome(), clipped) == (outcome, 1)


def test_a_gap_counts_as_often_as_it_says() -> None:
    """One row for many sessions counts them all; what was excluded is no loss of the source."""
    tally = Tally()
    tally.gap(_gap("excluded", 40))
    tally.gap(_gap("excluded", 2))
    assert (tally.losses().excluded, tally.outcome()) == (42, "all_given")
    tally.gap(_gap("unavailable"))
    assert tally.outcome() == "all_given_with_losses"


def test_gaps_and_session_outcomes_are_told_apart() -> None:
    """Gaps by kind and code, sessions by outcome; a session that nothing was asked of has none."""
    tally = Tally()
    tally.gap(_gap("excluded", 2))
    tally.gap(_gap("excluded"))
    tally.gap(_gap("not_obtained"))
    assert tally.gap_totals() == (("excluded", "refused", 3), ("not_obtained", "refused", 1))
    tally.session(_session("kept"))
    tally.session(msgspec.structs.replace(_session("kept"), outcome="incomplete"))
    assert tally.session_outcomes() == (("incomplete", 1),)
