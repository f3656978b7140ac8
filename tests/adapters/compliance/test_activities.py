"""The activity feed as events: ids and coded words alone, and what its order and ids come to."""

import json

import pytest

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.activities import STREAM, VERSION, ActivityReader, ActivityReading
from agentaudit.adapters.compliance.naming import FEED_WALK
from agentaudit.adapters.compliance.pages import Page, read_id_page
from agentaudit.format.readings import EventReading
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import ActivitySelection, Window
from agentaudit.model.stream import PLACES_MAX, StreamRow
from tests.support.openings import answered_row, kept_row, opened_row

CONTENT = "a title that nobody but its reader may see"


def activity(number: int, at: str = "2026-10-08T10:00:00Z", **fields: object) -> dict[str, object]:
    """One activity with its usual keys."""
    return {
        "id": f"activity_{number}",
        "created_at": at,
        "organization_id": None,
        "organization_uuid": "0000-1",
        "actor": {"type": "user_actor", "user_id": "user_1", "email_address": CONTENT},
        "type": "claude_chat_viewed",
        "title": CONTENT,
        **fields,
    }


def page_of(*entries: object, more: object = False, last: object = None) -> bytes:
    """A page of the feed."""
    return json.dumps({"data": entries, "has_more": more, "first_id": None, "last_id": last}).encode()


def reading_of(selection: ActivitySelection | None = None) -> ActivityReading:
    """A reading of an exhibit that asked for this."""
    from msgspec.structs import replace  # noqa: PLC0415 - one use

    asked = selection or ActivitySelection(window=Window(begins=None, ends=None))
    return ActivityReader().open(replace(opened_row(), selection=asked), ())


def stream_of(reading: ActivityReading) -> StreamRow:
    """The one stream, its events drained before."""
    tuple(reading.events())
    (row,) = reading.streams()
    return row


def findings(reading: ActivityReading) -> dict[str, int]:
    """The codes of the stream with their counts."""
    return {one.code: one.count for one in stream_of(reading).findings}


def test_it_is_a_reading_of_events() -> None:
    """It fits what the package asks of an adapter; a feed has no sessions, files or truncations."""
    reading = reading_of()
    assert ActivityReader().name == VERSION
    assert isinstance(reading, EventReading)
    assert (tuple(reading.sessions((), ())), tuple(reading.clipped()), tuple(reading.streams())) == ((), (), ())
    assert "activities.absence" in [limit.code for limit in reading.coverage()]


def test_an_activity_is_an_event_without_content() -> None:
    """Ids, type, actor type and status come along; titles and addresses stay in the page."""
    reading = reading_of()
    body = page_of(activity(1, request_id="req_9", request_method="GET", status_code=404, api_key_id="no"))
    reading.feed(answered_row(FEED_WALK, body), body)
    (event,) = reading.events()
    assert (event.stream, event.kind, event.id, event.at) == (
        STREAM, "claude_chat_viewed", "activity_1", "2026-10-08T10:00:00Z",
    )  # fmt: skip
    assert dict(event.keys) == {"organization": "0000-1", "request": "req_9", "user": "user_1"}
    assert dict(event.words) == {"actor": "user_actor", "request_method": "GET"}
    assert event.numbers == (("status_code", 404),)
    assert event.place.pointer == "/data/0"
    assert CONTENT not in repr(event)


def test_the_key_of_a_request_is_an_account() -> None:
    """By it other requests with the same key are found."""
    reading = reading_of()
    body = page_of(activity(1, actor={"type": "api_actor", "api_key_id": "apikey_1"}))
    reading.feed(answered_row(FEED_WALK, body), body)
    (event,) = reading.events()
    assert dict(event.keys)["account"] == "apikey_1"


@pytest.mark.parametrize("status", [True, "404", None, 10**9])
def test_a_status_that_is_none_is_left_out(status: object) -> None:
    """Only a number of three digits is a status."""
    reading = reading_of()
    body = page_of(activity(1, status_code=status))
    reading.feed(answered_row(FEED_WALK, body), body)
    (event,) = reading.events()
    assert event.numbers == ()


