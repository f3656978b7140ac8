"""What goes from turn to turn in shared memory: the state of the hash, how far it is, and the line that is begun.

- Only the runner whose turn it is reads or writes it.
- It always tells a whole state: so many blocks, hashed up to one place, and from the last line feed on the bytes of
  the line that is begun there.
"""

import ctypes
import mmap
import struct

from agentaudit.framing.travelling import STATE_BYTES, Sha256Functions, TravellingHash

CARRY_BYTES = 4 * 1024 * 1024

_HEAD = struct.Struct("=QQQ")
_HEAD_AT = STATE_BYTES
_CARRY_AT = mmap.PAGESIZE


class Baton:
    """The shared memory of one relay; forked children have it too."""

    def __init__(self, functions: Sha256Functions, carry_bytes: int = CARRY_BYTES) -> None:
        """Begin with nothing hashed; a line that is begun may have `carry_bytes` at most."""
        self.carry_bytes = carry_bytes
        self._memory = mmap.mmap(-1, _CARRY_AT + carry_bytes)
        self.hash = TravellingHash(functions, (ctypes.c_char * STATE_BYTES).from_buffer(self._memory))
        self.hash.begin()

    def take(self) -> tuple[int, int, int]:
        """How many blocks are done, where the first byte stands that is not hashed, how long the begun line is."""
        blocks, position, carried = _HEAD.unpack_from(self._memory, _HEAD_AT)
        return blocks, position, carried

    def carry(self, octets: int) -> bytes:
        """The line that is begun, of so many bytes."""
        return self._memory[_CARRY_AT : _CARRY_AT + octets]

    def give(self, blocks: int, position: int, octets: memoryview | bytes, *, behind: int = 0) -> None:
        """State how far it is, and the line that is begun: what is there of it up to `behind`, then these bytes."""
        at = _CARRY_AT + behind
        self._memory[at : at + len(octets)] = octets
        _HEAD.pack_into(self._memory, _HEAD_AT, blocks, position, behind + len(octets))
