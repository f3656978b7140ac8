"""Stat calls: the numbers of one file, with its birth time where the system gives one.

- `statx` on Linux: one call gives what `lstat` gives, the birth time, and whether something is mounted there.
- Nothing is followed, and no automatic mount is set off.
- Without `statx` the same numbers come from the portable call, the birth time from macOS and Windows alone.
"""

import ctypes
import os
import stat
import struct
import sys
from typing import Final, Protocol

from agentaudit.model.local import EntryKind
from agentaudit.model.survey import Look

_AT_FDCWD: Final = -100
_FLAGS: Final = 0x100 | 0x800  # AT_SYMLINK_NOFOLLOW, AT_NO_AUTOMOUNT
_MASK: Final = 0x7FF | 0x800  # STATX_BASIC_STATS, STATX_BTIME
_BTIME: Final = 0x800
_MOUNT_ROOT: Final = 0x2000
# statx(2): mask, attributes, links, user, group, mode, inode, size, blocks; four times; device
_FIELDS: Final = struct.Struct("=I4xQIIIH2xQQQ8xqI4xqI4xqI4xqI4x8xII")
_BLOCK: Final = 512
_SECOND: Final = 1_000_000_000
_DATALESS: Final = 0x40000000  # SF_DATALESS of macOS
_RECALL: Final = 0x00400000 | 0x00040000 | 0x00001000  # recall on access, recall on open, offline: Windows
_NAME_SURROGATE: Final = 0x20000000  # a reparse point that stands for another name: a link or a junction
# Some systems say more of a file in a portable result: flags, attributes, its birth.
_SAYS_MORE: Final = not sys.platform.startswith("linux")


class Eyes:
    """Looks at files; one thread uses one, because its buffer is used again."""

    def __init__(self, *, use_statx: bool = True) -> None:
        """Find `statx`, unless it is not to be used."""
        self._statx = _find_statx() if use_statx else None
        self._buffer = ctypes.create_string_buffer(256)

    def look(self, name: bytes, folder: int | None = None) -> Look:
        """The entry itself, never what it points to; `folder` is a descriptor. Raises OSError."""
        return self.look_twice(name, folder)[0]

    def look_twice(self, name: bytes, folder: int | None = None) -> tuple[Look, bool | None]:
        """The look, and whether another file system is mounted on the entry (None where the system does not say)."""
        if self._statx is None:
            return look_of(os.stat(name, dir_fd=folder, follow_symlinks=False)), None
        if self._statx(_AT_FDCWD if folder is None else folder, name, _FLAGS, _MASK, self._buffer) == 0:
            return _read_statx(self._buffer)
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


def look_of(found: os.stat_result) -> Look:
    """The numbers of a portable stat result."""
    blocks: int | None = getattr(found, "st_blocks", None)
    return Look(
        size=found.st_size,
        modified_ns=found.st_mtime_ns,
        changed_ns=found.st_ctime_ns,
        accessed_ns=found.st_atime_ns,
        born_ns=_birth(found),
        mode=found.st_mode,
        user_id=found.st_uid,
        group_id=found.st_gid,
        device=found.st_dev,
        inode=found.st_ino,
        links=found.st_nlink,
        allocated=None if blocks is None else blocks * _BLOCK,
        offline=_offline(found),
        junction=bool(getattr(found, "st_reparse_tag", 0) & _NAME_SURROGATE) and not stat.S_ISLNK(found.st_mode),
    )


def is_as(found: os.stat_result, look: Look) -> bool:
    """Whether a portable stat result says what the look does; a birth time that only another call gives is not asked.

    Comparing costs a fifth of making a look of the result: of a file that holds still no second one is made.
    """
    if _SAYS_MORE:
        return look_of(found) == look
    return (
        found.st_ino == look.inode
        and found.st_dev == look.device
        and found.st_size == look.size
        and found.st_mtime_ns == look.modified_ns
        and found.st_ctime_ns == look.changed_ns
        and found.st_atime_ns == look.accessed_ns
        and found.st_mode == look.mode
        and found.st_nlink == look.links
        and found.st_uid == look.user_id
        and found.st_gid == look.group_id
        and found.st_blocks * _BLOCK == look.allocated
    )


def kind_of(look: Look) -> EntryKind:
    """The kind of an entry by its mode; a junction is a link."""
    return "link" if look.junction else _KINDS.get(stat.S_IFMT(look.mode), "unknown")


_KINDS: Final[dict[int, EntryKind]] = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFCHR: "device",
    stat.S_IFBLK: "device",
}


class _Statx(Protocol):
    def __call__(
        self, folder: int, path: bytes, flags: int, mask: int, into: ctypes.Array[ctypes.c_char], /
    ) -> int: ...


def _find_statx() -> _Statx | None:
    """The call, where the C library has it and the kernel answers it."""
    if not sys.platform.startswith("linux"):
        return None
    library = ctypes.CDLL(None, use_errno=True)
    if not hasattr(library, "statx"):
        return None
    call: _Statx = library.statx
    return call if call(_AT_FDCWD, b"/", _FLAGS, _MASK, ctypes.create_string_buffer(256)) == 0 else None


def _read_statx(buffer: ctypes.Array[ctypes.c_char]) -> tuple[Look, bool]:
    (
        mask, attributes, links, user, group, mode, inode, size, blocks,
        a_sec, a_ns, b_sec, b_ns, c_sec, c_ns, m_sec, m_ns, major, minor,
    ) = _FIELDS.unpack_from(buffer)  # fmt: skip
    look = Look(
        size=size,
        modified_ns=m_sec * _SECOND + m_ns,
        changed_ns=c_sec * _SECOND + c_ns,
        accessed_ns=a_sec * _SECOND + a_ns,
        born_ns=b_sec * _SECOND + b_ns if mask & _BTIME else None,
        mode=mode,
        user_id=user,
        group_id=group,
        device=os.makedev(major, minor),
        inode=inode,
        links=links,
        allocated=blocks * _BLOCK,
    )
    return look, bool(attributes & _MOUNT_ROOT)


def _birth(found: os.stat_result) -> int | None:
    """Some systems give it by name; Windows gives it as the change time (Python 3.11)."""
    if sys.platform == "win32":
        return found.st_ctime_ns
    seconds: float | None = getattr(found, "st_birthtime", None)
    return None if seconds is None else int(seconds * _SECOND)


def _offline(found: os.stat_result) -> bool | None:
    flags: int | None = getattr(found, "st_flags", None)
    if flags is not None:
        return bool(flags & _DATALESS)
    attributes: int | None = getattr(found, "st_file_attributes", None)
    return None if attributes is None else bool(attributes & _RECALL)
