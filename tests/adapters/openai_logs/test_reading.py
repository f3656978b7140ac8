"""Readings of answers and of handed-over files, each file held against its list."""

import gzip
import json
from dataclasses import dataclass, field

import msgspec
import pytest

from agentaudit.adapters.openai_logs.coverage import coverage_of_api, coverage_of_files
from agentaudit.adapters.openai_logs.handed import LogFilesReading, is_log_secret
from agentaudit.adapters.openai_logs.naming import file_walk, list_walk
from agentaudit.adapters.openai_logs.reading import ADAPTER, OpenAiLogReader, OpenAiLogReading
from agentaudit.model.base import Instant
from agentaudit.model.local import Change
from agentaudit.model.readings import UNREAD
from agentaudit.model.selection import HandedOver, OpenAiLogSelection
from agentaudit.model.storejournal import Kept
from agentaudit.model.stream import EventRow, StreamRow
from tests.support.openai_logs import WORKSPACE, Item, Platform, lines, record, usual
from tests.support.openings import answered_row, entry_row, kept_row, opened_row

ROOT = f"https://api.chatgpt.com/v1/compliance/workspaces/{WORKSPACE}/logs"
SELECTION = OpenAiLogSelection(
    owner_kind="workspace", owner=WORKSPACE, event_types=("CODEX_LOG",), after=Instant("2026-10-01T00:00:00.000000Z")
)


def _found(row: StreamRow) -> dict[str, int]:
    return {finding.code: finding.count for finding in row.findings}


@dataclass
class Told:
    """One reading of answers, and the events that it gave."""

    reading: OpenAiLogReading = field(default_factory=OpenAiLogReading)
    events: list[EventRow] = field(default_factory=list)

    def list(self, document: object, page: int = 1, number: int = 1, cursor: str | None = None) -> None:
        """Feed a page of a list."""
        row = answered_row(list_walk(number), b"", page)
        asked = msgspec.structs.replace(row.exchange, url=ROOT, cursor=cursor)
        self.reading.feed(msgspec.structs.replace(row, exchange=asked), json.dumps(document).encode())

    def file(self, number: int, identity: str, body: bytes, ask: int = 1) -> None:
        """Feed a file."""
        row = answered_row(file_walk(number), body)
        asked = msgspec.structs.replace(row.exchange, url=f"{ROOT}/{identity}")
        self.reading.feed(msgspec.structs.replace(row, exchange=asked, ask=ask), body)
        self.events += self.reading.events()

    def rows(self) -> dict[str, StreamRow]:
        """The streams, which come by their keys."""
        found = list(self.reading.streams())
        assert [row.stream for row in found] == sorted(row.stream for row in found)
        return {row.stream: row for row in found}


def _told(platform: Platform) -> Told:
    told = Told()
    told.list(platform.page("2026-01-01T00:00:00Z"))
    for number, one in enumerate((one for one in platform.files if one.event_type == "CODEX_LOG"), 1):
        told.file(number, one.id, one.body)
    return told


def test_a_list_and_its_files_agree() -> None:
    """Sizes and digests hold; the repeated event stands once in the whole."""
    told = _told(usual())
    rows = told.rows()
    assert [dict(rows[f"file/{number:06d}"].words)["digest"] for number in (1, 2, 3)] == ["agrees"] * 3
    assert _found(rows["feed/000001"]) == {}
    assert dict(rows["feed/000001"].counts)["files_listed"] == 3
    assert (len(told.events), rows["service/000001"].events) == (7, 6)
    assert [row.name for row in rows.values() if row.kind == "session"] == ["session-1", "other"]


@pytest.mark.parametrize(
    ("says", "found", "digest"),
    [
        ({"file_size": 1}, {"size_unlike_listed": 1}, "agrees"),
        ({"file_sha256": "0" * 64}, {"digest_unlike_listed": 1}, "differs"),
        ({"file_sha256": "gone"}, {"digest_not_stated": 1}, "not_stated"),
        ({"file_size": "gone"}, {}, "agrees"),
        ({"event_type": "AUTH_LOG"}, {"other_log": 1}, "agrees"),
    ],
)
def test_what_is_unlike_its_list_is_found(says: Item, found: dict[str, int], digest: str) -> None:
    """The bytes are read all the same."""
    platform = Platform()
    one = platform.add(record(1), says=says)
    told = Told()
    told.list({"data": [one.entry()], "has_more": False, "last_end_time": one.end_time})
    told.file(1, one.id, one.body)
    row = told.rows()["file/000001"]
    assert (_found(row), dict(row.words)["digest"], row.events) == (found, digest, 1)


