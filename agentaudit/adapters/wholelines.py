"""The lines of a text that comes in pieces: which they are, where they begin, and which are over the limit.

- Lines end at 0x0A only. A line that came in several pieces is over the limit of whoever cut it.
"""

from collections.abc import Iterable, Iterator


def whole_lines(pieces: Iterable[bytes]) -> Iterator[tuple[int, int, bytes | None]]:
    """Number (from 1), offset (from 0) and bytes of each line; None for one that came in several pieces."""
    number = begun = offset = taken = 0
    line = b""
    for piece in pieces:
        if not taken:
            number, begun = number + 1, offset
        taken, line, offset = taken + 1, piece, offset + len(piece)
        if piece.endswith(b"\n"):
            yield number, begun, line if taken == 1 else None
            taken = 0
    if taken:
        yield number, begun, line if taken == 1 else None


def cut(chunks: Iterable[bytes], limit: int) -> Iterator[bytes]:
    """The same bytes in pieces that end at a 0x0A, at `limit` bytes, or at the end."""
    parts: list[bytes] = []
    size = 0
    for chunk in chunks:
        *lines, tail = chunk.split(b"\n")
        for line in lines:
            yield b"".join((*parts, line, b"\n"))
            parts, size = [], 0
        parts.append(tail)
        size += len(tail)
        if size > limit:
            yield b"".join(parts)
            parts, size = [], 0
    if size:
        yield b"".join(parts)
