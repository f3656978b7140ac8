"""Opens what is to be checked: regular files by name, and one stream that is handed in.

- A FIFO, a device, a socket or a folder is refused by its name before anything is read; opening never waits.
- Access times are left alone where the system lets this user do so.
- What cannot be read is a reason in a coded word; the system's own text, which holds the name, is not repeated.
"""

import errno
import io
import os
import stat
from pathlib import Path
from typing import BinaryIO, Protocol

from agentaudit.model.framing import UnreadReason

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)


class Unread(Exception):
    """A file that cannot be read; `reason` is a coded word."""

    def __init__(self, reason: UnreadReason) -> None:
        """Name the reason; the file is known to whoever asked."""
        super().__init__(reason)
        self.reason: UnreadReason = reason


class Readable(Protocol):
    """What bytes are read from: into a given room, and away."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Put bytes into the room; how many, 0 at the end."""
        ...

    def close(self) -> None:
        """Read no more."""
        ...


def refused(path: Path) -> str | None:
    """What the path is when it is no regular file and would not end or has no bytes of its own; None for the rest."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    if stat.S_ISREG(mode):
        return None
    names = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a FIFO"), (stat.S_ISSOCK, "a socket"))
    return next((name for is_one, name in names if is_one(mode)), "a device")


def opened(path: Path) -> tuple[Readable, int]:
    """A regular file and its size in bytes; raises `Unread`."""
    try:
        descriptor = _descriptor(path)
    except OSError as error:
        raise Unread(reason_of(error)) from None
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise Unread("special")
    return io.FileIO(descriptor), status.st_size


def stream(stdin: BinaryIO) -> Readable:
    """A stream that gives what it has instead of waiting for a full room."""
    if isinstance(stdin, io.BufferedReader):
        return _Waiting(stdin)
    return _Copying(stdin)


def reason_of(error: OSError) -> UnreadReason:
    """The coded word for an error of the system."""
    match error.errno:
        case errno.ENOENT | errno.ENOTDIR:
            return "not_found"
        case errno.EACCES | errno.EPERM:
            return "denied"
        case errno.ENXIO | errno.EISDIR | errno.ENODEV:
            return "special"
        case _:
            return "unreadable"


def _descriptor(path: Path) -> int:
    quiet = getattr(os, "O_NOATIME", 0)
    try:
        return os.open(path, _FLAGS | quiet)
    except PermissionError:
        # Only the owner may ask for this; the access time then changes as it does for any reader.
        return os.open(path, _FLAGS)


class _Waiting:
    """A buffered stream, read as it comes; it is not ours to close."""

    def __init__(self, stdin: io.BufferedReader) -> None:
        self._stdin = stdin

    def readinto(self, room: memoryview, /) -> int:
        return self._stdin.readinto1(room)

    def close(self) -> None:
        """Leave it open."""


class _Copying:
    """Any other stream of bytes; it is not ours to close."""

    def __init__(self, stdin: BinaryIO) -> None:
        self._stdin = stdin

    def readinto(self, room: memoryview, /) -> int:
        octets = self._stdin.read(len(room))
        room[: len(octets)] = octets
        return len(octets)

    def close(self) -> None:
        """Leave it open."""
