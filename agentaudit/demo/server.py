"""A world on a loopback socket: HTTP/1.1, keep-alive, a thread for each connection.

Laws:
    - It listens on 127.0.0.1 and a free port only; no argument changes that.
    - Leaving the context closes every connection and waits for its threads.
    - Nothing about a request is printed or logged.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import TYPE_CHECKING, Protocol, Self

from agentaudit.demo.deliver import deliver
from agentaudit.demo.http1 import Inlet, Unreadable
from agentaudit.demo.wire import WireResponse

if TYPE_CHECKING:
    from types import TracebackType

    from agentaudit.demo.wire import WireRequest

_LOOPBACK = "127.0.0.1"
_BACKLOG = 128
_GRACE_S = 5.0


class Answering(Protocol):
    """A world that can be asked: it gives an answer to every request."""

    def answer(self, request: WireRequest) -> WireResponse:
        """What the world says."""
        ...


class LoopbackServer:
    """Serves a world while the context is open; ``url`` has no trailing slash.

    ``latency_s`` is slept in the connection's thread before each answer, as a distance to the real server.
    """

    def __init__(self, world: Answering, *, latency_s: float = 0.0) -> None:
        self._world = world
        self._latency = latency_s
        self._stopping = threading.Event()
        self._guard = threading.Lock()
        self._open: dict[socket.socket, threading.Thread] = {}
        self._listener: socket.socket | None = None
        self._acceptor: threading.Thread | None = None
        self.url = ""

    def __enter__(self) -> Self:
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            listener.bind((_LOOPBACK, 0))
            listener.listen(_BACKLOG)
        except OSError:
            listener.close()
            raise
        self._listener = listener
        self.url = f"http://{_LOOPBACK}:{listener.getsockname()[1]}"
        self._acceptor = threading.Thread(target=self._accept, args=(listener,), name="world-accept", daemon=True)
        self._acceptor.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        if self._listener is not None:
            # A plain close does not wake a thread that waits in accept; shutting the socket down does.
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        if self._acceptor is not None:
            self._acceptor.join(_GRACE_S)
        with self._guard:
            still = tuple(self._open.items())
        for connection, _ in still:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for _, thread in still:
            thread.join(_GRACE_S)

    def _accept(self, listener: socket.socket) -> None:
        while not self._stopping.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            thread = threading.Thread(target=self._serve, args=(connection,), name="world-connection", daemon=True)
            with self._guard:
                self._open[connection] = thread
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            # A client that hangs up is no failure of the world.
            with contextlib.suppress(OSError):
                self._converse(connection)
        finally:
            with self._guard:
                self._open.pop(connection, None)
            connection.close()

    def _converse(self, connection: socket.socket) -> None:
        inlet = Inlet(connection)
        goes_on = True
        while goes_on and not self._stopping.is_set():
            try:
                received = inlet.next()
            except Unreadable as refusal:
                answer = WireResponse(refusal.status, (), b"")
                deliver(connection, answer, self._stopping, keeps_open=False, bodiless=False)
                return
            if received is None:
                return
            if self._latency:
                self._stopping.wait(self._latency)
            answer = self._world.answer(received.request)
            goes_on = deliver(
                connection,
                answer,
                self._stopping,
                keeps_open=received.keeps_open,
                bodiless=received.request.method == "HEAD",
            )
