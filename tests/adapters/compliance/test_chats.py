"""Chats as streams and events: ids and sizes alone, and what is odd about them found."""

import json

import pytest
from msgspec.structs import replace

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.chatfacts import chat_id
from agentaudit.adapters.compliance.chats import VERSION, ChatReader, ChatReading
from agentaudit.adapters.compliance.naming import CHATS_WALK, chat_walk, place_of
from agentaudit.adapters.compliance.pages import Page, read_chat_page
from agentaudit.format.readings import EventReading
from agentaudit.model.base import UNSET
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import ChatSelection
from agentaudit.model.stream import PLACES_MAX, EventRow
from tests.support.openings import answered_row, kept_row, opened_row

CONTENT = "what nobody but its reader may see"
TEXT = {"type": "text", "text": CONTENT}


def listing(*entries: object) -> bytes:
    """A page of the list."""
    return json.dumps({"data": entries, "has_more": False, "last_id": None}).encode()


def messages(*entries: object, **chat: object) -> bytes:
    """A page of one chat."""
    return json.dumps({"id": "c", "name": CONTENT, "chat_messages": entries, "has_more": False, **chat}).encode()


def reading_of(*named: str) -> ChatReading:
    """A reading of an exhibit that asked for these."""
    return ChatReader().open(replace(opened_row(), selection=ChatSelection(chats=named)), ())


def fed(reading: ChatReading, body: bytes, walk: str | None = None, status: int = 200) -> tuple[EventRow, ...]:
    """The events of one page; of the first chat's, unless another walk is given."""
    reading.feed(answered_row(walk or chat_walk(1), body, status=status), body)
    return tuple(reading.events())


def findings(reading: ChatReading) -> dict[str, int]:
    """The codes of the first chat."""
    return {one.code: one.count for one in next(iter(reading.streams())).findings}


def test_it_is_a_reading_of_events() -> None:
    """It fits what the package asks of an adapter; there are no sessions, files or truncations."""
    reading = reading_of()
    assert isinstance(reading, EventReading)
    assert ChatReader().name == VERSION
    assert ChatReader().open(opened_row(), ()).coverage()[2].code == "chats.deleted"
    assert (reading.payload(kept_row()), *reading.clipped(), *reading.sessions((), ())) == (None,)


def test_a_message_is_an_event_without_content() -> None:
    """Role, times, ids and counts stand; text, names and the words of unknown blocks do not."""
    reading = reading_of()
    fed(reading, listing({"id": "c", "name": CONTENT, "user": {"id": "u"}, "model": "m"}), CHATS_WALK)
    odd = {"type": CONTENT}
    one = {"id": "1", "role": "user", "created_at": "2026-10-08T10:00:00Z", "content": [TEXT, odd, 5], "files": [{}]}
    event, file = fed(reading, messages(one, deleted_at=None))
    assert (file.kind, file.id) == ("files", UNSET)
    assert (event.kind, event.id, event.at) == ("user", "1", "2026-10-08T10:00:00Z")
    assert event.numbers == (("files", 1), ("text_blocks", 1), ("unknown_blocks", 2))
    assert event.keys == (("chat", "c"), ("message", "1"))
    assert event.marks == ("unknown_block",)
    (stream,) = reading.streams()
    assert (stream.name, stream.events, stream.counts) == ("c", 2, (("files", 1),))
    assert stream.words == (("model", "m"), ("user", "u"))
    assert CONTENT not in repr((event, stream))


def test_what_is_shortened_although_no_limit_was_set_is_told() -> None:
    """Each cut string by its place; a flag without a string is a cut of nobody knows how much. No word is repeated."""
    reading = reading_of("c")
    blocks = [
        {**TEXT, "truncated": False, "thinking_redacted": True},
        {"type": "tool_use", "input": "x" * 10, "truncated": True},
        {"type": "tool_result", "content": [{"type": "text", "text": "y"}], "truncated": True},
        {"type": CONTENT, "truncated": True},
        {"truncated": True},
        7,
    ]
    events = fed(reading, messages({"id": "1", "content": blocks}, {"id": "2", "content": None}, 5))
    clips = tuple(reading.clipped())
    assert [(one.pointer, one.by, one.kept_bytes) for one in clips] == [
        ("/chat_messages/0/content/1/input", "undetermined", 10),
        ("/chat_messages/0/content/2", "undetermined", 1),
        ("/chat_messages/0/content/3", "undetermined", 0),
        ("/chat_messages/0/content/4", "undetermined", 0),
    ]
    assert {(one.session, one.limit_bytes, one.raise_parameter) for one in clips} == {("chat/000001", None, None)}
    assert [one.marks for one in events] == [("cut", "thinking_redacted", "unknown_block"), ("without_content",)]
    assert tuple(reading.clipped()) == ()


