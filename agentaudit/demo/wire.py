"""One request and one answer as they cross the wire, without a socket.

Laws:
    - The target is kept as it was sent; reading it decodes, and decoding never loses the original.
    - A path is split at ``/`` before it is percent-decoded, so an encoded slash stays inside its segment.
    - In a query ``+`` is a space, as in every server that reads forms.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import parse_qsl, unquote

from agentaudit.demo.faults import (
    Chunked,
    CloseBeforeAnswer,
    Drip,
    Endless,
    Fault,
    ResetAfter,
    ShortBy,
    Stall,
    WrongLength,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "Chunked",
    "CloseBeforeAnswer",
    "Drip",
    "Endless",
    "Fault",
    "Headers",
    "ResetAfter",
    "ShortBy",
    "Stall",
    "WireRequest",
    "WireResponse",
    "WrongLength",
    "matcher",
]

Headers: TypeAlias = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class WireRequest:
    """A request: the method, the origin-form target as sent, the headers in order."""

    method: str
    target: str
    headers: Headers

    @property
    def path(self) -> str:
        """The target before the first ``?``, still percent-encoded."""
        return self.target.partition("?")[0]

    @property
    def path_segments(self) -> tuple[str, ...]:
        """The segments after the leading slash, each percent-decoded on its own (RFC 3986, section 2.4).

        Octets that are no UTF-8 become replacement characters, so that such a path matches nothing.
        """
        return tuple(unquote(part, errors="replace") for part in self.path.split("/")[1:])

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """The parameters in order, repeats kept, ``+`` as a space.

        Raises:
            ValueError: octets that are no UTF-8.
        """
        return tuple(parse_qsl(self.target.partition("?")[2], keep_blank_values=True, errors="strict"))

    def header(self, name: str) -> str | None:
        """The first value of a header, whatever the case of its name; None when it was not sent."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


@dataclass(frozen=True, slots=True)
class WireResponse:
    """An answer: status, headers in order without framing, the whole body, and what happens on the way."""

    status: int
    headers: Headers
    body: bytes
    fault: Fault | None = None

    def header(self, name: str) -> str | None:
        """The first value of a header, whatever the case of its name; None when absent."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


def matcher(match: Callable[[WireRequest], bool] | str | None) -> Callable[[WireRequest], bool]:
    """The predicate that a test meant: a function, a part of the encoded path, or every request."""
    if match is None:
        return lambda _request: True
    if isinstance(match, str):
        return lambda request: match in request.path
    return match
