"""One attempt at one question, as the transport hands it to the pump."""

from dataclasses import dataclass
from typing import Protocol

from agentaudit.model.journal import Exchange
from agentaudit.model.walk import Answer, Ask, Failure


@dataclass(frozen=True, slots=True)
class Attempted:
    """What was exchanged, what came of it, the bytes that came, and the peer's certificate (DER) where one was met.

    `first_certificate` is that of the source, where it sent the question on to another place.
    """

    exchange: Exchange
    outcome: Answer | Failure
    body: bytes
    certificate: bytes | None
    first_certificate: bytes | None = None


class Connection(Protocol):
    """One connection, used by one thread."""

    def attempt(self, ask: Ask, attempt: int) -> Attempted:
        """Make one attempt; every failure of the network is a value."""
        ...

    def close(self) -> None:
        """Let go of the socket."""
        ...


class Transport(Protocol):
    """Opens connections; all of them go to one source with one key."""

    def connect(self) -> Connection:
        """A new connection; nothing is sent yet."""
        ...