def test_what_is_odd_is_found() -> None:
    """What comes twice, what is no message, what lacks its keys, and the page of another chat."""
    reading = reading_of("c")
    late = {"id": "1", "role": 5, "created_at": None, "content": None}
    early = {"id": "1", "role": "user", "created_at": "2026-10-08T10:00:00Z", "content": [TEXT]}
    events = fed(reading, messages(late, early, early, 7, {}, id="d"))
    assert [one.marks for one in events] == [
        ("without_content",), ("repeated",), ("repeated",), ("without_content",),
    ]  # fmt: skip
    assert (events[0].kind, events[0].at, events[3].id, events[3].keys) == ("unknown", None, UNSET, (("chat", "c"),))
    assert findings(reading) == {"no_id": 1, "no_time": 2, "not_an_object": 1, "other_chat": 1, "repeated": 2}


def test_a_deleted_chat_says_so_once() -> None:
    """Whether the list or the chat itself says it, it is one finding; its page may lack the messages."""
    reading = reading_of()
    gone = {"id": "c", "name": "", "deleted_at": "2026-10-08T11:00:00Z"}
    fed(reading, listing(gone, gone, {"name": "without an id"}), CHATS_WALK)
    assert fed(reading, json.dumps(gone).encode()) == ()
    assert findings(reading) == {"deleted_by_user": 1, "listed_again": 1}
    (stream,) = reading.streams()
    assert stream.words == (("state", "deleted"),)


def test_a_chat_that_no_list_named_keeps_its_number() -> None:
    """A page whose chat cannot be told is a stream without a name."""
    reading = reading_of()
    (event,) = fed(reading, messages({"id": "1"}, id=None))
    (stream,) = reading.streams()
    assert (stream.stream, stream.name, event.keys) == ("chat/000001", None, (("message", "1"),))


def test_places_of_a_finding_are_bounded() -> None:
    """Its count is not."""
    reading = reading_of("c")
    fed(reading, messages(*range(PLACES_MAX + 1)))
    (found,) = next(iter(reading.streams())).findings
    assert (found.count, len(found.places)) == (PLACES_MAX + 1, PLACES_MAX)


@pytest.mark.parametrize(("walk", "status"), [("elsewhere", 200), (chat_walk(1), 404), (chat_walk(1), 200)])
def test_what_is_no_page_gives_nothing(walk: str, status: int) -> None:
    """A foreign walk, a refusal and an unreadable body have no events and no cursor."""
    reading = reading_of("c")
    assert fed(reading, b"no page", walk, status) == ()
    assert reading.next_cursor() is UNREAD
    assert tuple(reading.streams()) == ()


def test_a_page_of_a_chat_leads_on_by_its_last_id() -> None:
    """The messages must be an array unless the chat was deleted; its chat is what stands around them."""
    page = read_chat_page(messages({}, has_more=True, last_id="x"))
    assert isinstance(page, Page)
    assert (page.next_page, len(page.data)) == ("x", 1)
    for body in (b"[]", messages(has_more=True), b'{"has_more":false}', messages(has_more=None)):
        assert isinstance(read_chat_page(body), Unreadable)


def test_an_id_is_text_that_can_be_asked_for() -> None:
    """No id, an empty one, one that UTF-8 cannot hold, and one that a path would follow upwards are none."""
    assert [chat_id({"id": one}) for one in ("c", "", None, "\ud800", ".", "..")] == ["c", *5 * [None]]
    assert chat_id([]) is None


def test_a_walk_s_name_says_its_chat() -> None:
    """The list sorts before the messages, and both are told from their names."""
    assert chat_walk(1) > CHATS_WALK
    places = [place_of(walk) for walk in (CHATS_WALK, chat_walk(12), "compliance/chats/n1/messages")]
    assert [one and (one.kind, one.number) for one in places] == [("chats", 1), ("chat_messages", 12), None]