def test_what_is_wrong_with_a_feed_is_found() -> None:
    """Twice the same id, no id, no time, no object, against the order, outside of the window."""
    window = Window(begins="2026-10-08T09:00:00.000000Z", ends="2026-10-08T11:00:00.000000Z")  # type: ignore[arg-type] # the texts are instants
    reading = reading_of(ActivitySelection(window=window, order="asc"))
    body = page_of(
        activity(1), activity(1), activity(2, id=7), activity(3, at="2026-10-08T09:30:00Z"),
        activity(4, created_at=None), "no object", activity(5, at="2026-10-08T12:00:00Z"),
        activity(6, at="2026-10-08T08:00:00+00:00"), activity(7, type=3),
    )  # fmt: skip
    reading.feed(answered_row(FEED_WALK, body), body)
    assert findings(reading) == {
        "no_id": 1, "no_time": 1, "not_an_object": 1, "out_of_order": 1, "outside_window": 1, "repeated": 1,
    }  # fmt: skip
    assert dict(stream_of(reading).kinds) == {"claude_chat_viewed": 7, "unknown": 1}


def test_the_newest_first_is_the_other_order() -> None:
    """A later activity after an earlier one stands against it."""
    reading = reading_of()
    body = page_of(activity(2, at="2026-10-08T10:00:01Z"), activity(1), activity(3, at="2026-10-08T10:00:02Z"))
    reading.feed(answered_row(FEED_WALK, body), body)
    assert findings(reading) == {"out_of_order": 1}


def test_places_are_bounded_and_counts_are_not() -> None:
    """A feed that repeats itself does not fill the memory."""
    reading = reading_of()
    body = page_of(*(activity(1) for _ in range(PLACES_MAX + 9)))
    reading.feed(answered_row(FEED_WALK, body), body)
    (finding,) = stream_of(reading).findings
    assert (finding.count, len(finding.places)) == (PLACES_MAX + 8, PLACES_MAX)


def test_the_last_id_leads_on_while_there_is_more() -> None:
    """Where the page fed last leads is said for the check of cursors."""
    reading = reading_of()
    body = page_of(activity(1), more=True, last="activity_1")
    reading.feed(answered_row(FEED_WALK, body), body)
    assert reading.next_cursor() == "activity_1"
    body = page_of(activity(2))
    reading.feed(answered_row(FEED_WALK, body, 2), body)
    assert reading.next_cursor() is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"[]", "not_an_object"),
        (b'{"data":{},"has_more":false}', "data_wrong_type"),
        (b'{"data":[]}', "has_more_wrong_type"),
        (b'{"data":[],"has_more":true}', "cursor_missing"),
        (b'{"data":[],"has_more":true,"last_id":7}', "next_page_wrong_type"),
    ],
)
def test_what_is_no_page_is_not_read(body: bytes, reason: str) -> None:
    """Each form of an answer that is no page has its own word, and a reading takes nothing from it."""
    assert read_id_page(body) == Unreadable(reason)  # type: ignore[arg-type] # a word of the closed set
    reading = reading_of()
    assert reading.feed(answered_row(FEED_WALK, body), body) == ((), ())
    assert reading.next_cursor() is UNREAD
    assert tuple(reading.events()) == ()


def test_a_refusal_is_no_page() -> None:
    """Only a 200 of a walk of ours is read."""
    reading = reading_of()
    body = page_of(activity(1))
    reading.feed(answered_row(FEED_WALK, body, status=403), body)
    reading.feed(answered_row("elsewhere", body), body)
    assert tuple(reading.events()) == ()


def test_a_last_page_has_no_next() -> None:
    """Without more there is no cursor, whatever the last id is."""
    assert read_id_page(page_of(more=False, last="x")) == Page((), None)


def test_an_api_gives_no_files() -> None:
    """A kept file is of another source, and is not read; a feed without an actor is a feed."""
    reading = reading_of()
    body = page_of(activity(1, actor=None))
    reading.feed(answered_row(FEED_WALK, body), body)
    (event,) = reading.events()
    assert event.words == ()
    assert reading.payload(kept_row()) is None
