"""A few threads, each with one connection: questions in, attempts out.

- A thread makes one attempt at a time and knows nothing of walks, journals or retries.
- An error that is no value (a bug) travels back and is raised in the pump's thread.
- The threads are daemons: an interrupted run does not wait for a stalled server.
"""

import contextlib
import queue
import threading
from dataclasses import dataclass

from agentaudit.model.attempt import Attempted, Transport
from agentaudit.model.walk import Ask


@dataclass(frozen=True, slots=True)
class Brought:
    """What a thread brings back for one ticket."""

    ticket: int
    attempted: Attempted | BaseException


class Workers:
    """`connections` threads over one transport; a context manager."""

    def __init__(self, transport: Transport, connections: int) -> None:
        """Nothing is started before the first question."""
        self._transport = transport
        self._connections = connections
        self._questions: queue.SimpleQueue[tuple[int, Ask, int] | None] = queue.SimpleQueue()
        self._brought: queue.SimpleQueue[Brought] = queue.SimpleQueue()
        self._threads = 0
        self.outstanding = 0

    def submit(self, ticket: int, ask: Ask, attempt: int) -> None:
        """Hand out one question; a thread is started while there are fewer than connections."""
        self.outstanding += 1
        if self._threads < min(self._connections, self.outstanding):
            self._threads += 1
            threading.Thread(target=self._serve, name=f"connection-{self._threads}", daemon=True).start()
        self._questions.put((ticket, ask, attempt))

    def bring(self, timeout_s: float) -> list[Brought]:
        """All that is there, after waiting up to `timeout_s` for the first; raises what a thread raised."""
        brought: list[Brought] = []
        try:
            brought.append(self._brought.get(timeout=timeout_s) if timeout_s > 0 else self._brought.get_nowait())
            while True:
                brought.append(self._brought.get_nowait())
        except queue.Empty:
            pass
        self.outstanding -= len(brought)
        for one in brought:
            if isinstance(one.attempted, BaseException):
                raise one.attempted
        return brought

    def close(self) -> None:
        """Tell the threads to end, and send no question that still waits; no thread is waited for."""
        with contextlib.suppress(queue.Empty):
            while True:
                self.outstanding -= self._questions.get_nowait() is not None
        for _ in range(self._threads):
            self._questions.put(None)

    def _serve(self) -> None:
        connection = None
        while (question := self._questions.get()) is not None:
            ticket, ask, attempt = question
            try:
                connection = connection or self._transport.connect()
                self._brought.put(Brought(ticket, connection.attempt(ask, attempt)))
            except BaseException as error:  # noqa: BLE001 - it is raised again in the pump's thread
                self._brought.put(Brought(ticket, error))
        if connection is not None:
            connection.close()
