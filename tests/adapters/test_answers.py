"""One answer of an API: expanded within a bound, and the object that it is."""

import gzip
import zlib

import pytest

from agentaudit.adapters.answers import Unreadable, expand, read_object


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
    assert read_object(octets, coding) == Unreadable(reason)  # type: ignore[arg-type]


def test_expansion_is_bounded() -> None:
    """A bomb gives an unreadable page, and no more memory than the bound."""
    bomb = gzip.compress(b" " * 100_000, mtime=0)
    assert expand(bomb, "gzip", 99_999) == Unreadable("decompression_bound")
    assert expand(bomb, "gzip", 100_000) == b" " * 100_000
