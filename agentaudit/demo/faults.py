"""What a connection can do to an answer: a closed union, executed by the loopback server.

Laws:
    - A fault changes how an answer travels, never what the world decided to say.
    - Sizes are bytes of the body unless said otherwise; times are seconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class ResetAfter:
    """The connection is reset (TCP RST) after this many bytes of the body."""

    bytes: int


@dataclass(frozen=True, slots=True)
class ShortBy:
    """The body ends this many bytes before the announced length; then the connection closes in order."""

    bytes: int


@dataclass(frozen=True, slots=True)
class WrongLength:
    """The announced length is off by this much (more when positive, less when negative), the body is whole."""

    by: int


@dataclass(frozen=True, slots=True)
class Stall:
    """Nothing moves for some seconds after this many bytes of the body; then the rest follows."""

    after: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Endless:
    """The body is chunked filler until the client hangs up or this many bytes were sent."""

    limit: int


@dataclass(frozen=True, slots=True)
class Drip:
    """The body comes in pieces of so many bytes with a pause in seconds before each."""

    chunk: int
    pause: float


@dataclass(frozen=True, slots=True)
class Chunked:
    """The body comes whole, in chunks of so many bytes, without an announced length (RFC 9112, section 7.1)."""

    bytes: int


@dataclass(frozen=True, slots=True)
class CloseBeforeAnswer:
    """The connection closes in order before the first byte of an answer."""


Fault: TypeAlias = ResetAfter | ShortBy | WrongLength | Stall | Endless | Drip | Chunked | CloseBeforeAnswer
