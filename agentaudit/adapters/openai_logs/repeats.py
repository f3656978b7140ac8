"""Which ids of events came before, in bounded memory.

- An id is held as a digest, with one of its line: a repeated id with another line is another finding.
- Two generations are held. Of more ids the oldest are forgotten, and counted: a repetition of one of them is not seen.
  The source gives the file at a boundary twice, so what is repeated is near.
"""

from hashlib import blake2b
from typing import Final, Literal

GENERATION: Final = 500_000

Standing = Literal["new", "same", "unlike"]


class SeenIds:
    """The ids that came; `forgotten` counts those that are not compared any more."""

    def __init__(self, generation: int = GENERATION) -> None:
        """At most twice `generation` ids are held."""
        self._generation = generation
        self._older: dict[bytes, bytes] = {}
        self._newer: dict[bytes, bytes] = {}
        self.forgotten = 0

    def see(self, identity: str, line: bytes) -> Standing:
        """Whether the id is new, came with the same line, or with another; white space at the line's end is no part."""
        key = blake2b(identity.encode(), digest_size=16).digest()
        mark = blake2b(line.rstrip(b"\r\n\t "), digest_size=8).digest()
        before = self._newer.get(key) or self._older.get(key)
        if before is not None:
            return "same" if before == mark else "unlike"
        if len(self._newer) >= self._generation:
            self.forgotten += len(self._older)
            self._older, self._newer = self._newer, {}
        self._newer[key] = mark
        return "new"
