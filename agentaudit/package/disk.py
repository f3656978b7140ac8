"""The calls that make bytes durable, behind one small wall.

- Files are created exclusively, 0600 (payload, which is written once, 0400), never through a link, never in a text
  mode; folders 0700.
- Every failure of the system is a `DestinationFault` that names the path and the error, never content.
- The writer takes a `Disk` as an argument, so that a test can stop the world at any call.
"""

import ctypes
import errno
import os
import platform
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Protocol, TypeAlias

from agentaudit.errors import DestinationFault

# Names of payload are joined as text: a `Path` for each of many small files costs more than its row.
Place: TypeAlias = Path | str

_HINTS = {
    errno.ENOSPC: "make room on the volume, then go on with --resume",
    errno.EDQUOT: "raise the quota, then go on with --resume",
    errno.EROFS: "choose a folder on a writable volume",
    errno.EACCES: "choose a folder that you may write to",
    errno.EPERM: "choose a folder that you may write to",
    errno.EEXIST: "nothing is ever overwritten: choose another place",
}
_SYNCFS_REPORTS_ERRORS_SINCE = (5, 8)
# Windows has a text mode, in which each LF is written as CR LF, and takes it unless told otherwise.
_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_CREATE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | _AS_IT_IS
_STAMPS = os.utime in os.supports_fd
OURS = 0o600
READ_ONLY = 0o400
_APPEND = os.O_WRONLY | os.O_APPEND | _AS_IT_IS


class _Destination:
    """A class and no generator: it stands round each call for each small file."""

    __slots__ = ("_path",)

    def __init__(self, path: Place) -> None:
        self._path = path

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, OSError):
            reason = os.strerror(error.errno) if error.errno else type(error).__name__
            hint = _HINTS.get(error.errno or 0, "look at the volume, then go on with --resume")
            raise DestinationFault(f"cannot write {self._path}: {reason}", hint) from error


def destination(path: Place) -> AbstractContextManager[None]:
    """Turn a failure of the system into a `DestinationFault` that names the path (exit status 7)."""
    return _Destination(path)


class Disk(Protocol):
    """What the writer asks of the system; each call is one point at which the world may end."""

    @property
    def settles_closed_files(self) -> bool:
        """True when `settle_group` makes closed files durable too: then nothing needs to stay open."""
        ...

    @property
    def renames_around_open_files(self) -> bool:
        """True when a folder can be renamed while a file in it is open."""
        ...

    def make_folder(self, path: Path) -> None:
        """Create a folder 0700; one that exists is a fault."""
        ...

    def create(self, path: Place, mode: int = OURS) -> int:
        """Create a file exclusively, 0600 or with the mode that it is to keep, and give its descriptor."""
        ...

    def append_to(self, path: Path) -> int:
        """Open an existing file for appending."""
        ...

    def write(self, descriptor: int, octets: bytes | memoryview) -> None:
        """Write all of the octets."""
        ...

    def extend(self, descriptor: int, length: int) -> None:
        """Lengthen a file with a hole, and stand at its new end."""
        ...

    def stamp(self, descriptor: int, times_ns: tuple[int, int]) -> None:
        """Set access and modification time, in nanoseconds since 1970."""
        ...

    def settle(self, descriptor: int) -> None:
        """Make a file's bytes durable."""
        ...

    def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
        """One barrier for a group: the files and the folders that hold them are durable afterwards.

        `within` is a descriptor on their volume that was open before any of them was written.
        """
        ...

    def settle_folder(self, path: Path) -> None:
        """Make a folder's entries durable."""
        ...

    def close(self, descriptor: int) -> None:
        """Close a descriptor; some file systems report a failed write only here."""
        ...

    def rename(self, old: Path, new: Path) -> None:
        """Rename; the new name must be free."""
        ...

    def protect(self, path: Path) -> None:
        """Set a file read-only (0400): against slips, not as a protection."""
        ...

    def remove(self, path: Path) -> None:
        """Remove a derived tag file of a partial exhibit; never evidence."""
        ...

    def cut(self, path: Path, length: int) -> None:
        """Cut a journal back to its last whole row, after its torn tail was set aside."""
        ...