def test_a_file_that_travelled_packed_agrees_by_its_text() -> None:
    """The digest of the list is that of the file, not of its transfer."""
    platform = Platform()
    one = platform.add(record(1))
    told = Told()
    told.list(platform.page("2026-01-01T00:00:00Z"))
    told.file(1, one.id, gzip.compress(one.body))
    row = told.rows()["file/000001"]
    assert (_found(row), dict(row.words)["digest"], row.form) == ({}, "agrees_unpacked", "openai_log/gzip")


def test_the_answer_that_was_asked_for_last_is_read() -> None:
    """It comes first in the order of paths; the one before is counted."""
    platform = Platform()
    one = platform.add(record(1))
    told = Told()
    told.list(platform.page("2026-01-01T00:00:00Z"))
    told.file(1, one.id, one.body, ask=2)
    told.file(1, one.id, one.body[:-20], ask=1)
    row = told.rows()["file/000001"]
    assert (len(told.events), dict(row.counts)["earlier_answers"], _found(row)) == (1, 1, {})


def test_lists_are_checked_in_themselves() -> None:
    """The boundary comes twice; what is told otherwise, turned, without id or never fetched is found."""
    platform = usual()
    entries = [one.entry() for one in platform.files[:3]]
    told = Told()
    told.list({"data": [entries[1], entries[0]], "has_more": True, "last_end_time": platform.files[1].end_time})
    told.list(
        {"data": [entries[0], {**entries[1], "file_size": 1}, {"id": 7}], "has_more": True, "last_end_time": "x"}, 2
    )
    told.list({"data": "none", "has_more": True}, 3)
    feed = told.rows()["feed/000001"]
    assert _found(feed) == {
        "end_time_not_rising": 1, "entry_unlike_before": 1, "entry_without_id": 1, "list_end_absent": 1,
        "listed_file_absent": 2,
    }  # fmt: skip
    assert (dict(feed.counts)["pages"], dict(feed.counts)["entries_repeated"]) == (2, 2)


def test_times_in_another_zone_are_not_judged_for_order() -> None:
    """They do not compare as text."""
    told = Told()
    entries = [
        {"id": "a", "end_time": "2026-10-08T02:00:00+02:00"},
        {"id": "b", "end_time": "2026-10-08T01:00:00Z"},
        {"id": "c"},
    ]
    told.list({"data": entries, "has_more": False, "last_end_time": None})
    assert _found(told.rows()["feed/000001"]) == {"listed_file_absent": 3}


def test_cursors_lead_from_page_to_page() -> None:
    """An empty page leads to where it was asked from; the last one, and a file, nowhere; what is no page is unread."""
    told = Told()
    told.list({"data": [{"id": "a"}], "has_more": True, "last_end_time": "t1"})
    assert told.reading.next_cursor() == "t1"
    told.list({"data": [], "has_more": True, "last_end_time": None}, 2, cursor="t1")
    assert told.reading.next_cursor() == "t1"
    told.list({"data": [], "has_more": False, "last_end_time": None}, 3)
    assert told.reading.next_cursor() is None
    told.list({}, 4)
    assert told.reading.next_cursor() is UNREAD
    told.file(1, "a", b"")
    assert told.reading.next_cursor() is None


def test_refusals_and_foreign_walks_are_not_read() -> None:
    """They are kept, and no list or file is made of them."""
    reading = OpenAiLogReading()
    for row in (answered_row("bridge/context/jobs", b""), answered_row(file_walk(1), b"", status=404)):
        assert reading.feed(row, b"{}") == ((), ())
        assert reading.next_cursor() is UNREAD
    assert [row.stream for row in reading.streams()] == ["service/000001"]
    assert reading.payload(kept_row()) is None
    assert list(reading.clipped()) == []
    assert list(reading.sessions((), ())) == []
    assert list(reading.events()) == []


def test_the_reader_opens_by_what_was_selected() -> None:
    """Answers of the API, or handed-over files."""
    reader = OpenAiLogReader()
    asked = reader.open(msgspec.structs.replace(opened_row(), selection=SELECTION), ())
    handed = reader.open(
        msgspec.structs.replace(opened_row(), selection=HandedOver(deposit="openai-logs", paths=())), ()
    )
    assert (reader.name, type(asked), type(handed)) == (ADAPTER, OpenAiLogReading, LogFilesReading)
    assert asked.coverage() == coverage_of_api()
    assert {limit.code for limit in handed.coverage()} == {
        "handed_over",
        *(limit.code for limit in coverage_of_files()),
    }


