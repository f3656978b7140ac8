"""Calls and results, joined by id and by nothing else."""

import msgspec
import pytest

from agentaudit.model.base import UNSET, digest_of
from agentaudit.model.readings import Word
from agentaudit.model.workingcopy import Aside, Block, BlockKind, Join, Message, NotRead, Way
from agentaudit.transcript.joins import Joins

WAY = Way(item="data/x.json", sha256=digest_of(b""), pointer="/data/0", request_id=None, row=None)


def call(word: Word) -> Block:
    """A call with that id."""
    return Block(kind="tool_use", type="tool_use", way=WAY, id=word)


def result(word: Word) -> Block:
    """A result of the call with that id."""
    return Block(kind="tool_result", type="tool_result", way=WAY, tool_use_id=word)


def message(*blocks: Block, repeated: bool = False) -> Message:
    """A message of these blocks."""
    return Message(part="w", page=1, index=0, standing="captured", repeated=repeated, blocks=blocks, way=WAY)


def joined(*messages: Message) -> list[list[Join | None]]:
    """The joins of the blocks of each message."""
    joins = Joins()
    for one in messages:
        joins.see(one)
    numbered = [joins.joined(one, number) for number, one in enumerate(messages, 1)]
    assert [one.number for one in numbered] == list(range(1, len(messages) + 1))
    return [[block.join for block in one.blocks] for one in numbered]


def test_a_call_and_its_result_are_joined_both_ways() -> None:
    """One call and one result with the same id lead to each other, however far apart."""
    assert joined(message(call("a")), message(), message(result("a"))) == [
        [Join(state="joined", to=((3, 0),))],
        [],
        [Join(state="joined", to=((1, 0),))],
    ]


def test_neighbours_are_not_joined() -> None:
    """A call and the result right after it stay apart when their ids differ."""
    assert joined(message(call("a"), result("b"))) == [[Join(state="missing"), Join(state="missing")]]


@pytest.mark.parametrize("word", [None, UNSET, ""])
def test_what_has_no_id_is_joined_to_nothing(word: Word) -> None:
    """Two halves without an id are no pair: two nulls are never joined."""
    assert joined(message(call(word), result(word))) == [[Join(state="no_id"), Join(state="no_id")]]


def test_an_id_that_stands_twice_prefers_nobody() -> None:
    """Two results of one call, or two calls with one id, are all named."""
    several = Join(state="several", to=((1, 1), (1, 2)))
    assert joined(message(call("a"), result("a"), result("a")))[0] == [
        several,
        Join(state="several", to=((1, 0),)),
        Join(state="several", to=((1, 0),)),
    ]
    assert joined(message(call("a"), call("a"), result("a")))[0][0] == Join(state="several", to=((1, 2),))


def test_a_repeated_message_adds_no_half() -> None:
    """A message that came again makes no id stand twice, and leads where the first one leads."""
    first, again, back = message(call("a")), message(call("a"), repeated=True), message(result("a"))
    assert joined(first, again, back) == [
        [Join(state="joined", to=((3, 0),))],
        [Join(state="joined", to=((3, 0),))],
        [Join(state="joined", to=((1, 0),))],
    ]


@pytest.mark.parametrize("kind", ["text", "thinking", "other"])
def test_other_blocks_have_no_join(kind: BlockKind) -> None:
    """Only calls and results have another half."""
    assert joined(message(Block(kind=kind, type="", way=WAY))) == [[None]]


def test_totals_count_each_thing_once() -> None:
    """Repeated messages, bytes not read and records that are no messages are counted apart."""
    joins = Joins()
    for piece in (
        message(call("a"), Block(kind="text", type="text", way=WAY)),
        message(call("a"), repeated=True),
        NotRead(part="w", reason="not_json", way=WAY),
        Aside(part="w", type="progress", way=WAY),
        Aside(part="w", type="progress", way=WAY),
    ):
        joins.see(piece)
    totals = joins.totals()
    assert (totals.messages, totals.repeated, totals.not_read) == (1, 1, 1)
    assert (totals.standings, totals.blocks) == ((("captured", 1),), (("text", 1), ("tool_use", 1)))
    assert (totals.joins, totals.clips, totals.asides) == ((("missing", 1),), (), (("progress", 2),))


def event(*, tool_use_id: Word = UNSET, id: Word = UNSET) -> Block:  # noqa: A002 (the name of the member)
    """An event with the id of a call, or with an id of its own."""
    return Block(kind="event", type="aggregated_output", way=WAY, tool_use_id=tool_use_id, id=id)


def test_an_event_leads_to_its_call_and_the_call_to_its_events() -> None:
    """Of one call there may be any number of events, and none of them is its result."""
    assert joined(message(call("a"), event(tool_use_id="a"), event(tool_use_id="a"), result("a"))) == [
        [
            Join(state="joined", to=((1, 3),), events=((1, 1), (1, 2))),
            Join(state="joined", to=((1, 0),)),
            Join(state="joined", to=((1, 0),)),
            Join(state="joined", to=((1, 0),)),
        ]
    ]


def test_an_event_whose_call_is_not_here_says_so() -> None:
    """A missing half stays missing, and a call that has events and no result has no result."""
    assert joined(message(event(tool_use_id="a"), event(tool_use_id=None), call("b"), event(tool_use_id="b"))) == [
        [
            Join(state="missing"),
            Join(state="no_id"),
            Join(state="missing", events=((1, 3),)),
            Join(state="joined", to=((1, 2),)),
        ]
    ]


def test_an_id_of_an_events_own_joins_only_where_a_call_has_it() -> None:
    """The id of a message is no call's, and nothing is missed then."""
    assert joined(message(event(id="m"), event(id="a"), call("a"), event())) == [
        [None, Join(state="joined", to=((1, 2),)), Join(state="missing", events=((1, 1),)), None]
    ]


def test_two_calls_with_the_id_of_an_event_are_both_named() -> None:
    """None is preferred."""
    assert joined(message(event(tool_use_id="a"), call("a"), call("a")))[0][0] == Join(
        state="several", to=((1, 1), (1, 2))
    )


def test_records_are_counted_by_their_type() -> None:
    """A message that is a record of another kind is a message, and is counted by its type too."""
    joins = Joins()
    for one in (message(), msgspec.structs.replace(message(), type="turn_context")):
        joins.see(one)
    assert (joins.totals().messages, joins.totals().types) == (2, (("turn_context", 1),))
