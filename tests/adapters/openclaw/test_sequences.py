"""The ledger's own numbers: runs, holes, heads, overlaps, starts without an end."""

from agentaudit.adapters.openclaw.events import event_row
from agentaudit.adapters.openclaw.sequences import DAY_MS, Sequences, runs_of
from agentaudit.model.stream import PLACES_MAX, OrderRun, Place
from tests.support.gatewaying import BEGIN_MS, Event, event, message, tool, usual


def taken(*events: Event, item: str = "i") -> Sequences:
    """What was seen of those events."""
    sequences = Sequences()
    for place, one in enumerate(events):
        sequences.take(event_row(one, "s", Place(item=item, pointer=f"/events/{place}")))
    return sequences


def found(sequences: Sequences) -> dict[str, int]:
    """Codes with their counts."""
    return {one.code: one.count for one in sequences.findings()}


def test_a_whole_ledger_has_nothing_to_say() -> None:
    """Numbers from 1 without a hole, every start with its end."""
    sequences = taken(*usual())
    assert found(sequences) == {}
    assert sequences.runs() == (OrderRun(first=1, last=6, events=6),)
    assert (sequences.first_at, sequences.last_at) == (BEGIN_MS + 1, BEGIN_MS + 6)


def test_a_hole_is_a_hole_and_a_head_is_a_head() -> None:
    """Neither is called a deletion; the numbers that are not here are counted."""
    sequences = taken(message(9), message(4), message(5), message(8))
    assert found(sequences) == {"hole": 1, "pruned_head": 1}
    counts = dict(sequences.counts())
    assert (counts["lowest_sequence"], counts["highest_sequence"], counts["numbers_not_here"]) == (4, 9, 2)
    assert sequences.runs() == (OrderRun(first=4, last=5, events=2), OrderRun(first=8, last=9, events=2))


def test_a_number_that_sqlite_spent_is_no_more_than_a_hole() -> None:
    """Three inserts of which one was ignored gave 1 and 3."""
    assert found(taken(message(1), message(3))) == {"hole": 1}


def test_the_same_event_twice_overlaps_and_another_conflicts() -> None:
    """The number is the same; the id tells."""
    sequences = taken(message(1))
    again = event_row(message(1), "s", Place(item="j"))
    assert sequences.take(again) == "duplicate"
    assert sequences.take(event_row(message(1) | {"eventId": "other"}, "s", Place(item="k"))) == "conflict"
    assert sequences.take(event_row(message(1) | {"eventId": 5}, "s", Place(item="l"))) == "conflict"
    assert found(sequences) == {"overlap": 1, "sequence_conflict": 2}


def test_an_event_without_a_number_is_counted_alone() -> None:
    """It has no place in the order."""
    sequences = taken({})
    assert (sequences.events, sequences.runs(), sequences.first_at, sequences.last_at) == (1, (), None, None)
    assert "lowest_sequence" not in dict(sequences.counts())


def test_a_start_without_an_end_is_said_by_run_and_call() -> None:
    """The end of another call and of another run is none; an end without a run is no end of anything."""
    sequences = taken(
        event(1), tool(2, raw="a"), tool(3, raw="b"), tool(4, "finished", raw="b", status="succeeded"),
        event(5, action="finished", run="run-2", status="succeeded"), message(6) | {"runId": None},
    )  # fmt: skip
    assert found(sequences) == {"start_without_finish": 2}


def test_places_are_bounded_and_counts_are_not() -> None:
    """A finding names its first places."""
    sequences = taken(*(message(2 * number + 1) for number in range(PLACES_MAX + 5)))
    (hole,) = sequences.findings()
    assert (hole.count, len(hole.places)) == (PLACES_MAX + 4, PLACES_MAX)


def test_the_span_is_told_beside_what_is_retained() -> None:
    """Days between first and last, the days and rows that a Gateway keeps."""
    counts = dict(taken(message(1), message(2) | {"occurredAt": BEGIN_MS + 40 * DAY_MS}).counts())
    assert (counts["span_days"], counts["retention_days"], counts["rows_cap"]) == (39, 30, 100_000)


def test_no_numbers_are_no_run() -> None:
    """There is nothing to rise."""
    assert tuple(runs_of(())) == ()
