"""The bytes of stored things against what is stated of them: each rule, and each way in which it says no."""

import base64
import gzip
import json
from hashlib import md5

import pytest

from agentaudit.adapters.compliance.naming import Thing
from agentaudit.adapters.compliance.stored import Doubt, Stated, judge, read_stated
from agentaudit.encoding.foreign import Json
from agentaudit.model.headers import Headers

BODY = b"the bytes"
DIGEST = md5(BODY, usedforsecurity=False).digest()
OTHER = md5(b"others", usedforsecurity=False).digest()
SIZED = Stated(len(BODY), DIGEST)


def head(digest: bytes) -> Headers:
    """An answer's `Content-MD5`."""
    return (("Content-MD5", base64.b64encode(digest).decode()),)


@pytest.mark.parametrize(
    ("headers", "stated", "doubts", "faulty"),
    [
        (head(DIGEST), SIZED, (), False),
        (head(DIGEST), Stated(), (), False),
        (head(DIGEST), Stated(1, OTHER), ("md5_differs", "size_differs"), False),
        (head(OTHER), SIZED, ("content_md5_differs",), True),
        ((), SIZED, (), False),
        ((), Stated(1, DIGEST), ("size_differs",), False),
        ((), Stated(len(BODY), OTHER), ("md5_differs",), True),
        ((), Stated(len(BODY)), ("no_digest",), False),
        ((), Stated(1), ("size_differs", "no_digest"), True),
        ((), Stated(), ("no_digest",), False),
        ((("content-md5", "?"),), SIZED, ("content_md5_malformed",), False),
        ((("content-md5", "YQ=="),), Stated(), ("content_md5_malformed", "no_digest"), False),
    ],
)
def test_the_head_wins_over_the_metadata_and_a_digest_over_a_size(
    headers: Headers, stated: Stated, doubts: tuple[Doubt, ...], faulty: bool
) -> None:
    """What is doubted is listed; what makes the bytes faulty is decided by the best proof that there is."""
    verdict = judge("file", BODY, headers, stated)
    assert (verdict.doubts, verdict.is_faulty) == (doubts, faulty)


@pytest.mark.parametrize("of", [BODY, None])
def test_a_digest_may_be_over_the_travelled_or_the_expanded_bytes(of: bytes | None) -> None:
    """An encoding that nobody asked for is tried both ways; one that cannot be undone leaves the bytes as they came."""
    packed = gzip.compress(BODY, mtime=0)
    digest = md5(of or packed, usedforsecurity=False).digest()
    encoded = (*head(digest), ("content-encoding", "gzip"))
    assert judge("file", packed, encoded, Stated()).doubts == ()
    assert judge("file", packed, (*head(digest), ("content-encoding", "br")), Stated()).is_faulty is (of is not None)


def in_json(text: object) -> bytes:
    """A text as it travels inside JSON."""
    return json.dumps({"id": "x", "content": text}).encode()


@pytest.mark.parametrize(
    ("thing", "body", "faulty"),
    [
        ("document", in_json("the bytes"), False),
        ("document", in_json("others"), True),
        ("artifact", in_json("the bytes"), False),
        ("artifact", BODY, False),
        ("artifact", b"others", True),
        ("file", in_json("the bytes"), True),
    ],
)
def test_a_text_in_json_counts_where_it_may(thing: Thing, body: bytes, faulty: bool) -> None:
    """A document's statements are over its text, an artifact's over its text either way, a file's over its bytes."""
    assert judge(thing, body, (), SIZED).is_faulty is faulty


@pytest.mark.parametrize("body", [b"no json", b"[]", in_json(None), b"{}"])
def test_a_document_without_text_is_faulty(body: bytes) -> None:
    """Even when its head's digest agrees."""
    digest = md5(body, usedforsecurity=False).digest()
    verdict = judge("document", body, head(digest), Stated())
    assert (verdict.doubts, verdict.is_faulty) == (("no_text",), True)


def test_a_lone_surrogate_in_a_text_is_text() -> None:
    """UTF-8 has no form for it: the usual three bytes stand for it, and nothing breaks."""
    assert judge("document", b'{"content":"\\ud800"}', (), Stated(3)).doubts == ("no_digest",)


def test_only_numbers_and_digests_are_statements() -> None:
    """What cannot be compared counts as not said."""
    assert read_stated({"size_bytes": 9, "md5": DIGEST.hex().upper()}) == SIZED
    odd: tuple[Json, ...] = (
        None,
        [],
        {"size_bytes": True, "md5": 5},
        {"size_bytes": -1, "md5": "zz" * 16},
        {"size_bytes": 2**60},
    )
    assert {read_stated(one) for one in odd} == {Stated()}
    assert read_stated({"md5": "ab"}) == Stated()
