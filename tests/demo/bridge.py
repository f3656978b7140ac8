"""The world behind httpx without a socket.

Laws:
    - A plain answer arrives as the world gave it; a fault arrives as the error that httpx would raise for it.
    - Nothing is slept: a stall is a read time-out at once, a drip and chunks are a plain answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import httpx

from agentaudit.demo.wire import (
    Chunked,
    CloseBeforeAnswer,
    Drip,
    Endless,
    ResetAfter,
    ShortBy,
    Stall,
    WireRequest,
    WrongLength,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentaudit.demo.wire import Fault, WireResponse
    from agentaudit.demo.world import World


def mock_transport(world: World) -> httpx.MockTransport:
    """A transport whose every request is answered by the world.

    Raises, from the client's call: httpx.ReadError for a reset, httpx.ReadTimeout for a stall,
    httpx.RemoteProtocolError for a wrong length, a short or endless body, or a close before the answer.
    """

    def handle(request: httpx.Request) -> httpx.Response:
        answer = world.answer(wire_request(request))
        if answer.fault is not None:
            _raise(answer.fault, request)
        return _response(answer)

    return httpx.MockTransport(handle)


def wire_request(request: httpx.Request) -> WireRequest:
    """An httpx request as the world reads it: the raw target, the headers in order."""
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw)
    return WireRequest(request.method, request.url.raw_path.decode("ascii"), headers)


class _Raw(httpx.SyncByteStream):
    """The body as it travels; httpx would unpack a body handed over as bytes only when it is read."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    def __iter__(self) -> Iterator[bytes]:
        yield self._body


def _response(answer: WireResponse) -> httpx.Response:
    headers = [*answer.headers, ("content-length", str(len(answer.body)))]
    return httpx.Response(answer.status, headers=headers, stream=_Raw(answer.body))


def _raise(fault: Fault, request: httpx.Request) -> None:
    match fault:
        case ResetAfter():
            raise httpx.ReadError("connection reset", request=request)
        case Stall():
            raise httpx.ReadTimeout("timed out", request=request)
        case CloseBeforeAnswer():
            raise httpx.RemoteProtocolError("server disconnected without sending a response", request=request)
        case ShortBy() | WrongLength() | Endless():
            raise httpx.RemoteProtocolError("peer closed connection without a complete body", request=request)
        case Drip() | Chunked():
            return
        case _:
            assert_never(fault)
