"""One read of one file: its bytes go to the caller as they come, once; then what changed meanwhile is said.

- Exactly the size at opening is read: of a file that grows, the exact prefix. A file that grew has its tail looked at
  once more: where it is not the same any more, the file was rewritten and not only appended to.
- A view is good during the call of `take` alone.
- Holes cost no time. Up to `HOLES_MAX` bytes of them belong to the file like any zeros and are handed to `hole`, so
  that a copy stays sparse and a digest covers them. Beyond that the file is read as its data runs alone: nothing is
  lost, for holes are zeros, and the map of the runs says where each lies. More than `RUNS_MAX` of them are refused.
- A placeholder of a cloud store is not read unless asked: reading would fetch it.
- A failure is a value; only what `take` and `hole` raise goes through.
"""

import os
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

from agentaudit.model.local import Change, FileState
from agentaudit.model.survey import Look, Problem, Seen
from agentaudit.sources.local.compare import compare
from agentaudit.sources.local.handles import Handles, Opened, Refused, refusal
from agentaudit.sources.local.holes import Run, data_runs
from agentaudit.sources.local.looking import look_of
from agentaudit.sources.local.owners import Owners

BUFFER_BYTES: Final = 1024 * 1024
HOLES_MAX: Final = 1024 * 1024 * 1024
RUNS_MAX: Final = 4096

_PLACEHOLDER_MIN: Final = 4096
_HAS_READV: Final = hasattr(os, "readv")
_HAS_ATTRIBUTES: Final = hasattr(os, "listxattr")

Take: TypeAlias = Callable[[memoryview], None]
Hole: TypeAlias = Callable[[int, int], None]


class Read(msgspec.Struct, frozen=True, kw_only=True):
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


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """The file was not read to its end; `taken` says how many bytes had been handed over before."""

    problem: Problem | Literal["placeholder", "sparse_over_limit"]
    error: str | None = None
    taken: int = 0


class Reader:
    """Reads files of one root; one thread uses one, because its buffer is used again."""

    def __init__(self, handles: Handles, owners: Owners, buffer_bytes: int = BUFFER_BYTES) -> None:
        """Take over the handles of this thread; `owners` may be shared."""
        self._handles = handles
        self._owners = owners
        self._view = memoryview(bytearray(buffer_bytes))

    def read(self, seen: Seen, take: Take, hole: Hole | None = None, *, placeholders: bool = False) -> Read | Unread:
        """Read the very file that was seen. Without `hole`, holes up to the bound are handed to `take` as zeros."""
        opened = self._handles.open(seen.parts, seen.look)
        if isinstance(opened, Refused):
            return Unread(problem=opened.problem, error=opened.error)
        try:
            runs = _plan(opened, placeholders=placeholders)
            if isinstance(runs, Unread):
                return runs
            passing = _Passing(opened, runs, self._view, take, hole)
            fault = passing.run()
            return fault or self._close(seen, opened, passing)
        finally:
            os.close(opened.descriptor)

    def _close(self, seen: Seen, opened: Opened, passing: "_Passing") -> Read | Unread:
        """Look at the file again, by handle and by name."""
        try:
            attributes = _attributes(opened.descriptor)
            later = look_of(os.fstat(opened.descriptor))
            named = self._handles.look(seen.parts)
            name = None if isinstance(named, Refused) else named[0]
            change = compare(opened.look, later, name, passing.covered)
            if change == "grew" and not passing.tail_is_same():
                change = "rewritten"
        except OSError as error:
            return _unread(error, passing.taken)
        before = self._state(opened.look, seen.look, seen.state)
        return Read(
            before=before,
            after=self._state(later, opened.look, before, seen.look),
            change=change,
            taken=passing.taken,
            hole_bytes=passing.hole_bytes,
            runs=None if passing.whole else passing.runs,
            attributes=attributes,
            access_time_kept=opened.access_time_kept,
        )
