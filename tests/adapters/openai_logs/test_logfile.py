"""Files as they are fed: what they are, what their lines hold, what is damaged in them."""

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentaudit.adapters.openai_logs import logfile
from agentaudit.adapters.openai_logs.logfile import LogFile
from agentaudit.adapters.openai_logs.totals import Totals
from agentaudit.model.stream import EventRow
from tests.support.openai_logs import CANARY, error, lines, record, tool_call, usual

LOG = lines(record(1), tool_call(2), record(3, session="other"))


def _fed(octets: bytes, size: int = 97, expected: str | None = None) -> tuple[list[EventRow], LogFile]:
    file = LogFile("data/x", "file/000001", Totals(), expected)
    for at in range(0, len(octets), size):
        file.feed(memoryview(octets[at : at + size]))
    file.finish()
    return list(file.take_made()), file


def _found(file: LogFile) -> dict[str, int]:
    return {finding.code: finding.count for finding in file.findings.rows()}


@given(st.integers(1, 400))
def test_records_are_events_whatever_the_pieces(size: int) -> None:
    """Each at its line, with the offset that leads back to it."""
    events, file = _fed(LOG, size)
    assert [event.kind for event in events] == [
        "PROMPT_RESPONSE_RECEIVED",
        "TOOL_CALL_COMPLETED",
        "PROMPT_RESPONSE_RECEIVED",
    ]
    assert [event.order for event in events] == [1, 2, 3]
    for event in events:
        assert json.loads(LOG[event.place.offset :].partition(b"\n")[0])["event_id"] == event.id
    assert (file.form, _found(file)) == ("openai_log", {})


def test_a_packed_file_gives_the_same_events() -> None:
    """Offsets count in its text."""
    packed, file = _fed(gzip.compress(LOG))
    assert [(event.id, event.place.offset) for event in packed] == [(one.id, one.place.offset) for one in _fed(LOG)[0]]
    assert file.form == "openai_log/gzip"


def test_a_whole_body_gives_the_same_events() -> None:
    """What an API answered is read as what was handed over."""
    file = LogFile("data/x", "file/000001", Totals())
    assert [event.id for event in file.read(LOG)] == [event.id for event in _fed(LOG)[0]]


def test_no_content_is_in_an_event() -> None:
    """Texts, inputs, mail and addresses stay in the file."""
    assert CANARY not in repr(_fed(LOG)[0])


def test_a_cut_tail_is_told_from_a_broken_line() -> None:
    """The last line breaks off; one in the middle does not, and the next one is read."""
    broken = LOG.splitlines(keepends=True)
    events, file = _fed(broken[0] + b'{"event_id": \n' + b"[1]\n" + b"\n" + broken[1] + broken[2][:50])
    assert len(events) == 2
    assert _found(file) == {"line_not_an_object": 1, "line_unreadable": 1, "tail_cut": 1}
    assert file.counts["blank_lines"] == 1


def test_a_file_without_a_last_line_feed_is_whole() -> None:
    """Download scripts take it away."""
    events, file = _fed(LOG.rstrip(b"\n"))
    assert (len(events), _found(file)) == (3, {})


def test_a_file_of_another_system_is_read() -> None:
    """A byte-order mark and CR before LF are no part of a record."""
    events, file = _fed(b"\xef\xbb\xbf" + LOG.replace(b"\n", b"\r\n"))
    assert (len(events), _found(file)) == (3, {})


def test_lines_before_the_first_record_are_held_and_then_read() -> None:
    """Whatever stands before it has its finding."""
    events, file = _fed(b"\n# downloaded\n" + LOG)
    assert [event.order for event in events] == [3, 4, 5]
    assert _found(file) == {"line_unreadable": 1}


def test_what_is_held_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in which no record comes for long is read line by line."""
    monkeypatch.setattr(logfile, "HELD_MAX", 1_000)
    _, file = _fed(b"no record\n" * 10 + LOG)
    assert _found(file) == {"line_unreadable": 10}


def test_a_line_over_the_limit_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one behind it is read."""
    file = LogFile("data/x", "file/000001", Totals())
    monkeypatch.setattr(file._lines, "_limit", 3_000)
    first = lines(record(1, prompt_text="x" * 5_000))
    file.feed(memoryview(first + LOG))
    file.finish()
    assert _found(file) == {"line_over_limit": 1}
    assert file.form == "openai_log"


@pytest.mark.parametrize("indent", [None, 2])
def test_a_saved_page_of_a_list_is_known(indent: int | None) -> None:
    """On one line or on many: its entries are no records."""
    document = json.dumps(usual().page("2026-01-01T00:00:00Z"), indent=indent).encode()
    events, file = _fed(document)
    assert events == []
    assert file.form == "openai_log_list"
    assert file.page is not None
    assert len(file.page.entries) == 3


def test_a_page_that_cannot_be_followed_is_found() -> None:
    """It says that there is more, and not from where."""
    _, file = _fed(b'{"data": [{"id": "a"}], "has_more": true}')
    assert (file.form, _found(file)) == ("openai_log_list", {"list_unreadable": 1})


@pytest.mark.parametrize(
    ("octets", "form"),
    [
        (b"", "empty"),
        (b"\n \r\n", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        (error(404, "x").body, "error_answer"),
        (b'{"detail": "gone"}', "error_answer"),
        (b"<?xml version='1.0'?><Error/>", "unrecognised"),
        (b"[1, 2]", "unrecognised"),
        (b"7\n", "unrecognised"),
        (gzip.compress(b"", mtime=0), "empty/gzip"),
        (b"\x28\xb5\x2f\xfd more", "not_read/zstd"),
        ("{}\n".encode("utf-16"), "not_read/utf-16"),
    ],
)
def test_what_is_no_log_is_named(octets: bytes, form: str) -> None:
    """It is kept, and gives no event."""
    events, file = _fed(octets)
    assert (events, file.form, file.is_log) == ([], form, False)


def test_a_cut_packing_states_what_it_gave() -> None:
    """The events before the cut are there."""
    many = lines(*(record(number) for number in range(1, 2_000)))
    packed = gzip.compress(many)
    events, file = _fed(packed[: len(packed) // 2])
    assert 0 < len(events) < 1_999
    assert _found(file)["stream_truncated"] == 1


def test_repeated_ids_are_counted_once_in_a_session() -> None:
    """The same line is a repetition; another line under the same id is another record."""
    totals = Totals()
    file = LogFile("data/x", "file/000001", totals)
    file.feed(memoryview(lines(record(1), record(1), record(1, status="error"))))
    file.finish()
    assert [event.marks for event in file.take_made()] == [(), ("duplicate",), ("duplicate_unlike",)]
    assert _found(file) == {"event_id_repeated": 1, "event_id_repeated_unlike": 1}
    rows = {row.stream: row for row in totals.rows()}
    assert rows["service/000001"].events == 2
    assert dict(rows["service/000001"].counts) == {"events_repeated": 2}


def test_records_without_id_or_time_and_of_another_log_are_found() -> None:
    """Each is an event all the same."""
    events, file = _fed(lines({**record(1), "event_id": None}, {**record(2), "timestamp": "x"}), expected="AUTH_LOG")
    assert len(events) == 2
    assert _found(file) == {"event_id_absent": 1, "field_odd": 1, "other_log": 2, "time_absent": 1}
    assert set(events[1].marks) == {"odd", "other_log"}


def test_an_unknown_kind_is_kept_and_marked() -> None:
    """A release may add one."""
    events, _ = _fed(lines(record(1, "PLUGIN_ENABLED"), record(2)))
    assert [event.marks for event in events] == [("unknown_kind",), ()]
