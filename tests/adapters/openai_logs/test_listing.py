"""Pages of a list of log files, and the names of walks."""

import json

import pytest

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.openai_logs.listing import LogEntry, LogPage, is_list, list_of, read_list
from agentaudit.adapters.openai_logs.naming import LogPlace, file_asked, file_walk, list_walk, place_of
from agentaudit.format.layout import is_payload_name
from tests.support.openai_logs import Item, Platform, record

FULL: Item = {"data": [], "has_more": False, "last_end_time": None}


def test_a_page_says_what_its_files_are() -> None:
    """Id, type, end, name, size and digest come as the list states them."""
    platform = Platform()
    listed = platform.add(record(1))
    page = read_list(json.dumps(platform.page("2026-01-01T00:00:00Z")).encode())
    assert isinstance(page, LogPage)
    entry = page.entries[0]
    assert isinstance(entry, LogEntry)
    assert (entry.id, entry.event_type, entry.end_time) == (listed.id, "CODEX_LOG", listed.end_time)
    assert (entry.bytes, entry.file_name) == (len(listed.body), f"CODEX_LOG_{listed.end_time}.jsonl")
    assert (page.has_more, page.last_end_time) == (False, listed.end_time)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"data": {}}, "data_wrong_type"),
        ({"has_more": None}, "has_more_wrong_type"),
        ({"last_end_time": 7}, "next_page_wrong_type"),
        ({"data": [{}], "has_more": True}, "cursor_missing"),
        ({"data": [{}], "has_more": True, "last_end_time": ""}, "cursor_missing"),
        ({"last_end_time": "\ud800"}, "next_page_not_utf8"),
    ],
)
def test_what_is_no_page_has_a_reason(change: Item, reason: str) -> None:
    """A page that says there is more and not from where is no page; an empty one may be."""
    found = list_of({**FULL, **change})  # type: ignore[dict-item]
    assert found == Unreadable(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize("body", [b"{", b"[]", b""])
def test_bytes_that_hold_no_object_are_no_page(body: bytes) -> None:
    """They are kept, and read as nothing."""
    assert isinstance(read_list(body), Unreadable)


def test_an_empty_page_may_say_that_there_is_more() -> None:
    """It is a page; where it leads is the walk's question."""
    assert list_of({"data": [], "has_more": True, "last_end_time": None}) == LogPage(
        (), has_more=True, last_end_time=None
    )


@pytest.mark.parametrize("identity", [None, 7, "", ".", "..", "a/b", "a b", "x" * 257])
def test_an_entry_without_an_id_that_can_be_asked_for_is_none(identity: object) -> None:
    """Its place stays, so that it is counted."""
    found = list_of({**FULL, "data": [{"id": identity}]})  # type: ignore[dict-item]
    assert isinstance(found, LogPage)
    assert found.entries == (None,)


def test_what_has_another_form_is_as_if_it_were_not_stated() -> None:
    """A size that is no size, a digest that is none: nothing is held against them."""
    odd: Item = {
        "id": "a",
        "file_size": -1,
        "file_sha256": "abc",
        "end_time": "soon",
        "event_type": "a type",
        "file_name": 1,
    }
    found = list_of({**FULL, "data": [odd]})  # type: ignore[dict-item,list-item]
    assert isinstance(found, LogPage)
    assert found.entries == (LogEntry("a"),)


def test_a_digest_is_compared_in_lower_case() -> None:
    """Hexadecimal has no case."""
    found = list_of({**FULL, "data": [{"id": "a", "file_sha256": "AB" * 32}]})  # type: ignore[dict-item]
    assert isinstance(found, LogPage)
    assert found.entries == (LogEntry("a", sha256="sha256:" + "ab" * 32),)


@pytest.mark.parametrize(("top", "is_one"), [(FULL, True), ({"data": []}, False), ({"has_more": True}, False)])
def test_a_list_is_known_by_what_only_it_has(top: Item, *, is_one: bool) -> None:
    """Its array, and the word on whether there is more."""
    assert is_list(top) is is_one  # type: ignore[arg-type]


def test_walks_are_named_by_counters_and_lists_come_first() -> None:
    """Names say what was asked for, and are fit for every system."""
    assert place_of(list_walk(1)) == LogPlace("list", 1)
    assert place_of(file_walk(12)) == LogPlace("file", 12)
    assert place_of("bridge/context/jobs") is None
    assert list_walk(999_999) < file_walk(1)
    assert is_payload_name(f"data/{file_walk(1)}/000001.json")


def test_an_address_names_its_file() -> None:
    """The last segment, decoded; none where a list was asked for."""
    assert file_asked("https://a.example/v1/compliance/workspaces/w/logs/eclf_1%3A2") == "eclf_1:2"
    assert file_asked("https://a.example/v1/compliance/workspaces/w/logs") is None
