"""One read of one file: its bytes go to the caller as they come, once; then what changed meanwhile is said.

- Exactly the size at opening is read: of a file that grows, the exact prefix. A file that grew has its tail looked at
  once more: where it is not the same any more, the file was rewritten and not only appended to. Whoever has the digest
  of what was handed over can have the whole prefix read again, to hold it against that.
- A view is good during the call of `take` alone.
- Holes cost no time. Up to `HOLES_MAX` bytes of them belong to the file like any zeros and are handed to `hole`, so
  that a copy stays sparse and a digest covers them. Beyond that the file is read as its data runs alone: nothing is
  lost, for holes are zeros, and the map of the runs says where each lies. More than `RUNS_MAX` of them are refused.
- A file that is denied is not read, whoever asks and however it came by its name since it was seen.
- A placeholder of a cloud store is not read unless asked: reading would fetch it.
- A failure is a value; only what `take` and `hole` raise goes through.
"""

import os
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal

import msgspec

from agentaudit.model.local import Change, FileState
from agentaudit.model.survey import Look, Problem, Seen
from agentaudit.sources.local.compare import compare
from agentaudit.sources.local.handles import Handles, Opened, Refused, refusal
from agentaudit.sources.local.holes import Run, data_runs
from agentaudit.sources.local.looking import is_as, look_of
from agentaudit.sources.local.owners import Owners
from agentaudit.sources.local.passing import Hole, Passing, SourceFault, Take

# Read, hashed and written while it is in the processor's cache: larger buffers were slower by up to a third.
BUFFER_BYTES: Final = 256 * 1024
HOLES_MAX: Final = 1024 * 1024 * 1024
RUNS_MAX: Final = 4096

# A small file may lie in its inode and take no block: only above this do no blocks mean that the bytes are elsewhere.
_PLACEHOLDER_MIN: Final = 4096
_HAS_ATTRIBUTES: Final = hasattr(os, "listxattr")