class SystemDisk:
    """The real system."""

    def __init__(self) -> None:
        """Find the cheapest barrier that reports errors."""
        self._syncfs = _find_syncfs()

    @property
    def settles_closed_files(self) -> bool:
        """True where `syncfs` is the barrier."""
        return self._syncfs is not None

    @property
    def renames_around_open_files(self) -> bool:
        """False on Windows."""
        return sys.platform != "win32"

    def make_folder(self, path: Path) -> None:
        """Create a folder 0700 (mkdir)."""
        with destination(path):
            path.mkdir(mode=0o700)

    def create(self, path: Place, mode: int = OURS) -> int:
        """Create a file exclusively (open with O_EXCL)."""
        with destination(path):
            return os.open(path, _CREATE, mode)

    def append_to(self, path: Path) -> int:
        """Open an existing file for appending, never through a link."""
        with destination(path):
            return os.open(path, _APPEND)

    def write(self, descriptor: int, octets: bytes | memoryview) -> None:
        """Write all of the octets, however short the system's writes are."""
        taken = os.write(descriptor, octets)
        if taken == len(octets):
            return
        rest = memoryview(octets)[taken:]
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def extend(self, descriptor: int, length: int) -> None:
        """Truncate upwards: the system keeps a hole where it can."""
        os.ftruncate(descriptor, length)
        os.lseek(descriptor, 0, os.SEEK_END)

    def stamp(self, descriptor: int, times_ns: tuple[int, int]) -> None:
        """Set the times through the descriptor (futimens); a system without that call leaves them."""
        if _STAMPS:
            os.utime(descriptor, ns=times_ns)

    def settle(self, descriptor: int) -> None:
        """fdatasync, or the system's stronger form (F_FULLFSYNC on macOS)."""
        if sys.platform == "darwin":
            import fcntl  # noqa: PLC0415 - not on every system

            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        elif sys.platform == "win32":
            os.fsync(descriptor)
        else:
            os.fdatasync(descriptor)

    def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
        """`syncfs` once where it reports errors (Linux 5.8), else an fsync for each file and folder.

        What `syncfs` reports is what failed since its descriptor was opened: one that is opened only now would not be
        told of an error that somebody else has already been told of.
        """
        if self._syncfs is not None:
            if self._syncfs(within) != 0:
                code = ctypes.get_errno()
                raise OSError(code, os.strerror(code))
            return
        for descriptor in files:
            os.fsync(descriptor)
        for folder in folders:
            self.settle_folder(folder)

    def settle_folder(self, path: Path) -> None:
        """Sync the folder; Windows has no such call and keeps names durable itself."""
        if sys.platform == "win32":
            return
        with destination(path):
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def close(self, descriptor: int) -> None:
        """Close; an error counts."""
        os.close(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        """Rename; refuses a name that is taken."""
        with destination(new):
            if os.path.lexists(new):
                raise FileExistsError(errno.EEXIST, "exists", str(new))
            old.rename(new)

    def protect(self, path: Path) -> None:
        """Set the mode 0400."""
        with destination(path):
            path.chmod(READ_ONLY)

    def remove(self, path: Path) -> None:
        """Remove the name."""
        with destination(path):
            path.unlink()

    def cut(self, path: Path, length: int) -> None:
        """Truncate and make it durable."""
        with destination(path):
            descriptor = os.open(path, os.O_WRONLY | _AS_IT_IS)
            try:
                os.ftruncate(descriptor, length)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


class _Syncfs(Protocol):
    def __call__(self, descriptor: int, /) -> int: ...


def _find_syncfs() -> _Syncfs | None:
    if not sys.platform.startswith("linux"):
        return None
    release = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2] if part.isdigit())
    library = ctypes.CDLL(None, use_errno=True)
    if release < _SYNCFS_REPORTS_ERRORS_SINCE or not hasattr(library, "syncfs"):
        return None
    call: _Syncfs = library.syncfs
    return call
