"""How an answer leaves through a socket, with the fault that a test planned for it.

Laws:
    - Without a fault, head and body leave in one send.
    - Every fault but a slow or a chunked one ends the connection.
    - Waiting ends at once when the server stops.
"""

from __future__ import annotations

import socket
import struct
from typing import TYPE_CHECKING, assert_never

from agentaudit.demo.faults import (
    Chunked,
    CloseBeforeAnswer,
    Drip,
    Endless,
    ResetAfter,
    ShortBy,
    Stall,
    WrongLength,
)
from agentaudit.demo.http1 import head_of

if TYPE_CHECKING:
    import threading

    from agentaudit.demo.wire import Fault, WireResponse

_AT_ONCE = 262_144
_LINGER_ZERO = struct.pack("ii", 1, 0)
_FILLER = b"2000\r\n" + b" " * 0x2000 + b"\r\n"


def deliver(
    connection: socket.socket, answer: WireResponse, stopping: threading.Event, *, keeps_open: bool, bodiless: bool
) -> bool:
    """Sends an answer; True when the connection may serve another request.

    ``bodiless`` is an answer to HEAD: the length is told, the body stays.

    Raises:
        OSError: the client hung up.
    """
    if answer.fault is not None:
        return _faulty(connection, answer, answer.fault, stopping) and keeps_open
    body = b"" if bodiless else answer.body
    head = head_of(answer, f"content-length: {len(answer.body)}", keeps_open=keeps_open)
    if len(body) <= _AT_ONCE:
        connection.sendall(head + body)
    else:
        connection.sendall(head)
        connection.sendall(body)
    return keeps_open


def reset(connection: socket.socket) -> None:
    """Ends a connection with RST: what was not read by the client is lost to it."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_ZERO)
    connection.close()


def _faulty(connection: socket.socket, answer: WireResponse, fault: Fault, stopping: threading.Event) -> bool:
    size = len(answer.body)
    match fault:
        case ResetAfter(count):
            _send(connection, answer, size, count)
            # The client must be able to read what was sent before the reset discards it.
            stopping.wait(0.05)
            reset(connection)
        case ShortBy(count):
            _send(connection, answer, size, max(0, size - count))
        case WrongLength(by):
            _send(connection, answer, max(0, size + by), size)
        case Stall(after, seconds):
            _send(connection, answer, size, after)
            stopping.wait(seconds)
            connection.sendall(answer.body[after:])
        case Endless(limit):
            _endless(connection, answer, limit, stopping)
        case Drip(chunk, pause):
            _drip(connection, answer, max(1, chunk), pause, stopping)
        case Chunked(count):
            _chunked(connection, answer, max(1, count))
        case CloseBeforeAnswer():
            pass
        case _:
            assert_never(fault)
    return isinstance(fault, Stall | Drip | Chunked)


def _send(connection: socket.socket, answer: WireResponse, announced: int, count: int) -> None:
    head = head_of(answer, f"content-length: {announced}", keeps_open=True)
    connection.sendall(head + answer.body[:count])


def _endless(connection: socket.socket, answer: WireResponse, limit: int, stopping: threading.Event) -> None:
    connection.sendall(head_of(answer, "transfer-encoding: chunked", keeps_open=True))
    sent = 0
    while sent < limit and not stopping.is_set():
        connection.sendall(_FILLER)
        sent += 0x2000


def _chunked(connection: socket.socket, answer: WireResponse, size: int) -> None:
    connection.sendall(head_of(answer, "transfer-encoding: chunked", keeps_open=True))
    for begin in range(0, len(answer.body), size):
        part = answer.body[begin : begin + size]
        connection.sendall(b"%x\r\n%b\r\n" % (len(part), part))
    connection.sendall(b"0\r\n\r\n")


def _drip(connection: socket.socket, answer: WireResponse, chunk: int, pause: float, stopping: threading.Event) -> None:
    _send(connection, answer, len(answer.body), 0)
    for begin in range(0, len(answer.body), chunk):
        stopping.wait(pause)
        connection.sendall(answer.body[begin : begin + chunk])
