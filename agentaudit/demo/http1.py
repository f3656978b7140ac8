"""Just enough HTTP/1.1 to read a request from a socket and to write an answer (RFC 9112).

Laws:
    - A request head is bounded; a larger one is answered with 431 and the connection ends.
    - A request body is read and dropped, up to a bound; nothing here asks for one.
    - Framing headers belong to this module: the world's answers carry none.
"""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

from agentaudit.demo.wire import WireRequest, WireResponse

if TYPE_CHECKING:
    import socket

HEAD_BOUND = 65_536
_BODY_BOUND = 1_048_576
_READ = 65_536
_REASONS = {int(status): status.phrase for status in HTTPStatus}
_WORDS = 3


class Unreadable(Exception):
    """The bytes are no request that this server reads; carries the status of the answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True, slots=True)
class Received:
    """A request and whether the connection may stay open behind its answer."""

    request: WireRequest
    keeps_open: bool


class Inlet:
    """Reads requests one after the other from one connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""

    def next(self) -> Received | None:
        """The next request, or None when the client has closed.

        Raises:
            Unreadable: 400 for bytes that are no request, 413 for a large body, 431 for a large head.
            OSError: the connection broke.
        """
        head = self._head()
        if head is None:
            return None
        received = _parsed(head)
        self._drop_body(received.request)
        return received

    def _head(self) -> str | None:
        while (end := self._rest.find(b"\r\n\r\n")) < 0:
            if len(self._rest) > HEAD_BOUND:
                raise Unreadable(431)
            piece = self._connection.recv(_READ)
            if not piece:
                return None
            self._rest += piece
        if end > HEAD_BOUND:
            raise Unreadable(431)
        head, self._rest = self._rest[:end], self._rest[end + 4 :]
        return head.decode("latin-1")

    def _drop_body(self, request: WireRequest) -> None:
        if request.header("transfer-encoding") is not None:
            raise Unreadable(411)
        announced = request.header("content-length") or "0"
        if not (announced.isascii() and announced.isdigit()):
            raise Unreadable(400)
        if int(announced) > _BODY_BOUND:
            raise Unreadable(413)
        while len(self._rest) < int(announced):
            piece = self._connection.recv(_READ)
            if not piece:
                raise Unreadable(400)
            self._rest += piece
        self._rest = self._rest[int(announced) :]


def head_of(answer: WireResponse, framing: str, *, keeps_open: bool) -> bytes:
    """The head of an answer, ending in an empty line; ``framing`` is a length or transfer header line."""
    lines = [f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Unnamed')}"]
    lines.extend(f"{name}: {value}" for name, value in answer.headers)
    lines.append(framing)
    if not keeps_open:
        lines.append("connection: close")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _parsed(head: str) -> Received:
    first, *lines = head.split("\r\n")
    words = first.split(" ")
    if len(words) != _WORDS or not words[1].startswith("/") or words[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise Unreadable(400)
    headers: list[tuple[str, str]] = []
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise Unreadable(400)
        headers.append((name, value.strip()))
    request = WireRequest(words[0], words[1], tuple(headers))
    wish = (request.header("connection") or "").lower()
    return Received(request, wish != "close" if words[2] == "HTTP/1.1" else wish == "keep-alive")
