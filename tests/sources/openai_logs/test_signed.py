"""Which addresses may be asked, and what is told of them."""

import pytest

from agentaudit.model.base import digest_of
from agentaudit.sources.openai_logs.signed import ADDRESS_MAX, SignedAddress, signed_address

VENDOR = "https://api.chatgpt.com"
LOCAL = "http://127.0.0.1:8000"
SIGNATURE = "a" * 20 + "%2B" + "b" * 20
GOOD = f"https://store.example.net/container/eclf_1.jsonl?sp=r&sig={SIGNATURE}"


def _address() -> SignedAddress:
    found = signed_address(GOOD, VENDOR)
    assert found is not None
    return found


def test_an_address_is_sent_as_it_was_given() -> None:
    """A signature is over the very bytes: nothing of it is decoded or encoded again."""
    found = _address()
    assert (found.root, found.host) == ("https://store.example.net", "store.example.net")
    assert found.target == f"/container/eclf_1.jsonl?sp=r&sig={SIGNATURE}"


def test_only_host_and_a_digest_of_the_path_are_told() -> None:
    """Neither repr nor str nor format shows more."""
    found = _address()
    assert found.path_sha256 == digest_of(b"/container/eclf_1.jsonl")
    for told in (repr(found), str(found), f"{found}"):
        assert told == "SignedAddress(store.example.net)"


@pytest.mark.parametrize(
    ("text", "is_there"),
    [
        (f"see {GOOD}", True),
        (f"sig={SIGNATURE}", True),
        ("a" * 20 + "+" + "b" * 20, True),
        ("/container/eclf_1.jsonl", True),
        ("sp=r", False),
        ("application/octet-stream", False),
    ],
)
def test_a_part_of_the_address_is_known_in_a_text(text: str, *, is_there: bool) -> None:
    """Whole, its query, its long values, decoded or not; a short value stands anywhere and says nothing."""
    assert _address().is_in(text) is is_there


def test_a_body_is_searched_for_the_query_as_a_whole() -> None:
    """A query too short to be told from chance is not searched for."""
    assert _address().query_is_in(GOOD.encode())
    assert not _address().query_is_in(b"sp=r")
    short = signed_address("https://store.example.net/a?b=c", VENDOR)
    assert short is not None
    assert not short.query_is_in(b"b=c")


@pytest.mark.parametrize(
    "location",
    [
        "/container/eclf_1.jsonl",
        "//store.example.net/a",
        "http://store.example.net/a",
        "ftp://store.example.net/a",
        "https://store.example.net:8443/a",
        "https://user:word@store.example.net/a",
        "https://store.example.net/a#part",
        "https://store.example.net\\@other.example/a",
        "https://store.example.net/a b",
        "https://store.example.net/\u00e9",
        "https://store.example.net/a\r\nx: y",
        "https://store.example.net:x/a",
        "https://[::1/a",
        "https://127.0.0.1/a",
        "https://[::1]/a",
        "https://2130706433/a",
        "https://0x7f.1/a",
        "https://169.254.169.254/latest",
        "https://localhost/a",
        "https://store/a",
        "https://store.internal/a",
        "https://printer.local/a",
        "https://api.localhost/a",
        "https:///a",
        "https://store.example.net/" + "a" * ADDRESS_MAX,
        "",
    ],
)
def test_what_is_no_address_of_a_store_is_not_asked(location: str) -> None:
    """Relative, unencrypted, at a port or a number, inside a network, or of another form."""
    assert signed_address(location, VENDOR) is None


@pytest.mark.parametrize("location", ["https://store.example.net", "https://STORE.example.net:443/a?"])
def test_an_address_without_a_path_or_with_the_default_port_is_one(location: str) -> None:
    """Its target begins with a slash, and an empty query is none."""
    found = signed_address(location, VENDOR)
    assert found is not None
    assert found.target in ("/", "/a")
    assert found.host == "store.example.net"


@pytest.mark.parametrize(
    ("location", "is_one"),
    [
        ("http://127.0.0.1:9/a", True),
        ("http://localhost:9/a", True),
        ("https://[::1]:9/a", True),
        ("ftp://127.0.0.1/a", False),
        (GOOD, False),
        ("http://10.0.0.1/a", False),
    ],
)
def test_a_source_on_this_machine_names_this_machine(location: str, *, is_one: bool) -> None:
    """A synthetic source sends nobody into a network."""
    assert (signed_address(location, LOCAL) is not None) is is_one
