"""The list of code artifacts as a stream: ids, times and numbers alone, whatever an entry holds."""

import json

from msgspec.structs import replace

from agentaudit.adapters.compliance.chats import ChatReader, ChatReading
from agentaudit.adapters.compliance.naming import CODE_WALK
from agentaudit.model.base import UNSET, Instant
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import ChatSelection, Window
from agentaudit.model.stream import EventRow, StreamRow
from tests.support.openings import answered_row, opened_row

CONTENT = "what nobody but its reader may see"
DAY = Window(begins=Instant("2026-10-08T00:00:00Z"), ends=Instant("2026-10-09T00:00:00Z"))


def reading_of(window: Window | None = None) -> ChatReading:
    """A reading of an exhibit with the list."""
    selection = ChatSelection(window_kind="update", window=window, with_code_artifacts=True)
    return ChatReader().open(replace(opened_row(), selection=selection), ())


def fed(reading: ChatReading, body: object) -> tuple[EventRow, ...]:
    """The events of one page."""
    octets = body if isinstance(body, bytes) else json.dumps(body).encode()
    reading.feed(answered_row(CODE_WALK, octets), octets)
    return tuple(reading.events())


def found(row: StreamRow) -> dict[str, int]:
    """The findings of a stream."""
    return {one.code: one.count for one in row.findings}


def test_an_entry_is_an_event_without_content() -> None:
    """Its id, the time of its update, whose it is; titles and addresses stay in the page."""
    reading = reading_of()
    entry = {
        "id": "x", "title": CONTENT, "updated_at": "2026-10-08T10:00:00Z", "created_at": "2026-10-01T10:00:00Z",
        "organization_uuid": "o", "user": {"id": "u", "email_address": CONTENT}, "url": CONTENT,
    }  # fmt: skip
    (event,) = fed(reading, {"data": [entry], "has_more": False, "next_page": None})
    assert (event.stream, event.kind, event.id, event.at) == (
        "code/000001", "code_artifact", "x", "2026-10-08T10:00:00Z",
    )  # fmt: skip
    assert event.keys == (("artifact", "x"), ("organization", "o"), ("user", "u"))
    assert (event.place.pointer, event.marks) == ("/data/0", ())
    (row,) = reading.streams()
    assert (row.kind, row.events, row.kinds, row.counts) == ("feed", 1, (("code_artifact", 1),), (("pages", 1),))
    assert not row.findings
    assert CONTENT not in repr((event, row))


def test_odd_entries_are_found_and_kept_as_they_are() -> None:
    """Without an id, without a time, twice, outside of the window, no object: an event where there is an object."""
    reading = reading_of(DAY)
    entries = [
        {"id": "x", "updated_at": "2026-10-08T10:00:00Z", "user_id": "u", "organization_id": "o"},
        {"id": "x", "updated_at": "2026-10-09T00:00:01Z"}, {"id": ".."}, {"id": 7, "updated_at": 7, "user": 7}, 5,
        {"id": "y", "updated_at": "2026-10-07T23:59:59Z", "organization_uuid": None},
        {"id": "z", "updated_at": "2026-10-07T23:59:59+00:00"},
    ]  # fmt: skip
    events = fed(reading, {"data": entries, "next_page": "t"})
    assert reading.next_cursor() == "t"
    assert [one.marks for one in events] == [(), ("outside_window", "repeated"), (), (), ("outside_window",), ()]
    assert events[0].keys == (("artifact", "x"), ("organization", "o"), ("user", "u"))
    assert (events[2].id, events[2].at, events[2].keys) == (UNSET, UNSET, ())
    (row,) = reading.streams()
    assert row.events == 6
    assert found(row) == {"no_id": 2, "no_time": 2, "not_an_object": 1, "outside_window": 2, "repeated": 1}


def test_empty_pages_in_the_middle_are_counted() -> None:
    """One that leads on is; the last one, which may be empty, is not."""
    reading = reading_of()
    assert not fed(reading, {"data": [], "has_more": True, "next_page": "t"})
    assert reading.next_cursor() == "t"
    assert not fed(reading, {"data": [], "has_more": False, "next_page": None})
    (row,) = reading.streams()
    assert (row.events, row.kinds, row.counts) == (0, (), (("empty_pages", 1), ("pages", 2)))


def test_a_list_that_never_came_is_no_stream() -> None:
    """A page that cannot be read, or that says there is more and not where, leads nowhere."""
    reading = reading_of()
    for body in (b"no json", {"data": [], "has_more": True}):
        fed(reading, body)
        assert reading.next_cursor() is UNREAD
    assert tuple(reading.streams()) == ()
