"""One attempt at one GET, against a world on a real loopback socket."""

import logging
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from time import monotonic

import pytest

from agentaudit.demo.faults import (
    CloseBeforeAnswer,
    Drip,
    Endless,
    Fault,
    ResetAfter,
    ShortBy,
    Stall,
    WrongLength,
)
from agentaudit.demo.scenario import demo_world
from agentaudit.demo.server import LoopbackServer
from agentaudit.demo.world import World
from agentaudit.model.attempt import Attempted
from agentaudit.model.base import digest_of
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Answer, Ask, Failure, Request
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.compliance.peer import clock_of, file_digest, ssl_context
from agentaudit.sources.compliance.transport import HttpTransport, request_headers

LIST = "/v1/compliance/apps/sessions/local"


def _now() -> datetime:
    return datetime.now(UTC)


def _transport(url: str, key: str, limits: ReadLimits | None = None, ca_file: Path | None = None) -> HttpTransport:
    return HttpTransport(
        api_root=url,
        key=Key(key),
        limits=limits or ReadLimits(read_ms=400, connect_ms=400, answer_ms=800, body_max_bytes=100_000),
        headers=request_headers("0.1.0"),
        now=_now,
        monotonic_ms=lambda: int(monotonic() * 1000),
        ca_file=ca_file,
    )


def _attempt(world: World, ask: Ask | None = None, limits: ReadLimits | None = None) -> Attempted:
    with LoopbackServer(world) as server:
        connection = _transport(server.url, world.key(), limits).connect()
        try:
            return connection.attempt(ask or Ask("w", 1, Request(LIST, (("limit", "5"),))), 1)
        finally:
            connection.close()


def test_the_body_is_kept_as_it_travelled() -> None:
    """The bytes are those of the wire, and identity was asked for with the version and the key in their headers."""
    world = demo_world(_now)
    tried = _attempt(world)
    assert isinstance(tried.outcome, Answer)
    assert tried.outcome.body.startswith(b'{"')
    headers = dict(world.requests[-1].headers)
    assert headers["accept-encoding"] == "identity"
    assert headers["anthropic-version"] == "2023-06-01"
    assert world.requests[-1].method == "GET"


def test_an_unasked_encoding_is_not_decoded() -> None:
    """A body that comes compressed although identity was asked is kept compressed."""
    world = demo_world(_now)
    world.gzip_next()
    tried = _attempt(world)
    assert tried.body.startswith(b"\x1f\x8b")
    assert ("content-encoding", "gzip") in [(k.lower(), v) for k, v in tried.exchange.headers]


def test_every_fact_of_the_exchange_is_recorded() -> None:
    """Query, attempt, status, request-id, rate-limit headers, server date, clock and peer are there."""
    tried = _attempt(demo_world(_now), Ask("w", 1, Request(LIST, (("limit", "5"),)), cursor=None))
    exchange = tried.exchange
    assert (exchange.method, exchange.query, exchange.attempt, exchange.status) == ("GET", (("limit", "5"),), 1, 200)
    assert exchange.url.endswith(LIST)
    assert exchange.request_id
    assert exchange.request_id.startswith("req_")
    assert exchange.server_date is not None
    assert exchange.clock is not None
    assert abs(exchange.clock.offset_ms) < 5_000
    assert exchange.peer is not None
    assert exchange.peer.startswith("127.0.0.1:")
    assert exchange.tls is None
    assert any(name.lower() == "anthropic-ratelimit-requests-remaining" for name, _ in exchange.headers)


def test_a_clock_an_hour_off_shows() -> None:
    """The server's date against ours gives the offset, with its bound."""
    world = demo_world(_now)
    world.clock_skew(3600)
    clock = _attempt(world).exchange.clock
    assert clock is not None
    assert abs(clock.offset_ms - 3_600_000) < 5_000
    assert clock.bound_ms >= 500


@pytest.mark.parametrize("date", [None, "yesterday", "Mon, 02 Mar 2026 09:00:00 -0000"])
def test_a_date_that_is_none_gives_no_offset(date: str | None) -> None:
    """Without a date, or with one that names no zone, the clock is not compared."""
    assert clock_of(date, datetime(2026, 3, 2, 9, tzinfo=UTC), 10) is None


def test_the_offset_is_taken_at_the_midpoint() -> None:
    """Date plus half a second, less the midpoint of the request; the bound is half the round trip and half a second."""
    clock = clock_of("Mon, 02 Mar 2026 09:00:10 GMT", datetime(2026, 3, 2, 9, tzinfo=UTC), 3_000)
    assert clock is not None
    assert (clock.offset_ms, clock.bound_ms) == (9_000, 2_000)


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (ResetAfter(10), "reset"),
        (ShortBy(5), "short_body"),
        (WrongLength(7), "short_body"),
        (CloseBeforeAnswer(), "reset"),
        (Stall(10, 1.5), "timeout"),
        (Endless(10_000_000), "body_over_limit"),
        (Drip(1, 0.2), "deadline"),
    ],
)
def test_each_break_of_the_wire_has_its_word(fault: Fault, code: str) -> None:
    """Resets, short bodies, stalls, drips and endless bodies end as coded failures, in bounded time and memory."""
    world = demo_world(_now)
    world.fault_next(fault)
    tried = _attempt(world)
    assert isinstance(tried.outcome, Failure)
    assert tried.outcome.code == code
    assert len(tried.body) < 300_000


