"""Opening below a root, component by component, never through a link.

- Each folder is opened relative to its parent and without following links: a folder that is swapped for a link while
  we walk is refused, and what the handle leads to stays the folder it was.
- Only regular files are opened for reading, without blocking, and only the very file (device, inode) that was seen.
- Access times are left alone where the system lets us (O_NOATIME); where it does not, that is a fact of the opening.
- Where a system has no such handles, every component is looked at first: a swap between look and open is possible
  there, and `guarantee` says so.
"""

import errno
import os
import stat
import sys
from types import TracebackType
from typing import Final, Literal, Self

import msgspec

from agentaudit.model.local import true_name
from agentaudit.model.survey import Look, Parts, Problem
from agentaudit.model.text import SourceText
from agentaudit.sources.local.looking import Eyes, is_as, kind_of, look_of

HAS_HANDLES: Final = sys.platform != "win32" and os.open in os.supports_dir_fd
DEPTH_MAX: Final = 100

_NOATIME: Final[int] = getattr(os, "O_NOATIME", 0)
_SAFE: Final[int] = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE: Final[int] = _SAFE | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_FOLDER: Final[int] = _SAFE | getattr(os, "O_DIRECTORY", 0)
_SWAPPED: Final = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK, errno.ENXIO})
_GONE: Final = frozenset({errno.ENOENT, errno.ESTALE})
_DENIED: Final = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY})
_NO_FOLDER: Final = -1


class Refused(msgspec.Struct, frozen=True, gc=False):
    """It could not be opened, looked at or listed: why, and the system's name for it."""

    problem: Problem
    error: str | None = None


class Opened(msgspec.Struct, frozen=True, gc=False):
    """A regular file that is open: its descriptor is the caller's to close.

    `look` is the very look that was expected where the file is all that it says.
    """

    descriptor: int
    look: Look
    access_time_kept: bool


