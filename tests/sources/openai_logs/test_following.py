"""Two requests as one attempt: the key goes to the source alone, and the address is told to nobody."""

import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from agentaudit.demo.faults import CloseBeforeAnswer, Endless, ShortBy, Stall
from agentaudit.demo.wire import WireResponse
from agentaudit.model.attempt import Attempted
from agentaudit.model.base import Unset, digest_of
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Answer, Ask, Failure, FailureCode, Request
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.compliance.transport import HttpTransport
from agentaudit.sources.openai_logs.following import FollowingConnection, FollowingTransport
from agentaudit.sources.openai_logs.requests import request_headers
from tests.support.openai_logs import WORKSPACE, Platform, record, served

LOGS = f"/v1/compliance/workspaces/{WORKSPACE}/logs"
LIMITS = ReadLimits(connect_ms=400, read_ms=400, answer_ms=2_000, file_max_bytes=100_000)


def _platform() -> Platform:
    platform = Platform()
    platform.add(record(1))
    platform.add(record(2))
    return platform


@contextmanager
def _connected(platform: Platform) -> Iterator[FollowingConnection]:
    with served(platform) as url:
        source = HttpTransport(
            api_root=url,
            key=Key(platform.secret),
            limits=LIMITS,
            headers=request_headers("0.1.0"),
            now=lambda: datetime.now(UTC),
            monotonic_ms=lambda: int(monotonic() * 1000),
            key_header="authorization",
            key_prefix="Bearer ",
        )
        connection = FollowingTransport(source).connect()
        try:
            yield connection
        finally:
            connection.close()


def _ask(identity: str = "eclf_0001", *, sent_on: bool = True) -> Ask:
    return Ask("openai-logs/files/f000001", 1, Request(f"{LOGS}/{identity}"), sent_on=sent_on, file=True)


def _attempt(platform: Platform, ask: Ask | None = None) -> Attempted:
    with _connected(platform) as connection:
        return connection.attempt(ask or _ask(), 1)


def _is_silent(attempted: Attempted, platform: Platform) -> bool:
    """Whether nothing that is handed on holds a signature."""
    told = msgspec.json.encode(attempted.exchange).decode() + repr(attempted.outcome)
    return not any(signature[:40] in told for signature in platform.signatures)


def test_a_file_comes_from_where_the_source_sends_on() -> None:
    """Its bytes are those of the store; the exchange is the question to the source."""
    platform = _platform()
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Answer)
    assert tried.body == platform.files[0].body
    assert tried.exchange.url.endswith(f"{LOGS}/eclf_0001")
    assert (tried.exchange.status, tried.exchange.request_id) == (200, "req-2")
    sent_on = tried.exchange.sent_on
    assert not isinstance(sent_on, Unset)
    assert (sent_on.status, sent_on.host) == (307, "127.0.0.1")
    assert sent_on.peer != tried.exchange.peer


def test_the_key_goes_to_the_source_alone() -> None:
    """The store is asked for nothing but the file, with no credential of any kind."""
    platform = _platform()
    _attempt(platform)
    assert platform.requests[0].header("authorization") == f"Bearer {platform.secret}"
    (asked,) = platform.store_requests
    assert {name for name, _ in asked.headers} == {"host", "accept", "accept-encoding", "user-agent"}
    assert platform.secret not in repr(asked)


def test_the_address_is_sent_as_it_was_signed_and_told_to_nobody() -> None:
    """Headers that repeat it, the source's and the store's, are digests."""
    platform = _platform()
    tried = _attempt(platform)
    assert platform.store_requests[0].target.endswith(f"&sig={platform.signatures[0]}")
    assert _is_silent(tried, platform)
    assert dict(tried.exchange.headers)["x-store-request"].startswith("sha256:")
    assert not isinstance(tried.exchange.sent_on, Unset)
    named = dict(tried.exchange.sent_on.headers)
    assert "location" not in named
    assert named["link"].startswith("sha256:")


def test_one_connection_serves_many_files_and_another_place_has_its_own() -> None:
    """The signatures differ, the place does not; then it does."""
    platform = _platform()
    with _connected(platform) as connection:
        for identity in ("eclf_0001", "eclf_0002"):
            assert isinstance(connection.attempt(_ask(identity), 1).outcome, Answer)
        platform.store_url = platform.store_url.replace("127.0.0.1", "localhost")
        tried = connection.attempt(_ask(), 1)
    assert isinstance(tried.outcome, Answer)
    assert [request.header("host") is not None for request in platform.store_requests] == [True] * 3


