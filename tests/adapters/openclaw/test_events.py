"""One event of version 1: what becomes a row, what stays in the payload, what is marked."""

import pytest

from agentaudit.adapters.openclaw.events import event_row, sequence_of
from agentaudit.encoding.foreign import Json
from agentaudit.model.base import UNSET
from agentaudit.model.stream import EventRow, Place
from tests.support.gatewaying import CANARY, Event, event, message, reference, tool, usual


def row(one: Event) -> EventRow:
    """The row of an event."""
    return event_row(one, "s", Place(item="i"))


@pytest.mark.parametrize("one", [*usual(), message(1), message(2, "outbound")])
def test_events_of_the_closed_union_have_no_mark(one: Event) -> None:
    """Runs, tool actions and messages as the Gateway writes them."""
    assert row(one).marks == ()


def test_words_ids_and_numbers_are_carried() -> None:
    """The digest of a call, ids, words and durations stand as they are; no session key and no reference to people."""
    made = row(tool(3, durationMs=7))
    assert dict(made.keys)["tool_call"] == tool(3)["toolCallId"]
    assert dict(made.words)["action"] == "tool.action.started"
    assert dict(made.words)["actor"] == "agent"
    assert dict(made.numbers) == {"duration_ms": 7, "source_sequence": 3}
    assert (made.order, sequence_of(made)) == (3, 3)
    assert CANARY not in repr(made)
    assert reference("conversation") not in repr(row(message(1)))


@pytest.mark.parametrize(
    ("changed", "marks"),
    [
        ({"eventType": "skill_selection"}, ("newer_kind",)),
        ({"eventType": "task"}, ("unknown_kind",)),
        ({"eventType": None}, ("unknown_kind",)),
        ({"action": "agent.run.paused"}, ("unknown_action",)),
        ({"kind": "message"}, ("unknown_action",)),
        ({"status": "failed"}, ("unbound_words",)),
        ({"status": "observed"}, ("unbound_words",)),
        ({"errorCode": "run_failed"}, ("unbound_words",)),
        ({"schemaVersion": 2}, ("other_version",)),
        ({"redaction": "none"}, ("other_redaction",)),
        ({"occurredAt": "now"}, ("field_lacking",)),
        ({"occurredAt": True}, ("field_lacking",)),
        ({"sourceSequence": 2**63}, ("field_lacking",)),
        ({"eventId": 1}, ("field_lacking",)),
        ({"toolCallId": "call_1"}, ("call_not_hashed",)),
    ],
)
def test_what_does_not_belong_is_kept_and_marked(changed: dict[str, Json], marks: tuple[str, ...]) -> None:
    """The words stand as they are; nothing is refused and nothing is filled in."""
    assert row(event(1) | changed).marks == marks


def test_a_message_with_a_session_is_marked() -> None:
    """Rows of messages never carry one."""
    assert row(message(1) | {"sessionId": "s"}).marks == ("session_on_message",)


def test_an_event_of_nothing_is_a_row() -> None:
    """Every field can lack."""
    made = row({})
    assert (made.kind, made.id, made.at, made.order, made.keys, made.words) == ("", UNSET, UNSET, UNSET, (), ())
    assert made.marks == ("field_lacking", "other_version", "unknown_kind")
    assert sequence_of(made) is None