class Handles:
    """A root that is read through handles; one thread uses one."""

    def __init__(self, root: bytes, *, by_handle: bool = HAS_HANDLES, eyes: Eyes | None = None) -> None:
        """Open the root; the caller has resolved it. Raises OSError when it is no folder or cannot be opened."""
        self.guarantee: Final[Literal["handles", "looks"]] = "handles" if by_handle else "looks"
        self.eyes = eyes or Eyes()
        self._root = root
        self._top = _open(root, _FOLDER, None)[0] if by_handle else _NO_FOLDER
        self._chain: list[tuple[bytes, int]] = []
        self._here: Parts | None = ()

    def __enter__(self) -> Self:
        """The handles themselves."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close every handle."""
        self.close()

    def close(self) -> None:
        """Close every handle; closing twice is no fault."""
        self._leave(0)
        if self._top != _NO_FOLDER:
            os.close(self._top)
            self._top = _NO_FOLDER

    def forget(self) -> None:
        """Go back to the root: the next path is entered anew, whatever became of the folders on the way."""
        self._leave(0)

    def look(self, parts: Parts) -> tuple[Look, bool] | Refused:
        """The entry itself, and whether another file system is mounted on it, as far as the system says."""
        try:
            if not parts:
                look, crosses = self.eyes.look_twice(self._root)
            elif self._top == _NO_FOLDER:
                look, crosses = self.eyes.look_twice(self._checked(parts))
            else:
                look, crosses = self.eyes.look_twice(parts[-1], self._enter(parts[:-1]))
        except OSError as error:
            return refusal(error)
        return look, bool(crosses)

    def names(self, parts: Parts, expected: Look | None = None) -> list[bytes] | Refused:
        """The names in a folder, sorted as bytes; `replaced` when it is not the folder that was expected."""
        if len(parts) > DEPTH_MAX:
            return Refused("too_deep")
        try:
            if self._top == _NO_FOLDER:
                return self._names_by_path(parts, expected)
            folder = self._enter(parts)
            if expected is not None and not _is_same(look_of(os.fstat(folder)), expected):
                self._leave(0)
                return Refused("replaced")
            return sorted(map(os.fsencode, os.listdir(folder)))  # noqa: PTH208 - by descriptor
        except OSError as error:
            return refusal(error)

    def _names_by_path(self, parts: Parts, expected: Look | None) -> list[bytes] | Refused:
        path = self._checked(parts)
        look = self.eyes.look(path)
        if kind_of(look) != "folder" or (expected is not None and not _is_same(look, expected)):
            return Refused("replaced")
        return sorted(os.listdir(path))  # noqa: PTH208 - names are bytes

    def target(self, parts: Parts) -> SourceText | Refused:
        """The text of a link."""
        try:
            if self._top == _NO_FOLDER:
                self._checked(parts[:-1])
                return true_name(os.readlink(self._path(parts)))  # noqa: PTH115 - names are bytes
            return true_name(os.readlink(parts[-1], dir_fd=self._enter(parts[:-1])))
        except OSError as error:
            return refusal(error)

    def open(self, parts: Parts, expected: Look | None = None) -> Opened | Refused:
        """Open a regular file; `replaced` when it is a link, another kind, or not the file that was expected."""
        try:
            descriptor, quiet = self._open_file(parts)
        except OSError as error:
            return refusal(error)
        found = os.fstat(descriptor)
        look = expected if expected is not None and is_as(found, expected) else look_of(found)
        if not stat.S_ISREG(look.mode) or (expected is not None and not _is_same(look, expected)):
            os.close(descriptor)
            return Refused("replaced")
        return Opened(descriptor, look, quiet)

    def is_still(self, parts: Parts, look: Look) -> bool:
        """Whether the entry is, by its name, all that the look says; false where that takes a look of its own."""
        if self._top == _NO_FOLDER:
            return False
        try:
            return is_as(os.stat(parts[-1], dir_fd=self._enter(parts[:-1]), follow_symlinks=False), look)
        except OSError:
            return False

    def _open_file(self, parts: Parts) -> tuple[int, bool]:
        if self._top != _NO_FOLDER:
            return _open(parts[-1], _FILE, self._enter(parts[:-1]))
        path = self._checked(parts)
        if kind_of(self.eyes.look(path)) != "file":
            raise OSError(errno.ELOOP, "not a regular file")
        return _open(path, _FILE, None)

    def _enter(self, parts: Parts) -> int:
        """A descriptor of the folder, good until the next call; handles of the way that is shared stay open."""
        if parts == self._here:
            return self._chain[-1][1] if self._chain else self._top
        shared = 0
        for (name, _), part in zip(self._chain, parts, strict=False):
            if name != part:
                break
            shared += 1
        self._leave(shared)
        at = self._chain[-1][1] if self._chain else self._top
        for part in parts[shared:]:
            at = _open(part, _FOLDER, at)[0]
            self._chain.append((part, at))
        self._here = parts
        return at

    def _leave(self, keep: int) -> None:
        self._here = None
        while len(self._chain) > keep:
            os.close(self._chain.pop()[1])

    def _path(self, parts: Parts) -> bytes:
        return os.path.join(self._root, *parts)  # noqa: PTH118 - names are bytes

    def _checked(self, parts: Parts) -> bytes:
        """Without handles: every component but the last is a folder and no link, now."""
        for depth in range(1, len(parts)):
            if kind_of(self.eyes.look(self._path(parts[:depth]))) != "folder":
                raise OSError(errno.ELOOP, "not a folder")
        return self._path(parts)


def _open(name: bytes, flags: int, folder: int | None) -> tuple[int, bool]:
    """Open so that reading leaves the access time alone; where that is refused (another's file), without."""
    if _NOATIME:
        try:
            return os.open(name, flags | _NOATIME, dir_fd=folder), True
        except PermissionError as error:
            if error.errno != errno.EPERM:
                raise
    return os.open(name, flags, dir_fd=folder), False


def refusal(error: OSError) -> Refused:
    """The problem that an error of the system stands for."""
    code = error.errno or 0
    name = errno.errorcode.get(code, type(error).__name__)
    if code in _GONE:
        return Refused("vanished", name)
    if code in _SWAPPED:
        return Refused("replaced", name)
    return Refused("unreadable" if code in _DENIED else "failed", name)


def _is_same(look: Look, expected: Look) -> bool:
    return (look.device, look.inode) == (expected.device, expected.inode)