def _kept(number: int, change: Change = "none", tries: int = 1, *, complete: bool = True) -> Kept:
    return msgspec.structs.replace(kept_row(number), change=change, tries=tries, complete=complete)


def _handed(*files: tuple[str, bytes]) -> tuple[list[EventRow], dict[str, StreamRow]]:
    reading = LogFilesReading()
    events: list[EventRow] = list(reading.events())
    for number, (name, octets) in enumerate(files, 1):
        if name:
            reading.entry(entry_row(number, name))
        row = _kept(number)
        reading.kept(row)
        feed = reading.payload(row)
        assert feed is not None
        feed.feed(memoryview(octets))
        events += reading.events()
        feed.finish()
        events += reading.events()
    return events, {row.stream: row for row in reading.streams()}


def test_files_and_saved_pages_are_held_against_each_other() -> None:
    """A file is found by its digest whatever its name, packed or not; a page may come after its files."""
    platform = usual()
    one, two, three = platform.files[:3]
    page = json.dumps(platform.page("2026-01-01T00:00:00Z")).encode()
    events, rows = _handed(
        ("any name", one.body), ("2.jsonl.gz", gzip.compress(two.body)), (f"logs/{three.id}.jsonl", three.body[:-30]),
        ("other.jsonl", lines(record(99))), ("page.json", page),
    )  # fmt: skip
    assert len(events) == 7
    digests = {stream: dict(row.words).get("digest") for stream, row in rows.items() if row.kind == "file"}
    assert list(digests.values()) == ["agrees", "agrees_unpacked", "differs", "not_listed", None]
    assert _found(rows["file/000003"]) == {"digest_unlike_listed": 1, "size_unlike_listed": 1, "tail_cut": 1}
    assert _found(rows["file/000004"]) == {"not_listed": 1}
    assert rows["file/000003"].name == three.id
    assert _found(rows["feed/000001"]) == {}


def test_what_saved_pages_lack_is_found() -> None:
    """A listed file that is not here, and a list of which no page is the last."""
    platform = usual()
    platform.page_limit = 2
    first = json.dumps(platform.page("2026-01-01T00:00:00Z")).encode()
    _, rows = _handed(("page.json", first), ("a", platform.files[0].body))
    assert _found(rows["feed/000001"]) == {"list_end_absent": 1, "listed_file_absent": 1}
    last = json.dumps(platform.page(platform.files[1].end_time)).encode()
    _, rows = _handed(("page.json", first), ("", last), *((one.id, one.body) for one in platform.files[:3]))
    assert (_found(rows["feed/000001"]), _found(rows["feed/000002"])) == ({}, {})


def test_without_a_list_nothing_is_said_of_digests() -> None:
    """The word says that there is none."""
    _, rows = _handed(("a.jsonl", lines(record(1))))
    assert (dict(rows["file/000001"].words)["digest"], _found(rows["file/000001"])) == ("no_list", {})


@pytest.mark.parametrize(
    "row", [_kept(1), _kept(1, "grew"), _kept(1, "rewritten"), _kept(1, "moved"), _kept(1, "grew", complete=False)]
)
def test_a_file_is_read_whatever_became_of_it_across_its_last_read(row: Kept) -> None:
    """A download that was still running when it was copied has events, and its stream is what its bytes are."""
    reading = LogFilesReading()
    feed = reading.payload(row)
    for octets in lines(record(1)), lines(record(2)):
        feed.feed(memoryview(octets))
    feed.finish()
    assert len(list(reading.events())) == 2
    assert [one.form for one in reading.streams() if one.kind == "file"] != ["empty"]


@pytest.mark.parametrize(
    "name", [b".env", b".ENV.local", b"local_config.env", b"x.env.local", b"my_api_key.txt", b"a.pem"]
)
def test_what_holds_a_key_is_a_credential(name: bytes) -> None:
    """Scripts keep it beside what they download."""
    assert is_log_secret(name)


@pytest.mark.parametrize("name", [b"CODEX_LOG_2026.jsonl", b"page.json", b"environment.json", b"keys.jsonl"])
def test_a_log_is_no_credential(name: bytes) -> None:
    """Files are preserved."""
    assert not is_log_secret(name)
