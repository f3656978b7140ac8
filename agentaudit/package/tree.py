"""Reading below one folder, never through a link and never outside it.

- Every component of a path is opened relative to its parent without following links, where the system can.
- Only regular files are opened: a pipe or a device never blocks or acts.
- Nothing is mapped into memory; every read has a bound.
"""

import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

FILE_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
HAS_HANDLES = sys.platform != "win32" and os.open in os.supports_dir_fd

_NO_FOLDER = -1


def resolved(path: Path) -> Path:
    """The path without links and dots; of a loop of links what there is of it, which nothing can open.

    `Path.resolve` raises RuntimeError for a loop (until Python 3.13), and a name that somebody gives is no bug.
    """
    return Path(os.path.realpath(path))


class Tree:
    """A folder that is read through handles; one thread uses one tree."""

    def __init__(self, root: Path) -> None:
        """Open the root; what the caller names may itself be a link, nothing below it may."""
        self.root = root
        self._top = os.open(resolved(root), FOLDER_FLAGS) if HAS_HANDLES else _NO_FOLDER
        self._folder = ""
        self._at = self._top

    def __enter__(self) -> Self:
        """The tree itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the handles."""
        self._leave()
        if self._top != _NO_FOLDER:
            os.close(self._top)

    def open(self, path: str) -> int:
        """A descriptor of a regular file; OSError when it is missing, a link, or anything else."""
        folder, _, name = path.rpartition("/")
        descriptor = self._open_by_handle(folder, name) if HAS_HANDLES else self._open_by_path(path)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file", path)
        return descriptor

    def stream(self, path: str) -> BinaryIO:
        """The file as a buffered stream."""
        return os.fdopen(self.open(path), "rb", 256 * 1024)

    def read(self, path: str, bytes_max: int) -> bytes:
        """The file's bytes, at most `bytes_max` and one more, by which an oversize shows."""
        with self.stream(path) as stream:
            return stream.read(bytes_max + 1)

    def lines(self, path: str, line_max: int) -> Iterator[bytes]:
        """Each line with its LF; of a line over `line_max` bytes only a beginning without LF is given."""
        with self.stream(path) as stream:
            while line := stream.readline(line_max + 1):
                if line.endswith(b"\n"):
                    yield line
                    continue
                yield line
                while line and not line.endswith(b"\n"):
                    line = stream.readline(line_max)

    def _open_by_handle(self, folder: str, name: str) -> int:
        if folder != self._folder:
            self._leave()
            for part in folder.split("/") if folder else ():
                self._enter(part)
            self._folder = folder
        return os.open(name, FILE_FLAGS, dir_fd=self._at)

    def _enter(self, part: str) -> None:
        """Go one folder down; on a failure stand at the top again."""
        try:
            below = os.open(part, FOLDER_FLAGS, dir_fd=self._at)
        except OSError:
            self._leave()
            raise
        if self._at != self._top:
            os.close(self._at)
        self._at = below

    def _open_by_path(self, path: str) -> int:
        """Without handles: every component is looked at before the file is opened."""
        place = self.root
        for part in path.split("/"):
            place = place / part
            look = place.lstat()
            if stat.S_ISLNK(look.st_mode) or getattr(look, "st_reparse_tag", False):
                raise OSError(errno.ELOOP, "a link", path)
        return os.open(place, FILE_FLAGS)

    def _leave(self) -> None:
        if self._at != self._top:
            os.close(self._at)
        self._at = self._top
        self._folder = ""