def test_an_answer_without_a_second_place_is_the_answer() -> None:
    """A source that gives the file itself is taken as it is."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(200, (), b"{}\n")
    tried = _attempt(platform)
    assert (tried.body, tried.exchange.sent_on) == (b"{}\n", msgspec.UNSET)
    assert platform.store_requests == []


def test_a_location_beside_a_page_is_taken_out() -> None:
    """It leads nowhere, and is told to nobody."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(200, (("location", platform.sign("eclf_0001")),), b"{}")
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Answer)
    assert _is_silent(tried, platform)
    assert platform.store_requests == []


@pytest.mark.parametrize("status", [301, 302, 303, 308])
def test_another_redirect_is_not_followed(status: int) -> None:
    """The documented one is a 307."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(status, (("location", platform.sign("eclf_0001")),), b"moved")
    tried = _attempt(platform)
    assert tried.outcome == Failure("redirect", status, 5)
    assert tried.body == b""
    assert _is_silent(tried, platform)
    assert platform.store_requests == []


def test_a_list_is_never_sent_on() -> None:
    """Only a question for a file says that it may be."""
    platform = _platform()
    tried = _attempt(platform, _ask(sent_on=False))
    assert isinstance(tried.outcome, Failure)
    assert tried.outcome.code == "redirect"
    assert _is_silent(tried, platform)
    assert platform.store_requests == []


@pytest.mark.parametrize(
    "location", ["https://store.example.net/a?sig=" + "s" * 40, "/relative", "http://10.0.0.1/a", ""]
)
def test_an_address_that_may_not_be_asked_is_not_asked(location: str) -> None:
    """Nothing leaves this machine for a source that is on it."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(307, (("location", location), ("x-note", "kept")), b"")
    tried = _attempt(platform)
    assert tried.outcome == Failure("redirect", 307, 0)
    assert ("x-note", "kept") in tried.exchange.headers
    assert platform.store_requests == []


def test_two_addresses_are_none() -> None:
    """Which one is meant cannot be known."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(
        307, (("location", platform.sign("eclf_0001")), ("location", platform.sign("eclf_0002"))), b""
    )
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Failure)
    assert platform.store_requests == []
    assert _is_silent(tried, platform)


def test_an_address_that_holds_the_key_is_not_asked() -> None:
    """A source that writes the key into the address would send it elsewhere."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(
        307, (("location", f"{platform.store_url}/a?token={platform.secret}"),), b""
    )
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Failure)
    assert platform.store_requests == []


def test_a_body_that_holds_the_key_is_no_redirect() -> None:
    """The failure is that of the echoed key."""
    platform = _platform()
    echo = WireResponse(307, (("location", "x"),), platform.secret.encode())
    platform.during = lambda _request: echo
    assert _attempt(platform).outcome == Failure("key_echoed", 307, 0)


def test_an_ended_address_is_refused_without_a_word_of_the_store() -> None:
    """Its error page repeats what was signed: neither page nor headers are handed on."""
    platform = _platform()
    platform.during = lambda _request: WireResponse(307, (("location", platform.sign("eclf_0001") + "x"),), b"")
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Failure)
    assert (tried.outcome.code, tried.outcome.status) == ("address_refused", 403)
    assert tried.body == b""
    assert tried.exchange.status == 403
    assert _is_silent(tried, platform)


def test_a_second_redirect_is_not_followed() -> None:
    """A store that sends on is no store."""
    platform = _platform()
    platform.during_store = lambda _request: WireResponse(302, (("location", platform.sign("eclf_0002")),), b"")
    tried = _attempt(platform)
    assert tried.outcome == Failure("redirect", 302, 0)
    assert len(platform.store_requests) == 1
    assert _is_silent(tried, platform)


