"""One attempt at one GET over httpcore: the answer's bytes as they travelled, and every fact about the exchange.

- Only GET is ever sent, to one root, with one key; redirects are never followed, cookies never sent back, proxies
  and netrc of the environment never used.
- `Accept-Encoding: identity` is sent; whatever came back is kept as it travelled.
- A body is bounded in bytes and in time; a key that the server echoes is kept nowhere.
- The transport never retries and never interprets: the policy does.
- httpcore is the engine of httpx. It is used without the client above it, which follows redirects, keeps cookies and
  merges settings: nothing of that is wanted here, and it takes half of the time of a request.
"""

import logging
import ssl
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import httpcore

from agentaudit.adapters.answers import expand
from agentaudit.model.attempt import Attempted
from agentaudit.model.base import digest_of, instant_of
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import Exchange, Tls
from agentaudit.model.limits import ReadLimits
from agentaudit.model.walk import Answer, Ask, Failure, FailureCode
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.compliance.peer import clock_of, peer_of, ssl_context, tls_of

KEEP_ALIVE_S = 5.0
VERSION_HEADER = ("anthropic-version", "2023-06-01")
_OK = 200
_REDIRECTS = range(300, 400)
_PORTS = {"http": 80, "https": 443}
_ERRORS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """How to reach the source; `headers` are sent with every request and recorded, the key is not among them.

    The key travels in `key_header`, behind `key_prefix`; an empty one does not travel.
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
        logging.getLogger("httpcore").setLevel(logging.WARNING)  # below that it logs URLs, ids and cursors included
        if not self._context:
            self._context.append(ssl_context(self.ca_file))
        context = self._context[0]
        pool = httpcore.ConnectionPool(
            ssl_context=context,
            proxy=_proxy(self.proxy, context),
            max_connections=1,
            max_keepalive_connections=1,
            keepalive_expiry=KEEP_ALIVE_S,
        )
        return HttpConnection(pool, self)


def _proxy(address: str | None, context: ssl.SSLContext) -> httpcore.Proxy | None:
    """The proxy, with the TLS settings towards itself where it is reached over TLS."""
    if address is None:
        return None
    return httpcore.Proxy(address, ssl_context=context if urlsplit(address).scheme == "https" else None)


def request_headers(version: str, accept: str = "application/json") -> Headers:
    """The headers of every request, the key excepted (compliance reference, section 1)."""
    return (
        ("accept", accept),
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
    status: int | None = None
    headers: Headers = ()
    http_version: str | None = None
    body: bytearray = field(default_factory=bytearray)
    peer: str | None = None
    tls: Tls | None = None
    certificate: bytes | None = None


class HttpConnection:
    """One connection, used by one thread."""

    def __init__(self, pool: httpcore.ConnectionPool, transport: HttpTransport) -> None:
        """Take over a pool of one connection."""
        self._pool = pool
        self._by = transport
        root = urlsplit(transport.api_root)
        self._scheme, self._host, self._port = root.scheme.encode(), (root.hostname or "").encode(), root.port
        host = f"[{root.hostname}]" if ":" in (root.hostname or "") else root.hostname or ""
        named = host if root.port in (None, _PORTS.get(root.scheme)) else f"{host}:{root.port}"
        self._path = root.path
        secret = transport.key.reveal()
        keyed = ((transport.key_header, transport.key_prefix + secret),) if secret else ()
        sent = (("host", named), *transport.headers, *keyed)
        self._sent = [(name.encode("ascii"), text.encode("utf-8", "surrogateescape")) for name, text in sent]
        connect, read = transport.limits.connect_ms / 1000, transport.limits.read_ms / 1000
        self._extensions = {"timeout": {"connect": connect, "read": read, "write": read, "pool": read}}

    def close(self) -> None:
        """Close the pool."""
        self._pool.close()

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """One GET; every failure of the network is a `Failure`, and what came before it is counted."""
        query = urlencode(ask.request.query, quote_via=quote, safe="")
        heard = _Heard(self._by.now(), self._by.monotonic_ms())
        code = self._hear(f"{ask.request.path}?{query}" if query else ask.request.path, heard, file=ask.file)
        body = bytes(heard.body)
        if self._echoes(body, heard):
            code, body = "key_echoed", b""
        outcome: Answer | Failure
        if code is not None or heard.status is None:
            outcome = Failure(code or "protocol", heard.status, len(body))
        else:
            outcome = Answer(heard.status, heard.headers, body)
        url = self._by.api_root + ask.request.path
        return Attempted(self._exchange(url, ask, attempt, heard), outcome, body, heard.certificate)

    def _hear(self, target: str, heard: _Heard, *, file: bool) -> FailureCode | None:
        try:
            response = self._pool.handle_request(self._request(target))
            try:
                heard.headed_ms = self._by.monotonic_ms()
                self._head(response, heard)
                return self._body(
                    response.iter_stream(), response.status, heard, self._most(response.status, file=file)
                )
            finally:
                response.close()
        except _ERRORS as error:
            return _failure(error, heard)

    def _request(self, target: str) -> httpcore.Request:
        url = httpcore.URL(
            scheme=self._scheme, host=self._host, port=self._port, target=(self._path + target).encode("ascii")
        )
        return httpcore.Request(b"GET", url, headers=self._sent, extensions=self._extensions)

    def _head(self, response: httpcore.Response, heard: _Heard) -> None:
        heard.status = response.status
        pairs = ((name.decode("latin-1"), text.decode("latin-1")) for name, text in response.headers)
        heard.headers = tuple((name, self._harmless(name, text)) for name, text in pairs)
        version = response.extensions.get("http_version")
        heard.http_version = version.decode("ascii", "replace") if isinstance(version, bytes) else None
        heard.peer = peer_of(response)
        heard.tls, heard.certificate = tls_of(response)

    def _most(self, status: int, *, file: bool) -> int:
        """How many bytes are taken in: a file has a bound of its own, an error in its place has not."""
        limits = self._by.limits
        return limits.file_max_bytes if file and status == _OK else limits.body_max_bytes

    def _body(self, chunks: Iterable[bytes], status: int, heard: _Heard, most: int) -> FailureCode | None:
        limits = self._by.limits
        for chunk in chunks:
            heard.body += chunk
            if len(heard.body) > most:
                return "body_over_limit"
            if self._by.monotonic_ms() - heard.asked_ms > limits.answer_ms:
                return "deadline"
        return "redirect" if status in _REDIRECTS else None

    def _echoes(self, body: bytes, heard: _Heard) -> bool:
        """True when the key stands in the bytes, or in what they expand to where they came compressed."""
        if self._by.key.appears_in(body):
            return True
        encoding = header(heard.headers, "content-encoding")
        if encoding is None:
            return False
        plain = expand(body, encoding)
        return isinstance(plain, bytes) and self._by.key.appears_in(plain)

    def _harmless(self, name: str, text: str) -> str:
        """A header's value, or its digest where it is or holds a secret."""
        if name.lower() == "set-cookie" or self._by.key.appears_in(text.encode("latin-1", "replace")):
            return digest_of(text.encode("latin-1", "replace"))
        return text

    def _exchange(self, url: str, ask: Ask, attempt: int, heard: _Heard) -> Exchange:
        date = header(heard.headers, "date")
        return Exchange(
            method="GET",
            url=url,
            query=ask.request.query,
            cursor=ask.cursor,
            attempt=attempt,
            asked_at=instant_of(heard.asked_at),
            elapsed_ms=self._by.monotonic_ms() - heard.asked_ms,
            status=heard.status,
            headers=heard.headers,
            request_id=header(heard.headers, "request-id"),
            server_date=date,
            clock=clock_of(date, heard.asked_at, heard.headed_ms - heard.asked_ms),
            http_version=heard.http_version,
            peer=heard.peer,
            tls=heard.tls,
        )


def _failure(error: Exception, heard: _Heard) -> FailureCode:
    """Our coded word for what the engine raised; the text of its error is dropped, for it may hold evidence."""
    if _is_tls(error):
        return "tls"
    code: FailureCode = "protocol"
    match error:
        case (
            httpcore.ConnectError() | httpcore.ConnectTimeout() | httpcore.ProxyError() | httpcore.UnsupportedProtocol()
        ):
            code = "connect"
        case httpcore.TimeoutException():
            code = "timeout"
        case httpcore.RemoteProtocolError() if heard.status is not None:
            code = "short_body"
        case httpcore.NetworkError():
            code = "reset"
        case httpcore.RemoteProtocolError() if "without sending a response" in str(error):
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
