"""The reading of preserved files: what each is, what pages say together, and that no content is in a row."""

import json
from pathlib import Path

import msgspec

from agentaudit.adapters.openclaw.extract import Extract, extract_ledger
from agentaudit.adapters.openclaw.notes import SettingsNote
from agentaudit.adapters.openclaw.reading import PAGES, LedgerReader, LedgerReading
from agentaudit.adapters.openclaw.settings import audit_settings
from agentaudit.encoding.canonical import encode
from agentaudit.model.base import digest_of
from agentaudit.model.stream import EventRow, StreamRow
from tests.encoding.databases import image
from tests.support.gatewaying import (
    CANARY,
    event,
    explanation,
    failure,
    message,
    page,
    pages,
    settings,
    usual,
    write_database,
)
from tests.support.openings import kept_row, opened_row


def read(*files: bytes) -> tuple[list[EventRow], dict[str, StreamRow], LedgerReading]:
    """Events and streams of these files, each fed in two pieces."""
    reading = LedgerReader().open(opened_row(), ())
    events = []
    for number, octets in enumerate(files, 1):
        row = kept_row(number)
        reading.kept(row)
        feed = reading.payload(row)
        for piece in (octets[:9], octets[9:]):
            feed.feed(memoryview(piece))
        feed.finish()
        events += list(reading.events())
    return events, {one.stream: one for one in reading.streams()}, reading


def codes(row: StreamRow) -> dict[str, int]:
    """Findings with their counts."""
    return {one.code: one.count for one in row.findings}


def test_pages_to_the_end_are_one_feed() -> None:
    """Every event once, in the order returned, and nothing to say against them."""
    events, streams, reading = read(*pages(usual(), 2))
    assert LedgerReader().name == "openclaw/1"
    assert [one.order for one in events] == [6, 5, 4, 3, 2, 1]
    assert codes(streams[PAGES]) == {}
    assert dict(streams[PAGES].counts)["pages"] == 3
    assert {one.code for one in reading.coverage()} >= {"ledger_pages", "ledger_bounds", "ledger_holes", "handed_over"}
    assert "ledger_database" not in {one.code for one in reading.coverage()}
    assert CANARY not in repr((events, streams))


def test_a_page_that_leads_on_to_nothing_is_said() -> None:
    """The last page is not here."""
    first, second, _ = pages(usual(), 2)
    assert codes(read(first, second)[1][PAGES])["next_page_not_here"] == 1
    assert codes(read(first, second)[1][PAGES])["not_to_end"] == 1


def test_a_page_that_lacks_between_two_may_be_a_hole() -> None:
    """What is not known is not decided."""
    first, _, third = pages(usual(), 2)
    found = codes(read(first, third)[1][PAGES])
    assert (found["page_or_hole"], found["hole"]) == (1, 1)
    assert "not_to_end" not in found


def test_cursors_are_held_against_each_other() -> None:
    """One that came twice, one of another form, one that leads below the first number."""
    twice, once = page([message(9)], "9"), page([message(8)], "9")
    assert codes(read(twice, once)[1][PAGES])["repeated_cursor"] == 1
    assert codes(read(page([message(9)], "m:9"))[1][PAGES])["cursor_opaque"] == 1
    assert codes(read(page([message(1)], "1"), page([]))[1][PAGES]) == {}


def test_a_page_says_what_is_odd_of_it() -> None:
    """Entries that are none, the older listing, an order that is not newest first, an event without a number."""
    odd = json.dumps({"events": [1, message(1), message(2), {}], "nextCursor": 1}).encode()
    _, streams, _ = read(odd)
    assert codes(streams["file/000001"]) == {"legacy_listing": 1, "not_newest_first": 1, "odd_entries": 1}


def test_an_event_that_came_twice_is_marked() -> None:
    """With the same id a duplicate, with another a conflict."""
    events, streams, _ = read(page([message(1)]), page([message(1)]), page([message(1, eventId="other")]))
    assert [one.marks for one in events] == [(), ("duplicate",), ("conflict",)]
    assert codes(streams[PAGES]) == {"overlap": 1, "sequence_conflict": 1}


def test_a_start_without_an_end_is_said() -> None:
    """It may still run, or its end was lost."""
    assert codes(read(page([event(1)]))[1][PAGES]) == {"start_without_finish": 1}


def test_an_empty_ledger_has_no_time() -> None:
    """An empty page is a page."""
    _, streams, _ = read(page([]))
    assert (streams[PAGES].first_at, streams[PAGES].events) == (None, 0)


def test_an_explanation_is_a_stream_within_its_file() -> None:
    """Its decisions are events."""
    events, streams, _ = read(json.dumps(explanation()).encode())
    assert [one.id for one in events] == ["approval-decision:1", "approval-decision:2"]
    assert (streams["execution/000001"].within, streams["execution/000001"].name) == ("file/000001", "execution-1")
    assert CANARY not in repr((events, streams))


def test_a_failure_is_named_and_its_message_stays() -> None:
    """A retired cursor is told from a dead Gateway."""
    _, streams, _ = read(failure(CANARY), failure("no longer retained"), b'{"ok": false}')
    assert [codes(streams[f"file/{number:06d}"]) for number in (1, 2, 3)] == [
        {"command_failed": 1}, {"cursor_retired": 1}, {"command_failed": 1},
    ]  # fmt: skip
    assert dict(streams["file/000001"].words) == {"error": "cli_error"}
    assert CANARY not in repr(streams)


def test_an_extract_is_a_database_with_its_tables(tmp_path: Path) -> None:
    """Its file, itself, each table; its note is a file of its own."""
    write_database(tmp_path / "made.sqlite")
    made = extract_ledger(image((tmp_path / "made.sqlite").read_bytes()))
    assert isinstance(made, Extract)
    note = SettingsNote(origin=CANARY, sha256=digest_of(b""), audit=audit_settings(settings()))
    events, streams, reading = read(made.octets, encode(note))
    assert len(events) == 12
    assert streams["file/000001"].form == "sqlite"
    assert streams["database/000001"].form == "openclaw-database"
    assert streams["database/000001/table/01"].name == "audit_events"
    assert (streams["file/000002"].form, dict(streams["file/000002"].words)["enabled"]) == ("agentaudit-note", "true")
    assert "ledger_database" in {one.code for one in reading.coverage()}
    assert CANARY not in repr((events, streams))


def test_what_is_no_document_of_the_ledger_is_a_file() -> None:
    """Text of the command, other JSON, a document that says it is ours."""
    spoofed = json.dumps({"agentaudit": CANARY, "log": CANARY}).encode()
    _, streams, _ = read(b"TIME KIND", b"{}", spoofed)
    assert [streams[f"file/{number:06d}"].form for number in (1, 2, 3)] == ["not-json", "other-json", "other-json"]
    assert CANARY not in repr(streams)


def test_a_file_over_the_bound_is_kept_and_not_read() -> None:
    """It is said."""
    reading = LedgerReader().open(opened_row(), ())
    feed = reading.payload(kept_row())
    piece = memoryview(bytes(200 * 1024 * 1024))
    for _ in range(2):
        feed.feed(piece)
    feed.finish()
    (stream,) = reading.streams()
    assert (stream.form, codes(stream)) == ("over-limit", {"over_limit": 1})


def test_rows_can_be_written() -> None:
    """Every row is a value of the format."""
    events, streams, _ = read(
        page([*usual(), {"eventType": "\ud800", "sequence": 9}]), json.dumps(explanation()).encode()
    )
    for row in (*events, *streams.values()):
        assert msgspec.json.encode(row)