class Read(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The file was read to the size it had at opening, or to its end where it shrank.

    `taken` bytes were handed over; `hole_bytes` more are holes that `hole` was told. When `runs` is not None only the
    data runs were taken: offset and length of each, in order; the rest of `before.size_bytes` is zeros.
    `attributes` are extended attributes, name and value; None where the system has none or does not give them.
    `access_time_kept`: the file was opened so that reading leaves its access time alone.
    """

    before: FileState
    after: FileState
    change: Change
    taken: int
    hole_bytes: int
    runs: tuple[Run, ...] | None
    attributes: tuple[tuple[bytes, bytes], ...] | None
    access_time_kept: bool


class Unread(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The file was not read to its end; `taken` says how many bytes had been handed over before."""

    problem: Problem | Literal["denied", "placeholder", "sparse_over_limit"]
    error: str | None = None
    taken: int = 0


class Reader:
    """Reads files of one root; one thread uses one, because its buffer is used again."""

    def __init__(self, handles: Handles, owners: Owners, buffer_bytes: int = BUFFER_BYTES) -> None:
        """Take over the handles of this thread; `owners` may be shared."""
        self._handles = handles
        self._owners = owners
        self._view = memoryview(bytearray(buffer_bytes))
        self._denied: frozenset[tuple[int, int]] = frozenset()

    def deny(self, files: frozenset[tuple[int, int]]) -> None:
        """Never hand over a byte of these files (device and inode), under whatever name they are opened."""
        self._denied = files

    def read(self, seen: Seen, take: Take, hole: Hole | None = None, *, placeholders: bool = False) -> Read | Unread:
        """Read the very file that was seen. Without `hole`, holes up to the bound are handed to `take` as zeros."""
        if seen.look is None:
            return Unread(problem=seen.problem or "failed", error=seen.error)
        opened = self._handles.open(seen.parts, seen.look)
        if isinstance(opened, Refused):
            return Unread(problem=opened.problem, error=opened.error)
        passing = Passing(opened.descriptor, self._view, take)
        try:
            if (opened.look.device, opened.look.inode) in self._denied:
                return Unread(problem="denied")
            runs = _plan(opened, placeholders=placeholders)
            if isinstance(runs, Unread):
                return runs
            whole = opened.look.size - _length(runs) <= HOLES_MAX
            covered = _pass(passing, opened.look.size, runs, hole, whole=whole)
            return self._close(seen, opened, passing, covered, None if whole else runs)
        except SourceFault as fault:
            refused = refusal(fault.error)
            return Unread(problem=refused.problem, error=refused.error, taken=passing.taken)
        finally:
            os.close(opened.descriptor)

    def digest_again(self, seen: Seen, octets: int, check: Callable[[], None]) -> str | None:
        """SHA-256, in hex, of the first so many bytes of the very file as they are now, holes as zeros.

        None when they cannot be read, or there are fewer. `check` is called often and ends it by raising.
        """
        if seen.look is None:
            return None
        opened = self._handles.open(seen.parts, seen.look)
        if isinstance(opened, Refused):
            return None
        digest = sha256()

        def take(chunk: memoryview) -> None:
            digest.update(chunk)
            check()

        try:
            if (opened.look.device, opened.look.inode) in self._denied:
                return None
            return digest.hexdigest() if Passing(opened.descriptor, self._view, take).run(0, octets) else None
        except SourceFault:
            return None
        finally:
            os.close(opened.descriptor)

    def _close(self, seen: Seen, opened: Opened, passing: Passing, covered: int, runs: tuple[Run, ...] | None) -> Read:
        """Look at the file again, by handle and by name. Raises SourceFault."""
        attributes = attributes_of(opened.descriptor)
        change: Change
        if covered == opened.look.size and self._is_still(seen, opened):
            change, later = "none", opened.look
        else:
            later = look_through(opened.descriptor)
            named = self._handles.look(seen.parts)
            change = compare(opened.look, later, None if isinstance(named, Refused) else named[0], covered)
            if later.size > opened.look.size and not passing.tail_is_same():
                change = "rewritten"
        before, after = self._states(seen, opened.look, later)
        return Read(
            before=before,
            after=after,
            change=change,
            taken=passing.taken,
            hole_bytes=passing.hole_bytes,
            runs=runs,
            attributes=attributes,
            access_time_kept=opened.access_time_kept,
        )

    def _is_still(self, seen: Seen, opened: Opened) -> bool:
        """Whether the file is what it was at opening, by handle and by name: most are. Raises SourceFault."""
        try:
            found = os.fstat(opened.descriptor)
        except OSError as error:
            raise SourceFault(error) from error
        return is_as(found, opened.look) and self._handles.is_still(seen.parts, opened.look)

    def _states(self, seen: Seen, first: Look, later: Look) -> tuple[FileState, FileState]:
        """The written forms of both looks; what is the same is made once. Only the name knew the birth time."""
        born = None if seen.look is None else seen.look.born_ns
        if seen.state is not None and first is seen.look:
            before = seen.state
        else:
            before = self._owners.state(msgspec.structs.replace(first, born_ns=born))
        if later is first:
            return before, before
        later = msgspec.structs.replace(later, born_ns=born)
        if later == msgspec.structs.replace(first, born_ns=born):
            return before, before
        return before, self._owners.state(later)


def attributes_of(descriptor: int) -> tuple[tuple[bytes, bytes], ...] | None:
    """The extended attributes of an open file, sorted by name; None where they cannot be had."""
    if not _HAS_ATTRIBUTES:
        return None
    try:
        names = os.listxattr(descriptor)
        if not names:
            return ()
        return tuple(sorted((os.fsencode(name), os.getxattr(descriptor, name)) for name in names))
    except OSError:
        return None


def look_through(descriptor: int) -> Look:
    """The look by a descriptor, without a birth time. Raises SourceFault."""
    try:
        return look_of(os.fstat(descriptor))
    except OSError as error:
        raise SourceFault(error) from error


def _plan(opened: Opened, *, placeholders: bool) -> tuple[Run, ...] | Unread:
    """Which runs are read: the whole file, unless it has fewer bytes on the disk than it says. Raises SourceFault."""
    look, all_of_it = opened.look, ((0, opened.look.size),)
    if look.offline and not placeholders:
        return Unread(problem="placeholder")
    if look.allocated is None or look.allocated >= look.size:
        return all_of_it
    try:
        runs = data_runs(opened.descriptor, look.size, RUNS_MAX)
    except OSError as error:
        raise SourceFault(error) from error
    if look.allocated == 0 and look.size > _PLACEHOLDER_MIN and runs == all_of_it and not placeholders:
        return Unread(problem="placeholder")
    if len(runs) <= RUNS_MAX:
        return runs
    return all_of_it if look.size - look.allocated <= HOLES_MAX else Unread(problem="sparse_over_limit")


def _length(runs: tuple[Run, ...]) -> int:
    return runs[0][1] if len(runs) == 1 else sum(length for _, length in runs)


def _pass(passing: Passing, size: int, runs: tuple[Run, ...], hole: Hole | None, *, whole: bool) -> int:
    """Hand over the runs, and the holes where the whole is wanted; how far the file was covered."""
    at = 0
    for start, length in runs:
        if whole and start > at:
            passing.hole(at, start - at, hole)
        if not passing.run(start, length):
            return passing.reached
        at = start + length
    if whole and at < size:
        passing.hole(at, size - at, hole)
    return size
