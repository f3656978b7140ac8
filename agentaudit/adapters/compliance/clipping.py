"""Who clipped a string: our byte limit, the server's, a marker, or nobody can tell (evidence format, section 5).

- A server suffix alone never decides: anybody can type one. It needs the block's flag or a matching length.
- A length matches our limit within three bytes, because a cut ends on a code-point boundary.
- The server's own maximum is only "about 1 MiB" (compliance reference, section 2.3): from 1,000,000 bytes on.
- Lengths count UTF-8 without the suffix; a lone surrogate counts three bytes.
"""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from agentaudit.model.limits import MAX, SERVER_MAX_BYTES

_By: TypeAlias = Literal["our_limit", "server_limit", "marker", "undetermined"]
_Basis: TypeAlias = Literal["parameter", "kept_length", "suffix", "flag"]

_SUFFIX = "…[truncated; pass "
_SUFFIX_CHARS_MAX = 256
SERVER_LEAST_BYTES = 1_000_000

_BOUNDARY_SLACK_BYTES = 3
_PLAIN_SUFFIX = "…[truncated"
_EMPTY = re.compile(r"\s*(?:\{\s*\}\s*)?\Z")


@dataclass(frozen=True, slots=True)
class Clip:
    """One clipped string: by whom, on what basis, UTF-8 bytes kept, the limit that cut it where one did."""

    by: _By
    basis: tuple[_Basis, ...]
    kept_bytes: int
    limit_bytes: int | None = None


def size_of(text: str) -> int:
    """UTF-8 bytes of a foreign string, lone surrogates included."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def is_empty_input(text: str) -> bool:
    """True for an input that says nothing: no character but white space, or an empty object."""
    return _EMPTY.match(text) is not None


def tool_clip(text: str, *, flagged: bool, asked: int | None) -> Clip | None:
    """Who clipped a tool's input, or one text item of its result; None when nothing says that it is clipped.

    `asked` is the byte limit that was sent (`MAX`, or a positive number), None when it is not known.
    """
    kept, suffix = _kept(text, _SUFFIX)
    met = _limit_met(kept, asked)
    flag: tuple[_Basis, ...] = ("flag",) if flagged else ()
    ending: tuple[_Basis, ...] = ("suffix",) if suffix else ()
    if met is None:
        return Clip("undetermined", ending + flag, kept) if flagged else None
    basis: tuple[_Basis, ...] = ("parameter", "kept_length", *ending, *flag)
    if flagged:
        return Clip(met[0], basis, kept, met[1])
    return Clip("undetermined", basis, kept) if suffix else None


def text_clip(text: str, *, flagged: bool) -> Clip | None:
    """Who clipped a text block: no parameter lifts its bound; a short one with the flag is a marker.

    The flag may also mean dropped citations (the text is whole) or a placeholder (section 2.3).
    """
    kept, suffix = _kept(text, _PLAIN_SUFFIX)
    long = kept >= SERVER_LEAST_BYTES
    ending: tuple[_Basis, ...] = ("suffix",) if suffix else ()
    if flagged and long:
        return Clip("server_limit", ("kept_length", *ending, "flag"), kept, SERVER_MAX_BYTES)
    if flagged:
        return Clip("marker", ("flag",), size_of(text))
    return Clip("undetermined", ("kept_length", "suffix"), kept) if long and suffix else None


def _kept(text: str, mark: str) -> tuple[int, bool]:
    at = text.rfind(mark, max(0, len(text) - _SUFFIX_CHARS_MAX))
    return (size_of(text), False) if at < 0 else (size_of(text[:at]), True)


def _limit_met(kept: int, asked: int | None) -> tuple[_By, int] | None:
    """Whose limit a length of `kept` bytes speaks for, and that limit; None when it speaks for none."""
    if asked is None:
        return None
    at_most = asked == MAX or asked >= SERVER_MAX_BYTES
    if not at_most and asked - _BOUNDARY_SLACK_BYTES <= kept <= asked:
        return "our_limit", asked
    below = at_most or kept < asked
    return ("server_limit", SERVER_MAX_BYTES) if below and kept >= SERVER_LEAST_BYTES else None
