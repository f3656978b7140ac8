"""A payload file under its final name, written once from its beginning to its end, hashed on the way.

- It is created exclusively; what was written and not finished is an orphan, never an item.
- A hole counts and is hashed as zeros, and takes no room.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from hashlib import sha256

from agentaudit.model.base import Digest
from agentaudit.model.journal import PayloadFile
from agentaudit.package.disk import OURS, READ_ONLY, Disk, Place, destination

_ZEROS = bytes(1 << 20)


class Item:
    """A payload file that is being written."""

    def __init__(
        self,
        path: str,
        descriptor: int,
        disk: Disk,
        guard: AbstractContextManager[None],
        wrote: Callable[[int, int], None],
    ) -> None:
        """Use `OpenExhibit.begin` or `free_item`: `guard` is entered for each call, `wrote` takes the finished file."""
        self.path = path
        self._descriptor = descriptor
        self._disk = disk
        self._guard = guard
        self._wrote = wrote
        self._digest = sha256()
        self._size = 0

    def write(self, octets: bytes | memoryview) -> None:
        """Append; DestinationFault when the system refuses."""
        with self._guard:
            self._disk.write(self._descriptor, octets)
        self._digest.update(octets)
        self._size += len(octets)

    def skip(self, octets: int) -> None:
        """Append zeros as a hole."""
        with self._guard:
            self._disk.extend(self._descriptor, self._size + octets)
        self._size += octets
        while octets:
            part = min(octets, len(_ZEROS))
            self._digest.update(_ZEROS[:part])
            octets -= part

    def finish(self, times_ns: tuple[int, int] | None = None) -> PayloadFile:
        """The written file; `times_ns` (access, modification) are set on it. Durable after the next barrier."""
        with self._guard:
            if times_ns is not None:
                self._disk.stamp(self._descriptor, times_ns)
            self._wrote(self._descriptor, self._size)
        return PayloadFile(path=self.path, bytes=self._size, sha256=Digest(f"sha256:{self._digest.hexdigest()}"))


def payload_mode(disk: Disk) -> int:
    """Payload is written once: read-only from the beginning, unless it has to be opened again to become durable."""
    return READ_ONLY if disk.settles_closed_files else OURS


def free_item(root: Place, path: str, disk: Disk) -> Item:
    """An item that is written outside the process that holds the exhibit; that process adopts the file."""
    place = f"{root}/{path}"
    descriptor = disk.create(place, payload_mode(disk))
    return Item(path, descriptor, disk, destination(place), lambda number, _octets: disk.close(number))
