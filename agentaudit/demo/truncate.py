"""Server-side cutting of long strings, in UTF-8 bytes at a code-point boundary (section 2.3).

Laws:
    - A string that fits is returned as it is, without a suffix.
    - A cut string keeps at most its cap; the suffix comes on top and names the parameter to raise.
    - Text blocks have a fixed bound that no parameter lifts.
"""

from __future__ import annotations

from dataclasses import dataclass

SERVER_MAXIMUM = 1_048_576
DEFAULT_CAP = 10_000
_CONTINUATION = 0b1100_0000
_TAIL = 0b1000_0000


@dataclass(frozen=True, slots=True)
class Caps:
    """The two byte caps of one request, resolved: neither -1 nor above the server's maximum."""

    tool_input: int = DEFAULT_CAP
    tool_result: int = DEFAULT_CAP


def resolved(cap: int) -> int:
    """The cap that is applied: -1 means the server's maximum, and larger values are clamped to it."""
    return SERVER_MAXIMUM if cap < 0 or cap > SERVER_MAXIMUM else cap


def cut(text: str, cap: int, parameter: str | None) -> tuple[str, bool]:
    """The text as it leaves the server, and whether it was cut. ``parameter`` None: a bound without a parameter.

    A lone surrogate counts as three bytes; what the real server counts for one is not documented.
    """
    if len(text) * 4 <= cap or (text.isascii() and len(text) <= cap):
        return text, False
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= cap:
        return text, False
    end = cap
    while end and raw[end] & _CONTINUATION == _TAIL:
        end -= 1
    return raw[:end].decode("utf-8", "surrogatepass") + suffix(parameter), True


def suffix(parameter: str | None) -> str:
    """The server's mark behind a cut string; its documented beginning names the parameter."""
    return "…[truncated]" if parameter is None else f"…[truncated; pass {parameter}=-1 for more]"
