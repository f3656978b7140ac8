"""One attempt at one GET over httpx: the answer's bytes as they travelled, and every fact about the exchange.

- Only GET is ever sent, to one root, with one key; redirects are never followed, cookies never sent back, proxies
  and netrc of the environment never used.
- `Accept-Encoding: identity` is sent; whatever came back is kept as it travelled.
- A body is bounded in bytes and in time; a key that the server echoes is kept nowhere.
- The transport never retries and never interprets: the policy does.
"""

import logging
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from hashlib import sha256
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import Protocol, runtime_checkable
from urllib.parse import quote, urlencode

import httpx

from agentaudit.adapters.compliance.pages import expand
from agentaudit.model.attempt import Attempted
from agentaudit.model.base import digest_of, instant_of
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import Clock, Exchange, Tls
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Answer, Ask, Failure, FailureCode
from agentaudit.sources.compliance.keys import Key

VERSION_HEADER = ("anthropic-version", "2023-06-01")
_REDIRECTS = range(300, 400)


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """How to reach the source; `headers` are sent with every request and recorded, the key is not among them.

    The key travels in `key_header`, behind `key_prefix`.
    """

    api_root: str
    key: Key
    limits: ReadLimits
    headers: tuple[tuple[str, str], ...]
    now: Callable[[], datetime]
    monotonic_ms: Callable[[], int]
    key_header: str = "x-api-key"
    key_prefix: str = ""
    ca_file: Path | None = None
    proxy: str | None = None
    _context: list[ssl.SSLContext] = field(default_factory=list)

    def connect(self) -> "HttpConnection":
        """A new connection with its own pool of one; nothing is sent yet."""
        for name in ("httpx", "httpcore"):  # they log full URLs, session ids and cursors included, at INFO
            logging.getLogger(name).setLevel(logging.WARNING)
        if not self._context:
            self._context.append(ssl_context(self.ca_file))
        millis = self.limits
        client = httpx.Client(
            headers=[*self.headers, (self.key_header, self.key_prefix + self.key.reveal())],
            timeout=httpx.Timeout(millis.read_ms / 1000, connect=millis.connect_ms / 1000),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
            verify=self._context[0],
            proxy=self.proxy,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
            follow_redirects=False,
        )
        return HttpConnection(client, self)


def ssl_context(ca_file: Path | None) -> ssl.SSLContext:
    """TLS verification as httpx does it, or against the given authorities only; TLS 1.2 at least."""
    context = ssl.create_default_context(cafile=str(ca_file)) if ca_file else httpx.create_ssl_context(trust_env=False)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # The interpreter takes SSLKEYLOGFILE from the environment; with such a log the key can be read in the traffic.
    context.keylog_filename = None  # type: ignore[assignment] # the stubs know no None; the interpreter does
    return context


def request_headers(version: str) -> Headers:
    """The headers of every request, the key excepted (compliance reference, section 1)."""
    return (
        ("accept", "application/json"),
        ("accept-encoding", "identity"),
        VERSION_HEADER,
        ("user-agent", f"agentaudit/{version}"),
    )


@dataclass(slots=True)
class _Heard:
    """What has come so far of one answer."""

    asked_at: datetime
    asked_ms: int
    headed_ms: int = 0
    response: httpx.Response | None = None
    body: bytearray = field(default_factory=bytearray)
    peer: str | None = None
    tls: Tls | None = None
    certificate: bytes | None = None