@pytest.mark.parametrize(
    ("file", "status", "code"), [(True, 200, "body_over_limit"), (False, 200, None), (True, 404, None)]
)
def test_a_file_has_a_bound_of_its_own(file: bool, status: int, code: str | None) -> None:
    """So many bytes of a file are taken in and no more; it bounds no page, and no error in a file's place."""
    world = demo_world(_now)
    world.fail_next(status, body=b"x" * 1_000)
    limits = ReadLimits(read_ms=400, connect_ms=400, answer_ms=800, body_max_bytes=100_000, file_max_bytes=10)
    outcome = _attempt(world, Ask("w", 1, Request("/v1/x"), file=file), limits).outcome
    assert (outcome.code if isinstance(outcome, Failure) else None) == code


def test_a_body_longer_than_announced_is_cut_by_http_itself() -> None:
    """When more comes than was announced, only the announced bytes belong to the answer."""
    world = demo_world(_now)
    world.fault_next(WrongLength(-7))
    tried = _attempt(world)
    assert isinstance(tried.outcome, Answer)
    assert not tried.outcome.body.endswith(b"}")


def test_a_redirect_is_never_followed() -> None:
    """A redirect is a failure; the key goes nowhere else."""
    world, other = demo_world(_now), demo_world(_now)
    with LoopbackServer(other) as elsewhere:
        world.redirect_next(elsewhere.url + LIST)
        tried = _attempt(world)
    assert tried.outcome == Failure("redirect", 302, len(tried.body))
    assert other.requests == []


def test_nobody_listening_is_a_connect_failure() -> None:
    """A refused connection is a failure without a status."""
    with LoopbackServer(demo_world(_now)) as server:
        url = server.url
    tried = _transport(url, "x").connect().attempt(Ask("w", 1, Request(LIST)), 1)
    assert tried.outcome == Failure("connect", None, 0)
    assert tried.exchange.status is None


def test_an_echoed_key_is_kept_nowhere() -> None:
    """A server that sends the key back, in a body or a header, does not get it stored."""
    world = demo_world(_now)
    key = world.key()
    world.fail_next(400, message=f"bad key {key}", headers=(("x-echo", key), ("Set-Cookie", "session=1")))
    tried = _attempt(world)
    assert isinstance(tried.outcome, Failure)
    assert tried.outcome.code == "key_echoed"
    assert tried.body == b""
    assert key not in repr(tried)
    assert ("set-cookie", digest_of(b"session=1")) in [(k.lower(), v) for k, v in tried.exchange.headers]


def test_ids_travel_percent_encoded() -> None:
    """A path segment that was encoded once arrives as it was meant."""
    world = demo_world(_now)
    _attempt(
        world, Ask("w", 1, Request(f"{LIST}/clls_a%2Bb%2F%3D%3D", (("created_at.gte", "2026-01-01T00:00:00+00:00"),)))
    )
    assert world.requests[-1].path_segments[-1] == "clls_a+b/=="
    assert dict(world.requests[-1].query)["created_at.gte"] == "2026-01-01T00:00:00+00:00"


def test_the_libraries_do_not_log_addresses() -> None:
    """Httpx would log full URLs at INFO; it is silenced."""
    _attempt(demo_world(_now))
    assert logging.getLogger("httpx").getEffectiveLevel() >= logging.WARNING


def test_the_environment_does_not_choose_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxy variables of the environment are not used."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    assert isinstance(_attempt(demo_world(_now)).outcome, Answer)


class _Quiet(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        pass


@contextmanager
def _tls_server(folder: Path, context: Callable[[Path, Path], ssl.SSLContext]) -> Iterator[tuple[str, Path]]:
    certificate, secret = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(secret), "-out", str(certificate)],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    server = HTTPServer(("127.0.0.1", 0), _Quiet)
    server.socket = context(certificate, secret).wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_port}", certificate
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _context(certificate: Path, secret: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, secret)
    return context


def test_tls_facts_and_the_certificate_are_recorded(tmp_path: Path) -> None:
    """Version, cipher and the peer's certificate are facts of the exchange."""
    with _tls_server(tmp_path, _context) as (url, authority):
        tried = _transport(url, "k" * 9, ca_file=authority).connect().attempt(Ask("w", 1, Request("/")), 1)
    assert isinstance(tried.outcome, Answer)
    assert tried.certificate is not None
    assert tried.exchange.tls is not None
    assert tried.exchange.tls.version.startswith("TLSv1.")
    assert tried.exchange.tls.certificate_sha256 == digest_of(tried.certificate)
    assert file_digest(authority) == digest_of(authority.read_bytes())


def test_an_unknown_authority_is_a_tls_failure(tmp_path: Path) -> None:
    """A certificate that no trusted authority signed ends the attempt before the key is sent."""
    with _tls_server(tmp_path, _context) as (url, _):
        tried = _transport(url, "k" * 9).connect().attempt(Ask("w", 1, Request("/")), 1)
    assert tried.outcome == Failure("tls", None, 0)


def test_the_environment_gets_no_secrets_of_a_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever holds a log of the TLS secrets reads the key in the traffic: no variable can ask for one."""
    log = tmp_path / "secrets"
    monkeypatch.setenv("SSLKEYLOGFILE", str(log))
    with _tls_server(tmp_path, _context) as (url, authority):
        tried = _transport(url, "k" * 9, ca_file=authority).connect().attempt(Ask("w", 1, Request("/")), 1)
    assert isinstance(tried.outcome, Answer)
    assert ssl_context(None).keylog_filename is None
    assert b"SECRET" not in (log.read_bytes() if log.exists() else b"")
