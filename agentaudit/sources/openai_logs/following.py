"""Asking for a file in two steps: the source with the key, then the signed address that it names without it.

- Only a question that says so is followed, only a 307, only to an address that may be asked, and only once.
- The second request has no key, and goes over a connection of its own. What the first one said of the address is
  taken out before anything is handed on; an answer in which the address stands is no answer.
- What the other place says beside a file is not handed on: the error of a store can hold what signs the address.
- An address is not held: it ends within minutes. A question that is asked again is asked of the source.
"""

from dataclasses import dataclass, replace
from typing import Final

import msgspec

from agentaudit.model.attempt import Attempted
from agentaudit.model.base import digest_of
from agentaudit.model.headers import Headers, header
from agentaudit.model.journal import Exchange, SentOn
from agentaudit.model.walk import Answer, Ask, Failure, Request
from agentaudit.sources.compliance.keys import Key
from agentaudit.sources.compliance.transport import HttpConnection, HttpTransport
from agentaudit.sources.openai_logs.signed import SignedAddress, signed_address

_OK: Final = 200
_SENT_ON: Final = 307
_LOCATION: Final = "location"


@dataclass(frozen=True, slots=True)
class FollowingTransport:
    """Connections to the source, each with one beside it to where the source sends questions on."""

    source: HttpTransport

    def connect(self) -> "FollowingConnection":
        """A new pair; nothing is sent yet."""
        return FollowingConnection(self.source)


class FollowingConnection:
    """One pair of connections, used by one thread."""

    def __init__(self, source: HttpTransport) -> None:
        """Connect to the source alone."""
        self._source = source
        self._first = source.connect()
        self._second: tuple[str, HttpConnection] | None = None

    def close(self) -> None:
        """Let go of both."""
        self._first.close()
        if self._second is not None:
            self._second[1].close()

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """One attempt: one request, or two where the source sends it on."""
        first = self._first.attempt(ask, attempt)
        locations = [text for name, text in first.exchange.headers if name.lower() == _LOCATION]
        if not locations:
            return first
        first = _without_address(first, locations)
        address = signed_address(locations[0], self._source.api_root) if len(locations) == 1 else None
        is_fit = ask.sent_on and first.exchange.status == _SENT_ON and _is_redirect(first)
        if address is None or not is_fit:
            return first
        return self._follow(ask, attempt, first, address)

    def _follow(self, ask: Ask, attempt: int, first: Attempted, address: SignedAddress) -> Attempted:
        asked = Ask(ask.walk, ask.page, Request(address.target), file=ask.file)
        second = self._connection(address).attempt(asked, attempt)
        outcome, body = self._judged(second, address)
        exchange = _joined(first.exchange, second.exchange, address)
        return Attempted(exchange, outcome, body, second.certificate, first.certificate)

    def _judged(self, second: Attempted, address: SignedAddress) -> tuple[Answer | Failure, bytes]:
        """What came of it, and the bytes that may be told of."""
        outcome = second.outcome
        if isinstance(outcome, Failure):
            return outcome, b""
        if outcome.status != _OK:
            return Failure("address_refused", outcome.status, len(second.body)), b""
        if self._source.key.appears_in(second.body) or address.query_is_in(second.body):
            return Failure("key_echoed", outcome.status), b""
        return Answer(outcome.status, _harmless(outcome.headers, address), outcome.body), second.body

    def _connection(self, address: SignedAddress) -> HttpConnection:
        """The connection to the other place; the one before, where it is the same place."""
        if self._second is not None and self._second[0] == address.root:
            return self._second[1]
        if self._second is not None:
            self._second[1].close()
        connection = replace(self._source, api_root=address.root, key=Key("")).connect()
        self._second = address.root, connection
        return connection


def _is_redirect(first: Attempted) -> bool:
    """True where the head of a redirect came whole, and nothing else was amiss."""
    return isinstance(first.outcome, Failure) and first.outcome.code == "redirect"


def _without_address(first: Attempted, locations: list[str]) -> Attempted:
    """The answer of the source without the address: its header is gone, others that hold it are digests."""
    headers = tuple(
        (name, digest_of(text.encode("latin-1", "replace")) if any(one in text for one in locations if one) else text)
        for name, text in first.exchange.headers
        if name.lower() != _LOCATION
    )
    exchange = msgspec.structs.replace(first.exchange, headers=headers)
    outcome = replace(first.outcome, headers=headers) if isinstance(first.outcome, Answer) else first.outcome
    return replace(first, exchange=exchange, outcome=outcome, body=b"" if _is_redirect(first) else first.body)


def _joined(first: Exchange, second: Exchange, address: SignedAddress) -> Exchange:
    """Both requests as one attempt: asked as the source was, answered as the other place did, by the source's clock."""
    return msgspec.structs.replace(
        second,
        url=first.url,
        query=first.query,
        cursor=first.cursor,
        asked_at=first.asked_at,
        elapsed_ms=first.elapsed_ms + second.elapsed_ms,
        server_date=first.server_date,
        clock=first.clock,
        headers=_harmless(second.headers, address),
        request_id=header(first.headers, "x-request-id") or first.request_id,
        sent_on=SentOn(
            status=first.status or _SENT_ON,
            headers=_harmless(first.headers, address),
            host=address.host,
            path_sha256=address.path_sha256,
            elapsed_ms=first.elapsed_ms,
            peer=first.peer,
            tls=first.tls,
        ),
    )


def _harmless(headers: Headers, address: SignedAddress) -> Headers:
    """The same headers without an address; one in which a part of the signed one stands is its digest."""
    return tuple(
        (name, digest_of(text.encode("latin-1", "replace")) if address.is_in(text) else text)
        for name, text in headers
        if name.lower() != _LOCATION
    )
