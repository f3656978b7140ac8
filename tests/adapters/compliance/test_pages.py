"""Pages of the compliance API: what is one, where it leads, and what it cannot be."""

import pytest

from agentaudit.adapters.answers import Unreadable
from agentaudit.adapters.compliance.pages import Page, read_directory_page, read_page


def readable(body: bytes, encoding: str | None = None) -> Page:
    """The page in these bytes."""
    page = read_page(body, encoding)
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize(
    ("body", "token"),
    [
        (b'{"data": [], "next_page": "page_x"}', "page_x"),
        (b'{"data": [], "next_page": null}', None),
        (b'{"data": []}', None),
    ],
)
def test_trap_04_only_a_null_or_an_absence_ends_a_walk(body: bytes, token: str | None) -> None:
    """An empty page with a token leads on; only null or absent ends."""
    page = readable(body)
    assert (page.next_page, page.data) == (token, ())


def test_a_page_keeps_entries_in_their_order_and_its_envelope() -> None:
    """Entries come as they were returned, the envelope beside them."""
    page = readable(b'{"session": {"id": "s"}, "data": [3, {"a": 1}, null], "next_page": null}')
    assert page.data == (3, {"a": 1}, None)
    assert page.session == {"id": "s"}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>", "not_json"),
        (b"", "not_json"),
        (b'{"data": []', "not_json"),
        (b"[]", "not_an_object"),
        (b'{"next_page": null}', "data_wrong_type"),
        (b'{"data": {}, "next_page": null}', "data_wrong_type"),
        (b'{"data": [], "next_page": 7}', "next_page_wrong_type"),
        (b'{"data": [], "next_page": ""}', "next_page_wrong_type"),
        (b'{"data": [], "next_page": false}', "next_page_wrong_type"),
        (b'{"data": [], "next_page": "\\ud800"}', "next_page_not_utf8"),
    ],
)
def test_what_is_no_page_is_a_value_with_a_reason(body: bytes, reason: str) -> None:
    """Each way of not being a page has its own word."""
    assert read_page(body) == Unreadable(reason)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "strange",
    [b'"\\ud800"', b"1" + b"0" * 5_000, b'{"a": 1, "a": 2}', b"[" * 2_000 + b"]" * 2_000, b'"\xff"'],
)
def test_a_strange_value_in_one_entry_does_not_end_a_walk(strange: bytes) -> None:
    """A lone surrogate, a huge integer, a duplicate key, deep nesting, a byte that is no UTF-8: the token is read."""
    assert readable(b'{"data": [' + strange + b'], "next_page": "t"}').next_page == "t"


def test_the_last_of_two_tokens_counts() -> None:
    """Of a duplicate `next_page` the last one leads on."""
    assert readable(b'{"data": [], "next_page": "a", "next_page": "b"}').next_page == "b"


def test_a_directory_page_without_a_token_ends_unless_it_says_that_there_is_more() -> None:
    """`has_more` without a token is no page: the walk would end as a silent part."""
    assert isinstance(read_directory_page(b'{"data": [], "has_more": false}'), Page)
    assert isinstance(read_directory_page(b'{"data": [], "has_more": true, "next_page": "t"}'), Page)
    assert read_directory_page(b'{"data": [], "has_more": true}') == Unreadable("cursor_missing")
    assert read_directory_page(b"[]") == Unreadable("not_an_object")


@pytest.mark.parametrize(("coding", "reason"), [("br", "content_encoding"), ("gzip", "decompression_failed")])
def test_a_page_that_cannot_be_expanded_is_unreadable(coding: str, reason: str) -> None:
    """The reason is that of the answer, told apart from bad JSON."""
    assert read_page(b'{"data": []}', coding) == Unreadable(reason)  # type: ignore[arg-type]
