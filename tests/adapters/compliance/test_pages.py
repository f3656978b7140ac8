"""Pages of the compliance API: what is one, where it leads, and what it cannot be."""

import gzip
import zlib

import pytest

from agentaudit.adapters.compliance.pages import (
    Page,
    Unreadable,
    expand,
    read_directory_page,
    read_object,
    read_page,
)


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


def test_a_bare_object_is_read_as_it_is() -> None:
    """Retrieve and settings have no envelope."""
    assert read_object(b'{"id": "x"}') == {"id": "x"}
    assert read_object(b"[1]") == Unreadable("not_an_object")


BODY = b'{"data": [1], "next_page": null}'


@pytest.mark.parametrize(
    ("octets", "coding"),
    [
        (BODY, None),
        (BODY, "identity"),
        (gzip.compress(BODY, mtime=0), "gzip"),
        (gzip.compress(BODY[:9], mtime=0) + gzip.compress(BODY[9:], mtime=0), " X-GZIP "),
        (zlib.compress(BODY), "deflate"),
        (zlib.compress(BODY)[2:-4], "deflate"),
    ],
)
def test_a_compressed_answer_is_expanded_though_nobody_asked_for_it(octets: bytes, coding: str | None) -> None:
    """Gzip in one member or two, zlib and raw deflate come out as the same bytes."""
    assert expand(octets, coding) == BODY


@pytest.mark.parametrize(
    ("octets", "coding", "reason"),
    [
        (BODY, "br", "content_encoding"),
        (BODY, "gzip, gzip", "content_encoding"),
        (BODY, "gzip", "decompression_failed"),
        (BODY, "deflate", "decompression_failed"),
        (gzip.compress(BODY, mtime=0)[:-6], "gzip", "decompression_failed"),
    ],
)
def test_what_cannot_be_expanded_is_unreadable(octets: bytes, coding: str, reason: str) -> None:
    """An unknown coding, a lie about it and a cut stream are told apart from bad JSON."""
    assert read_page(octets, coding) == Unreadable(reason)  # type: ignore[arg-type]
    assert read_object(octets, coding) == Unreadable(reason)  # type: ignore[arg-type]


def test_expansion_is_bounded() -> None:
    """A bomb gives an unreadable page, and no more memory than the bound."""
    bomb = gzip.compress(b" " * 100_000, mtime=0)
    assert expand(bomb, "gzip", 99_999) == Unreadable("decompression_bound")
    assert expand(bomb, "gzip", 100_000) == b" " * 100_000