@pytest.mark.parametrize("what", ["key", "address"])
def test_a_file_that_holds_the_secret_is_not_kept(what: str) -> None:
    """Of all that a source may send this alone is not kept, and it is a failure that says so."""
    platform = _platform()
    platform.during_store = lambda request: WireResponse(
        200, (), f"x {platform.secret if what == 'key' else request.target} y".encode()
    )
    tried = _attempt(platform)
    assert tried.outcome == Failure("key_echoed", 200)
    assert tried.body == b""


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (WireResponse(200, (), b"x" * 50, CloseBeforeAnswer()), "reset"),
        (WireResponse(200, (), b"x" * 50, ShortBy(10)), "short_body"),
        (WireResponse(200, (), b"x" * 50, Stall(10, 1.0)), "timeout"),
        (WireResponse(200, (), b"", Endless(10_000_000)), "body_over_limit"),
    ],
)
def test_what_goes_wrong_at_the_store_is_a_failure(answer: WireResponse, code: FailureCode) -> None:
    """Nothing of what came is handed on."""
    platform = _platform()
    platform.during_store = lambda _request: answer
    tried = _attempt(platform)
    assert isinstance(tried.outcome, Failure)
    assert (tried.outcome.code, tried.body) == (code, b"")
    assert _is_silent(tried, platform)


def test_a_store_that_is_not_there_is_not_reached() -> None:
    """The exchange still says where the source sent the question."""
    platform = _platform()
    with _connected(platform) as connection:
        platform.store_url = "http://127.0.0.1:9"
        tried = connection.attempt(_ask(), 1)
    assert isinstance(tried.outcome, Failure)
    assert tried.outcome.code == "connect"
    assert not isinstance(tried.exchange.sent_on, Unset)
    assert tried.exchange.status is None


class _Place(BaseHTTPRequestHandler):
    """A source that sends on where it is told where to, and a store otherwise."""

    moved_to = ""
    asked: list[str | None]

    def do_GET(self) -> None:
        self.asked.append(self.headers.get("authorization"))
        self.send_response(307 if self.moved_to else 200)
        if self.moved_to:
            self.send_header("Location", self.moved_to)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@contextmanager
def _tls_place(folder: Path, moved_to: str = "") -> Iterator[tuple[str, Path, type[_Place]]]:
    """Address, certificate and handler of a place with a certificate of its own."""
    folder.mkdir()
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={folder.name}",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(secret), "-out", str(certificate)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    place = type("Place", (_Place,), {"moved_to": moved_to, "asked": []})
    server = HTTPServer(("127.0.0.1", 0), place)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}", certificate, place
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_both_places_are_verified_and_their_certificates_recorded(tmp_path: Path) -> None:
    """The same authorities count for both; each place's certificate is a fact, and the key goes to the first alone."""
    with (
        _tls_place(tmp_path / "store") as (store_url, store_authority, store),
        _tls_place(tmp_path / "source", f"{store_url}/a?sig=" + "s" * 40) as (url, authority, source),
    ):
        both = tmp_path / "both.pem"
        both.write_bytes(authority.read_bytes() + store_authority.read_bytes())
        outcomes = [_tls_attempt(url, chosen) for chosen in (both, authority)]
    tried, untrusted = outcomes
    assert isinstance(tried.outcome, Answer)
    assert tried.certificate is not None
    assert tried.first_certificate is not None
    assert not isinstance(tried.exchange.sent_on, Unset)
    assert tried.exchange.tls is not None
    assert tried.exchange.sent_on.tls is not None
    assert tried.exchange.tls.certificate_sha256 == digest_of(tried.certificate)
    assert tried.exchange.sent_on.tls.certificate_sha256 == digest_of(tried.first_certificate)
    assert tried.certificate != tried.first_certificate
    assert untrusted.outcome == Failure("tls", None, 0)
    assert (source.asked, store.asked) == (["Bearer " + "k" * 20] * 2, [None])


def _tls_attempt(url: str, authorities: Path) -> Attempted:
    source = HttpTransport(
        api_root=url,
        key=Key("k" * 20),
        limits=LIMITS,
        headers=request_headers("0.1.0"),
        now=lambda: datetime.now(UTC),
        monotonic_ms=lambda: int(monotonic() * 1000),
        key_header="authorization",
        key_prefix="Bearer ",
        ca_file=authorities,
    )
    connection = FollowingTransport(source).connect()
    try:
        return connection.attempt(_ask(), 1)
    finally:
        connection.close()
