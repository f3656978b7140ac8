"""Disks that fail: at the nth call the world ends, or the volume is full.

- `Killed` is no Exception: nothing between here and the test may swallow it.
- A killed write leaves half of its bytes, as a torn write does.
"""

import contextlib
import errno
import os
from pathlib import Path

from agentaudit.package.disk import OURS, Place, SystemDisk, destination


class Killed(BaseException):
    """The process was killed here."""


class FailingDisk(SystemDisk):
    """The real disk, counting its calls; the call number `fatal` is the last."""

    def __init__(self, fatal: int = 0, *, code: int | None = None, only: str | None = None) -> None:
        """Die at call `fatal` (from 1; 0 never), or fail with an error code; `only` counts calls of one name."""
        super().__init__()
        self.fatal = fatal
        self.code = code
        self.only = only
        self.calls = 0
        self.names: list[str] = []
        self.open: set[int] = set()

    def release(self) -> None:
        """Close what a killed process would have closed: its locks end with it."""
        for descriptor in self.open:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.open.clear()

    def append_to(self, path: Path) -> int:
        """Act, and keep track."""
        descriptor = super().append_to(path)
        self.open.add(descriptor)
        return descriptor

    def _count(self, name: str, path: Place | None = None) -> None:
        if self.only is not None and name != self.only:
            return
        self.calls += 1
        self.names.append(name)
        if self.calls == self.fatal:
            if self.code is None:
                raise Killed(name)
            with destination(path) if path else contextlib.nullcontext():
                raise OSError(self.code, os.strerror(self.code))

    def make_folder(self, path: Path) -> None:
        """Count, then act."""
        self._count("make_folder", path)
        super().make_folder(path)

    def create(self, path: Place, mode: int = OURS) -> int:
        """Count, then act."""
        self._count("create", path)
        descriptor = super().create(path, mode)
        self.open.add(descriptor)
        return descriptor

    def write(self, descriptor: int, octets: bytes | memoryview) -> None:
        """Write half when this is the end, else act."""
        if self.calls + 1 == self.fatal and self.only in (None, "write"):
            os.write(descriptor, octets[: len(octets) // 2])
        self._count("write")
        super().write(descriptor, octets)

    def extend(self, descriptor: int, length: int) -> None:
        """Count, then act."""
        self._count("extend")
        super().extend(descriptor, length)

    def stamp(self, descriptor: int, times_ns: tuple[int, int]) -> None:
        """Count, then act."""
        self._count("stamp")
        super().stamp(descriptor, times_ns)

    def settle(self, descriptor: int) -> None:
        """Count, then act."""
        self._count("settle")
        super().settle(descriptor)

    def settle_group(self, within: int, files: tuple[int, ...], folders: tuple[Path, ...]) -> None:
        """Count, then act."""
        self._count("settle_group")
        super().settle_group(within, files, folders)

    def settle_folder(self, path: Path) -> None:
        """Count, then act."""
        self._count("settle_folder", path)
        super().settle_folder(path)

    def close(self, descriptor: int) -> None:
        """Close, then count: some file systems report a failed write only here."""
        super().close(descriptor)
        self.open.discard(descriptor)
        self._count("close")

    def rename(self, old: Path, new: Path) -> None:
        """Count, then act."""
        self._count("rename", new)
        super().rename(old, new)

    def protect(self, path: Path) -> None:
        """Count, then act."""
        self._count("protect", path)
        super().protect(path)

    def remove(self, path: Path) -> None:
        """Count, then act."""
        self._count("remove", path)
        super().remove(path)

    def cut(self, path: Path, length: int) -> None:
        """Count, then act."""
        self._count("cut", path)
        super().cut(path, length)


FULL = errno.ENOSPC
