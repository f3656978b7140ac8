"""What a local store shows of itself: roots, entries, the state of a file before and after it was read.

- A true name is kept as text where it is UTF-8, and as hex of its bytes beside a display form where it is not.
- Times of files are RFC 3339 in UTC with nine digits; inodes and devices are decimal strings.
- Nothing here holds content: an extended attribute is a name, a size and a digest.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal, NewType

from agentaudit.model.base import UNSET, Digest, Frozen, Unset
from agentaudit.model.text import SourceText, Unencodable

# Files are written together: their times share few seconds.
SECONDS_MAX = 4_096
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001 - UTC by definition; the offset is written as Z

NanoInstant = NewType("NanoInstant", str)

EntryKind = Literal["file", "folder", "link", "fifo", "socket", "device", "unknown"]

Decision = Literal["preserve", "exclude", "list"]

Change = Literal["none", "grew", "shrank", "rewritten", "replaced", "vanished", "moved"]


class FileState(Frozen, frozen=True, kw_only=True):
    """One look at a file: what fstat or lstat says. `allocated_bytes` is 512 times its blocks; None where unknown."""

    size_bytes: int
    modified_at: NanoInstant
    changed_at: NanoInstant
    accessed_at: NanoInstant
    born_at: NanoInstant | None
    mode: int
    user_id: int
    group_id: int
    owner: SourceText | None
    group: SourceText | None
    device: str
    inode: str
    links: int
    allocated_bytes: int | None


class Attribute(Frozen, frozen=True, kw_only=True):
    """One extended attribute: its name, the size and digest of its value, and the payload file that holds it."""

    name: SourceText
    bytes: int
    sha256: Digest
    path: str | Unset = UNSET


LaterChange = Literal["appeared", "vanished", "replaced", "changed"]
"""What became of an entry between the survey and the second look at the end: it was not there before, its name is
gone, its name leads to another file, or its marks are others."""


class Root(Frozen, frozen=True, kw_only=True):
    """One root of a store: `r1` and its true path, how it was found, and what lies under it.

    `found` is `named`, `environment`, `default`, `databases` (a variable or the configuration of the root before moves
    its databases there: nothing else of the folder is looked at), or `reported` (it exists and was not asked for).
    `access_times_kept`: whether reading leaves access times alone; None where the system does not say.
    """

    root: str
    path: SourceText
    resolved: SourceText
    found: Literal["named", "environment", "default", "databases", "reported"]
    device: str
    file_system: str | None
    mount_options: str | None
    read_only: bool | None
    access_times_kept: bool | None


def true_name(raw: bytes) -> SourceText:
    """The name of a directory entry as it may be written: text, or the hex of its bytes and a display form."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return Unencodable(hex=raw.hex(), display=raw.decode("utf-8", "backslashreplace"))


def octets_of(name: SourceText) -> bytes:
    """The bytes of a true name."""
    return bytes.fromhex(name.hex) if isinstance(name, Unencodable) else name.encode("utf-8", "surrogatepass")


def nano_instant(nanoseconds: int) -> NanoInstant:
    """RFC 3339 in UTC with nine digits; a time outside the years 1 to 9999 is `@` and seconds since 1970."""
    seconds, rest = divmod(nanoseconds, 1_000_000_000)
    second, end = _second(seconds)
    return NanoInstant(f"{second}.{rest:09d}{end}")


@lru_cache(SECONDS_MAX)
def _second(seconds: int) -> tuple[str, str]:
    """What stands before the fraction, and what behind it."""
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return f"@{seconds}", ""
    return moment.isoformat(timespec="seconds"), "Z"


def nanoseconds_of(instant: NanoInstant) -> int:
    """Nanoseconds since 1970 of what `nano_instant` wrote; ValueError for anything else."""
    whole, _, rest = instant.removesuffix("Z").partition(".")
    if whole.startswith("@"):
        return int(whole[1:]) * 1_000_000_000 + int(rest)
    return (datetime.fromisoformat(whole) - _EPOCH) // timedelta(seconds=1) * 1_000_000_000 + int(rest)
