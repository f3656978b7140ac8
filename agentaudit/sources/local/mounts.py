"""The table of mounts, read from the text of /proc/self/mountinfo (proc(5)): pure.

- The mount of a path is the last line whose mount point contains it: a later mount hides an earlier one.
- Mount points are bytes; the octal escapes of the table are undone.
"""

import re
from dataclasses import dataclass
from typing import Final

_ESCAPE: Final = re.compile(rb"\\([0-7]{3})")
_SEPARATOR: Final = b"-"
_POINT: Final = 4
_OPTIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount: where, the type of its file system, and the options of the mount and of the file system."""

    point: bytes
    file_system: str
    options: tuple[str, ...]

    @property
    def read_only(self) -> bool:
        """Nothing can be written through this mount."""
        return "ro" in self.options

    @property
    def access_times_kept(self) -> bool:
        """Reading through this mount never changes an access time."""
        return self.read_only or "noatime" in self.options


def mount_of(path: bytes, table: bytes) -> Mount | None:
    """The mount that holds the absolute path; None when no line of the table does."""
    found = None
    for line in table.split(b"\n"):
        mount = _mount(line)
        if mount is not None and _contains(mount.point, path):
            found = mount
    return found


def _mount(line: bytes) -> Mount | None:
    """One line: id, parent, device, root, point, options, optional fields, `-`, type, source, options."""
    fields = line.split(b" ")
    if _SEPARATOR not in fields or len(fields) <= _OPTIONS:
        return None
    rest = fields[fields.index(_SEPARATOR) + 1 :]
    options = fields[_OPTIONS].split(b",") + (rest[2].split(b",") if len(rest) > 2 else [])  # noqa: PLR2004
    return Mount(
        point=_ESCAPE.sub(lambda found: bytes([int(found[1], 8) & 0xFF]), fields[_POINT]),
        file_system=rest[0].decode("ascii", "backslashreplace") if rest else "",
        options=tuple(dict.fromkeys(option.decode("ascii", "backslashreplace") for option in options)),
    )


def _contains(point: bytes, path: bytes) -> bool:
    return path == point or path.startswith(point.rstrip(b"/") + b"/")
