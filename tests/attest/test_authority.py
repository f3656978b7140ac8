"""Asking an authority over loopback."""

from collections.abc import Callable

import pytest

from agentaudit.attest import authority
from agentaudit.attest.authority import ask_authority
from agentaudit.errors import SourceRefused, SourceUnreachable, UsageFault
from tests.support.attesting import AuthorityServer


def test_one_post_with_the_request_and_nothing_else() -> None:
    """The body is the request, the type is RFC 3161's, and the answer comes back as it is."""
    with AuthorityServer(lambda body: b"re:" + body) as server:
        assert ask_authority(server.url, b"query") == b"re:query"
    ((headers, body),) = server.seen
    assert body == b"query"
    assert {name.lower(): word for name, word in headers.items()}["content-type"] == "application/timestamp-query"


def test_a_redirect_is_not_followed() -> None:
    """It is an answer of the wrong status."""
    with AuthorityServer(lambda _: b"") as other, AuthorityServer(lambda _: b"", 302, other.url) as server:
        with pytest.raises(SourceRefused, match="status 302"):
            ask_authority(server.url, b"query")
        assert other.seen == []


@pytest.mark.parametrize("status", [400, 404, 500])
def test_any_status_but_200_is_a_refusal(status: int) -> None:
    """Named by its number; the body is not shown."""
    with AuthorityServer(lambda _: b"secret", status) as server, pytest.raises(SourceRefused) as caught:
        ask_authority(server.url, b"query")
    assert str(status) in caught.value.message
    assert "secret" not in caught.value.message


def test_an_endless_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer larger than any time stamp is refused."""
    monkeypatch.setattr(authority, "ANSWER_MAX", 99)
    with AuthorityServer(lambda _: bytes(100)) as server, pytest.raises(SourceRefused, match="too much"):
        ask_authority(server.url, b"query")


def test_what_cannot_be_reached_says_how_to_do_without() -> None:
    """A closed port is status 6, and the way by hand is named."""
    with AuthorityServer(lambda _: b"") as server:
        url = server.url
    with pytest.raises(SourceUnreachable) as caught:
        ask_authority(url, b"query")
    assert "--request-only" in caught.value.hint


@pytest.mark.parametrize("url", ["", "ftp://a.example/", "http://", "http://user@a.example/", "http://[", "a.example"])
def test_what_is_no_address_is_refused(url: str) -> None:
    """Only http and https, and never with a user in it."""
    ask: Callable[[str, bytes], bytes] = ask_authority
    with pytest.raises(UsageFault):
        ask(url, b"query")