class HttpConnection:
    """One connection, used by one thread."""

    def __init__(self, client: httpx.Client, transport: HttpTransport) -> None:
        """Take over a client."""
        self._client = client
        self._by = transport

    def close(self) -> None:
        """Close the client's pool."""
        self._client.close()

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """One GET; every failure of the network is a `Failure`, and what came before it is counted."""
        url = self._by.api_root + ask.request.path
        query = urlencode(ask.request.query, quote_via=quote, safe="")
        heard = _Heard(self._by.now(), self._by.monotonic_ms())
        code = self._hear(f"{url}?{query}" if query else url, heard)
        body = bytes(heard.body)
        if self._echoes(body, heard):
            code, body = "key_echoed", b""
        status = heard.response.status_code if heard.response is not None else None
        outcome: Answer | Failure
        if code is not None or status is None:
            outcome = Failure(code or "protocol", status, len(body))
        else:
            outcome = Answer(status, self._headers(heard), body)
        return Attempted(self._exchange(url, ask, attempt, heard), outcome, body, heard.certificate)

    def _hear(self, url: str, heard: _Heard) -> FailureCode | None:
        try:
            with self._client.stream("GET", url) as response:
                heard.headed_ms = self._by.monotonic_ms()
                heard.response = response
                _peer(response, heard)
                return self._body(response.iter_raw(), response.status_code, heard)
        except httpx.TransportError as error:
            return _failure(error, heard)

    def _body(self, chunks: Iterator[bytes], status: int, heard: _Heard) -> FailureCode | None:
        limits = self._by.limits
        for chunk in chunks:
            heard.body += chunk
            if len(heard.body) > limits.body_max_bytes:
                return "body_over_limit"
            if self._by.monotonic_ms() - heard.asked_ms > limits.answer_ms:
                return "deadline"
        return "redirect" if status in _REDIRECTS else None

    def _echoes(self, body: bytes, heard: _Heard) -> bool:
        """True when the key stands in the bytes, or in what they expand to where they came compressed."""
        if self._by.key.appears_in(body):
            return True
        plain = expand(body, header(self._headers(heard), "content-encoding"))
        return isinstance(plain, bytes) and self._by.key.appears_in(plain)

    def _headers(self, heard: _Heard) -> Headers:
        if heard.response is None:
            return ()
        pairs = ((k.decode("latin-1"), v.decode("latin-1")) for k, v in heard.response.headers.raw)
        return tuple((name, self._harmless(name, text)) for name, text in pairs)

    def _harmless(self, name: str, text: str) -> str:
        """A header's value, or its digest where it is or holds a secret."""
        if name.lower() == "set-cookie" or self._by.key.appears_in(text.encode("latin-1", "replace")):
            return digest_of(text.encode("latin-1", "replace"))
        return text

    def _exchange(self, url: str, ask: Ask, attempt: int, heard: _Heard) -> Exchange:
        headers = self._headers(heard)
        date = header(headers, "date")
        return Exchange(
            method="GET",
            url=url,
            query=ask.request.query,
            cursor=ask.cursor,
            attempt=attempt,
            asked_at=instant_of(heard.asked_at),
            elapsed_ms=self._by.monotonic_ms() - heard.asked_ms,
            status=heard.response.status_code if heard.response is not None else None,
            headers=headers,
            request_id=header(headers, "request-id"),
            server_date=date,
            clock=clock_of(date, heard.asked_at, heard.headed_ms - heard.asked_ms),
            http_version=heard.response.http_version if heard.response is not None else None,
            peer=heard.peer,
            tls=heard.tls,
        )


def clock_of(date: str | None, asked_at: datetime, round_trip_ms: int) -> Clock | None:
    """Server time minus ours: Date plus half its unit, less the midpoint (forensics reference, section 5).

    The bound is half the round trip plus half a second; no Date, or one that is no date, gives None.
    """
    if date is None:
        return None
    try:
        stated = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return None
    if stated.tzinfo is None:
        return None
    midpoint = asked_at + timedelta(milliseconds=round_trip_ms / 2)
    offset = stated + timedelta(milliseconds=500) - midpoint
    return Clock(offset_ms=round(offset.total_seconds() * 1000), bound_ms=round_trip_ms // 2 + 500)


@runtime_checkable
class _Wrapped(Protocol):
    """The interpreter's TLS object, whichever of its classes the library hands out."""

    def getpeercert(self, binary_form: bool, /) -> bytes | None: ...
    def version(self) -> str | None: ...
    def cipher(self) -> tuple[str, str, int] | None: ...


def _peer(response: httpx.Response, heard: _Heard) -> None:
    """Take the connection's facts while its socket is still there; what it does not give stays unknown."""
    stream = response.extensions.get("network_stream")
    if stream is None:
        return
    address = stream.get_extra_info("server_addr")
    if isinstance(address, tuple):
        heard.peer = f"{address[0]}:{address[1]}"
    wrapped = stream.get_extra_info("ssl_object")
    if isinstance(wrapped, _Wrapped):
        heard.certificate = wrapped.getpeercert(True)  # noqa: FBT003 - positional in the interpreter's API
        cipher = wrapped.cipher()
        heard.tls = Tls(
            version=wrapped.version() or "",
            cipher=cipher[0] if cipher else "",
            certificate_sha256=digest_of(heard.certificate or b""),
        )


def _failure(error: httpx.TransportError, heard: _Heard) -> FailureCode:
    """Our coded word for what httpx raised; the text of its error is dropped, for it may hold evidence."""
    if _is_tls(error):
        return "tls"
    code: FailureCode = "protocol"
    match error:
        case httpx.ConnectError() | httpx.ConnectTimeout() | httpx.ProxyError() | httpx.UnsupportedProtocol():
            code = "connect"
        case httpx.TimeoutException():
            code = "timeout"
        case httpx.RemoteProtocolError() if heard.response is not None:
            code = "short_body"
        case httpx.NetworkError():
            code = "reset"
        case httpx.RemoteProtocolError() if "without sending a response" in str(error):
            code = "reset"
        case _:
            pass
    return code


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError) and not isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
            return True
        error = error.__cause__ or error.__context__
    return False


def file_digest(path: Path) -> str:
    """`sha256:<hex>` of a certificate file."""
    return "sha256:" + sha256(path.read_bytes()).hexdigest()
